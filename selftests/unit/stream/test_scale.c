// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_scale.c - marks at the sixteenths of time scales: which samples become marks, how marks
 * survive changes of the time scales and of the set, and reads by librcr while marks are written.
 * Built with the thread sanitizer.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <linux/compiler.h>
#include "ksft.h"
#include "stream/history.h"
#include "ring/scale.h"
#include "stream_maker.h"

#define COUNTERS 3
#define RECORD (sizeof(struct rcr_record) + COUNTERS * 8 + 8)
#define WORDS (RECORD / 8)
#define CPU 2

static union {
	struct rcr_record record;
	__u64 word[WORDS];
} sample;

static __u64 memory[RCR_SCALES * 1024], other_memory[RCR_SCALES * 1024];
static struct rcr_scales scales;
static __u64 got[RCR_SCALE_MARKS * WORDS];

static const struct rcr_ring *ring(const void *rings, unsigned int i)
{
	return (const void *)((const char *)rings + i * rcr_scale_ring_bytes(RECORD));
}

static void begin(void)
{
	memset(memory, 0, sizeof(memory));
	rcr_scale_init(memory, CPU, 7, RECORD);
	scales.rings = NULL;
	rcr_scales_begin(&scales, CPU, memory, true);
}

/* Every word of a sample is a function of its time. */
static void write_sample(__u64 time)
{
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		sample.word[i] = time * 0x9e3779b97f4a7c15ull + i;
	sample.record.time = time;
	if (time >= READ_ONCE(scales.due))
		rcr_scales_mark(&scales, &sample.record);
}

static bool is_whole(const __u64 *mark)
{
	__u64 time = ((const struct rcr_record *)mark)->time;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		if (&mark[i] != &((const struct rcr_record *)mark)->time &&
		    mark[i] != time * 0x9e3779b97f4a7c15ull + i)
			return false;
	return true;
}

/* Read the marks of a time scale, and count in @torn those that are not whole samples. */
static unsigned int read_marks(__u64 ns, unsigned int *torn)
{
	unsigned int i, n = 0, k;

	for (i = 0; i < RCR_SCALES && !n; i++)
		n = rcr_ring_history(ring(memory, i), ns, got, RCR_SCALE_MARKS);
	for (k = 0; k < n; k++)
		*torn += !is_whole(got + k * WORDS);
	return n;
}

static __u64 mark_time(unsigned int i)
{
	return ((const struct rcr_record *)(got + i * WORDS))->time;
}

/* The first sample is a mark, and so is the first one at or after each multiple of a part. */
static void test_which(void)
{
	__u64 part = 1000, time = 123456, expected[RCR_SCALE_MARKS], slot = ~0ull, written = 0;
	unsigned int i, k, n, torn = 0, wrong = 0;

	begin();
	wrong += rcr_scale_use(RCR_SCALE_PARTS * part) != 0;
	for (i = 0; i < 20000; i++) {
		time += random_number() % 1500;
		write_sample(time);
		if (time / part != slot) {
			slot = time / part;
			expected[written++ % RCR_SCALE_MARKS] = time;
		}
		n = read_marks(RCR_SCALE_PARTS * part, &torn);
		wrong += n != (written < RCR_SCALE_MARKS ? written : RCR_SCALE_MARKS);
		for (k = 0; k < n; k++)
			wrong += mark_time(k) != expected[(written - n + k) % RCR_SCALE_MARKS];
	}
	rcr_scale_drop(RCR_SCALE_PARTS * part);
	ksft_test_result(!wrong && !torn && written > 1000,
			 "the first sample of each sixteenth is a mark, and no other (%llu)\n",
			 (unsigned long long)written);
}

