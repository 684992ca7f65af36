// SPDX-License-Identifier: GPL-2.0-only
/*
 * event.c - machine-independent checks of events, and comparison.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "pmu/event.h"
#include "error.h"

/* Software events that can be counted per CPU: not dummy, bpf-output and cgroup-switches. */
#define SOFTWARE_EVENTS							\
	(BIT(PERF_COUNT_SW_CPU_CLOCK) | BIT(PERF_COUNT_SW_PAGE_FAULTS) |	\
	 BIT(PERF_COUNT_SW_CONTEXT_SWITCHES) | BIT(PERF_COUNT_SW_CPU_MIGRATIONS) |	\
	 BIT(PERF_COUNT_SW_PAGE_FAULTS_MIN) | BIT(PERF_COUNT_SW_PAGE_FAULTS_MAJ) |	\
	 BIT(PERF_COUNT_SW_ALIGNMENT_FAULTS) | BIT(PERF_COUNT_SW_EMULATION_FAULTS))

/*
 * Tracepoint id of ftrace:function, the same in every kernel (enum trace_type in
 * kernel/trace/trace.h). It fires on every kernel function, including those of the tick.
 */
#define FTRACE_FUNCTION_ID	1

/* Accept names that are valid in a CSV header and as a file name. */
static bool name_is_valid(const char *name)
{
	const char *c;

	if (!*name || *name == '.')
		return false;
	for (c = name; *c; c++)
		if (!isascii(*c) || (!isalnum(*c) && !strchr("_.:-+", *c)))
			return false;
	return true;
}

static bool unit_is_valid(const char *unit)
{
	for (; *unit; unit++)
		if (!isascii(*unit) || (!isalnum(*unit) && *unit != '-'))
			return false;
	return true;
}

static int check_software(const struct rcr_event *e, u64 event, struct rcr_failure *f)
{
	if (event < PERF_COUNT_SW_MAX && BIT(event) & SOFTWARE_EVENTS)
		return 0;
	return rcr_fail_with(f, -EINVAL, RCR_REASON_BAD_SOFTWARE, "%s%llu", e->name, event);
}

static int check_pmu(const struct rcr_event *e, struct rcr_failure *f)
{
	switch (e->event) {
	case PERF_TYPE_SOFTWARE:
		return check_software(e, e->config, f);
	case PERF_TYPE_TRACEPOINT:
		return rcr_fail_with(f, -EINVAL, RCR_REASON_NO_TRACEPOINT_ID, "%s", e->name);
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return rcr_fail_with(f, -EINVAL, RCR_REASON_CORE_EVENT, "%s", e->name);
	}
	return 0;
}

/**
 * rcr_event_check() - machine-independent checks of an event
 * @e: the event
 * @f: filled in on failure
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int rcr_event_check(const struct rcr_event *e, struct rcr_failure *f)
{
	if (!name_is_valid(e->name))
		return rcr_fail_with(f, -EINVAL, RCR_REASON_BAD_NAME, "%s%u", e->name,
				     RCR_NAME_LEN - 1);
	if (!unit_is_valid(e->unit))
		return rcr_fail_with(f, -EINVAL, RCR_REASON_BAD_UNIT, "%s", e->unit);
	switch (e->kind) {
	case RCR_EVENT_SOFTWARE:
		return check_software(e, e->event, f);
	case RCR_EVENT_TRACEPOINT:
		if (e->event != FTRACE_FUNCTION_ID)
			return 0;
		return rcr_fail_with(f, -EINVAL, RCR_REASON_EVERY_FUNCTION, "%u", e->event);
	case RCR_EVENT_PMU:
		return check_pmu(e, f);
	default:
		return 0;
	}
}

/* True if two events have the same name, encoding and filters. */
bool rcr_event_same(const struct rcr_event *a, const struct rcr_event *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* True for an event of the core PMU. */
bool rcr_event_is_core(const struct rcr_event *e)
{
	return rcr_event_is_hardware(e) && (!e->unit[0] || !strcmp(e->unit, "core"));
}
