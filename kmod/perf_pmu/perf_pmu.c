// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_pmu.c - the meters as a PMU of the perf subsystem.
 *
 * A read returns the value of a meter instead of a difference, which the .snapshot file of
 * each event announces to perf. The value is read from the blackboard: without a lock, in any
 * context.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/perf_event.h>
#include <linux/rcrtool.h>
#include <linux/slab.h>

#include "board/board.h"
#include "meter/meter.h"
#include "perf_pmu.h"
#include "source/source.h"
#include "watch/watch.h"

/* Fields of perf_event_attr.config; keep the format files of perf_pmu_sysfs.c in sync. */
#define CONFIG_METER	GENMASK_ULL(15, 0)
#define CONFIG_PLACE	GENMASK_ULL(31, 16)
#define CONFIG_VALUE	GENMASK_ULL(34, 32)	/* 0, or 1 + enum rcr_time_type */
#define CONFIG_ALL	(CONFIG_METER | CONFIG_PLACE | CONFIG_VALUE)

static struct pmu meter_pmu;
static bool registered;

/*
 * Store entry, serial and type of value in the event. The serial detects a meter that reuses
 * the number later. Context: under rcr_meters_lock.
 */
static int store_entry(struct hw_perf_event *hw, const struct rcr_meter *m, u64 config)
{
	u32 place = FIELD_GET(CONFIG_PLACE, config);
	u32 value = FIELD_GET(CONFIG_VALUE, config);

	if (!m)
		return -ENOENT;
	if (!m->live)
		return -ENODEV;
	if (place >= m->instances)
		return -ENOENT;
	hw->event_base = rcr_board_first_entry(m->number) + place;
	hw->config_base = m->serial;
	hw->config = value ? value - 1 : m->spec.type;
	return 0;
}

static int bind_event(struct perf_event *event)
{
	u64 config = event->attr.config;
	u32 number = FIELD_GET(CONFIG_METER, config);
	int err;

	if (config & ~CONFIG_ALL || event->attr.config1 || event->attr.config2 ||
	    FIELD_GET(CONFIG_VALUE, config) > 1 + RCR_TIME_PEAK)
		return -EINVAL;
	if (number >= RCR_METERS_MAX)
		return -ENOENT;
	number = array_index_nospec(number, RCR_METERS_MAX);
	mutex_lock(&rcr_meters_lock);
	err = store_entry(&event->hw, rcr_meters[number], config);
	mutex_unlock(&rcr_meters_lock);
	return err;
}

static void meter_event_destroy(struct perf_event *event)
{
	rcr_subscriber_close(event->pmu_private);
	kfree(event->pmu_private);
}

/* Have the worker keep the value up to date while the event exists. */
static int subscribe_event(struct perf_event *event)
{
	struct rcr_subscription what = {
		.size = sizeof(what), .entry = event->hw.event_base,
		.serial = event->hw.config_base,
	};
	struct rcr_subscriber *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	int err;

	if (!s)
		return -ENOMEM;
	rcr_subscriber_open(s);
	err = rcr_subscribe(s, &what);
	if (err) {
		kfree(s);
		return err == -ENOMEM || err == -ENOSPC ? err : -ENODEV;
	}
	event->pmu_private = s;
	event->destroy = meter_event_destroy;
	return 0;
}

/*
 * A meter can neither overflow nor belong to a task. The perf tool has messages for these
 * errors.
 */
static int meter_event_init(struct perf_event *event)
{
	int cpu = rcr_perf_pmu_cpu();

	if (event->attr.type != meter_pmu.type)
		return -ENOENT;
	if (is_sampling_event(event))
		return -EOPNOTSUPP;
	if (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return -EINVAL;
	if (cpu < 0)
		return -ENODEV;
	event->cpu = cpu;
	return bind_event(event) ?: subscribe_event(event);
}

static s64 select_value(const struct rcr_board_value *v, enum rcr_time_type type)
{
	switch (type) {
	case RCR_TIME_SUM:
		return v->sum;
	case RCR_TIME_AVERAGE:
		return v->average;
	case RCR_TIME_PEAK:
		return v->peak;
	default:
		return v->current_value;
	}
}

static u32 select_status(const struct rcr_board_value *v, enum rcr_time_type type)
{
	return type == RCR_TIME_CURRENT ? v->current_status : v->status;
}

/*
 * perf prints counts as unsigned: report 0 for negative values. Keep the previous value if the
 * status is not OK or the entry belongs to another meter.
 */
static void meter_event_read(struct perf_event *event)
{
	const struct hw_perf_event *hw = &event->hw;
	struct rcr_board_value v;

	if (rcr_board_load(hw->event_base, hw->config_base, &v) ||
	    select_status(&v, hw->config) != RCR_STATUS_OK)
		return;
	local64_set(&event->count, max_t(s64, select_value(&v, hw->config), 0));
}

static void meter_event_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	meter_event_read(event);
}

static void meter_event_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	meter_event_read(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int meter_event_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		meter_event_start(event, flags);
	return 0;
}

static void meter_event_del(struct perf_event *event, int flags)
{
	meter_event_stop(event, PERF_EF_UPDATE);
}

static struct pmu meter_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE,
	.attr_groups = rcr_perf_pmu_groups,
	.event_init = meter_event_init,
	.add = meter_event_add,
	.del = meter_event_del,
	.start = meter_event_start,
	.stop = meter_event_stop,
	.read = meter_event_read,
};

/* On failure only perf lacks the meters: nothing else depends on the PMU. */
static int register_meter_pmu(void)
{
	int err = perf_pmu_register(&meter_pmu, "rcrtool", -1);

	if (err)
		return err;
	err = rcr_perf_pmu_cpu_init(&meter_pmu);
	if (err)
		perf_pmu_unregister(&meter_pmu);
	return err;
}

/**
 * rcr_perf_pmu_init() - register the meters as a PMU; a failure is only logged
 *
 * An open event holds a reference to the module, so this is called when module init can no
 * longer fail.
 *
 * Context: may sleep; after all other user interfaces are registered.
 */
void rcr_perf_pmu_init(void)
{
	int err = register_meter_pmu();

	if (err) {
		pr_warn("cannot register the PMU of the meters (error %d): perf cannot read them\n",
			err);
		return;
	}
	registered = true;
	/* A set must not count meters: they are not counts, and the event would pin the module. */
	rcr_source_perf_exclude(meter_pmu.type);
	rcr_perf_pmu_sysfs_init(meter_pmu.dev);
}

/* At unload. An open event holds a reference to the module, so no event exists any more. */
void rcr_perf_pmu_close(void)
{
	if (!registered)
		return;
	rcr_perf_pmu_sysfs_exit();
	rcr_perf_pmu_cpu_exit();
}

/* After rcr_perf_pmu_close(). May sleep: waits for RCU and SRCU grace periods. */
void rcr_perf_pmu_exit(void)
{
	if (registered)
		perf_pmu_unregister(&meter_pmu);
}
