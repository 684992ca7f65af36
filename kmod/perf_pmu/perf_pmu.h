/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_pmu.h - the meters as a PMU of the kernel's perf subsystem.
 */
#ifndef RCR_PERF_PMU_H
#define RCR_PERF_PMU_H

#include <linux/sysfs.h>

struct device;
struct pmu;

void rcr_perf_pmu_init(void);
void rcr_perf_pmu_close(void);
void rcr_perf_pmu_exit(void);

/* perf_pmu_cpu.c: the CPU of all events */
int rcr_perf_pmu_cpu(void);
int rcr_perf_pmu_cpu_init(struct pmu *pmu);
void rcr_perf_pmu_cpu_exit(void);

/* perf_pmu_sysfs.c: the PMU's files in sysfs */
extern const struct attribute_group *rcr_perf_pmu_groups[];
void rcr_perf_pmu_sysfs_init(struct device *pmu);
void rcr_perf_pmu_sysfs_exit(void);

#endif
