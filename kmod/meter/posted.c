// SPDX-License-Identifier: GPL-2.0-only
/*
 * posted.c - values that userspace posts, as the models of the paper's daemon do: RCRTool
 * Design Document, section 5.2.
 *
 * Sum, count and highest value are kept for sixteen parts of the time scale, including the
 * present one. The window begins with the first post in these parts and ends with the latest.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "value.h"

static struct rcr_posted_part *part_at(struct rcr_posted *p, u64 id)
{
	return &p->part[id % RCR_POSTED_PARTS];
}

static void add_to_part(struct rcr_posted_part *part, u64 id, s64 val, u64 now)
{
	if (part->id != id || !part->count)
		*part = (struct rcr_posted_part){ .id = id, .first = now, .highest = val };
	part->sum += val;
	part->count++;
	part->highest = max(part->highest, val);
}

static s64 saturate_s64(__int128_t val)
{
	return val > S64_MAX ? S64_MAX : val < S64_MIN ? S64_MIN : val;
}

/* Divide, rounding towards 0. The quotient fits, as it is a mean of 64-bit numbers. */
static s64 divide_sum(__int128_t sum, u64 count)
{
	__uint128_t bits = sum, size = sum < 0 ? -bits : bits;
	u64 rest, quotient = rcr_divide_wide(size >> 64, size, count, &rest);

	return sum < 0 ? -quotient : quotient;
}

/**
 * rcr_posted_add() - add a value to a posted meter at a place
 * @p: values posted there so far
 * @scale: time scale of the meter, ns
 * @val: the value
 * @now: CLOCK_MONOTONIC, ns
 * @v: filled in, except for the TSC and the limits
 *
 * The mean is rounded towards 0; the sum saturates at S64_MAX and S64_MIN.
 */
void rcr_posted_add(struct rcr_posted *p, u64 scale, s64 val, u64 now,
		    struct rcr_board_value *v)
{
	u64 id = div64_u64(now, max_t(u64, div64_u64(scale, RCR_POSTED_PARTS), 1)), count = 0;
	__int128_t sum = 0;
	unsigned int i;

	add_to_part(part_at(p, id), id, val, now);
	p->highest = p->valued ? max(p->highest, val) : val;
	p->valued = true;
	memset(v, 0, sizeof(*v));
	v->current_value = val;
	v->highest = p->highest;
	v->peak = val;
	v->time = now;
	v->begin = now;
	v->status = RCR_STATUS_OK;
	v->current_status = RCR_STATUS_OK;
	for (i = 0; i < RCR_POSTED_PARTS; i++) {
		const struct rcr_posted_part *part = &p->part[i];

		if (!part->count || id - part->id >= RCR_POSTED_PARTS)
			continue;
		sum += part->sum;
		count += part->count;
		v->peak = max(v->peak, part->highest);
		v->begin = min(v->begin, part->first);
	}
	v->sum = saturate_s64(sum);
	v->average = divide_sum(sum, count);
	v->counted_ns = now - v->begin;
}

/* Forget all values posted so far. */
void rcr_posted_reset(struct rcr_posted *p)
{
	memset(p, 0, sizeof(*p));
}
