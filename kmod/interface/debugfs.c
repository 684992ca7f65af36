// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/rcrtool, diagnostics for root.
 *
 * All files are read-only. Errors of debugfs are ignored: the module works without it.
 */
#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "control/control.h"
#include "cpu/cpus.h"
#include "source/source.h"
#include "interface.h"
#include "meter/meter.h"
#include "stream/stream.h"

static struct dentry *root;

static void show_set(struct seq_file *m, const struct rcr_counter_set *set)
{
	unsigned int i;

	seq_printf(m, "family: %s\n", set->machine ? set->machine->family->name : "unknown");
	seq_printf(m, "generation: %u\n", set->generation);
	seq_printf(m, "counters: %u\n", set->count);
	for (i = 0; i < set->count; i++) {
		const struct rcr_counter *c = &set->counter[i];

		seq_printf(m, "counter %u: %s select 0x%llx control 0x%llx counter 0x%llx width %u\n",
			   i, c->name, c->select, c->control, c->counter, c->width);
	}
}

/* Not a consistent snapshot: the CPU may change the numbers while they are printed. */
static void show_cpu(struct seq_file *m, const struct rcr_sampler *s)
{
	u64 ticks = READ_ONCE(s->cost.ticks);

	seq_printf(m, "cpu %d: %s ticks %llu overruns %llu faults %u stride %u",
		   s->cpu,
		   cpumask_test_cpu(s->cpu, &rcr_cpus.running) ? "sampling" : "stopped",
		   ticks, READ_ONCE(s->overruns),
		   READ_ONCE(READ_ONCE(s->counters)->faults),
		   READ_ONCE(s->grid.stride));
	if (ticks)
		seq_printf(m, " cycles_min %llu cycles_mean %llu cycles_max %llu",
			   READ_ONCE(s->cost.min),
			   div64_u64(READ_ONCE(s->cost.sum), ticks),
			   READ_ONCE(s->cost.max));
	seq_putc(m, '\n');
}

static void show_run(struct seq_file *m, const struct rcr_run *run)
{
	const char *note = rcr_sources_note(&run->set);
	const struct rcr_failure *f = &run->set.failure;

	seq_printf(m, "state: %s\n", f->error ? "inert" : "sampling");
	if (f->error) {
		seq_printf(m, "error: %pe\n", ERR_PTR(f->error));
		seq_printf(m, "reason: %s\n", rcr_failure_text(f));
	}
	seq_printf(m, "source: %s\n", rcr_sources_name(&run->set));
	if (note && !f->error)
		seq_printf(m, "note: %s\n", note);
	seq_printf(m, "period_us: %llu\n",
		   div_u64(run->timing.period, NSEC_PER_USEC));
	seq_printf(m, "slow_period_us: %llu\n",
		   div_u64(run->timing.period * run->timing.slow, NSEC_PER_USEC));
	seq_printf(m, "budget_ppm: %u\n", run->timing.budget_ppm);
	seq_printf(m, "ring_records: %u\n", run->capacity);
	seq_printf(m, "record_size: %u\n", run->record_size);
	seq_printf(m, "ring_bytes: %zu\n",
		   rcr_ring_bytes(run->capacity, run->record_size));
	show_set(m, &run->set);
}

static void show_meters(struct seq_file *m)
{
	struct rcr_meters_state s;

	mutex_lock(&rcr_meters_lock);
	rcr_pass_state(&s);
	mutex_unlock(&rcr_meters_lock);
	seq_printf(m, "meters: passes %llu evaluations %llu lost %llu cycles_mean %llu\n",
		   s.passes, s.evaluations, s.lost,
		   s.passes ? div64_u64(s.cycles, s.passes) : 0);
}

