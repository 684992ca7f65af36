// SPDX-License-Identifier: GPL-2.0-only
/*
 * feed.c - makes steps of samples: what was counted from one to the next, and in
 * what time. Section 4 of <linux/rcrboard.h>.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "feed.h"

/* The middle of a reading is when its counters were read, as near as can be. */
static u64 middle(u64 begin, u64 end)
{
	return begin + (end - begin) / 2;
}

static u64 slow_time(const struct rcr_feed_layout *l, const struct rcr_record *r)
{
	const struct rcr_slow *slow = (const void *)r + l->slow_offset;

	return l->slow_offset ? middle(slow->tsc, slow->tsc_end) : 0;
}

/* Counter @i of a step, as the sample @value says and the one before did. */
static void take_counter(struct rcr_feed *f, const struct rcr_feed_layout *l,
			 unsigned int i, u64 value, u8 status, u64 slow)
{
	struct rcr_step *s = &f->step;
	u64 ticks = s->to - s->from;

	s->delta[i] = 0;
	s->cycles[i] = 0;
	s->status[i] = status;
	if (status == RCR_STATUS_ELSEWHERE) {
		s->elsewhere |= BIT_ULL(i);
	} else if (status == RCR_STATUS_OK && (l->gauges & BIT(i))) {
		s->ok |= BIT_ULL(i);
		s->delta[i] = value * ticks;
		s->cycles[i] = ticks;
	} else if (status == RCR_STATUS_OK && f->status[i] == RCR_STATUS_OK) {
		s->ok |= BIT_ULL(i);
		s->delta[i] = value - f->value[i];
		s->cycles[i] = l->slow & BIT(i) ? slow - f->slow_tsc : s->tsc - f->tsc;
	} else if (status == RCR_STATUS_OK) {
		s->status[i] = RCR_STATUS_GAP;
	}
}

/* Every CPU counts it itself, at every sample. */
static void take_spent(struct rcr_feed *f, u64 spent)
{
	struct rcr_step *s = &f->step;

	s->ok |= BIT_ULL(RCR_OPERAND_SPENT);
	s->status[RCR_OPERAND_SPENT] = RCR_STATUS_OK;
	s->delta[RCR_OPERAND_SPENT] = spent - f->spent;
	s->cycles[RCR_OPERAND_SPENT] = s->tsc - f->tsc;
}

static void keep(struct rcr_feed *f, const struct rcr_feed_layout *l,
		 const struct rcr_record *r, u64 tsc, u64 slow)
{
	f->begun = true;
	f->tick = r->tick;
	f->tsc = tsc;
	f->slow_tsc = slow;
	f->spent = r->spent;
	memcpy(f->value, r->value, l->count * sizeof(f->value[0]));
	memcpy(f->status, &r->value[l->count], l->count);
}

/**
 * rcr_feed_take() - a CPU's next sample
 * @f: the CPU
 * @l: what stands in its samples
 * @r: the sample
 *
 * Return: is there a new step? After the first sample there is none.
 */
bool rcr_feed_take(struct rcr_feed *f, const struct rcr_feed_layout *l,
		   const struct rcr_record *r)
{
	const u8 *status = (const u8 *)&r->value[l->count];
	u64 tsc = middle(r->tsc, r->tsc_end), slow = slow_time(l, r);
	bool follows = f->begun && r->tick > f->tick;
	struct rcr_step *s = &f->step;
	unsigned int i;

	if (follows) {
		s->from = f->tick;
		s->to = r->tick;
		s->time = r->time;
		s->tsc = tsc;
		s->ok = 0;
		s->elsewhere = 0;
		s->seldom = l->slow & ~l->gauges;
		for (i = 0; i < l->count; i++)
			take_counter(f, l, i, r->value[i], status[i], slow);
		take_spent(f, r->spent);
		f->accounted = s->from;
		f->stepped = true;
	}
	keep(f, l, r, tsc, slow);
	return follows;
}

/* As rcr_step_share(), of a tick in the middle of the step. */
u64 rcr_step_part(u64 whole, const struct rcr_step *s, u64 tick)
{
	return mul_u64_u64_div_u64(whole, tick - s->from, s->to - s->from);
}
