// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ring.c - concurrent reads of a ring that is being written.
 *
 * Every word of record p is a function of p, which reveals mixed records. One reader is
 * stopped in the middle of its copy until the writer has overwritten the whole ring.
 * Built with the thread sanitizer.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "ksft.h"

/* Index of the word before whose copy the reader stops until let_go is set; -1: none. */
static _Thread_local int pause_before = -1;
static atomic_int paused, let_go;

static void copy_hook(int word)
{
	if (word != pause_before)
		return;
	atomic_store(&paused, 1);
	while (!atomic_load(&let_go))
		usleep(10);
	pause_before = -1;
}

#define RCR_RING_COPY_HOOK(word) copy_hook(word)
#include "ring/ring_protocol.h"

#define CAPACITY 8
#define WORDS 17
#define RECORDS 300000ull

static struct {
	struct rcr_ring ring;
	__u64 slots[CAPACITY * WORDS];
} memory;

static struct rcr_ring *const ring = &memory.ring;
static atomic_int writer_done;

static __u64 word_of(__u64 position, unsigned int i)
{
	return position * 0x9e3779b97f4a7c15ull + i;
}

static void write_record(void)
{
	__u64 *slot = (__u64 *)rcr_ring_begin(ring), position = ring->head;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		WRITE_ONCE(slot[i], word_of(position, i));
	rcr_ring_commit(ring);
}

static bool is_record(const __u64 *copy, __u64 position)
{
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		if (copy[i] != word_of(position, i))
			return false;
	return true;
}

static void *writer(void *arg)
{
	__u64 i;

	(void)arg;
	for (i = 0; i < RECORDS; i++) {
		write_record();
		if (i % 64 == 0)
			usleep(1);
	}
	atomic_store(&writer_done, 1);
	return NULL;
}

struct tally {
	__u64 read, lost, mixed;
};

static void *reader(void *arg)
{
	struct tally *t = arg;
	__u64 position = 0, copy[WORDS], oldest;

	while (position < RECORDS) {
		switch (rcr_ring_read(ring, position, copy)) {
		case RCR_RING_RECORD:
			t->mixed += !is_record(copy, position);
			t->read++;
			position++;
			break;
		case RCR_RING_LOST:
			oldest = rcr_ring_oldest(ring);
			t->lost += oldest - position;
			position = oldest;
			break;
		case RCR_RING_EMPTY:
			usleep(1);
			break;
		}
	}
	return NULL;
}

static void reset(void)
{
	memset(&memory, 0, sizeof(memory));
	ring->data_offset = sizeof(struct rcr_ring);
	ring->record_size = WORDS * sizeof(__u64);
	ring->capacity = CAPACITY;
	atomic_store(&writer_done, 0);
}

static void test_running(void)
{
	struct tally tally[3] = { };
	pthread_t w, r[3];
	__u64 mixed = 0, lost = 0;
	bool all = true;
	int i;

	reset();
	for (i = 0; i < 3; i++)
		pthread_create(&r[i], NULL, reader, &tally[i]);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(w, NULL);
	for (i = 0; i < 3; i++) {
		pthread_join(r[i], NULL);
		mixed += tally[i].mixed;
		lost += tally[i].lost;
		all &= tally[i].read + tally[i].lost == RECORDS;
	}
	ksft_test_result(!mixed, "no reader got a mixed record\n");
	ksft_test_result(all,
			 "each reader reads or loses each of %llu records (%llu lost)\n",
			 RECORDS, (unsigned long long)lost);
}

struct pause {
	int before;
	__u64 copy[WORDS];
	enum rcr_ring_answer answer;
};

static void *paused_reader(void *arg)
{
	struct pause *p = arg;

	pause_before = p->before;
	p->answer = rcr_ring_read(ring, 0, p->copy);
	return NULL;
}

/* Pause a reader of record 0 before a word while @more records are written. */
static enum rcr_ring_answer read_paused(int before, unsigned int more, bool *whole)
{
	struct pause p = { .before = before };
	pthread_t r;

	reset();
	write_record();
	atomic_store(&paused, 0);
	atomic_store(&let_go, 0);
	pthread_create(&r, NULL, paused_reader, &p);
	while (!atomic_load(&paused))
		usleep(10);
	while (more--)
		write_record();
	atomic_store(&let_go, 1);
	pthread_join(r, NULL);
	*whole = is_record(p.copy, 0);
	return p.answer;
}

static void test_paused(void)
{
	unsigned int more;
	int word, wrong = 0;
	bool whole;

	for (word = 0; word < WORDS; word++)
		for (more = 0; more <= 3 * CAPACITY; more++) {
			enum rcr_ring_answer a = read_paused(word, more, &whole);

			/* Record 0 is valid until record CAPACITY begins. */
			if (more < CAPACITY)
				wrong += a != RCR_RING_RECORD || !whole;
			else
				wrong += a != RCR_RING_LOST;
		}
	ksft_test_result(!wrong, "a reader paused at any word gets a whole record or none\n");
}

/* A record that the writer has begun but not ended cannot be read. */
static void test_half_written(void)
{
	__u64 copy[WORDS];
	unsigned int i;

	reset();
	for (i = 0; i < CAPACITY; i++)
		write_record();
	WRITE_ONCE(*(__u64 *)rcr_ring_begin(ring), 1);
	ksft_test_result(rcr_ring_read(ring, 0, copy) == RCR_RING_LOST &&
			 rcr_ring_oldest(ring) == 1,
			 "a record that is being overwritten is lost\n");
	ksft_test_result(rcr_ring_read(ring, 1, copy) == RCR_RING_RECORD &&
			 is_record(copy, 1), "the record after one being overwritten is whole\n");
	ksft_test_result(rcr_ring_read(ring, CAPACITY, copy) == RCR_RING_EMPTY,
			 "a record that is being written cannot be read yet\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(6);
	test_running();
	test_paused();
	test_half_written();
	ksft_finished();
}
