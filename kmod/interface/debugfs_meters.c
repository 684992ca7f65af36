// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs_meters.c - meters/<name> and meter_<n>: values of a meter as text, one "key: value" per
 * line for the machine, then one line per place.
 */
#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "board/board.h"
#include "interface.h"
#include "meter/meter.h"
#include "watch/watch.h"

static struct dentry *root, *meters_dir;
static struct dentry *by_name[RCR_METERS_MAX], *by_number[RCR_METERS_MAX];

static const char *const verdicts[] = {
	[RCR_VERDICT_NONE] = "-", [RCR_VERDICT_OK] = "ok",
	[RCR_VERDICT_CONTENTION] = "contention", [RCR_VERDICT_BUSY] = "busy",
};

static const char *const types[] = {
	[RCR_TIME_CURRENT] = "current", [RCR_TIME_SUM] = "sum",
	[RCR_TIME_AVERAGE] = "average", [RCR_TIME_PEAK] = "peak",
};

/* Print a multiple of 10^-digits as a decimal number. */
static void put_value(struct seq_file *m, s64 val, unsigned int digits)
{
	u64 size = val < 0 ? 0 - (u64)val : val, ten = 1, behind;
	unsigned int i;

	for (i = 0; i < digits; i++)
		ten *= 10;
	size = div64_u64_rem(size, ten, &behind);
	seq_printf(m, "%s%llu", val < 0 ? "-" : "", size);
	if (digits)
		seq_printf(m, ".%0*llu", digits, behind);
}

static void put_line(struct seq_file *m, const char *key, s64 val, unsigned int digits)
{
	seq_printf(m, "%s: ", key);
	put_value(m, val, digits);
	seq_putc(m, '\n');
}

/* A limit of 0 is unknown. */
static void put_limit(struct seq_file *m, const char *key, s64 val, unsigned int digits)
{
	if (val)
		put_line(m, key, val, digits);
	else
		seq_printf(m, "%s: -\n", key);
}

static void put_utilization(struct seq_file *m, const struct rcr_board_value *v)
{
	if (v->maximum && v->current_status == RCR_STATUS_OK)
		seq_printf(m, "%u.%04u%%", v->utilization / 10000, v->utilization % 10000);
	else
		seq_putc(m, '-');
}

static void print_machine(struct seq_file *m, const struct rcr_meter *meter,
			  const struct rcr_board_value *v)
{
	unsigned int digits = meter->spec.digits;
	u64 updated = v->time, ns;

	put_line(m, "current", v->current_value, digits);
	seq_printf(m, "current_status: %s\n", rcr_status_name(v->current_status) ?: "undefined");
	put_line(m, "average", v->average, digits);
	put_line(m, "sum", v->sum, digits);
	put_line(m, "peak", v->peak, digits);
	put_line(m, "highest", v->highest, digits);
	seq_printf(m, "unseen: %llu\n", v->unseen);
	put_limit(m, "max", v->maximum, digits);
	put_limit(m, "contention", v->contention, digits);
	seq_puts(m, "utilization: ");
	put_utilization(m, v);
	seq_putc(m, '\n');
	updated = div64_u64_rem(updated, NSEC_PER_SEC, &ns);
	seq_printf(m, "updated: %llu.%09llu\n", updated, ns);
	seq_printf(m, "window_ns: %llu\n", v->time - v->begin);
	seq_printf(m, "counted_ns: %llu\n", v->counted_ns);
	seq_printf(m, "verdict: %s\n", verdicts[v->verdict]);
	seq_printf(m, "status: %s\n", rcr_status_name(v->status) ?: "undefined");
}

static void print_place(struct seq_file *m, const struct rcr_meter *meter, u32 place,
			const struct rcr_board_value *v)
{
	const struct rcr_group *g = rcr_groups_get(place);
	unsigned int digits = meter->spec.digits;

	seq_printf(m, "%s %u: current ", rcr_place_name(g->kind), g->number);
	put_value(m, v->current_value, digits);
	seq_puts(m, " average ");
	put_value(m, v->average, digits);
	seq_puts(m, " sum ");
	put_value(m, v->sum, digits);
	seq_puts(m, " peak ");
	put_value(m, v->peak, digits);
	if (v->maximum && v->current_status == RCR_STATUS_OK) {
		seq_puts(m, " utilization ");
		put_utilization(m, v);
	}
	seq_printf(m, " %s\n", rcr_status_name(v->status) ?: "undefined");
}

static void print_values(struct seq_file *m, const struct rcr_meter *meter)
{
	unsigned int i, entry = rcr_board_first_entry(meter->number);
	struct rcr_board_value v;

	for (i = 0; i < meter->instances; i++, entry++) {
		if (rcr_board_load(entry, 0, &v))
			continue;
		if (i)
			print_place(m, meter, meter->instance[i].place, &v);
		else
			print_machine(m, meter, &v);
	}
}

static void print_meter(struct seq_file *m, const struct rcr_meter *meter)
{
	const struct rcr_meter_spec *s = &meter->spec;

	seq_printf(m, "name: %s\n", s->name);
	seq_printf(m, "number: %u\nunit: %s\n", meter->number, s->unit);
	seq_printf(m, "scale_ns: %llu\n", s->scale);
	seq_printf(m, "type: %s\n", types[s->type]);
	if (meter->live)
		print_values(m, meter);
	else
		seq_printf(m, "asleep: %s\n", rcr_failure_text(&meter->why));
}

static void evaluate_meter(struct rcr_meter *meter)
{
	rcr_pass_begin();
	rcr_pass_evaluate_all(meter);
	rcr_pass_end();
	rcr_worker_heartbeat();
}

/* The file of a meter that has been removed meanwhile is empty. */
static int meter_show(struct seq_file *m, void *unused)
{
	unsigned int number = (long)m->private;

	mutex_lock(&rcr_meters_lock);
	rcr_meters_catch_up();
	if (rcr_meters[number]) {
		evaluate_meter(rcr_meters[number]);
		print_meter(m, rcr_meters[number]);
	}
	mutex_unlock(&rcr_meters_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(meter);

static void create_files(unsigned int number, u32 serial, const char *name)
{
	char file[16];

	snprintf(file, sizeof(file), "meter_%u", number);
	by_name[number] = debugfs_create_file(name, 0400, meters_dir, (void *)(long)number,
					      &meter_fops);
	by_number[number] = debugfs_create_file(file, 0400, root, (void *)(long)number,
						&meter_fops);
}

/* When this returns, no read of the files is running, and none can start. */
static void remove_files(unsigned int number)
{
	debugfs_remove(by_name[number]);
	debugfs_remove(by_number[number]);
}

static struct rcr_meters_follower follower = { .show = create_files, .hide = remove_files };

/**
 * rcr_debugfs_meters_init() - create the files of the meters
 * @dir: directory of the module
 *
 * Context: may sleep.
 */
void rcr_debugfs_meters_init(struct dentry *dir)
{
	root = dir;
	meters_dir = debugfs_create_dir("meters", root);
	rcr_meters_follow(&follower);
}

/* The directory is removed together with its parent. */
void rcr_debugfs_meters_exit(void)
{
	rcr_meters_unfollow(&follower);
}
