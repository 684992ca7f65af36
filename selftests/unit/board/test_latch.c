// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_latch.c - concurrent reads of a blackboard entry that is being written.
 *
 * Every word of version n is a function of n, which reveals mixed values. One reader is
 * stopped in the middle of its copy while the writer goes on. This program is built with the
 * thread sanitizer; test_latch_address.c is the same with the other sanitizers.
 *
 * test_latch READS - reads the entry READS times while it is written every 20 us.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "board_maker.h"
#include "board/board_protocol.h"
#include "ksft.h"

/* Index of the word before whose copy the reader calls stop_to_do(); -1: none. */
static _Thread_local int stop_before = -1;
static _Thread_local void (*stop_to_do)(void);

static void copy_hook(int word)
{
	if (word == stop_before)
		stop_to_do();
}

#define RCR_BOARD_COPY_HOOK(word) copy_hook(word)
#include "board/board_read.c"

#define WORDS (sizeof(struct rcr_board_value) / sizeof(__u64))
#define VERSIONS 300000ull
#define SERIAL 7

static struct made_board memory;
static struct rcr_board_entry *const entry = &memory.entry[0];
static const struct rcr_meter meter = { .entry = 0, .serial = SERIAL };
static struct rcr_blackboard board;
static atomic_int writer_done;
static __u64 wanted;	/* reads of a reader; 0: until the writer is done */
static atomic_int reading;

int rcr_board_fail(int error)
{
	errno = error;
	return -1;
}

static __u64 word_of(__u64 version, unsigned int i)
{
	return version * 0x9e3779b97f4a7c15ull + i;
}

static void write_version(void)
{
	__u64 words[WORDS], version = entry->head + 1;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		words[i] = word_of(version, i);
	rcr_board_store(entry, (const struct rcr_board_value *)words);
}

/* Return the version that a value was written with, ~0 if it mixes two. */
static __u64 version_of(const struct rcr_board_value *value)
{
	/* The inverse of the factor, modulo 2^64. */
	const __u64 *words = (const __u64 *)value, version = words[0] * 0xf1de83e19937733dull;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		if (words[i] != word_of(version, i))
			return ~0ull;
	return version;
}

static void reset(void)
{
	memset(&memory, 0, sizeof(memory));
	make_head(&memory.head);
	board = (struct rcr_blackboard) {
		.head = &memory.head,
		.entries = { (const char *)memory.entry, sizeof(memory.entry[0]), MADE_ENTRIES },
	};
	entry->serial = SERIAL;
	atomic_store(&writer_done, 0);
}

