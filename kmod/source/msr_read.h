/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_read.h - looking at the counters that we have programmed ourselves, and where
 * their registers are.
 */
#ifndef RCR_MSR_READ_H
#define RCR_MSR_READ_H

#include "set/counter_set.h"
#include "hw/pci_box.h"
#include "source.h"

/* The function whose registers a box has in this CPU's package; NULL: they are MSRs. */
static inline struct pci_dev *rcr_pci_here(const struct rcr_box *box,
					   const struct rcr_cpu_counters *cpu)
{
	return box->pmu->pci ? rcr_pci_box_find(box->pmu, box->number, cpu->package) : NULL;
}

struct rcr_register rcr_register_here(const struct rcr_counter_set *set, unsigned int i,
				      const struct rcr_cpu_counters *cpu);
u8 rcr_package_status(const struct rcr_machine *m);
void rcr_msr_look(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu,
		  u32 mask, u64 *now, u8 *status);

#endif
