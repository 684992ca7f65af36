/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fast.h - starts and stops a section as long as the kernel does not move the counters.
 *
 * The kernel increments the lock of an event's page whenever it moves, stops or reloads the event.
 * If no lock has changed since the numbers of the counters were read, those registers still count
 * the events, and the difference of two values is the count. So one check after the reads is
 * enough, and the offsets in the pages are not needed. Locks only grow: if their sum is the same,
 * each of them is. perf_event.h has the whole protocol.
 */
#ifndef LIBRARY_FAST_H
#define LIBRARY_FAST_H

#include <linux/perf_event.h>

#include "library/region.h"

#define REGION_PAGE	4096

#ifndef READ_PMC_HALVES
/* Both halves are 64-bit variables: rdpmc clears the upper halves of its registers. */
#define READ_PMC_HALVES(counter, low, high) \
	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter))
#endif

static inline uint64_t read_pmc(uint32_t counter)
{
	uint64_t low, high;

	READ_PMC_HALVES(counter, low, high);
	return (high << 32) + low;
}

/* Forces values to be read from memory again: registers are too few for all counts. */
#define FORGET_VALUES()	asm volatile("" : : : "memory")

/* Storing the halves separately saves an instruction. */
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
 * Returns the sum of the locks when the numbers of the counters were read. Call it before the first
 * number is used: a signal handler may find that counters were moved, and replace all numbers.
 */
static inline uint32_t region_locks(const struct region_thread *t)
{
	return *(const volatile uint32_t *)&t->locks;
}

/* True if no counter was moved since the sum of the locks was @before. */
static inline __attribute__((always_inline)) bool
region_unmoved(const struct region_thread *t, const unsigned int n, uint32_t before)
{
	const struct perf_event_mmap_page *page;
	uint32_t locks = 0;
	unsigned int i;

	/* A volatile read of each lock would take one more instruction. */
	FORGET_VALUES();
#pragma GCC unroll 6
	for (i = 0; i < n; i++) {
		page = (const void *)(t->page + i * REGION_PAGE);
		locks += page->lock;
	}
	return locks == before;
}

/*
 * Adds a count of a section. If a counter has overflowed and its interrupt is still pending, the
 * bits of the difference above @mask are wrong, and the count seems too large.
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
 * Starts a closed set; returns false if a counter was moved. Marks it as REGION_STARTING first, so
 * that a signal handler that replaces the numbers of the counters invalidates the start.
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
	/* A single instruction, so that flags that a signal handler sets are not overwritten. */
	asm("subl %1, %0" : "+m"(r->depth) : "i"(REGION_STARTING) : "cc");
	return true;
}

/* Stops a set whose start has register values; returns false if a counter was moved. */
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
