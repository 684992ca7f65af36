// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * announce.c - post the state of each model on each node. Posts and marks need CAP_PERFMON.
 *
 * The values are those of enum verdict_state. The meters have a contention level of 2 and a maximum
 * of 3, so that the module's verdict on a meter (enum rcr_verdict) agrees with the model.
 */
#include <errno.h>
#include <stdio.h>

#include "clock.h"
#include "live/announce.h"
#include "message.h"
#include "post/posted.h"

/* Repeat unchanged states, so that readers can detect by their age that rcrd has ended. */
#define REPEAT_NS	60000000000ull

static const struct rcr_meter_request meters[MODELS] = {
	[MODEL_MEMORY] = {
		.name = "memory_verdict", .unit = "1", .scale_ns = 2 * REPEAT_NS,
		.type = RCR_TIME_CURRENT, .over = RCR_PLACE_DIE,
	},
	[MODEL_CACHE] = {
		.name = "cache_verdict", .unit = "1", .scale_ns = 2 * REPEAT_NS,
		.type = RCR_TIME_CURRENT, .over = RCR_PLACE_DIE,
	},
};

static int limit_meter(struct rcr_control *c, const char *name, enum rcr_place_kind kind,
		       unsigned int number, struct why *why)
{
	const struct rcr_meter_limits limits = {
		.kind = kind, .number = number, .has_maximum = true, .has_contention = true,
		.maximum = VERDICT_BUSY, .contention = VERDICT_CONTENTION,
	};

	if (!rcr_control_meter_maximum(c, 0, name, &limits))
		return 0;
	return because(why, "%s", rcr_control_reason(c));
}

int announce_open(struct announce *a, struct rcr_control *control, unsigned int nodes,
		  struct why *why)
{
	unsigned int i, n;
	int ret;

	ret = posted_make(control, meters, MODELS, why);
	for (i = 0; !ret && i < MODELS; i++) {
		ret = limit_meter(control, meters[i].name, RCR_PLACE_MACHINE, 0, why);
		for (n = 0; !ret && n < nodes; n++)
			ret = limit_meter(control, meters[i].name, RCR_PLACE_DIE, n, why);
	}
	if (ret)
		return -1;
	a->control = control;
	a->nodes = nodes;
	/* The first states are posted even in the first minute after boot. */
	a->since_ns = now_ns() - REPEAT_NS;
	return 0;
}

/* Post a state; an unknown one is a gap in the meter. */
static void post_state(struct announce *a, enum model which, unsigned int place,
		       enum verdict_state state)
{
	int ret;

	if (a->is_gone[which])
		return;
	if (state == VERDICT_UNKNOWN)
		ret = rcr_control_meter_post_status(a->control, meters[which].name, RCR_STATUS_GAP,
						    place);
	else
		ret = rcr_control_meter_post(a->control, meters[which].name, state, place);
	if (ret && errno == ENOENT)
		a->is_gone[which] = true;
	if (ret && !a->failed)
		note("cannot post states: %s", rcr_control_reason(a->control));
	a->failed = ret;
	a->posted[which][place] = state;
}

/* For a whole machine, unknown is worse than ok, but contention is worse than unknown. */
static enum verdict_state worse_state(enum verdict_state a, enum verdict_state b)
{
	static const uint8_t rank[] = {
		[VERDICT_OK] = 0, [VERDICT_LOG] = 1, [VERDICT_UNKNOWN] = 2,
		[VERDICT_CONTENTION] = 3, [VERDICT_BUSY] = 4,
	};

	return rank[a] >= rank[b] ? a : b;
}

/*
 * The worst finding of a model; unknown if none of them is known. A contention that is not judged
 * any more is worse than ok.
 */
static enum verdict_state state_of(const struct engine *e, enum model which,
				   unsigned int node)
{
	enum verdict_state worst = VERDICT_OK, state;
	bool any = false;
	unsigned int i;

	for (i = 0; i < FINDINGS; i++) {
		if (finding_model(i) != which)
			continue;
		state = engine_state(e, i, node);
		if (state == VERDICT_UNKNOWN && !engine_is_stale(e, i, node))
			continue;
		any = true;
		worst = worse_state(worst, state);
	}
	return any ? worst : VERDICT_UNKNOWN;
}

void announce_states(struct announce *a, const struct engine *e)
{
	bool all = now_ns() - a->since_ns >= REPEAT_NS;
	enum verdict_state worst, state;
	unsigned int i, n;

	if (!a->control)
		return;
	for (i = 0; i < MODELS; i++) {
		worst = VERDICT_OK;
		for (n = 0; n < a->nodes; n++) {
			state = state_of(e, i, n);
			if (all || state != a->posted[i][n + 1])
				post_state(a, i, n + 1, state);
			worst = worse_state(worst, state);
		}
		if (all || worst != a->posted[i][0])
			post_state(a, i, 0, worst);
	}
	if (all)
		a->since_ns = now_ns();
}

void announce_mark(struct announce *a, const struct verdict *v)
{
	char text[RCR_MARK_LEN];

	if (!a->control)
		return;
	snprintf(text, sizeof(text), "%s %s die/%u %.0f", finding_name(v->finding),
		 verdict_state_name(v->state), v->node,
		 v->utilization >= 0 ? 100 * v->utilization : 0);
	if (rcr_control_mark(a->control, RCR_MARK_VERDICT, text) && !a->failed)
		note("cannot mark verdicts: %s", rcr_control_reason(a->control));
}

void announce_unknown(struct announce *a)
{
	unsigned int i, n;

	for (i = 0; a->control && i < MODELS; i++)
		for (n = 0; n <= a->nodes; n++)
			if (a->posted[i][n] != VERDICT_UNKNOWN)
				post_state(a, i, n, VERDICT_UNKNOWN);
}
