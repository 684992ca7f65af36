/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hw.h - which family's tables this machine needs, and its registers: MSRs, and functions
 * of the PCI bus.
 */
#ifndef RCR_HW_H
#define RCR_HW_H

#include <linux/types.h>
#include "pmu/event.h"

/* Registers that the counters of a box share. */
#define RCR_SHARED_GLOBAL	RCR_FILTERS
#define RCR_SHARED		(RCR_FILTERS + 1)

struct pci_dev;
struct rcr_failure;
struct rcr_machine;
struct rcr_pmu;
struct rcr_register;

/**
 * struct rcr_saved - what a register pair held before it was ours
 * @control: the bits of the control register that belong to the counter
 * @counter: the count register
 * @shared: its bits of the registers that its box's counters share: the filters, and the
 *	global control
 * @written: those that we have written, bit n for register n
 * @taken: we have written it and have to put it back
 */
struct rcr_saved {
	u64 control;
	u64 counter;
	u64 shared[RCR_SHARED];
	u8 written;
	bool taken;
};

/* detect.c */
void rcr_machine_forget(void);
bool rcr_machine_detect(struct rcr_machine *m, bool *hidden);

/* pci_box.c: which functions of the PCI bus are boxes of which package */
bool rcr_pci_box_look(const struct rcr_pmu *pmu, unsigned int number, u16 ubox);
struct pci_dev *rcr_pci_box_find(const struct rcr_pmu *pmu, unsigned int number,
				 unsigned int package);
void rcr_pci_box_put_all(void);

/* register_io.c: reads and writes a register, wherever it is */
int rcr_read_control(struct pci_dev *pci, u32 address, u64 *val);
int rcr_write_control(struct pci_dev *pci, u32 address, u64 val);
int rcr_read_count(struct pci_dev *pci, u32 address, u64 *val);
int rcr_write_count(struct pci_dev *pci, u32 address, u64 val);

/* register.c: one counter's registers: saved, programmed, put back */
int rcr_register_save(const struct rcr_register *r, struct rcr_saved *saved,
		      struct rcr_failure *f);
int rcr_register_program(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
int rcr_register_rewrite(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
bool rcr_register_restore(const struct rcr_register *r, struct rcr_saved *saved);
void rcr_register_disable(const struct rcr_register *r);

#endif
