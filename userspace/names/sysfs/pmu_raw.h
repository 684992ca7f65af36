/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu_raw.h - events of kernel PMUs in the raw form, and the kernel PMUs of the module's units
 * and registers.
 */
#ifndef NAMES_PMU_RAW_H
#define NAMES_PMU_RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu.h"

/* Writes "NAME=pmu:21,config:0xff04,scope:llc"; returns false if it does not fit. */
bool pmu_raw_text(char *text, size_t size, const char *name, const struct pmu_event *e);

/* Parses the text of pmu_raw_text() without "NAME="; returns false if it is not such an event. */
bool pmu_raw_parse(const char *text, struct pmu_event *e);

/* Like pmu_check_count(), for a raw event. Accepts one whose PMU is gone: the module refuses it. */
int pmu_raw_check(const char *raw, struct why *why);

/*
 * Finds the event of a kernel PMU that is the same as the module's "nb:event:0x4e1,umask:0xf7" or
 * "register:energy-pkg". Returns 1; 0 if there is none; -1 if its PMU cannot count it.
 */
int pmu_instead(const char *raw, struct pmu_event *e, struct why *why);

/* Makes a raw event readable: events of kernel PMUs are written as in perf. */
const char *pmu_readable(const char *raw, char text[RCR_EVENT_LEN]);

#endif
