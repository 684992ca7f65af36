/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fault.h - faults on demand: a register that is broken on one CPU.
 *
 * The guest requests a fault on the CPU that is to have it, at any time, by writing a register that
 * no processor has:
 *
 *	wrmsr(VPMU_FAULT_MSR, register | kind << 32)	breaks a register
 *	wrmsr(VPMU_FAULT_MSR, register)			repairs it (kind 0)
 *	wrmsr(VPMU_FAULT_MSR, 0)			repairs all registers of this CPU
 *	rdmsr(VPMU_FAULT_MSR)		number of broken registers of this CPU
 *
 * A register has one fault at a time, the one requested last. An unknown kind, more than
 * VPMU_FAULTS faults, and a fault of this register itself raise #GP and change nothing. A CPU keeps
 * its faults while it is offline.
 *
 * Neither Intel (0 to 1FFFh) nor AMD (those, C000_xxxxh and C001_xxxxh) has a
 * register at 5243_5200h ("RCR"), nor have the hypervisors that a guest may
 * believe to be on (Hyper-V and Xen from 4000_0000h, KVM from 4B56_4D00h).
 *
 * A fault does not affect:
 *  - the counter of a register, which continues to count: its count can be read when the register
 *    is repaired;
 *  - rdpmc, which reads the counter, not its register;
 *  - the other name of a register: AMD's C001_0000h to C001_0007h and C001_0200h and on are broken
 *    separately;
 *  - registers that QEMU implements itself (TSC, MTRRs, machine check). A register that neither
 *    QEMU nor the model knows reads 0, and can be broken.
 */
#ifndef RCR_VPMU_FAULT_H
#define RCR_VPMU_FAULT_H

#include "model.h"

#define VPMU_FAULT_MSR		0x52435200
#define VPMU_FAULT_KIND_SHIFT	32

/* A guest writes these numbers; selftests/guest/lib/tap.sh has their names. */
enum vpmu_fault_kind {
	VPMU_FAULT_NONE,
	VPMU_FAULT_READ,	/* rdmsr raises #GP */
	VPMU_FAULT_WRITE,	/* wrmsr raises #GP */
	VPMU_FAULT_BOTH,
	VPMU_FAULT_STICK,	/* reads return the old value; writes are lost unseen */
	VPMU_FAULT_ONES,	/* reads 2^64 - 1; writes arrive */
	VPMU_FAULT_KINDS
};

/*
 * vpmu_fault_read() - rdmsr of @msr, if the register is broken
 *
 * Return: VPMU_NOT_MINE if the register is not broken.
 */
enum vpmu_answer vpmu_fault_read(struct vpmu_cpu *cpu, uint32_t msr,
				 uint64_t *val);

/**
 * vpmu_fault_write() - wrmsr of @msr, if the register is broken; also requests to VPMU_FAULT_MSR
 */
enum vpmu_answer vpmu_fault_write(struct vpmu_cpu *cpu, uint32_t msr,
				  uint64_t tsc, uint64_t val);

#endif
