/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu_raw.h - events of the kernel's PMUs as the module writes them, and the PMUs
 * that count what the module has units and registers for.
 */
#ifndef NAMES_PMU_RAW_H
#define NAMES_PMU_RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu.h"

/* Writes "NAME=pmu:21,config:0xff04,scope:llc"; false when it does not fit. */
bool pmu_raw_text(char *text, size_t size, const char *name, const struct pmu_event *e);

/* Reads that without "NAME="; false when it is something else. */
bool pmu_raw_parse(const char *text, struct pmu_event *e);

/* As pmu_check_count(), of a raw event: its PMU may be gone, then the module refuses it. */
int pmu_raw_check(const char *raw, struct why *why);

/*
 * The event of a kernel's PMU that is the module's "nb:event:0x4e1,umask:0xf7" or
 * "register:energy-pkg". 1: found; 0: there is none; -1: its PMU cannot count it.
 */
int pmu_instead(const char *raw, struct pmu_event *e, struct why *why);

/* A raw event as a person reads it: those of the kernel's PMUs as perf spells them. */
const char *pmu_readable(const char *raw, char text[RCR_EVENT_LEN]);

#endif
