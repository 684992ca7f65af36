/* SPDX-License-Identifier: GPL-2.0-only */
/* judged.h - labelled recordings in memory that models judge, for tests of the engine. */
#ifndef UNIT_JUDGED_H
#define UNIT_JUDGED_H

#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "labelled_machine.h"
#include "model/engine.h"
#include "rcr.h"

#define WINDOW_NS	20000000

static struct machine machine;
static struct bounds bounds;
static char *bytes;
static size_t size;

/* Make a recording in @bytes, and its @machine. */
static inline void make_recording(const struct labelled_options *o, struct labelled_truth *t)
{
	free(bytes);
	bytes = labelled_bytes(o, t, &size);
	if (!bytes)
		ksft_exit_fail_msg("cannot make a recording\n");
	labelled_machine(&machine, o);
}

/* Mark the northbridge counters as foreign in the ticks @from to @to. */
static inline void make_foreign(uint32_t from, uint32_t to)
{
	const struct rcr_set *set = (const void *)bytes;
	unsigned int i;
	size_t at;

	for (at = 0; at < size; at += ((struct rcr_item *)(bytes + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(bytes + at);

		if (r->item.type != RCR_ITEM_SAMPLE || r->tick < from)
			continue;
		r->changes = r->tick < to ? 1 : 2;
		for (i = LABELLED_L3_MISSES; i < LABELLED_COUNTERS && r->tick < to; i++)
			if (((uint8_t *)r)[set->status_offset + i] == RCR_STATUS_OK)
				((uint8_t *)r)[set->status_offset + i] = RCR_STATUS_FOREIGN;
	}
}

static const struct labelled_options plain = {
	.seed = 3, .nodes = 2, .node_cpus = 4, .ticks = 1500, .period_ns = 2000000, .noise = 0.1,
};

/* The state changes that a recording causes, of all findings or of one. */
struct changes {
	unsigned int count;
	struct verdict v[64];
};

static inline void take_change(void *to, const struct verdict *v)
{
	struct changes *c = to;

	if (c->count < 64)
		c->v[c->count++] = *v;
}

/* Judge the first @end bytes of the recording; @c takes the changes of states. */
static inline struct engine *judge(struct changes *c, size_t end)
{
	const struct rcr_set *set = (const void *)bytes;
	struct engine *e = engine_open(&machine, &bounds, WINDOW_NS, take_change, c);
	size_t at;

	c->count = 0;
	for (at = 0; at < end; at += ((const struct rcr_item *)(bytes + at))->size)
		engine_item(e, set, (const void *)(bytes + at));
	engine_flush(e);
	return e;
}

/* Return the first change of a finding to @state, or NULL. */
static inline const struct verdict *change_of(const struct changes *c, enum finding which,
					      enum verdict_state state)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (c->v[i].finding == which && c->v[i].state == state)
			return &c->v[i];
	return NULL;
}

#endif
