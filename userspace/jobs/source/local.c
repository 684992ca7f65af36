// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * local.c - counters of the module's set: of cores, and of units outside of them by the prefix of
 * their names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcr.h"
#include "source/source.h"

/* True if the source has the counter: core events are those of one CPU. */
static bool has_counter(const struct rcr_source *s, const struct rcr_counter *c)
{
	if (!*s->of)
		return c->scope == RCR_SCOPE_CPU || c->scope == RCR_SCOPE_CORE;
	return !strncmp(c->name, s->of, strlen(s->of));
}

static bool set_has_source(const struct rcr_source *s, const struct rcr_set *set)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (has_counter(s, rcr_set_counter(set, i)))
			return true;
	return false;
}

void *local_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	struct rcr_reader *r;

	if (*root) {
		snprintf(missing, SOURCE_MISSING_LEN,
			 "not known: --root names another system");
		return NULL;
	}
	r = rcr_open(NULL);
	if (!r) {
		rcr_open_error(NULL, errno, missing, SOURCE_MISSING_LEN);
		return NULL;
	}
	if (set_has_source(s, rcr_reader_set(r)))
		return r;
	if (*s->of)
		snprintf(missing, SOURCE_MISSING_LEN, "the set has no event %s*: see rcrctl(8)",
			 s->of);
	else
		snprintf(missing, SOURCE_MISSING_LEN,
			 "the set has no event of a core: see rcrctl(8)");
	rcr_close(r);
	return NULL;
}

void local_close(void *state)
{
	rcr_close(state);
}

bool local_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	struct rcr_reader *r = local_open(s, root, missing);

	rcr_close(r);
	return r;
}

static void add_local_values(const struct rcr_source *s, const struct rcr_set *set,
			     const struct rcr_record *record, source_add_fn *add, void *to)
{
	uint64_t total[RCR_MAX_COUNTERS] = { };
	uint8_t status[RCR_MAX_COUNTERS] = { };
	const struct rcr_counter *c;
	struct source_value v;
	unsigned int i;

	rcr_record_copy(set, record, total, status);
	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		c = rcr_set_counter(set, i);
		if (!has_counter(s, c) || status[i] != RCR_STATUS_OK)
			continue;
		v = (struct source_value){ .value = total[i] };
		snprintf(v.instance, sizeof(v.instance), "cpu%u", record->item.cpu);
		snprintf(v.name, sizeof(v.name), "%s", c->name);
		strcpy(v.unit, c->unit == RCR_UNIT_NANOJOULE ? "nJ" :
		       rcr_set_is_gauge(set, i) ? "mC" : "1");
		add(to, &v);
	}
}

/* Samples of a CPU while the first one of another is awaited: CPUs tick a little apart. */
#define PATIENCE 3

/* The next sample of each CPU. */
void local_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to)
{
	struct rcr_reader *r = state;
	const struct rcr_set *set = rcr_reader_set(r);
	int timeout_ms = 3 * (set->period_ns / 1000000) + 100;
	unsigned int *seen = calloc(set->ncpus + 1, sizeof(*seen));
	const struct rcr_item *item;

	while (seen && rcr_next(r, &item, timeout_ms) == 1) {
		if (item->type == RCR_ITEM_SET)
			break;
		if (item->type != RCR_ITEM_SAMPLE || item->cpu >= set->ncpus)
			continue;
		if (++seen[item->cpu] == PATIENCE)
			break;
		if (seen[item->cpu] == 1)
			add_local_values(s, set, (const struct rcr_record *)item, add, to);
	}
	free(seen);
}