static int status_show(struct seq_file *m, void *unused)
{
	struct rcr_run *run = rcr_run_get_current();
	int cpu;

	seq_printf(m, "version: %s\n", RCR_VERSION);
	show_run(m, run);
	seq_printf(m, "interrupt_cycles: %llu\n", rcr_cpus.overhead);
	seq_printf(m, "cpus: %*pbl\n", cpumask_pr_args(&rcr_cpus.running));
	show_meters(m);
	for_each_cpu(cpu, &rcr_cpus.mask)
		show_cpu(m, rcr_cpus.sampler[cpu]);
	rcr_run_put(run);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(status);

/* Name of a status; NULL if it is unknown, as 0 is. */
const char *rcr_status_name(u8 status)
{
	static const char *const names[] = {
		[RCR_STATUS_OK] = "ok", [RCR_STATUS_HALTED] = "halted",
		[RCR_STATUS_FOREIGN] = "foreign", [RCR_STATUS_BUSY] = "busy",
		[RCR_STATUS_FAULT] = "fault", [RCR_STATUS_OFFLINE] = "offline",
		[RCR_STATUS_GAP] = "gap", [RCR_STATUS_ELSEWHERE] = "elsewhere",
		[RCR_STATUS_MISPLACED] = "misplaced",
	};

	return status < ARRAY_SIZE(names) ? names[status] : NULL;
}

/* Memory for one read of "counters". */
struct counters_view {
	struct rcr_control control;
	struct cpumask cpus;
};

static void show_counter(struct seq_file *m, const struct rcr_run *run,
			 unsigned int i, struct counters_view *view)
{
	const struct rcr_counter *c = &run->set.counter[i];
	u8 status = rcr_control_status(run->set.generation, i, &view->cpus);

	seq_printf(m, "%s 0x%llx %s", c->name, c->select,
		   rcr_status_name(status) ?: "-");
	if (!cpumask_empty(&view->cpus))
		seq_printf(m, " on %*pbl", cpumask_pr_args(&view->cpus));
	if (!rcr_staged_has(&view->control.base.set, &run->set.event[i]))
		seq_puts(m, " held\n");
	else
		seq_puts(m, rcr_staged_has(&view->control.staged, &run->set.event[i]) ? "\n" :
			    " removed\n");
}

/* The running counters, and the changes that finalize would make: rcrctl ls. */
static int counters_show(struct seq_file *m, void *unused)
{
	struct counters_view *view = kmalloc(sizeof(*view), GFP_KERNEL);
	const struct rcr_staged *s;
	struct rcr_run *run;
	unsigned int i;

	if (!view)
		return -ENOMEM;
	s = &view->control.staged;
	run = rcr_run_get_current();
	rcr_control_read(&view->control);
	for (i = 0; i < run->set.count; i++)
		show_counter(m, run, i, view);
	for (i = 0; i < s->count; i++)
		if (rcr_counter_set_find(&run->set, &s->event[i]) == RCR_FROM_NONE)
			seq_printf(m, "%s %s\n", s->event[i].name,
				   rcr_staged_has(&view->control.base.set, &s->event[i]) ?
				   "waits for the end of a hold" : "staged");
	rcr_run_put(run);
	kfree(view);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counters);

/* "ring": the records of one CPU, oldest first, in the format of /dev/rcrtool. Never waits. */
static int ring_open(struct inode *inode, struct file *file)
{
	struct rcr_stream *s = rcr_stream_open((long)inode->i_private);
	int err;

	if (!s)
		return -ENOMEM;
	file->private_data = s;
	err = rcr_stream_seek(s, true);
	if (err)
		rcr_stream_close(s);
	return err;
}

static int ring_release(struct inode *inode, struct file *file)
{
	rcr_stream_close(file->private_data);
	return 0;
}

static ssize_t ring_read(struct file *file, char __user *buf, size_t count,
			 loff_t *pos)
{
	return rcr_stream_read(file->private_data, buf, count);
}

static __poll_t ring_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &rcr_ring_readers.waitqueue, wait);
	return rcr_stream_ready(file->private_data) ? EPOLLIN | EPOLLRDNORM : 0;
}

static const struct file_operations ring_fops = {
	.owner = THIS_MODULE,
	.open = ring_open,
	.read = ring_read,
	.poll = ring_poll,
	.release = ring_release,
};

static void create_ring(int cpu)
{
	struct dentry *dir;
	char name[16];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	dir = debugfs_create_dir(name, root);
	debugfs_create_file("ring", 0400, dir, (void *)(long)cpu, &ring_fops);
}

void rcr_debugfs_init(void)
{
	int cpu;

	root = debugfs_create_dir("rcrtool", NULL);
	debugfs_create_file("status", 0400, root, NULL, &status_fops);
	debugfs_create_file("counters", 0400, root, NULL, &counters_fops);
	for_each_cpu(cpu, &rcr_cpus.mask)
		create_ring(cpu);
	rcr_debugfs_meters_init(root);
}

/* When this returns, no file operation is running, and none can start. */
void rcr_debugfs_exit(void)
{
	rcr_debugfs_meters_exit();
	debugfs_remove(root);
}
