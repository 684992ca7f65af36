/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu_sysfs.h - what sysfs tells of the kernel's PMUs: which there are, the terms
 * and the named events of each, and who reads it.
 */
#ifndef NAMES_PMU_SYSFS_H
#define NAMES_PMU_SYSFS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu.h"

/**
 * struct pmu_term - where a term has its bits
 * @name: "event"
 * @config: in which of the configs
 * @mask: where there, in ascending order
 */
struct pmu_term {
	char name[PMU_NAME_LEN];
	unsigned int config;
	uint64_t mask;
};

/* Of all that stands in @folder ("format", "events") of a PMU; "": of all PMUs. */
void pmu_files(const char *pmu, const char *folder,
	       void (*each)(void *to, const char *name), void *to);

/* The first line of a PMU's file. */
bool pmu_line(const char *pmu, const char *file, char *line, int size);

/* The number of a PMU; -1: there is no such PMU. */
int pmu_type(const char *pmu);

bool pmu_term(const char *pmu, const char *name, struct pmu_term *term);

/* Puts a value into the bits of a mask; false when it has more of them. */
bool pmu_scatter(uint64_t mask, uint64_t value, uint64_t *bits);
uint64_t pmu_gather(uint64_t mask, uint64_t bits);

/* Which CPUs share what a PMU counts: an enum rcr_scope. */
unsigned int pmu_scope(const char *pmu);

#endif
