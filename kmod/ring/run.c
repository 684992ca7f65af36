// SPDX-License-Identifier: GPL-2.0-only
/*
 * run.c - lifetime of runs: publication, references, release with the last reader.
 *
 * A change of the set makes a new run with new rings. Readers of the old one finish it and
 * continue with the new one, so a change loses no record, and the layout of a ring never
 * changes under a reader.
 */
#include <linux/mm.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "run.h"
#include "scale.h"

static DEFINE_SPINLOCK(current_lock);
static struct rcr_run *current_run;

/* Called for each new run. */
static BLOCKING_NOTIFIER_HEAD(run_chain);

/**
 * rcr_run_alloc() - allocate a run without counters and rings
 *
 * Context: may sleep.
 * Return: the run, or NULL if there is no memory.
 */
struct rcr_run *rcr_run_alloc(void)
{
	struct rcr_run *run;

	run = kvzalloc(struct_size(run, ring, nr_cpu_ids), GFP_KERNEL);
	if (!run)
		return NULL;
	kref_init(&run->ref);
	rcr_marks_init(&run->marks);
	return run;
}

/**
 * rcr_run_alloc_rings() - allocate a ring for each CPU
 * @run: the run, whose counters are set
 * @cpus: the CPUs
 * @capacity: slots of each ring, a power of two
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM; a partial allocation is freed with the run.
 */
int rcr_run_alloc_rings(struct rcr_run *run, const struct cpumask *cpus,
			u32 capacity)
{
	int cpu, err;

	run->capacity = capacity;
	run->record_size = rcr_ring_record_size(run->set.count, run->set.slow);
	for_each_cpu(cpu, cpus) {
		cpumask_set_cpu(cpu, &run->cpus);
		err = rcr_ring_alloc(&run->ring[cpu], cpu, run->set.generation, capacity,
				     run->record_size);
		if (err)
			return err;
	}
	return 0;
}

static void free_run(struct kref *ref)
{
	struct rcr_run *run = container_of(ref, struct rcr_run, ref);
	int cpu;

	for_each_cpu(cpu, &run->cpus)
		rcr_ring_free(&run->ring[cpu]);
	kvfree(run);
}

/* Take another reference to a run. */
struct rcr_run *rcr_run_get(struct rcr_run *run)
{
	kref_get(&run->ref);
	return run;
}

/* Release a reference; @run may be NULL. May sleep. */
void rcr_run_put(struct rcr_run *run)
{
	if (run)
		kref_put(&run->ref, free_run);
}

/* Take a reference to the current run, which exists while an interface is open. */
struct rcr_run *rcr_run_get_current(void)
{
	struct rcr_run *run;

	spin_lock(&current_lock);
	run = rcr_run_get(current_run);
	spin_unlock(&current_lock);
	return run;
}

/* Offset of the slow counters' time in a record; 0: none. */
u32 rcr_run_slow_offset(const struct rcr_run *run)
{
	return run->set.slow ? rcr_ring_slow_offset(run->set.count) : 0;
}

/**
 * rcr_run_carry_marks() - copy a CPU's marks of time scales to the next run
 * @run: the run, which is not sampled on that CPU now
 * @next: the next run, whose set maps its counters to those of @run; its rings are empty
 * @cpu: the CPU, which has rings in both
 *
 * Context: any.
 */
void rcr_run_carry_marks(const struct rcr_run *run, struct rcr_run *next, int cpu)
{
	struct rcr_carry how = {
		.from_count = run->set.count, .from_slow = run->set.slow,
		.from_slow_offset = rcr_run_slow_offset(run),
		.count = next->set.count, .slow = next->set.slow,
		.slow_offset = rcr_run_slow_offset(next),
		.from = next->set.from,
	};

	rcr_scale_carry(next->ring[cpu].marks, run->ring[cpu].marks, &how);
}

static void end_run(struct rcr_run *run)
{
	int cpu;

	for_each_cpu(cpu, &run->cpus) {
		WRITE_ONCE(run->ring[cpu].ring->ended, 1);
		rcr_scale_end(run->ring[cpu].marks);
	}
	/* Pairs with the acquire of readers: all records are visible before. */
	smp_store_release(&run->ended, true);
}

/**
 * rcr_run_publish() - make a run the current one
 * @run: the run, whose reference is passed; NULL at unload
 *
 * No tick writes to the previous run any more.
 *
 * Context: may sleep; callers are serialized.
 */
void rcr_run_publish(struct rcr_run *run)
{
	struct rcr_run *old;

	spin_lock(&current_lock);
	old = current_run;
	current_run = run;
	spin_unlock(&current_lock);
	if (!old)
		return;
	end_run(old);
	rcr_ring_wake_all();
	rcr_run_put(old);
	blocking_notifier_call_chain(&run_chain, 0, run);
}

/**
 * rcr_run_register_notifier() - register a callback for new runs
 * @listener: its @notifier_call is passed the run; NULL at unload
 *
 * Context: may sleep. The callback runs in the task that changes the set, and may sleep.
 */
void rcr_run_register_notifier(struct notifier_block *listener)
{
	blocking_notifier_chain_register(&run_chain, listener);
}

/* Unregister a callback. No call follows. May sleep. */
void rcr_run_unregister_notifier(struct notifier_block *listener)
{
	blocking_notifier_chain_unregister(&run_chain, listener);
}
