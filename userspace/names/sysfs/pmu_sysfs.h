/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu_sysfs.h - descriptions of the kernel's PMUs in sysfs: lists them, their terms, their named
 * events, and the CPUs that share them.
 */
#ifndef NAMES_PMU_SYSFS_H
#define NAMES_PMU_SYSFS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu.h"

/**
 * struct pmu_term - position of a term
 * @name: name, such as "event"
 * @config: number of the config
 * @mask: bits of the config, lowest first
 */
struct pmu_term {
	char name[PMU_NAME_LEN];
	unsigned int config;
	uint64_t mask;
};

/* Calls @each for each file in @folder ("format", "events") of a PMU; with "": for each PMU. */
void pmu_files(const char *pmu, const char *folder,
	       void (*each)(void *to, const char *name), void *to);

/* Reads the first line of a file of a PMU; returns false if there is none. */
bool pmu_line(const char *pmu, const char *file, char *line, int size);

/* Returns the number of a PMU, or -1 if there is none. */
int pmu_type(const char *pmu);

bool pmu_term(const char *pmu, const char *name, struct pmu_term *term);

/* Deposits a value in the bits of a mask; returns false if it does not fit. */
bool pmu_scatter(uint64_t mask, uint64_t value, uint64_t *bits);
uint64_t pmu_gather(uint64_t mask, uint64_t bits);

/* Returns an enum rcr_scope: the CPUs that share a PMU. */
unsigned int pmu_scope(const char *pmu);

/* Returns the number of units that a PMU has, or 0 if it does not list them. */
unsigned int pmu_count(const char *pmu);

#endif