static void test_scales(void)
{
	unsigned int i, torn = 0, wrong = 0;
	__u64 time = 5000;

	begin();
	for (i = 0; i < RCR_SCALES; i++)
		wrong += rcr_scale_use(16000 + i) != 0;
	wrong += rcr_scale_use(99) != -ENOSPC || rcr_scale_use(16001) != 0 ||
		 rcr_scale_use(0) != -EINVAL;
	write_sample(time += 1000);
	for (i = 0; i < RCR_SCALES; i++)
		wrong += read_marks(16000 + i, &torn) != 1;
	ksft_test_result(!wrong, "invalid time scales, and more than RCR_SCALES, are refused\n");

	rcr_scale_drop(16001);
	write_sample(time += 3000);
	wrong += read_marks(16001, &torn) != 2;
	rcr_scale_drop(16001);
	write_sample(time += 1);
	wrong += read_marks(16001, &torn) != 0;
	wrong += rcr_scale_use(32000) != 0;
	wrong += read_marks(32000, &torn) != 0;
	write_sample(time += 1);
	wrong += read_marks(32000, &torn) != 1 || mark_time(0) != time;
	wrong += read_marks(16000, &torn) != 2;
	ksft_test_result(!wrong && !torn,
			 "a time scale begins with the next sample, and has no marks of another one\n");
	rcr_scale_drop(32000);
	for (i = 0; i < RCR_SCALES; i++)
		rcr_scale_drop(16000 + i);
	write_sample(time += 1);
	ksft_test_result(scales.due == RCR_RING_NEVER, "without time scales no mark is ever due\n");
}

static __u64 value_of(unsigned int counter, unsigned int n)
{
	return 1000 * counter + n;
}

/* Two of three counters go on in a set of four, at other indices. */
static void test_carry(void)
{
	static const __u8 from[] = { 1, 2, 0, 0xff };
	/* From here on the second counter is slow. */
	struct rcr_carry how = { .from_count = COUNTERS, .count = 4, .slow = 1, .from = from };
	__u32 size = sizeof(struct rcr_record) + 4 * 8 + 8;
	unsigned int i, k, n, wrong = 0;
	struct rcr_record *r;
	__u8 *status;

	begin();
	wrong += rcr_scale_use(16000) != 0;
	for (i = 0; i < 40; i++) {
		write_sample(1000 * (i + 1));
		r = (void *)((char *)ring(memory, 0) + sizeof(struct rcr_ring) +
			     i % RCR_SCALE_MARKS * RECORD);
		for (k = 0; k < COUNTERS; k++) {
			r->value[k] = value_of(k, i);
			((__u8 *)&r->value[COUNTERS])[k] = k + 1;
		}
	}
	memset(other_memory, 0, sizeof(other_memory));
	rcr_scale_init(other_memory, CPU, 8, size);
	rcr_scale_carry(other_memory, memory, &how);
	n = rcr_ring_history((void *)other_memory, 16000, got, RCR_SCALE_MARKS - 4);
	wrong += n != RCR_SCALE_MARKS - 4;
	for (i = 0; i < n; i++) {
		r = (void *)((char *)got + i * size);
		status = (__u8 *)&r->value[4];
		wrong += r->time != 1000 * (12 + i + 1) || r->item.size != size;
		wrong += r->value[1] != value_of(2, 12 + i) || status[1] != 3;
		wrong += r->value[2] != value_of(0, 12 + i) || status[2] != 1;
		wrong += r->value[0] || r->value[3] || status[0] || status[3];
	}
	rcr_scale_drop(16000);
	ksft_test_result(!wrong, "marks continue in the next set with the values of counters in both sets\n");
}

static atomic_int done;

/* Add and remove time scales; 16000 ns is always one of them. */
static void *change_scales(void *arg)
{
	(void)arg;
	while (!atomic_load(&done)) {
		rcr_scale_use(5000);
		usleep(20);
		rcr_scale_drop(5000);
		rcr_scale_use(7000);
		usleep(20);
		rcr_scale_drop(7000);
	}
	return NULL;
}

static void *read_them(void *arg)
{
	static _Thread_local __u64 copy[RCR_SCALE_MARKS * WORDS];
	unsigned int *wrong = arg, i, n;
	__u64 before, time;

	while (!atomic_load(&done)) {
		n = rcr_ring_history(ring(memory, 0), 16000, copy, RCR_SCALE_MARKS);
		for (before = 0, i = 0; i < n; i++, before = time) {
			time = ((struct rcr_record *)(copy + i * WORDS))->time;
			*wrong += !is_whole(copy + i * WORDS) || time <= before ||
				  (i && time / 1000 != before / 1000 + 1);
		}
		for (i = 1; i < RCR_SCALES; i++)
			rcr_ring_history(ring(memory, i), 5000, copy, RCR_SCALE_MARKS);
	}
	return NULL;
}

