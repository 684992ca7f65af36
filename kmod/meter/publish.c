// SPDX-License-Identifier: GPL-2.0-only
/*
 * publish.c - puts what meters read on the blackboard, beside what their resources
 * can do.
 */
#include <linux/kernel.h>

#include "board.h"
#include "maxima.h"
#include "meters.h"
#include "publish.h"

/* Does it matter how the resource is used? Only where a limit of it is known. */
static bool has_limits(const struct rcr_maxima *x)
{
	unsigned int i;
	s64 any = x->theoretical;

	for (i = 0; i < RCR_MIXES; i++)
		any |= x->maximum[i] | x->contention[i];
	return any;
}

/*
 * Millionths of what is written, of what a place's memory moves. Meters that are told
 * in the same places have them in the same order, so @guess is right as a rule.
 */
static s64 write_share(const struct rcr_meter *share, u32 place, unsigned int guess)
{
	unsigned int i = guess;

	if (i >= share->instances || share->instance[i].place != place)
		for (i = 0; i < share->instances; i++)
			if (share->instance[i].place == place)
				break;
	if (i == share->instances || share->instance[i].status != RCR_STATUS_OK)
		return RCR_SHARE_UNKNOWN;
	return share->instance[i].current_value;
}

static void publish_meter(const struct rcr_meter *m, const struct rcr_meter *share,
			  const struct rcr_span *s, struct rcr_scratch *scratch)
{
	unsigned int i, entry = rcr_board_first_entry(m->number);
	bool judged = share && has_limits(&m->maxima);
	struct rcr_board_value v;

	for (i = 0; i < m->instances; i++, entry++) {
		const struct rcr_instance *at = &m->instance[i];

		if (!at->valued)
			continue;
		rcr_evaluate_values(m, at, s, scratch, &v);
		rcr_maxima_judge(&m->maxima, judged ? write_share(share, at->place, i) :
						      RCR_SHARE_UNKNOWN, &v);
		rcr_board_write(entry, &v);
	}
}

/**
 * rcr_publish() - puts all that is counted on the blackboard
 * @s: the ticks that were accounted last
 * @scratch: for as many lanes as there are
 *
 * Context: under rcr_meters_lock.
 */
void rcr_publish(const struct rcr_span *s, struct rcr_scratch *scratch)
{
	const struct rcr_meter *share = rcr_meters_find("mem_write_share");
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i] && rcr_meter_is_counted(rcr_meters[i]))
			publish_meter(rcr_meters[i], share, s, scratch);
}