static void *writer(void *arg)
{
	__u64 i;

	(void)arg;
	/* With the default slack of 50 us the thread would sleep too long. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	for (i = 0; wanted ? atomic_load(&reading) : i < VERSIONS; i++) {
		write_version();
		if (wanted || i % 64 == 0)
			usleep(wanted ? 20 : 1);
	}
	atomic_store(&writer_done, 1);
	return NULL;
}

/**
 * struct tally - results of a reader
 * @read: number of values read
 * @mixed: number of values with words of two versions
 * @back: number of values older than the previous one
 * @again: number of reads that failed with EAGAIN
 */
struct tally {
	__u64 read, mixed, back, again;
};

static void *reader(void *arg)
{
	struct rcr_board_value value;
	struct tally *t = arg;
	__u64 last = 0, version;

	while (wanted ? t->read < wanted : !atomic_load(&writer_done)) {
		if (rcr_board_read(&board, &meter, &value)) {
			t->again += errno == EAGAIN;
			continue;
		}
		version = version_of(&value);
		t->read++;
		t->mixed += version == ~0ull;
		t->back += version < last;
		last = version;
	}
	atomic_fetch_sub(&reading, 1);
	return NULL;
}

static void test_running(int readers)
{
	struct tally tally[3] = { };
	struct rcr_board_value value;
	pthread_t w, r[3];
	__u64 read = 0, wrong = 0;
	int i;

	reset();
	atomic_store(&reading, readers);
	for (i = 0; i < readers; i++)
		pthread_create(&r[i], NULL, reader, &tally[i]);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(w, NULL);
	for (i = 0; i < readers; i++) {
		pthread_join(r[i], NULL);
		read += tally[i].read;
		wrong += tally[i].mixed + tally[i].back;
	}
	ksft_test_result(!wrong && read, "%llu reads of %llu versions, no mixed value and none older than the one before\n",
			 (unsigned long long)read, (unsigned long long)entry->head);
	ksft_test_result(!rcr_board_read(&board, &meter, &value) &&
			 version_of(&value) == entry->head, "the last version is kept\n");
}

static unsigned int more;

static void write_more(void)
{
	unsigned int i;

	stop_before = -1;
	for (i = 0; i < more; i++)
		write_version();
}

/* A reader's copy of version 1 is valid until version 3 begins. */
static void test_paused(void)
{
	struct rcr_board_value value;
	__u64 expected;
	int wrong = 0;
	unsigned int word;

	for (word = 0; word < WORDS; word++)
		for (more = 0; more < 6; more++) {
			reset();
			write_version();
			stop_to_do = write_more;
			stop_before = word;
			expected = more < 2 ? 1 : 1 + more;
			wrong += rcr_board_read(&board, &meter, &value) ||
				 version_of(&value) != expected;
		}
	ksft_test_result(!wrong, "a reader paused at any word gets a whole value\n");
}

/* Write two versions during each copy. */
static void write_again(void)
{
	write_version();
	write_version();
}

static void test_again(void)
{
	struct rcr_board_value value;

	reset();
	write_version();
	stop_to_do = write_again;
	stop_before = WORDS - 1;
	ksft_test_result(rcr_board_read(&board, &meter, &value) && errno == EAGAIN &&
			 entry->head == 1 + 2 * RCR_BOARD_TRIES,
			 "a reader gives up after RCR_BOARD_TRIES attempts\n");
	stop_before = -1;
}

static void test_half_written(void)
{
	struct rcr_board_value value;

	reset();
	ksft_test_result(rcr_board_read(&board, &meter, &value) && errno == ENODATA,
			 "an entry that was never written has no value\n");
	WRITE_ONCE(rcr_board_begin(entry)->sum, 1);
	ksft_test_result(rcr_board_read(&board, &meter, &value) && errno == ENODATA,
			 "an entry has no value while its first version is written\n");
	rcr_board_commit(entry);
	write_version();
	WRITE_ONCE(rcr_board_begin(entry)->sum, 1);
	ksft_test_result(!rcr_board_read(&board, &meter, &value) && version_of(&value) == 2,
			 "the last version can be read while the next one is written\n");
}

/* Give the entry to another meter as board.c does: the version number is not reset. */
static void change_hands(void)
{
	static const struct rcr_board_value nothing;

	stop_before = -1;
	WRITE_ONCE(entry->serial, 0);
	smp_wmb();	/* with the fence of rcr_board_read() */
	rcr_board_store(entry, &nothing);
	smp_wmb();	/* a reader that sees the serial sees the stores above */
	WRITE_ONCE(entry->serial, SERIAL + 1);
	write_more();
}

static void test_other_meter(void)
{
	const struct rcr_meter next = { .entry = 0, .serial = SERIAL + 1 };
	struct rcr_board_value value;
	unsigned int word, wrong = 0;

	for (word = 0; word < WORDS; word++)
		for (more = 0; more < 4; more++) {
			reset();
			write_version();
			stop_to_do = change_hands;
			stop_before = word;
			wrong += !rcr_board_read(&board, &meter, &value) || errno != ESTALE;
			wrong += rcr_board_read(&board, &next, &value) ? errno != ENODATA || more :
				 version_of(&value) != 2 + more;
		}
	ksft_test_result(!wrong,
			 "an entry that is given to another meter never mixes their values\n");
}

int main(int argc, char **argv)
{
	ksft_print_header();
	ksft_set_plan(8);
	if (argc > 1)
		wanted = strtoull(argv[1], NULL, 0);
	test_running(wanted ? 1 : 3);
	test_paused();
	test_again();
	test_half_written();
	test_other_meter();
	ksft_finished();
}
