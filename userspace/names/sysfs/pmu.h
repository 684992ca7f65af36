/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.h - events of the PMUs that the kernel drives, as sysfs describes them.
 */
#ifndef NAMES_PMU_H
#define NAMES_PMU_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "why.h"

#define PMU_NAME_LEN	64

/* What perf calls config, config1 and config2. */
#define PMU_CONFIGS	3

/* The type of the core's PMU, "cpu": PERF_TYPE_RAW. */
#define PMU_TYPE_CORE	4

/**
 * struct pmu_event - an event of such a PMU
 * @pmu: the PMU, as sysfs calls it
 * @type: its number there, another one after each boot
 * @config: what the kernel is to be asked for
 * @scope: which CPUs share it, an enum rcr_scope
 * @joules: it counts units of 2^-32 J
 * @slow: it takes long to read
 */
struct pmu_event {
	char pmu[PMU_NAME_LEN];
	unsigned int type;
	uint64_t config[PMU_CONFIGS];
	unsigned int scope;
	bool joules;
	bool slow;
};

/* Has the kernel a PMU of that name? */
bool pmu_exists(const char *pmu);

/* Has that PMU a term of that name? */
bool pmu_has_term(const char *pmu, const char *term);

/* The PMU's name of that number; false without one. */
bool pmu_of_type(unsigned int type, char pmu[PMU_NAME_LEN]);

/* Could @word be "PMU/term=value,.../" or "PMU/EVENT/", as perf spells them? */
bool pmu_is_spelling(const char *word);

/* The event that is spelt so; -1 with the reason. */
int pmu_resolve(const char *word, struct pmu_event *e, struct why *why);

/**
 * pmu_check_count() - refuses events whose values are no counts
 * @e: the event
 * @word: what the user wrote for it
 * @why: filled in on failure
 *
 * Return: 0; -1 for a meter of rcrtool's own PMU, and for what sysfs calls a snapshot.
 */
int pmu_check_count(const struct pmu_event *e, const char *word, struct why *why);

/* Spells it so; false when it cannot be told so that it would be found again. */
bool pmu_spell(const struct pmu_event *e, char text[RCR_EVENT_LEN]);

/* Calls @each with "PMU/EVENT/" for all that the kernel has a name for. */
void pmu_each(void (*each)(void *to, const char *name, const char *description),
	      void *to);

#endif
