/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.h - converts events of the kernel's PMUs, which sysfs describes, from and to perf's spelling.
 */
#ifndef NAMES_PMU_H
#define NAMES_PMU_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "why.h"

#define PMU_NAME_LEN	64

/* Number of configs: config, config1 and config2 of perf. */
#define PMU_CONFIGS	3

/* Type of the core's PMU, "cpu": PERF_TYPE_RAW. */
#define PMU_TYPE_CORE	4

/**
 * struct pmu_event - an event of a kernel PMU
 * @pmu: name of the PMU in sysfs
 * @type: its number there, which may differ after each boot
 * @config: config, config1 and config2 of perf_event_attr
 * @scope: enum rcr_scope: which CPUs share it
 * @joules: it counts units of 2^-32 J
 * @slow: reading it takes too long for a tick
 */
struct pmu_event {
	char pmu[PMU_NAME_LEN];
	unsigned int type;
	uint64_t config[PMU_CONFIGS];
	unsigned int scope;
	bool joules;
	bool slow;
};

/* True if the kernel has the PMU. */
bool pmu_exists(const char *pmu);

/* True if the PMU has the term. */
bool pmu_has_term(const char *pmu, const char *term);

/* Finds the PMU with a number; returns false if there is none. */
bool pmu_of_type(unsigned int type, char pmu[PMU_NAME_LEN]);

/* True if @word has the form "PMU/term=value,.../" or "PMU/EVENT/", as in perf. */
bool pmu_is_spelling(const char *word);

/* Parses an event as in perf; returns -1 with the reason in @why on failure. */
int pmu_resolve(const char *word, struct pmu_event *e, struct why *why);

/**
 * pmu_check_count() - refuse events whose values are not counts
 * @e: the event
 * @word: the event as the user wrote it
 * @why: filled in on failure
 *
 * Return: 0; -1 for a meter of rcrtool's own PMU, and for an event with a .snapshot file.
 */
int pmu_check_count(const struct pmu_event *e, const char *word, struct why *why);

/* Writes an event as in perf; returns false if parsing the result would give another event. */
bool pmu_spell(const struct pmu_event *e, char text[RCR_EVENT_LEN]);

/* Calls @each with "PMU/EVENT/" for each event that the kernel has a name for. */
void pmu_each(void (*each)(void *to, const char *name, const char *description),
	      void *to);

#endif
