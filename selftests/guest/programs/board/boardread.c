// SPDX-License-Identifier: GPL-2.0-only
/*
 * boardread.c - reads a meter from blackboard 1 while it is written, both with librcr and with only
 * section 8 of Documentation/dev/interface.md, and checks each value for invariants that a mixture
 * of two values would break.
 *
 *	boardread show METER PLACE NUMBER
 *		prints the value at the place, read both ways
 *	boardread torn METER READS PERIOD_NS
 *		four threads, two per way, make READS reads each, and continue until the writer
 *		has written WRITES times
 *	boardread dawdle|careless METER READS PERIOD_NS
 *		readers that wait in the middle of each copy until the writer has written twice;
 *		the careless reader does not check for that
 *	boardread stale METER
 *		four threads read until the board is stale. The test writes a line to standard
 *		input when it has stopped sampling, and another one to end the program
 *
 * Invariants of a meter of counts: utilization follows from the current value, sum is the average
 * times the ticks of the span, time does not go backwards, and one time has one value. To a posted
 * meter the test posts 1, 2, 3, ..., so that all values follow from the latest.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>

#include "rcr_board.h"
#include "boarddev.h"

#define THREADS		4
#define HALF		5		/* words that a dawdling reader copies before it waits */
#define WRITES		20		/* at least, during the reads */
#define STALE_READS	100000		/* further reads that must be stale as well */
#define STALE_LIMIT	20000000	/* most reads until the board is stale */

static struct rcr_blackboard *library;
static struct rcr_meter by_library;
static const struct rcr_board *head;			/* mapped without the library */
static const struct rcr_board_entry *entry;
static uint32_t serial;
static bool posted, dawdles, careless;
static uint64_t period_ns;
static bool stopped;
static uint64_t first_head;	/* of the entry, before the reads */

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static const void *element(uint32_t offset, uint32_t size, uint32_t n)
{
	return (const char *)head + offset + (size_t)n * size;
}

static void map_board(void)
{
	int fd = open(BOARD, O_RDONLY);
	uint64_t bytes;

	head = fd < 0 ? MAP_FAILED : mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, RCR_BOARD_ALL);
	if (head == MAP_FAILED || head->magic != RCR_BOARD_MAGIC)
		die("cannot map the head of the board, or its magic is wrong");
	bytes = head->bytes;
	munmap((void *)head, PAGE);
	head = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, RCR_BOARD_ALL);
	if (head == MAP_FAILED)
		die("cannot map the whole board");
	close(fd);
}

static bool is_at(const struct rcr_board_entry *e, uint32_t kind, uint32_t number)
{
	const struct rcr_board_place *p = element(head->place_offset, head->place_size, e->place);

	return p->kind == kind && p->number == number;
}

/* The test does not add or remove meters at the same time. */
static void find_entry(const char *name, uint32_t kind, uint32_t number)
{
	const struct rcr_board_meter *m;
	uint32_t i, n;

	for (i = 0; i < head->meters; i++) {
		m = element(head->meter_offset, head->meter_size, i);
		if (!m->serial || strcmp(m->name, name))
			continue;
		posted = m->flags & RCR_METER_POSTED;
		for (n = m->first; n < m->first + m->entries; n++) {
			entry = element(head->entry_offset, head->entry_size, n);
			serial = entry->serial;
			if (is_at(entry, kind, number))
				return;
		}
	}
	errno = ENOENT;
	die(name);
}

static void find(const char *name, uint32_t kind, uint32_t number)
{
	library = rcr_board_open(NULL);
	if (!library || rcr_board_find(library, name, kind, number, &by_library) ||
	    rcr_board_subscribe(library, &by_library, 1000000))
		die(name);
	map_board();
	find_entry(name, kind, number);
}

/* Wait until the writer has written twice; give up if it does not write. */
static void linger(uint64_t version)
{
	unsigned long spins;

	for (spins = 0; spins < 100000000; spins++)
		if (__atomic_load_n(&entry->head, __ATOMIC_RELAXED) >= version + 2)
			break;
}

