// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * problems.c - explains in words why a rate is missing or suspect.
 *
 * Prints one sentence per line for each cause, with all CPUs that it applies to.
 */
#include <string.h>

#include "interval/aggregate.h"
#include "parse/cpulist.h"
#include "interval/interval.h"
#include "problems/problems.h"
#include "problems/suspects.h"
#include "interval/view.h"

static const char *in_words(enum rcr_status status)
{
	switch (status) {
	case RCR_STATUS_HALTED:
		return "was halted";
	case RCR_STATUS_FOREIGN:
		return "was foreign: another program changed its register";
	case RCR_STATUS_BUSY:
		return "was not scheduled on the hardware";
	case RCR_STATUS_FAULT:
		return "could not be read";
	case RCR_STATUS_OFFLINE:
		return "was offline";
	case RCR_STATUS_GAP:
		return "was interrupted";
	case RCR_STATUS_ELSEWHERE:
		return "is read by a CPU that is not selected";
	case RCR_STATUS_MISPLACED:
		return "was on a hardware counter that cannot count it";
	default:
		return "did not count, for an unknown reason";
	}
}

/* Status of a CPU without records; enum rcr_status values fit into a byte. */
#define SILENT 256

static unsigned int status_on(const struct intervals *v, unsigned int i,
			      unsigned int counter)
{
	double rate;

	return cpu_is_silent(&v->cpu[i]) ? SILENT :
	       intervals_rate(v, &v->cpu[i], counter, &rate) & 0xff;
}

/* Marks the CPUs on which a counter has @status; returns false if there are none. */
static bool find_cpus_with(const struct intervals *v, unsigned int counter,
			   unsigned int status, bool cpu[CPU_LIMIT])
{
	bool found = false;
	unsigned int i;

	memset(cpu, 0, CPU_LIMIT * sizeof(*cpu));
	for (i = 0; i < v->cpus; i++) {
		if (v->cpu[i].cpu >= CPU_LIMIT ||
		    status_on(v, i, counter) != status)
			continue;
		cpu[v->cpu[i].cpu] = true;
		found = true;
	}
	return found;
}

static unsigned int print_silent(FILE *out, const struct intervals *v)
{
	bool cpu[CPU_LIMIT];

	if (!v->set->ncounters || !find_cpus_with(v, 0, SILENT, cpu))
		return 0;
	fputs("CPU ", out);
	cpulist_print(out, cpu);
	fputs(" gave no records: it was offline, or starved\n", out);
	return 1;
}

/* Collects the statuses of a counter on all CPUs. */
static void find_statuses(const struct intervals *v, unsigned int counter,
			  bool found[SILENT + 1])
{
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		found[status_on(v, i, counter)] = true;
	found[RCR_STATUS_OK] = false;
}

static unsigned int print_counter_problems(FILE *out, const struct intervals *v,
					   unsigned int counter)
{
	bool found[SILENT + 1] = { }, cpu[CPU_LIMIT];
	unsigned int printed = 0, status;

	if (counter_scope(v->set, counter) != RCR_SCOPE_CPU)
		return 0;
	find_statuses(v, counter, found);
	for (status = 0; status < SILENT; status++) {
		if (!found[status] || !find_cpus_with(v, counter, status, cpu))
			continue;
		fprintf(out, "%s on CPU ", rcr_set_counter(v->set, counter)->name);
		cpulist_print(out, cpu);
		fprintf(out, " %s\n", in_words(status));
		printed++;
	}
	return printed;
}

/* Prints one sentence with the units in which a shared counter has @status. */
static unsigned int print_shared_problem(FILE *out, const struct intervals *v,
					 const struct units *units, unsigned int counter,
					 enum rcr_status status)
{
	unsigned int i, found = 0;

	for (i = 0; i < units->count; i++) {
		if (shared_status(v, &units->unit[i], counter) != status)
			continue;
		if (!found++)
			fprintf(out, "%s of ", rcr_set_counter(v->set, counter)->name);
		fprintf(out, "%s%s", found > 1 ? ", " : "", units->unit[i].name);
	}
	if (found)
		fprintf(out, " %s\n", in_words(status));
	return !!found;
}

static unsigned int print_shared(FILE *out, const struct intervals *v,
				 const struct view *view, unsigned int counter)
{
	const struct units *units = &view->shares[counter_scope(v->set, counter)];
	unsigned int printed = 0, status;

	for (status = RCR_STATUS_OK + 1; status < SILENT; status++)
		printed += print_shared_problem(out, v, units, counter, status);
	return printed;
}

static unsigned int print_uneven(FILE *out, const struct intervals *v,
				 const struct unit *unit)
{
	if (!unit_is_uneven(v, unit))
		return 0;
	fprintf(out, "%s: its CPUs were not sampled at the same ticks\n", unit->name);
	return 1;
}

/* Returns the number of sentences printed. */
unsigned int problems_print(FILE *out, const struct intervals *v,
			    const struct view *view)
{
	const struct unit whole = units_whole(v);
	unsigned int i, printed = print_silent(out, v);

	for (i = 0; i < v->set->ncounters; i++)
		if (intervals_has(v, i))
			printed += print_counter_problems(out, v, i) +
				   print_shared(out, v, view, i);
	for (i = 0; view->grouped && i < view->per.count; i++)
		printed += print_uneven(out, v, &view->per.unit[i]);
	/* Each unit may be even by itself, although they differ from each other. */
	if (!view->grouped || view->per.count > 1)
		printed += print_uneven(out, v, &whole);
	return printed + suspects_print(out, v, view);
}
