// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/rcrtool, for root to look at.
 *
 * Plain files that are only read and never sleep. Errors of debugfs are not
 * ours: the module works without it.
 */
#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "counter_set.h"
#include "cpus.h"
#include "debugfs.h"
#include "pmu/pmu.h"

static struct dentry *root;

static void show_set(struct seq_file *m, const struct rcr_counter_set *set)
{
	unsigned int i;

	seq_printf(m, "family: %s\n", set->pmu ? set->pmu->name : "unknown");
	seq_printf(m, "generation: %u\n", set->generation);
	seq_printf(m, "counters: %u\n", set->count);
	for (i = 0; i < set->count; i++) {
		const struct rcr_counter *c = &set->counter[i];

		seq_printf(m, "counter %u: %s select 0x%llx control 0x%x counter 0x%x width %u\n",
			   i, c->name, c->select, c->control, c->counter, c->width);
	}
}

/* Numbers of a running CPU change while they are read: a look, no account. */
static void show_cpu(struct seq_file *m, const struct rcr_sampler *s)
{
	u64 ticks = READ_ONCE(s->cost.ticks);

	seq_printf(m, "cpu %d: %s ticks %llu overruns %llu stride %u", s->cpu,
		   cpumask_test_cpu(s->cpu, &rcr_cpus.running) ? "sampling" : "stopped",
		   ticks, READ_ONCE(s->overruns), READ_ONCE(s->grid.stride));
	if (ticks)
		seq_printf(m, " cycles_min %llu cycles_mean %llu cycles_max %llu",
			   READ_ONCE(s->cost.min),
			   div64_u64(READ_ONCE(s->cost.sum), ticks),
			   READ_ONCE(s->cost.max));
	seq_putc(m, '\n');
}

static int status_show(struct seq_file *m, void *unused)
{
	const struct rcr_sampling *sampling = &rcr_cpus.sampling;
	const struct rcr_counter_set *set = sampling->set;
	int cpu;

	seq_printf(m, "version: %s\n", RCR_VERSION);
	seq_printf(m, "state: %s\n", set->failure.error ? "inert" : "sampling");
	if (set->failure.error) {
		seq_printf(m, "error: %pe\n", ERR_PTR(set->failure.error));
		seq_printf(m, "reason: %s\n", set->failure.reason);
	}
	seq_printf(m, "source: %s\n", sampling->source->name);
	seq_printf(m, "period_us: %llu\n", div_u64(sampling->period, NSEC_PER_USEC));
	seq_printf(m, "budget_ppm: %u\n", sampling->budget_ppm);
	seq_printf(m, "ring_records: %u\n", rcr_cpus.capacity);
	seq_printf(m, "record_size: %u\n", rcr_cpus.record_size);
	seq_printf(m, "ring_bytes: %zu\n",
		   rcr_ring_bytes(rcr_cpus.capacity, rcr_cpus.record_size));
	show_set(m, set);
	seq_printf(m, "cpus: %*pbl\n", cpumask_pr_args(&rcr_cpus.running));
	for_each_cpu(cpu, &rcr_cpus.mask)
		show_cpu(m, rcr_cpus.sampler[cpu]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(status);

void rcr_debugfs_init(void)
{
	root = debugfs_create_dir("rcrtool", NULL);
	debugfs_create_file("status", 0400, root, NULL, &status_fops);
}

/* When it returns nobody reads there any more. */
void rcr_debugfs_exit(void)
{
	debugfs_remove(root);
}
