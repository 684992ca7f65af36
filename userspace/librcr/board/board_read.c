// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * board_read.c - reads an entry of a blackboard without a system call, using the reader's side of
 * the protocol in <linux/rcrboard.h>.
 */
#include <errno.h>
#include <math.h>
#include <x86intrin.h>

#include "board.h"

/* The unit test interrupts a reader here, in the middle of its copy. */
#ifndef RCR_BOARD_COPY_HOOK
#define RCR_BOARD_COPY_HOOK(word) do { } while (0)
#endif

/* True if nothing is sampled, or the heartbeat is too old. */
static bool is_stale(const struct rcr_board *head)
{
	uint64_t then, after;

	if (__atomic_load_n(&head->state, __ATOMIC_RELAXED) != RCR_BOARD_RUNNING)
		return true;
	then = __atomic_load_n(&head->heartbeat, __ATOMIC_RELAXED);
	after = __atomic_load_n(&head->stale_after, __ATOMIC_RELAXED);
	/* The TSC of another CPU may be slightly ahead. */
	return (int64_t)(__rdtsc() - then) > 0 && __rdtsc() - then > after;
}

static void copy_slot(struct rcr_board_value *value, const struct rcr_board_value *slot)
{
	const uint64_t *from = (const uint64_t *)slot;
	uint64_t *to = (uint64_t *)value;
	unsigned int i;

	for (i = 0; i < sizeof(*value) / sizeof(*to); i++) {
		RCR_BOARD_COPY_HOOK(i);
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
	}
}

/* One attempt; returns 0 or a negative errno. */
static int read_once(const struct rcr_board_entry *e, uint32_t serial,
		     struct rcr_board_value *value)
{
	uint64_t head = __atomic_load_n(&e->head, __ATOMIC_ACQUIRE);	/* (B) */

	copy_slot(value, &e->slot[head % 2]);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);			/* (A) */
	/* Checked after the copy, which may contain the values of another meter. */
	if (__atomic_load_n(&e->serial, __ATOMIC_RELAXED) != serial)
		return -ESTALE;
	if (__atomic_load_n(&e->reserved, __ATOMIC_RELAXED) >= head + 2)
		return -EAGAIN;
	return head && value->time ? 0 : -ENODATA;
}

int rcr_board_read(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		   struct rcr_board_value *value)
{
	const struct rcr_board_entry *e;
	int error = -EAGAIN, tries;

	if (!b || !meter || !value)
		return rcr_board_fail(EINVAL);
	e = rcr_array_at(&b->entries, meter->entry);
	if (!e || !meter->serial || is_stale(b->head))
		return rcr_board_fail(ESTALE);
	for (tries = 0; error == -EAGAIN && tries < RCR_BOARD_TRIES; tries++)
		error = read_once(e, meter->serial, value);
	return error ? rcr_board_fail(-error) : 0;
}

static int64_t value_of_type(const struct rcr_board_value *value, uint32_t type)
{
	switch (type) {
	case RCR_TIME_SUM:
		return value->sum;
	case RCR_TIME_AVERAGE:
		return value->average;
	case RCR_TIME_PEAK:
		return value->peak;
	}
	return value->current_value;
}

static uint32_t status_of(const struct rcr_board_value *value, uint32_t type)
{
	return type == RCR_TIME_CURRENT ? value->current_status : value->status;
}

double rcr_board_get(const struct rcr_blackboard *b, const struct rcr_meter *meter)
{
	static const double scale[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	};
	struct rcr_board_value value;

	if (rcr_board_read(b, meter, &value) || status_of(&value, meter->type) != RCR_STATUS_OK ||
	    meter->digits >= sizeof(scale) / sizeof(scale[0]))
		return NAN;
	return value_of_type(&value, meter->type) / scale[meter->digits];
}