static void test_threads(void)
{
	unsigned int wrong = 0, torn = 0;
	pthread_t reader, changer;
	__u64 time;

	begin();
	rcr_scale_use(16000);
	write_sample(500);
	pthread_create(&reader, NULL, read_them, &wrong);
	pthread_create(&changer, NULL, change_scales, NULL);
	for (time = 1000; time < 30000000; time += 250) {
		write_sample(time);
		if (time % 64000 == 0)
			usleep(1);
	}
	atomic_store(&done, 1);
	pthread_join(reader, NULL);
	pthread_join(changer, NULL);
	ksft_test_result(!wrong, "marks that are read while they are written are whole and in order\n");
	/* No change is lost, even if the tick ran meanwhile. */
	rcr_scale_use(9000);
	write_sample(time);
	wrong += read_marks(9000, &torn) != 1;
	wrong += read_marks(5000, &torn) || read_marks(7000, &torn);
	ksft_test_result(!wrong && !torn, "no change of the time scales is lost\n");
	rcr_scale_drop(9000);
	rcr_scale_drop(16000);
	rcr_scales_forget(CPU);
}

/* A sample of two counters, the second one slow. */
union part_sample {
	struct rcr_record record;
	__u64 word[sizeof(struct rcr_record) / 8 + 2 + 1 + 2];
};

static __u64 *value_in(union part_sample *s)
{
	return s->word + sizeof(struct rcr_record) / 8;
}

static __u8 *status_in(union part_sample *s)
{
	return (__u8 *)(value_in(s) + 2);
}

static struct rcr_slow *slow_in(union part_sample *s)
{
	return (struct rcr_slow *)(value_in(s) + 3);
}

static void test_part(void)
{
	struct rcr_set set = {
		.ncounters = 2, .value_offset = sizeof(struct rcr_record), .value_size = 8,
		.status_offset = sizeof(struct rcr_record) + 16, .status_size = 1,
		.slow = 2, .slow_offset = sizeof(struct rcr_record) + 24,
	};
	union part_sample a = { .record = { .item.type = RCR_ITEM_SAMPLE, .tsc = 100,
					    .tsc_end = 120, .changes = 5 } }, b;
	struct rcr_part part;
	bool right = true;

	value_in(&a)[0] = 10;
	value_in(&a)[1] = 20;
	status_in(&a)[0] = RCR_STATUS_OK;
	status_in(&a)[1] = RCR_STATUS_OK;
	*slow_in(&a) = (struct rcr_slow){ 50, 70 };
	b = a;
	b.record.tsc = 1100;
	b.record.tsc_end = 1140;
	value_in(&b)[0] = 15;
	value_in(&b)[1] = 28;
	*slow_in(&b) = (struct rcr_slow){ 950, 970 };
	right &= rcr_part(&set, &a.record, &b.record, 0, &part) && part.count == 5 &&
		 part.cycles == 1010;
	right &= rcr_part(&set, &a.record, &b.record, 1, &part) && part.count == 8 &&
		 part.cycles == 900;
	b.record.changes++;
	right &= !rcr_part(&set, &a.record, &b.record, 0, &part) && !part.count && !part.cycles;
	b.record.changes--;
	status_in(&a)[0] = RCR_STATUS_GAP;
	right &= !rcr_part(&set, &a.record, &b.record, 0, &part);
	status_in(&a)[0] = 0;
	right &= !rcr_part(&set, &a.record, &b.record, 0, &part);
	right &= rcr_part(&set, &a.record, &b.record, 1, &part);
	right &= !rcr_part(&set, &a.record, &b.record, 2, &part);
	right &= !rcr_part(NULL, &a.record, &b.record, 0, &part);
	right &= !rcr_part(&set, &a.record, &b.record, 1, NULL);
	ksft_test_result(right, "a part counts if its counter was ok all the time\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(8);
	test_which();
	test_scales();
	test_carry();
	test_threads();
	test_part();
	ksft_finished();
}
