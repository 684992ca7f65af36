// SPDX-License-Identifier: GPL-2.0-only
/*
 * register.c - save, program and restore the registers of one counter.
 *
 * All functions run on a CPU that can access the registers. Of a control that several counters
 * share (Intel's fixed ones), only the bits of this counter are written, and never the
 * interrupt bit.
 */
#include <linux/bits.h>
#include <linux/pci.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include "error.h"
#include "hw.h"
#include "pmu/pmu.h"
#include "pmu/width.h"

/* rcr_box_full_address() for the box of a counter. */
static u32 full_address(const struct rcr_register *r, u32 address)
{
	return r->pci ? (u32)r->pci->device << 16 | address : address;
}

/* A free-running counter has no control and always counts as ours. */
static int read_control(const struct rcr_register *r, u64 *control)
{
	*control = 0;
	return r->control ? rcr_read_control(r->pci, r->control, control) : 0;
}

/**
 * rcr_register_save() - save the registers of a counter, unless it is in use
 * @r: the registers
 * @saved: filled in
 * @f: filled in on failure
 *
 * Return: 0; -EIO if a register faults, -EBUSY if the counter is enabled.
 */
int rcr_register_save(const struct rcr_register *r, struct rcr_saved *saved,
		      struct rcr_failure *f)
{
	u64 control;

	saved->taken = false;
	saved->written = 0;
	if (read_control(r, &control) ||
	    rcr_read_count(r->pci, r->counter, &saved->counter))
		return rcr_fail_with(f, -EIO, RCR_REASON_BOTH_UNREADABLE, "%u%x%x",
				     smp_processor_id(), full_address(r, r->control),
				     full_address(r, r->counter));
	if (control & r->enable)
		return rcr_fail_with(f, -EBUSY, r->pci ? RCR_REASON_PCI_IN_USE :
						RCR_REASON_MSR_IN_USE,
				     "%u%x%llx", smp_processor_id(), full_address(r, r->control),
				     control);
	saved->control = control & r->mask;
	return 0;
}

/* Write only the bits of a control that belong to the counter. */
static int write_control(const struct rcr_register *r, u64 bits)
{
	u64 control = 0;

	if (!r->control)
		return 0;
	if (~r->mask && rcr_read_control(r->pci, r->control, &control))
		return -EIO;
	return rcr_write_control(r->pci, r->control, (control & ~r->mask) | bits);
}

static bool is_ours(const struct rcr_register *r)
{
	u64 control;

	return !read_control(r, &control) && (control & r->mask) == r->select;
}

/* True if another tool has programmed and enabled the counter after us. */
static bool is_overwritten(const struct rcr_register *r)
{
	u64 control;

	return !read_control(r, &control) &&
	       (control & r->mask) != r->select && (control & r->enable);
}

/**
 * rcr_register_program() - write the control and verify it
 * @r: the registers
 * @name: name of the counter, for the reason
 * @saved: saved values; marked as taken
 * @f: filled in on failure
 *
 * An emulator may ignore the write.
 *
 * Return: 0; -EIO if a register faults, -ENODEV if it does not keep the value.
 */
int rcr_register_program(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f)
{
	if (write_control(r, r->select))
		return rcr_fail_with(f, -EIO, RCR_REASON_REFUSES_EVENT, "%u%x%llx%s",
				     smp_processor_id(), full_address(r, r->control), r->select,
				     name);
	saved->taken = true;
	if (!is_ours(r))
		return rcr_fail_with(f, -ENODEV, RCR_REASON_KEEPS_NOTHING, "%u%x",
				     smp_processor_id(), full_address(r, r->control));
	return 0;
}

/**
 * rcr_register_rewrite() - program a counter again if it was overwritten
 * @r: the registers
 * @name: name of the counter, for the reason
 * @saved: values saved before the counter was programmed; not changed
 * @f: filled in on failure
 *
 * Return: same as rcr_register_program(); -EIO also if the count cannot be read.
 */
int rcr_register_rewrite(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f)
{
	u64 count;

	if (rcr_read_count(r->pci, r->counter, &count))
		return rcr_fail_with(f, -EIO, RCR_REASON_UNREADABLE_EVENT, "%u%x%s",
				     smp_processor_id(), full_address(r, r->counter), name);
	return is_ours(r) ? 0 : rcr_register_program(r, name, saved, f);
}

/*
 * Value to write for a saved count: a count that a write cannot set exactly (Nehalem sets 32
 * bits and sign-extends them) is left at zero.
 */
static u64 writable_count(const struct rcr_register *r, u64 count)
{
	u64 sign = BIT_ULL(r->written - 1);
	u64 low = count & rcr_width_mask(r->written);
	u64 set = ((low ^ sign) - sign) & rcr_width_mask(r->pmu->width);

	return set == count ? low : 0;
}

/**
 * rcr_register_restore() - restore the registers of a counter
 * @r: the registers
 * @saved: saved values
 *
 * The counter is stopped before its count is written. A control that another tool has
 * overwritten and enabled is left alone, as the counter belongs to that tool now. A control
 * that does not accept the write remains marked as taken.
 *
 * Return: true if the registers were restored.
 */
bool rcr_register_restore(const struct rcr_register *r, struct rcr_saved *saved)
{
	if (!saved->taken)
		return false;
	saved->taken = false;
	if (!r->control || is_overwritten(r))
		return false;
	if (write_control(r, 0) || is_ours(r)) {
		saved->taken = true;
		pr_warn("CPU %d: register 0x%x cannot be restored and keeps counting\n",
			smp_processor_id(), full_address(r, r->control));
		return false;
	}
	rcr_write_count(r->pci, r->counter, writable_count(r, saved->counter));
	write_control(r, saved->control);
	return true;
}

/* Stop a counter whose count register faults. */
void rcr_register_disable(const struct rcr_register *r)
{
	if (is_ours(r))
		write_control(r, 0);
}
