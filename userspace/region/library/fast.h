/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fast.h - start and stop of a section while the counters stay where they are.
 *
 * The kernel increments the lock of an event's page whenever it moves, stops or reloads the event.
 * While all locks are as they were when the numbers of the counters were read, the registers are
 * those of the events, and their differences the counts: one check after the reads is enough, and
 * the offsets of the pages are not needed. Locks only grow, so their sum is the same only if each
 * of them is. perf_event.h has the whole protocol.
 */
#ifndef LIBRARY_FAST_H
#define LIBRARY_FAST_H

#include <linux/perf_event.h>

#include "library/region.h"

#define REGION_PAGE	4096

#ifndef READ_PMC_HALVES
/* Both are 64 bits wide: rdpmc clears the upper halves of its registers. */
#define READ_PMC_HALVES(counter, low, high) \
	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter))
#endif

static inline uint64_t read_pmc(uint32_t counter)
{
	uint64_t low, high;

	READ_PMC_HALVES(counter, low, high);
	return (high << 32) + low;
}

/* What is in memory is read again: counts of all events have no room in registers. */
#define FORGET_VALUES()	asm volatile("" : : : "memory")

/* Stored as halves: one instruction less. */
static inline void store_pmc(union region_start *start, uint32_t counter)
{
	uint64_t low, high;

	READ_PMC_HALVES(counter, low, high);
	start->half[0] = low;
	start->half[1] = high;
}

static inline const volatile struct perf_event_mmap_page *
region_page(const struct region_thread *t, unsigned int i)
{
	return (const volatile void *)(t->page + i * REGION_PAGE);
}

/*
 * The sum of the locks when the numbers of the counters were read. It is taken before the first one
 * is used: a signal handler whose own calls find that counters were moved replaces all of them.
 */
static inline uint32_t region_locks(const struct region_thread *t)
{
	return *(const volatile uint32_t *)&t->locks;
}

/* True if no counter was moved since the sum of the locks was that. */
static inline __attribute__((always_inline)) bool
region_unmoved(const struct region_thread *t, const unsigned int n, uint32_t before)
{
	const struct perf_event_mmap_page *page;
	uint32_t locks = 0;
	unsigned int i;

	/* In place of volatile reads, of which each one takes another instruction. */
	FORGET_VALUES();
#pragma GCC unroll 6
	for (i = 0; i < n; i++) {
		page = (const void *)(t->page + i * REGION_PAGE);
		locks += page->lock;
	}
	return locks == before;
}

/*
 * Adds a count of a section. A register whose overflow is pending has lost the bits above @mask:
 * then the count is not as large as it seems.
 */
static inline __attribute__((always_inline)) void
region_add(struct region_value *v, uint64_t count, uint64_t mask)
{
	if (__builtin_expect(count > v->max, 0)) {
		FORGET_VALUES();
		count &= mask;
		if (count > v->max)
			v->max = count;
	}
	if (__builtin_expect(count < v->min, 0))
		v->min = count;
	v->sum += count;
}

/* Adds the time of a section. */
static inline __attribute__((always_inline)) void
region_add_time(struct region_set *r, uint64_t tsc)
{
	struct region_value *v = &r->value[0];

	if (__builtin_expect(tsc > v->max, 0)) {
		v->max = tsc;
		if (tsc >= region_long_section)
			r->closed = REGION_LONG;
	}
	if (__builtin_expect(tsc < v->min, 0))
		v->min = tsc;
	v->sum += tsc;
}

/*
 * Starts a closed set; false if a counter was moved. It is open from the beginning: a signal
 * handler that replaces the numbers of the counters then knows that the section has no start.
 */
static inline __attribute__((always_inline)) bool
region_start_fast(struct region_thread *t, struct region_set *r, const unsigned int n)
{
	uint32_t locks = region_locks(t);
	unsigned int i;

	*(volatile uint32_t *)&r->depth = REGION_STARTING | 1;
#pragma GCC unroll 6
	for (i = 0; i < n; i++)
		store_pmc(&r->start[i], t->index[i]);
	r->start_tsc = region_tsc();
	if (!region_unmoved(t, n, locks)) {
		r->depth = 0;
		return false;
	}
	FORGET_VALUES();
	/* One instruction: what a signal handler has set meanwhile stays. */
	asm("subl %1, %0" : "+m"(r->depth) : "i"(REGION_STARTING) : "cc");
	return true;
}

/* Stops a set that was started by registers; false if a counter was moved. */
static inline __attribute__((always_inline)) bool
region_stop_fast(struct region_thread *t, struct region_set *r, const unsigned int n)
{
	uint64_t tsc = region_tsc() - r->start_tsc;
	uint32_t locks = region_locks(t);
	unsigned int i;

#pragma GCC unroll 6
	for (i = 0; i < n; i++)
		r->count[i] = read_pmc(t->index[i]) - r->start[i].whole;
	if (!region_unmoved(t, n, locks))
		return false;
	FORGET_VALUES();
	region_add_time(r, tsc);
#pragma GCC unroll 6
	for (i = 0; i < n; i++)
		region_add(&r->value[i + 1], r->count[i], t->mask);
	r->calls++;
	r->depth = r->closed;
	return true;
}

#endif
