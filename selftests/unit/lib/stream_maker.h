/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream_maker.h - makes the items of a stream as the module does, for tests of readers.
 */
#ifndef RCR_STREAM_MAKER_H
#define RCR_STREAM_MAKER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/rcrtool.h>

/* By default 4 CPUs and 2 to 8 counters; tests may define other numbers. */
#ifndef MAKER_CPUS
#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#endif
#define MAKER_RECORD (sizeof(struct rcr_record) + MAKER_COUNTERS * 8 + 8)

struct made_set {
	struct rcr_set set;
	struct rcr_counter counter[MAKER_COUNTERS];
	uint64_t cpus[(MAKER_CPUS + 63) / 64];
};

struct made_record {
	union {
		struct rcr_record record;
		char bytes[MAKER_RECORD];
	};
};

/* Return a pseudorandom number; each run has the same sequence. */
static inline uint64_t random_number(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Make a set of two counters on CPUs 0, 1 and 3 of 4: period 1 ms, TSC 1 GHz. */
static inline struct made_set make_set(void)
{
	struct made_set s = {
		.set = {
			.item = { sizeof(s), RCR_ITEM_SET, 0, ~0u, 1 },
			.version = RCR_ABI_VERSION,
			.compat_version = RCR_ABI_COMPAT_VERSION,
			.ncounters = MAKER_COUNTERS,
			.ncpus = MAKER_CPUS,
			.record_size = MAKER_RECORD,
			.ring_records = 16,
			.tsc_khz = 1000000,
			.period_ns = 1000000,
			.clock_monotonic = 5000000000ull,
			.clock_realtime = 1700000005000000000ull,
			.source = "msr",
			.family = "test",
			.counter_offset = offsetof(struct made_set, counter),
			.counter_size = sizeof(struct rcr_counter),
			.cpus_offset = offsetof(struct made_set, cpus),
			.value_offset = sizeof(struct rcr_record),
			.value_size = 8,
			.status_offset = sizeof(struct rcr_record) + 8 * MAKER_COUNTERS,
			.status_size = 1,
			.counters_max = RCR_MAX_COUNTERS,
			.read_min = RCR_READ_MIN,
		},
		.counter = { { .name = "CYC" }, { .name = "INS" } },
		.cpus = { 0xb },
	};

	return s;
}

static inline void set_total(struct made_record *r, unsigned int counter, uint64_t total)
{
	memcpy(r->bytes + sizeof(struct rcr_record) + 8 * counter, &total, 8);
}

static inline struct made_record make_sample(unsigned int cpu, uint64_t time_ms,
					     uint64_t total0, uint64_t total1)
{
	struct made_record r;

	memset(&r, 0, sizeof(r));
	r.record.item = (struct rcr_item){ MAKER_RECORD, RCR_ITEM_SAMPLE, 0, cpu, 1 };
	r.record.time = time_ms * 1000000;
	r.record.tick = time_ms;
	r.record.tsc = time_ms * 1000000;
	r.record.tsc_end = r.record.tsc;
	set_total(&r, 0, total0);
	set_total(&r, 1, total1);
	memset(r.bytes + sizeof(struct rcr_record) + 8 * MAKER_COUNTERS, RCR_STATUS_OK,
	       MAKER_COUNTERS);
	return r;
}

static inline struct rcr_mark make_mark(uint64_t time, enum rcr_mark_kind kind,
					const char *text)
{
	struct rcr_mark m = {
		.item = { sizeof(m), RCR_ITEM_MARK, 0, ~0u, 1 },
		.time = time,
		.tsc = time,
		.kind = kind,
	};

	strncpy(m.text, text, sizeof(m.text) - 1);
	return m;
}

static inline void set_status(struct made_record *r, unsigned int counter,
			      enum rcr_status status)
{
	r->bytes[sizeof(struct rcr_record) + 8 * MAKER_COUNTERS + counter] = status;
}

#endif
