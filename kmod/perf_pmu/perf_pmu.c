// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_pmu.c - the meters as a PMU of perf.
 *
 * A read returns the value of a meter, not its increment: the .snapshot file of each event
 * declares this to perf. It is read from the blackboard, without a lock and in any context.
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

/* Fields of config; perf_pmu_sysfs.c has the same as format files. */
#define CONFIG_METER	GENMASK_ULL(15, 0)
#define CONFIG_PLACE	GENMASK_ULL(31, 16)
#define CONFIG_VALUE	GENMASK_ULL(34, 32)	/* 0, or 1 + enum rcr_time_type */
#define CONFIG_ALL	(CONFIG_METER | CONFIG_PLACE | CONFIG_VALUE)

static struct pmu own;
static bool registered;

/*
 * The meter of an event: the serial detects that its number has been given to another meter.
 */
static int remember(struct hw_perf_event *hw, const struct rcr_meter *m, u64 config)
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

static int find(struct perf_event *event)
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
	err = remember(&event->hw, rcr_meters[number], config);
	mutex_unlock(&rcr_meters_lock);
	return err;
}

static void own_event_destroy(struct perf_event *event)
{
	rcr_subscriber_close(event->pmu_private);
	kfree(event->pmu_private);
}

/* Subscribe the entry: it is up to date, and kept so. */
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
	event->destroy = own_event_destroy;
	return 0;
}

/*
 * A meter never overflows and belongs to no thread. perf knows messages for these errors.
 */
static int own_event_init(struct perf_event *event)
{
	int cpu = rcr_perf_pmu_cpu();

	if (event->attr.type != own.type)
		return -ENOENT;
	if (is_sampling_event(event))
		return -EOPNOTSUPP;
	if (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return -EINVAL;
	if (cpu < 0)
		return -ENODEV;
	event->cpu = cpu;
	return find(event) ?: subscribe_event(event);
}

static s64 typed(const struct rcr_board_value *v, enum rcr_time_type type)
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

static u32 status_of(const struct rcr_board_value *v, enum rcr_time_type type)
{
	return type == RCR_TIME_CURRENT ? v->current_status : v->status;
}

/*
 * Readers take counts as unsigned 64-bit numbers: a negative value is reported as 0. Without a
 * current value, or if the entry belongs to another meter, the last count is kept.
 */
static void own_read(struct perf_event *event)
{
	const struct hw_perf_event *hw = &event->hw;
	struct rcr_board_value v;

	if (rcr_board_look(hw->event_base, hw->config_base, &v) ||
	    status_of(&v, hw->config) != RCR_STATUS_OK)
		return;
	local64_set(&event->count, max_t(s64, typed(&v, hw->config), 0));
}

static void own_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	own_read(event);
}

static void own_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	own_read(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int own_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		own_start(event, flags);
	return 0;
}

static void own_del(struct perf_event *event, int flags)
{
	own_stop(event, PERF_EF_UPDATE);
}

static struct pmu own = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE,
	.attr_groups = rcr_perf_pmu_groups,
	.event_init = own_event_init,
	.add = own_add,
	.del = own_del,
	.start = own_start,
	.stop = own_stop,
	.read = own_read,
};

/* Optional: the module works without the PMU. */
static int register_own(void)
{
	int err = perf_pmu_register(&own, "rcrtool", -1);

	if (err)
		return err;
	err = rcr_perf_pmu_cpu_init(&own);
	if (err)
		perf_pmu_unregister(&own);
	return err;
}

/**
 * rcr_perf_pmu_init() - registers the PMU of the meters with perf
 *
 * An open event holds a reference to the module, so loading must not fail after this.
 *
 * Context: may sleep; the last interface that is opened.
 */
void rcr_perf_pmu_init(void)
{
	int err = register_own();

	if (err) {
		pr_warn("perf does not take the meters as a PMU (error %d): all else works.\n",
			err);
		return;
	}
	registered = true;
	/* Refuse new events, each of which would hold a reference to the module. */
	rcr_source_perf_exclude(own.type);
	rcr_perf_pmu_sysfs_init(own.dev);
}

/* No event is open, as each holds the module, and none can be opened any more. */
void rcr_perf_pmu_close(void)
{
	if (!registered)
		return;
	rcr_perf_pmu_sysfs_exit();
	rcr_perf_pmu_cpu_exit();
}

/* Context: after rcr_perf_pmu_close(); sleeps for a grace period of RCU and SRCU. */
void rcr_perf_pmu_exit(void)
{
	if (registered)
		perf_pmu_unregister(&own);
}
