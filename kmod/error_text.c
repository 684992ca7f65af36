// SPDX-License-Identifier: GPL-2.0-only
/*
 * error_text.c - formats failures for the kernel log: those that can leave the module inert
 * at load time, and those that can keep a CPU from being sampled later. librcr formats the
 * reasons of all other failures.
 *
 * Has no kernel state: the unit tests compare each sentence with that of librcr.
 */
#include <linux/kernel.h>

#include "error.h"

/* Reasons without string arguments, by code. */
static const char *const formats[] = {
	[RCR_REASON_NO_MEMORY] = "Out of memory.",
	[RCR_REASON_NO_MEMORY_RINGS] =
		"Not enough memory for the rings of %llu CPUs: load rcrtool with a smaller ring_records=.",
	[RCR_REASON_NOTHING_TO_COUNT] = "The set is empty: run 'rcrctl load default'.",
	[RCR_REASON_SHUTTING_DOWN] =
		"The machine is shutting down: counters can no longer be programmed.",
	[RCR_REASON_HIDDEN] = "A hypervisor hides the performance counters of this CPU.",
	[RCR_REASON_BUSY_CPU] =
		"CPU %llu runs nothing but a real-time task: stop the task, or load rcrtool without this CPU in cpus=.",
	[RCR_REASON_LOCKDOWN_MSR] =
		"Kernel lockdown forbids writing registers: boot without lockdown to use source=msr.",
	[RCR_REASON_LOCKDOWN_PERF] =
		"Kernel lockdown forbids perf: boot without lockdown=confidentiality.",
	[RCR_REASON_CORE_TAKEN] =
		"The core counters are held by perf or the NMI watchdog: run 'sysctl kernel.nmi_watchdog=0', stop other users of perf, and try again.",
	[RCR_REASON_UNREADABLE] = "CPU %llu: register 0x%llx cannot be read.",
	[RCR_REASON_BOTH_UNREADABLE] =
		"CPU %llu: register 0x%llx or 0x%llx cannot be read (a hypervisor without a PMU?).",
	[RCR_REASON_REFUSES] = "CPU %llu: register 0x%llx refuses 0x%llx.",
	[RCR_REASON_KEEPS_NOTHING] =
		"CPU %llu: register 0x%llx does not keep the values written to it (a hypervisor without a PMU?).",
	[RCR_REASON_MSR_IN_USE] =
		"CPU %llu: register 0x%llx is in use (0x%llx) by a program that did not reserve it: stop that program, or write 0 with wrmsr if the register is unused.",
	[RCR_REASON_PCI_IN_USE] =
		"CPU %llu: register 0x%llx is in use (0x%llx) by a program that did not reserve it: stop that program, or write 0 with setpci if the register is unused.",
	[RCR_REASON_NO_ROOM] =
		"CPU %llu: %llu core events and %llu spare counters do not fit in the %llu counters of a core, of which others (perf, a profiler, the NMI watchdog) hold %llu: remove %llu events.",
	[RCR_REASON_MISPLACED_CYCLES] =
		"CPU %llu: the kernel would put perf's cycles on counter %lld, which cannot count them.",
};

/* Format a reason with a string argument. Return: bytes written; 0 for other reasons. */
static int format_text(const struct rcr_reason *r, char *text, size_t size)
{
	switch (r->code) {
	case RCR_REASON_SENTENCE:
		return scnprintf(text, size, "%s", r->text);
	case RCR_REASON_UNKNOWN_CPU:
		return scnprintf(text, size,
				 "rcrtool %s does not support the performance counters of this CPU.",
				 r->text);
	case RCR_REASON_METER_LACKS:
		return scnprintf(text, size, "'%s' is not in the set.", r->text);
	case RCR_REASON_NO_DRIVER:
		return scnprintf(text, size,
				 "%s: the kernel has no driver for the core counters of this CPU, or rcrtool does not know them; software events can be counted.",
				 r->text);
	case RCR_REASON_NO_FREE_COUNTER:
		return scnprintf(text, size,
				 "CPU %llu: no counter is free for %s: remove an event of its unit, or stop other users of the counters.",
				 r->number[0], r->text);
	case RCR_REASON_UNREADABLE_EVENT:
		return scnprintf(text, size, "CPU %llu: register 0x%llx cannot be read (%s).",
				 r->number[0], r->number[1], r->text);
	case RCR_REASON_REFUSES_EVENT:
		return scnprintf(text, size, "CPU %llu: register 0x%llx refuses 0x%llx (%s).",
				 r->number[0], r->number[1], r->number[2], r->text);
	default:
		return 0;
	}
}

/**
 * rcr_failure_format() - format a failure for the kernel log
 * @f: the failure
 * @text: output buffer; a sentence, or the number of a reason that has none here
 * @size: bytes in @text; RCR_FAILURE_TEXT is enough
 *
 * Return: @text.
 */
const char *rcr_failure_format(const struct rcr_failure *f, char *text, size_t size)
{
	const struct rcr_reason *r = &f->reason;
	const char *format = r->code < ARRAY_SIZE(formats) ? formats[r->code] : NULL;
	const u64 *n = r->number;

	if (format_text(r, text, size))
		return text;
	if (!r->code)
		scnprintf(text, size, "Error %d.", f->error);
	else if (format)
		scnprintf(text, size, format, n[0], n[1], n[2], n[3], n[4], n[5]);
	else
		scnprintf(text, size, "Reason %u of <linux/rcrreason.h> (%s%serror %d).", r->code,
			  r->text, *r->text ? ", " : "", f->error);
	return text;
}
