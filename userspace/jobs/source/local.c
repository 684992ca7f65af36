// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * local.c - counters of the module's set. A source has the core events, or those of an uncore unit,
 * which have its prefix in their names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcr.h"
#include "source/source.h"
#include "topology.h"

/* True if the source has the counter; without a prefix, it has the core events. */
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

/* The totals of a sample of one CPU. */
struct local_sample {
	bool known;
	uint64_t total[RCR_MAX_COUNTERS];
	uint8_t status[RCR_MAX_COUNTERS];
};

static void add_local_values(const struct rcr_source *s, const struct rcr_set *set,
			     unsigned int cpu, const struct local_sample *sample,
			     source_add_fn *add, void *to)
{
	const struct rcr_counter *c;
	struct source_value v;
	unsigned int i;

	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		c = rcr_set_counter(set, i);
		if (!has_counter(s, c) || sample->status[i] != RCR_STATUS_OK)
			continue;
		v = (struct source_value){ .value = sample->total[i] };
		snprintf(v.instance, sizeof(v.instance), "cpu%u", cpu);
		snprintf(v.name, sizeof(v.name), "%s", c->name);
		strcpy(v.unit, c->unit == RCR_UNIT_NANOJOULE ? "nJ" :
		       rcr_set_is_gauge(set, i) ? "mC" : "1");
		add(to, &v);
	}
}

/* How long to wait for a CPU without records, in addition to three periods, ns. */
#define PATIENCE 1000000000ull

/* Returns the number of CPUs that are online and sampled. */
static unsigned int count_sampled(const struct rcr_set *set)
{
	static bool online[CPU_LIMIT];
	unsigned int cpu, count = 0;

	topology_online(TOPOLOGY_ROOT, online);
	for (cpu = 0; cpu < CPU_LIMIT; cpu++)
		count += online[cpu] && rcr_set_has_cpu(set, cpu);
	return count;
}

/*
 * Takes one sample of each online CPU. Returns false if the set was changed meanwhile: @set is then
 * no longer valid.
 */
static bool take_local_samples(struct rcr_reader *r, const struct rcr_set *set,
			       struct local_sample *sample)
{
	uint64_t patience = 3 * (uint64_t)set->period_ns + PATIENCE, give_up = 0;
	unsigned int left = count_sampled(set);
	const struct rcr_record *record;
	const struct rcr_item *item;

	while (left && rcr_next(r, &item, patience / 1000000) == 1) {
		if (item->type == RCR_ITEM_SET)
			return false;
		if (item->type != RCR_ITEM_SAMPLE || item->cpu >= set->ncpus)
			continue;
		record = (const struct rcr_record *)item;
		if (!give_up)
			give_up = record->time + patience;
		if (record->time > give_up)
			break;
		if (sample[item->cpu].known)
			continue;
		sample[item->cpu].known = true;
		rcr_record_copy(set, record, sample[item->cpu].total, sample[item->cpu].status);
		left--;
	}
	return true;
}

/* Passes the values of the next sample of each CPU to @add, in the order of the CPUs. */
void local_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to)
{
	struct rcr_reader *r = state;
	const struct rcr_set *set = rcr_reader_set(r);
	struct local_sample *sample = calloc(set->ncpus, sizeof(*sample));
	unsigned int cpu, ncpus = set->ncpus;

	if (!sample || !take_local_samples(r, set, sample))
		ncpus = 0;
	for (cpu = 0; cpu < ncpus; cpu++)
		if (sample[cpu].known)
			add_local_values(s, set, cpu, &sample[cpu], add, to);
	free(sample);
}
