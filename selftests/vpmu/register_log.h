/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * register_log.h - logs when each core counter of a CPU was enabled, and for which event.
 *
 * The guest switches the log on and reads it, for each CPU on that CPU:
 *
 *	wrmsr(VPMU_LOG_MSR, 1)		empties this CPU's log and starts it
 *	wrmsr(VPMU_LOG_MSR, 0)		stops it; its entries can still be read
 *	rdmsr(VPMU_LOG_MSR)		takes the next word from the log; 0: there is none
 *	rdmsr(VPMU_LOG_LOST_MSR)	how many changes the log had no room for
 *
 * A change is two words, neither of them 0: the guest's TSC, and vpmu_change_word().
 * The log begins with one change for each counter, its state at the start. From there
 * on there is one for each write of a control, global or fixed control register that
 * enables or disables a counter or gives it another event or unit mask, and none for
 * a write that leaves all that as it is. It holds VPMU_LOG_CHANGES; later ones are
 * counted and lost, those before them are whole. Any other value raises #GP.
 *
 * An enabled counter may count nothing, because it cannot count its event (a per-event counter
 * mask, a large increment without its pair) or because its user and OS bits are clear. That is an
 * error, whereas counts that are missed while a counter is not enabled are caused by the kernel
 * (perf stops all counters while it moves one).
 *
 * With vpmu_count() (rate.h) a test computes exactly how many counts an event missed. A read of the
 * log has a later TSC than all changes that it returns. Neither vendor has registers at these
 * numbers: see fault.h.
 */
#ifndef RCR_VPMU_REGISTER_LOG_H
#define RCR_VPMU_REGISTER_LOG_H

#include "model.h"

#define VPMU_LOG_MSR		0x52435203
#define VPMU_LOG_LOST_MSR	0x52435204

#define VPMU_LOG_CHANGES	65536

/* Bits of the second word of a change. */
#define VPMU_CHANGE_COUNTER	0xffull		/* fixed counters from VPMU_FIXED0 on */
#define VPMU_CHANGE_ENABLED	(1ull << 8)	/* in its control and globally */
#define VPMU_CHANGE_COUNTS	(1ull << 9)	/* and can count its event */
#define VPMU_CHANGE_PRESENT	(1ull << 10)	/* always set: no change is 0 */
#define VPMU_CHANGE_UMASK_SHIFT	16
#define VPMU_CHANGE_EVENT_SHIFT	32

static inline uint64_t vpmu_change_word(unsigned int counter, uint32_t event,
					uint32_t umask, bool enabled, bool counts)
{
	return (uint64_t)event << VPMU_CHANGE_EVENT_SHIFT |
	       (uint64_t)(umask & 0xffff) << VPMU_CHANGE_UMASK_SHIFT |
	       (enabled ? VPMU_CHANGE_ENABLED : 0) |
	       (counts ? VPMU_CHANGE_COUNTS : 0) | VPMU_CHANGE_PRESENT | counter;
}

/**
 * vpmu_log_note() - log the changes on a CPU since the last call
 * @cpu: its registers are written, and its counters restarted
 * @tsc: guest time stamp counter of the write
 */
void vpmu_log_note(struct vpmu_cpu *cpu, uint64_t tsc);

/**
 * vpmu_log_read() - rdmsr of the log's registers
 *
 * Return: VPMU_NOT_MINE if @msr is another register.
 */
enum vpmu_answer vpmu_log_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *val);

/**
 * vpmu_log_write() - wrmsr of the log's registers
 */
enum vpmu_answer vpmu_log_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t tsc,
				uint64_t val);

#endif