/* Try to copy a value; return 0 or a negative errno. */
static int copy_once(struct rcr_board_value *value)
{
	uint64_t version = __atomic_load_n(&entry->head, __ATOMIC_ACQUIRE);
	const uint64_t *from = (const uint64_t *)&entry->slot[version % 2];
	uint64_t *to = (uint64_t *)value;
	unsigned int i;

	for (i = 0; i < sizeof(*value) / sizeof(*to); i++) {
		if (dawdles && i == HALF)
			linger(version);
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!careless && __atomic_load_n(&entry->reserved, __ATOMIC_RELAXED) >= version + 2)
		return -EAGAIN;
	if (__atomic_load_n(&entry->serial, __ATOMIC_RELAXED) != serial)
		return -ESTALE;
	return version && value->time ? 0 : -ENODATA;
}

static int read_mapped(struct rcr_board_value *value)
{
	uint64_t beat = __atomic_load_n(&head->heartbeat, __ATOMIC_RELAXED);
	uint64_t after = __atomic_load_n(&head->stale_after, __ATOMIC_RELAXED);
	int error = -EAGAIN, tries;

	if (__atomic_load_n(&head->state, __ATOMIC_RELAXED) != RCR_BOARD_RUNNING ||
	    (int64_t)(__rdtsc() - beat - after) > 0)
		return -ESTALE;
	for (tries = 0; error == -EAGAIN && tries < RCR_BOARD_TRIES; tries++)
		error = copy_once(value);
	return error;
}

static int read_library(struct rcr_board_value *value)
{
	return rcr_board_read(library, &by_library, value) ? -errno : 0;
}

/**
 * struct reader - a reading thread
 * @thread: its handle
 * @read: function that reads a value
 * @wanted: least number of reads
 * @reads: values read; for a dawdling reader also failed reads
 * @again: reads that failed as the writer has written during each try
 * @stale: reads that were refused as the heartbeat was too old: the host has not run the worker in
 *	time
 * @versions: values that differ from the previous one
 * @torn: values that break an invariant
 * @late: reads from the stop of sampling until the board was stale
 * @last: the previous value
 */
struct reader {
	pthread_t thread;
	int (*read)(struct rcr_board_value *value);
	uint64_t wanted, reads, again, stale, versions, torn, late;
	struct rcr_board_value last;
};

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - b : (uint64_t)b - a;
}

static bool utilization_is_right(const struct rcr_board_value *v)
{
	return v->maximum > 0 && v->current_value >= 0 &&
	       v->utilization == (uint64_t)v->current_value * 1000000 / v->maximum;
}

/*
 * Rounding changes the average by at most half a unit, which is once per tick in the product, and
 * the sum by at most half a unit.
 */
static bool is_count(const struct rcr_board_value *v)
{
	uint64_t ticks = (v->time - v->begin + period_ns / 2) / period_ns;

	return utilization_is_right(v) && v->begin < v->time &&
	       v->counted_ns <= v->time - v->begin && v->peak <= v->highest && distance(v->sum, v->average * ticks) <= ticks / 2 + 1;
}

/* Return whether all values follow from the current one, n, as 1, 2, ..., n were posted. */
static bool is_posted(const struct rcr_board_value *v)
{
	int64_t n = v->current_value;

	return utilization_is_right(v) && v->sum == n * (n + 1) / 2 && v->average == (n + 1) / 2 &&
	       v->peak == n && v->highest == n;
}

static bool is_whole(const struct rcr_board_value *v, const struct rcr_board_value *before)
{
	if (v->time < before->time ||
	    (v->time == before->time && memcmp(v, before, sizeof(*v))))
		return false;
	return posted ? is_posted(v) : is_count(v);
}

static void tell(const struct rcr_board_value *v)
{
	printf("torn: current %lld average %lld sum %lld peak %lld highest %lld",
	       v->current_value, v->average, v->sum, v->peak, v->highest);
	printf(" time %llu begin %llu utilization %u\n", v->time, v->begin, v->utilization);
}

static void look_at(struct reader *r, const struct rcr_board_value *v)
{
	if (v->time != r->last.time)
		r->versions++;
	if (!is_whole(v, &r->last) && !r->torn++)
		tell(v);
	r->last = *v;
}

