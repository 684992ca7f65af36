// SPDX-License-Identifier: GPL-2.0-only
/*
 * register.c - one counter's registers: saved, programmed, put back.
 *
 * All of it runs on the registers' own CPU, or on one of their node. Where counters share a control
 * (Intel's fixed ones) only the bits of the one are written, and never the
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

/* An address as readers and people know it: see rcr_box_told(). */
static u32 told(const struct rcr_register *r, u32 address)
{
	return r->pci ? (u32)r->pci->device << 16 | address : address;
}

/* What counts by itself has no control: it is as good as ours. */
static int read_control(const struct rcr_register *r, u64 *control)
{
	*control = 0;
	return r->control ? rcr_read_control(r->pci, r->control, control) : 0;
}

/**
 * rcr_register_save() - reads what is there, and refuses what somebody has running
 * @r: the registers
 * @saved: gets what they hold
 * @f: gets the reason when it fails
 *
 * Return: 0; -EIO for a register that faults, -EBUSY for one in use.
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
				     smp_processor_id(), told(r, r->control),
				     told(r, r->counter));
	if (control & r->enable)
		return rcr_fail_with(f, -EBUSY, r->pci ? RCR_REASON_PCI_IN_USE :
						RCR_REASON_MSR_IN_USE,
				     "%u%x%llx", smp_processor_id(), told(r, r->control),
				     control);
	saved->control = control & r->mask;
	return 0;
}

/* Writes the bits of a control that are one counter's, and no others. */
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

/* Has somebody programmed it after us, for a counter that runs? */
static bool is_theirs(const struct rcr_register *r)
{
	u64 control;

	return !read_control(r, &control) &&
	       (control & r->mask) != r->select && (control & r->enable);
}

/**
 * rcr_register_program() - writes the control and sees that it holds
 * @r: the registers
 * @name: of the counter, for the reason
 * @saved: what they held before
 * @f: gets the reason when it fails
 *
 * An emulator may ignore what is written.
 *
 * Return: 0; -EIO for a register that faults, -ENODEV for one that keeps
 * nothing.
 */
int rcr_register_program(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f)
{
	if (write_control(r, r->select))
		return rcr_fail_with(f, -EIO, RCR_REASON_REFUSES_EVENT, "%u%x%llx%s",
				     smp_processor_id(), told(r, r->control), r->select, name);
	saved->taken = true;
	if (!is_ours(r))
		return rcr_fail_with(f, -ENODEV, RCR_REASON_KEEPS_NOTHING, "%u%x",
				     smp_processor_id(), told(r, r->control));
	return 0;
}

/**
 * rcr_register_rewrite() - programs it again if it is not ours any more
 * @r: the registers
 * @name: of the counter, for the reason
 * @saved: what they held before they were ours, which stays
 * @f: gets the reason when it fails
 *
 * Return: as rcr_register_program(); -EIO when the count cannot be read either.
 */
int rcr_register_rewrite(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f)
{
	u64 count;

	if (rcr_read_count(r->pci, r->counter, &count))
		return rcr_fail_with(f, -EIO, RCR_REASON_UNREADABLE_EVENT, "%u%x%s",
				     smp_processor_id(), told(r, r->counter), name);
	return is_ours(r) ? 0 : rcr_register_program(r, name, saved, f);
}

/*
 * A count that a write cannot set exactly (Nehalem sets 32 bits and copies the
 * highest of them upwards) is left at zero.
 */
static u64 writable_count(const struct rcr_register *r, u64 count)
{
	u64 sign = BIT_ULL(r->written - 1);
	u64 low = count & rcr_width_mask(r->written);
	u64 set = ((low ^ sign) - sign) & rcr_width_mask(r->pmu->width);

	return set == count ? low : 0;
}

/**
 * rcr_register_restore() - puts a counter's registers back
 * @r: the registers
 * @saved: what they held
 *
 * Stopped first, so that the count is not written into a running counter.
 * Somebody else's control, written over ours and counting, stays: it is theirs
 * now. A control that does not take it is still ours to put back.
 *
 * Return: whether they were put back.
 */
bool rcr_register_restore(const struct rcr_register *r, struct rcr_saved *saved)
{
	if (!saved->taken)
		return false;
	saved->taken = false;
	if (!r->control || is_theirs(r))
		return false;
	if (write_control(r, 0) || is_ours(r)) {
		saved->taken = true;
		pr_warn("CPU %d: register 0x%x cannot be put back, and counts on\n",
			smp_processor_id(), told(r, r->control));
		return false;
	}
	rcr_write_count(r->pci, r->counter, writable_count(r, saved->counter));
	write_control(r, saved->control);
	return true;
}

/* Stops a counter whose count faults: it would count for nobody. */
void rcr_register_disable(const struct rcr_register *r)
{
	if (is_ours(r))
		write_control(r, 0);
}
