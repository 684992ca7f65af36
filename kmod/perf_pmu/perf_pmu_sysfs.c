// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_pmu_sysfs.c - the PMU's attributes in sysfs: formats, cpumask, and up to four event
 * files for each meter, which are created and removed with it.
 */
#include <linux/ctype.h>
#include <linux/device.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "meter/meter.h"
#include "perf_pmu.h"
#include "watch/watch.h"

/* Event files of a meter. */
enum event_kind {
	EVENT_CONFIG,
	EVENT_UNIT,
	EVENT_SCALE,
	EVENT_SNAPSHOT,
	EVENT_KINDS,
};

static const char *const suffixes[EVENT_KINDS] = { "", ".unit", ".scale", ".snapshot" };

/**
 * struct event_file - one event file of a meter
 * @attr: attribute in sysfs
 * @name: file name
 * @kind: content of the file
 * @number: number of the meter
 * @serial: serial of the meter
 */
struct event_file {
	struct device_attribute attr;
	char name[RCR_METER_NAME_LEN + sizeof(".snapshot")];
	enum event_kind kind;
	u32 number;
	u32 serial;
};

/**
 * struct event_files - the event files of a meter
 * @group: attribute group, merged into the directory "events"
 * @list: attributes of @group, terminated by NULL
 * @file: the files
 */
struct event_files {
	struct attribute_group group;
	struct attribute *list[EVENT_KINDS + 1];
	struct event_file file[EVENT_KINDS];
};

static struct event_files *shown[RCR_METERS_MAX];	/* under the follower's lock */
static struct device *device;

static ssize_t print_file(enum event_kind kind, const struct rcr_meter *m, char *buf)
{
	switch (kind) {
	case EVENT_CONFIG:
		return sysfs_emit(buf, "meter=%u\n", m->number);
	case EVENT_UNIT:
		/* Unit "1": perf prints no unit. */
		return sysfs_emit(buf, "%s\n", strcmp(m->spec.unit, "1") ? m->spec.unit : "");
	case EVENT_SCALE:
		if (!m->spec.digits)
			break;
		return sysfs_emit(buf, "1e-%02u\n", m->spec.digits);
	default:
		break;
	}
	/* EVENT_SNAPSHOT: perf must not subtract the previous value. */
	return sysfs_emit(buf, "1\n");
}

/* Return -ENODEV if the meter was removed while the file was open. */
static ssize_t show_file(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct event_file *file = container_of(attr, struct event_file, attr);
	const struct rcr_meter *m;
	ssize_t n = -ENODEV;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters[file->number];
	if (m && m->serial == file->serial)
		n = print_file(file->kind, m, buf);
	mutex_unlock(&rcr_meters_lock);
	return n;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len >= end && !strcmp(name + len - end, suffix);
}

/*
 * The perf tool searches for event names in lower case or in upper case, and treats names with
 * these suffixes as attributes of another event.
 */
static bool is_perf_name(const char *name)
{
	bool upper = false, lower = false;
	const char *c;

	for (c = name; *c; c++) {
		upper |= isupper(*c);
		lower |= islower(*c);
	}
	return !(upper && lower) && !has_suffix(name, ".unit") && !has_suffix(name, ".scale") &&
	       !has_suffix(name, ".snapshot") && !has_suffix(name, ".per-pkg");
}

static void init_event_file(struct event_files *e, enum event_kind kind, unsigned int number,
			    u32 serial, const char *name)
{
	struct event_file *file = &e->file[kind];

	snprintf(file->name, sizeof(file->name), "%s%s", name, suffixes[kind]);
	file->kind = kind;
	file->number = number;
	file->serial = serial;
	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = file->name;
	file->attr.attr.mode = 0444;
	file->attr.show = show_file;
	e->list[kind] = &file->attr.attr;
}

static void show_event_files(unsigned int number, u32 serial, const char *name)
{
	struct event_files *e;
	unsigned int i;
	int err = -ENOMEM;

	if (!is_perf_name(name))
		return;
	e = kzalloc(sizeof(*e), GFP_KERNEL);
	if (e) {
		for (i = 0; i < EVENT_KINDS; i++)
			init_event_file(e, i, number, serial, name);
		e->group.name = "events";
		e->group.attrs = e->list;
		err = sysfs_merge_group(&device->kobj, &e->group);
	}
	if (err) {
		pr_warn("cannot create event files of the meter %s (error %d)\n", name, err);
		kfree(e);
		return;
	}
	shown[number] = e;
}

/* Remove the files of a meter, if any; waits for readers. */
static void hide_event_files(unsigned int number)
{
	if (!shown[number])
		return;
	sysfs_unmerge_group(&device->kobj, &shown[number]->group);
	kfree(shown[number]);
	shown[number] = NULL;
}

static struct rcr_meters_follower follower = { .show = show_event_files, .hide = hide_event_files };

PMU_FORMAT_ATTR(meter, "config:0-15");
PMU_FORMAT_ATTR(place, "config:16-31");
PMU_FORMAT_ATTR(value, "config:32-34");

static struct attribute *formats[] = {
	&format_attr_meter.attr,
	&format_attr_place.attr,
	&format_attr_value.attr,
	NULL
};

static const struct attribute_group format_group = { .name = "format", .attrs = formats };

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int cpu = rcr_perf_pmu_cpu();

	return cpumap_print_to_pagebuf(true, buf, cpu < 0 ? cpu_none_mask : cpumask_of(cpu));
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *cpumasks[] = { &dev_attr_cpumask.attr, NULL };

static const struct attribute_group cpumask_group = { .attrs = cpumasks };

/* An empty directory, into which the files of each meter are merged. */
static struct attribute *no_events[] = { NULL };

static const struct attribute_group events_group = { .name = "events", .attrs = no_events };

const struct attribute_group *rcr_perf_pmu_groups[] = {
	&format_group,
	&cpumask_group,
	&events_group,
	NULL
};

/**
 * rcr_perf_pmu_sysfs_init() - create the event files of all meters, now and in future
 * @pmu: the PMU's device
 *
 * Context: may sleep; meters may be added and removed concurrently.
 */
void rcr_perf_pmu_sysfs_init(struct device *pmu)
{
	device = pmu;
	rcr_meters_follow(&follower);
}

/* Remove all event files; meters may still be added and removed. May sleep. */
void rcr_perf_pmu_sysfs_exit(void)
{
	rcr_meters_unfollow(&follower);
}