static uint64_t writes(void)
{
	return __atomic_load_n(&entry->head, __ATOMIC_RELAXED) - first_head;
}

/* Each read of a dawdling reader spans two writes, so its number of reads is sufficient. */
static bool has_enough(const struct reader *r)
{
	return r->reads >= r->wanted && (dawdles || writes() >= WRITES);
}

static void *read_on(void *arg)
{
	struct reader *r = arg;
	struct rcr_board_value v;
	int error;

	while (!has_enough(r)) {
		error = r->read(&v);
		if (error == -EAGAIN) {
			r->again++;
			r->reads += dawdles;	/* all of its reads fail */
			continue;
		}
		if (error == -ESTALE) {
			r->stale++;
			continue;
		}
		if (error) {
			errno = -error;
			die("a read failed");
		}
		look_at(r, &v);
		r->reads++;
	}
	return NULL;
}

static void *read_until_stale(void *arg)
{
	struct reader *r = arg;
	struct rcr_board_value v;
	unsigned int i;
	int error = 0;

	while (error != -ESTALE && r->late < STALE_LIMIT) {
		error = r->read(&v);
		r->late += __atomic_load_n(&stopped, __ATOMIC_RELAXED);
		r->again += error && error != -EAGAIN && error != -ESTALE;
	}
	for (i = 0; i < STALE_READS; i++)
		r->torn += r->read(&v) != -ESTALE;
	return NULL;
}

static void start(struct reader *r, void *(*body)(void *arg), uint64_t wanted)
{
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		r[i].read = i % 2 && !dawdles ? read_library : read_mapped;
		r[i].wanted = wanted / THREADS;
		if (pthread_create(&r[i].thread, NULL, body, &r[i]))
			die("no thread");
	}
}

/* Add the results of a reader to those of the first one. */
static void join(struct reader *r)
{
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		pthread_join(r[i].thread, NULL);
		if (!i)
			continue;
		r->reads += r[i].reads;
		r->again += r[i].again;
		r->stale += r[i].stale;
		r->versions += r[i].versions;
		r->torn += r[i].torn;
		r->late = r[i].late > r->late ? r[i].late : r->late;
	}
}

static int look_for_torn(uint64_t wanted)
{
	struct reader r[THREADS] = { };

	first_head = entry->head;
	start(r, read_on, wanted);
	join(r);
	printf("reads %lu again %lu stale %lu values %lu written %lu torn %lu\n", r->reads,
	       r->again, r->stale, r->versions, (unsigned long)writes(), r->torn);
	return 0;
}

static int wait_for_stale(void)
{
	struct reader r[THREADS] = { };

	start(r, read_until_stale, 0);
	puts("reading");
	getchar();
	__atomic_store_n(&stopped, true, __ATOMIC_RELAXED);
	join(r);
	printf("errors %lu values %lu\n", r->again, r->torn);
	printf("stale %s after %lu reads\n", r->late < STALE_LIMIT ? "yes" : "no", r->late);
	getchar();
	return 0;
}

static int show(void)
{
	struct reader ways[] = { { .read = read_library }, { .read = read_mapped } };
	struct rcr_board_value v;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		errno = -ways[i].read(&v);
		if (errno)
			die("read");
		printf("%s current %lld average %lld sum %lld time %llu begin %llu status %u\n",
		       i ? "mapped" : "library", v.current_value, v.average, v.sum, v.time, v.begin,
		       v.status);
	}
	return 0;
}

int main(int argc, char **argv)
{
	enum rcr_place_kind kind = RCR_PLACE_MACHINE;
	bool place = argc == 5 && !strcmp(argv[1], "show");

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 3 || (place && rcr_place_kind_parse(argv[3], &kind)))
		return 2;
	find(argv[2], kind, place ? strtoul(argv[4], NULL, 10) : 0);
	if (place)
		return show();
	if (!strcmp(argv[1], "stale"))
		return wait_for_stale();
	if (argc != 5)
		return 2;
	period_ns = strtoull(argv[4], NULL, 10);
	careless = !strcmp(argv[1], "careless");
	dawdles = careless || !strcmp(argv[1], "dawdle");
	return look_for_torn(strtoull(argv[3], NULL, 10));
}
