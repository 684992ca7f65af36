/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hw.h - detection of the CPU's family, and access to its registers: MSRs and PCI functions.
 */
#ifndef RCR_HW_H
#define RCR_HW_H

#include <linux/types.h>
#include "pmu/event.h"

/* Numbers of the registers that the counters of a box share: filters, global control. */
#define RCR_SHARED_GLOBAL	RCR_FILTERS
#define RCR_SHARED		(RCR_FILTERS + 1)

struct pci_dev;
struct rcr_failure;
struct rcr_machine;
struct rcr_pmu;
struct rcr_register;

/**
 * struct rcr_saved - values of a counter's registers before they were programmed
 * @control: bits of the control register that belong to the counter
 * @counter: count register
 * @shared: bits of the shared registers that belong to the counter: filters and global
 *	control
 * @written: shared registers that were written for this counter, bit n for register n
 * @taken: the registers are programmed and must be restored
 */
struct rcr_saved {
	u64 control;
	u64 counter;
	u64 shared[RCR_SHARED];
	u8 written;
	bool taken;
};

/* detect.c */
void rcr_machine_release(void);
bool rcr_machine_detect(struct rcr_machine *m, bool *hidden);

/* pci_box.c: PCI functions that are boxes */
bool rcr_pci_box_probe(const struct rcr_pmu *pmu, unsigned int number, u16 ubox);
struct pci_dev *rcr_pci_box_find(const struct rcr_pmu *pmu, unsigned int number,
				 unsigned int package);
void rcr_pci_box_put_all(void);

/* register_io.c: read and write an MSR or a register of a PCI function */
int rcr_read_control(struct pci_dev *pci, u32 address, u64 *val);
int rcr_write_control(struct pci_dev *pci, u32 address, u64 val);
int rcr_read_count(struct pci_dev *pci, u32 address, u64 *val);
int rcr_write_count(struct pci_dev *pci, u32 address, u64 val);

/* register.c: save, program and restore the registers of one counter */
int rcr_register_save(const struct rcr_register *r, struct rcr_saved *saved,
		      struct rcr_failure *f);
int rcr_register_program(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
int rcr_register_rewrite(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
bool rcr_register_restore(const struct rcr_register *r, struct rcr_saved *saved);
void rcr_register_disable(const struct rcr_register *r);

#endif
