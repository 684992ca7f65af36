// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * calls.c - RCR_Start() and RCR_Stop(). Every section of every program pays for the code here, so
 * rare cases are in sections.c.
 */
#include "library/fast.h"
#include "library/rcr_region.h"

/* Code in which a signal handler must not close sets: see may_close_sets() in death.c. */
#define CALLS __attribute__((section("rcr_region_calls")))

#define likely(x)	__builtin_expect(!!(x), 1)

/* Calls @call, compiled once for each number of counters, with that of the thread. */
#define FOR_FAST(t, call) \
	do { \
		if (likely((t)->fast == 6)) { \
			if (likely(call(6))) \
				return 0; \
			break; \
		} \
		switch ((t)->fast) { \
		case 5: \
			if (call(5)) \
				return 0; \
			break; \
		case 4: \
			if (call(4)) \
				return 0; \
			break; \
		case 3: \
			if (call(3)) \
				return 0; \
			break; \
		case 2: \
			if (call(2)) \
				return 0; \
			break; \
		case 1: \
			if (call(1)) \
				return 0; \
			break; \
		} \
	} while (0)

#define START(n)	region_start_fast(t, r, (n))
#define STOP(n)		region_stop_fast(t, r, (n))

CALLS int RCR_Start(int set)
{
	struct region_thread *t = region_self;
	struct region_set *r;

	if (likely(t && (unsigned int)set < REGION_SETS)) {
		r = t->set[set];
		if (likely(r && !r->depth))
			FOR_FAST(t, START);
	}
	return region_start_slowly(set);
}

CALLS int RCR_Stop(int set)
{
	struct region_thread *t = region_self;
	struct region_set *r;

	if (likely(t && (unsigned int)set < REGION_SETS)) {
		r = t->set[set];
		if (likely(r && r->depth == 1))
			FOR_FAST(t, STOP);
	}
	return region_stop_slowly(set);
}

int BGP_Start(int set) __attribute__((alias("RCR_Start")));
int BGP_Stop(int set) __attribute__((alias("RCR_Stop")));
