/* SPDX-License-Identifier: GPL-2.0-only */
/* jobs_fuzz.h - a set of counters for runs of jobs. */
#ifndef RCR_JOBS_FUZZ_H
#define RCR_JOBS_FUZZ_H

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "fuzz.h"
#include "runs/runs.h"
#include "stream_maker.h"

static inline enum estimates_task fuzz_task(void *context, uint64_t group, const struct rcr_record *record)
{
	(void)context;
	if (!record->cgroup)
		return ESTIMATES_UNSURE;
	return record->cgroup == group ? ESTIMATES_OWN : ESTIMATES_OTHER;
}

/* Start runs with a set of this generation. */
static inline void fuzz_set_runs(struct runs *r, struct made_set *set, uint32_t generation)
{
	unsigned int scope, cpu;

	for (scope = 0; scope < RATE_SCOPES; scope++)
		for (cpu = 0; cpu < MAKER_CPUS; cpu++)
			r->share[scope][cpu] = scope == RCR_SCOPE_PACKAGE ? cpu / 2 * 2 : cpu;
	r->task = fuzz_task;
	set->set.item.generation = generation;
	FUZZ_HOLDS(!runs_set(r, &set->set));
}

/* Check properties of runs that hold after any input. */
static inline void fuzz_check_runs(struct runs *r)
{
	const struct run *run;
	unsigned int i, n;

	FUZZ_HOLDS(r->count <= RUNS_KEPT && r->opens <= RUNS_OPEN && r->opens <= r->count);
	for (i = 0; i < r->count; i++) {
		run = r->run[i];
		FUZZ_HOLDS(!i || r->run[i - 1]->serial < run->serial);
		FUZZ_HOLDS(runs_find(r, run->serial) == run);
		FUZZ_HOLDS(run->state < RUN_STATES && memchr(run->id, 0, sizeof(run->id)));
		for (n = 0; n < run->totals; n++)
			FUZZ_HOLDS(run->total[n].completeness >= 0 && run->total[n].completeness <= 1);
	}
	for (i = 0; i < r->opens; i++)
		FUZZ_HOLDS(r->open[i]->rate);
}

#endif
