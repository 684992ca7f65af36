// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * sections.c - slow paths of RCR_Start() and RCR_Stop(): the first call of a thread or a set,
 * nested sections, counters that were moved, and errors.
 */
#include <pthread.h>

#include "library/fast.h"

/* Reports a call before RCR_Initialize() or after RCR_Finalize(). */
static int refuse_call(const char *call)
{
	switch (region_process.state) {
	case REGION_BEFORE:
		return region_say(REGION_SAY_BEFORE,
				  "%s before RCR_Initialize: the call is ignored", call);
	case REGION_ENDED:
		return region_say(REGION_SAY_ENDED, "%s after RCR_Finalize: the call is ignored",
				  call);
	default:
		return -1;
	}
}

static int refuse_set(int set)
{
	return region_say(REGION_SAY_UNKNOWN,
			  "unknown set %d: use a number from 0 to %d, or that of RCR_Set()", set,
			  REGION_NUMBERS - 1);
}

/* True in a signal handler that has interrupted a slow call. */
static bool is_nested_call(const struct region_thread *t, const char *call)
{
	if (t->busy)
		region_say(REGION_SAY_NESTED,
			   "%s in a signal handler that interrupted another call: the call is ignored",
			   call);
	return t->busy;
}

static int start_section(struct region_thread *t, int set)
{
	uint64_t count[REGION_EVENTS];
	uint32_t long_section;
	struct region_set *r;
	unsigned int i;

	r = t->set[set];
	r = r ? r : region_add_set(t, set);
	if (!r)
		return region_say(REGION_SAY_THREAD, "a set is not counted: out of memory");
	if (region_is_open(r)) {
		/* Do not overflow: a program that leaves sections by longjmp() never stops them. */
		r->depth += (r->depth & REGION_DEPTH) < REGION_DEPTH;
		return 0;
	}
	long_section = region_node_start(r) ? REGION_LONG : 0;
	if (region_counts(t, count)) {
		for (i = 0; i < t->count; i++)
			r->start[i].whole = count[i];
		r->start_tsc = region_tsc();
		r->depth = REGION_WHOLE | long_section | 1;
		return 0;
	}
	r->depth = REGION_WHOLE | REGION_LOST | 1;
	return region_say(REGION_SAY_LOST,
			  "sections are not counted: another user of the counters took them away");
}

int region_start_slowly(int set)
{
	struct region_thread *t = region_self;
	int cancel, ret;

	if (region_process.state != REGION_COUNTING)
		return refuse_call("RCR_Start");
	if (!region_has_set(set))
		return refuse_set(set);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	t = t ? t : region_take_thread();
	if (!t || !t->count || is_nested_call(t, "RCR_Start")) {
		ret = -1;
	} else {
		t->busy = true;
		ret = start_section(t, set);
		t->busy = false;
	}
	pthread_setcancelstate(cancel, NULL);
	return ret;
}

/* Ends the outermost section of a set. */
static void end_section(struct region_thread *t, struct region_set *r)
{
	uint64_t count[REGION_EVENTS], tsc = region_tsc();
	unsigned int i;

	if (!(r->depth & REGION_LOST))
		region_counts(t, count);
	if (r->depth & REGION_LOST) {
		r->lost++;
		r->depth = r->closed;
		region_say(REGION_SAY_LOST,
			   "sections are not counted: another user of the counters took them away");
		return;
	}
	/* Do this before the sums: a file written meanwhile would count this section twice. */
	if (r->depth & REGION_LONG)
		region_node_stop(r, tsc);
	region_add_time(r, tsc - r->start_tsc);
	for (i = 0; i < t->count; i++)
		region_add(&r->value[i + 1], count[i] - region_start_count(t, r, i), UINT64_MAX);
	r->calls++;
	r->depth = r->closed;
}

int region_stop_slowly(int set)
{
	struct region_thread *t = region_self;
	struct region_set *r;
	int cancel;

	if (region_process.state != REGION_COUNTING)
		return refuse_call("RCR_Stop");
	if (!region_has_set(set))
		return refuse_set(set);
	if (t && !t->count)
		return -1;
	if (t && is_nested_call(t, "RCR_Stop"))
		return -1;
	r = t ? t->set[set] : NULL;
	if (!r || !region_is_open(r))
		return region_say(REGION_SAY_NOT_STARTED,
				  "RCR_Stop(%d) without RCR_Start: the call is ignored", set);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	t->busy = true;
	if ((r->depth & REGION_DEPTH) > 1)
		r->depth--;
	else
		end_section(t, r);
	t->busy = false;
	pthread_setcancelstate(cancel, NULL);
	return 0;
}

void region_close_sets(struct region_thread *t)
{
	struct region_set *r;

	/* In a signal handler that interrupted a slow call: dump.c handles what is open. */
	if (t->busy)
		return;
	t->busy = true;
	for (r = t->first; r; r = r->next)
		if (region_is_open(r))
			end_section(t, r);
	t->busy = false;
}
