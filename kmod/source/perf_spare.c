// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_spare.c - check that each core event of the set has a counter, and that the requested
 * number of counters stays free for others.
 *
 * Temporary probe events next to the set prove it. They are flexible: a pinned one would take
 * the counter of a task's pinned event, which the kernel does not schedule again.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>

#include "perf.h"

/**
 * rcr_perf_create() - create an event that does not belong to the set
 * @type: perf type of the event
 * @config: perf_event_attr.config
 * @mode: how it requests a counter
 * @cpu: the CPU, which is online
 *
 * Context: may sleep.
 * Return: the event, or an error pointer.
 */
struct perf_event *rcr_perf_create(u32 type, u64 config, enum rcr_perf_mode mode, int cpu)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.pinned = mode == RCR_PERF_PINNED,
		.disabled = mode == RCR_PERF_IDLE,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

/**
 * rcr_probes_add() - create an event that only a general counter can count
 * @p: the probe events of @cpu; pinned ones come first
 * @set: the set
 * @mode: how it requests a counter
 * @cpu: the CPU
 *
 * Context: may sleep.
 * Return: true if it has a counter.
 */
bool rcr_probes_add(struct rcr_probes *p, const struct rcr_counter_set *set,
		    enum rcr_perf_mode mode, int cpu)
{
	struct perf_event *e;

	if (p->count == RCR_PROBES)
		return false;
	e = rcr_perf_create(PERF_TYPE_RAW, rcr_counter_set_core(set)->general_event, mode, cpu);
	if (IS_ERR(e))
		return false;
	p->event[p->count++] = e;
	p->pinned += mode == RCR_PERF_PINNED;
	return rcr_perf_is_active(e, cpu);
}

static void release_probes(struct rcr_probes *p, unsigned int count)
{
	while (p->count > count)
		perf_event_release_kernel(p->event[--p->count]);
	p->pinned = min(p->pinned, count);
}

/* Release all probe events. May sleep. */
void rcr_probes_end(struct rcr_probes *p)
{
	release_probes(p, 0);
}

/**
 * struct neighbours - the events of a PMU on one CPU, including those of the set
 * @pinned: general counters held by pinned events; a pair is two
 * @fixed: fixed counters held by pinned events, bit n for counter n
 * @flexible: number of events that may be multiplexed
 * @tasks: a task with events runs on the CPU
 * @watchdog: whether the NMI watchdog uses a general counter, or may need one
 */
struct neighbours {
	unsigned int pinned;
	u32 fixed;
	unsigned int flexible;
	bool tasks;
	enum rcr_watchdog watchdog;
};

/* Owner of events that the kernel itself has created (TASK_TOMBSTONE). */
#define OWNED_BY_KERNEL	((void *)-1L)

/* The NMI watchdog's event: the only pinned sampling event of the kernel. */
static bool is_watchdog(struct perf_event *e)
{
	return e->attr.pinned && is_sampling_event(e) &&
	       READ_ONCE(e->owner) == OWNED_BY_KERNEL;
}

/* Bits 35:32 of an AMD control are bits 11:8 of the event select. */
static struct rcr_demand perf_event_demand(const struct rcr_counter_set *set,
					   const struct perf_event *e)
{
	struct rcr_event event = {
		.event = (e->hw.config & 0xff) | (e->hw.config >> 24 & 0xf00),
		.umask = e->hw.config >> 8 & 0xff,
	};
	struct rcr_demand demand;

	rcr_pmu_demand(&set->machine->box[0], &event, &demand);
	return demand;
}

static void add_neighbour(const struct rcr_counter_set *set, struct perf_event *e, int cpu,
			  struct neighbours *n)
{
	bool active = rcr_perf_is_active(e, cpu);

	/* A watchdog that has lost its counter still needs one. */
	if (is_watchdog(e) && active && n->watchdog != RCR_WATCHDOG_NONE)
		n->watchdog = rcr_perf_is_general(e) ? RCR_WATCHDOG_ON : RCR_WATCHDOG_NONE;
	if (!e->group_leader->attr.pinned)
		n->flexible++;
	else if (active && rcr_perf_is_general(e))
		n->pinned += 1 + perf_event_demand(set, e).pair;
	else if (active)
		n->fixed |= 1u << ((e->hw.idx - INTEL_PMC_IDX_FIXED) & 31);
}

/* @e is bound to the CPU, like those of the watchdog and of the set; no such list is exported. */
static void list_neighbours(const struct rcr_counter_set *set, const struct perf_event *e,
			    struct neighbours *n)
{
	struct perf_cpu_context *context = container_of(e->ctx, struct perf_cpu_context, ctx);
	struct perf_event *other;

	*n = (struct neighbours){ .watchdog = RCR_WATCHDOG_OFF };
	if (!IS_ENABLED(CONFIG_HARDLOCKUP_DETECTOR_PERF) ||
	    (e->pmu->capabilities & PERF_PMU_CAP_NO_INTERRUPT))
		n->watchdog = RCR_WATCHDOG_NONE;
	mutex_lock(&e->ctx->mutex);
	list_for_each_entry(other, &e->ctx->event_list, event_entry)
		if (other->pmu == e->pmu)
			add_neighbour(set, other, e->cpu, n);
	mutex_unlock(&e->ctx->mutex);
	/* Only a hint: tasks come and go. */
	n->tasks = data_race(READ_ONCE(context->task_ctx));
}

/**
 * struct set_use - the core events of the set on one CPU
 * @active: number of events that count
 * @counters: general counters that they use; a pair is two
 */
struct set_use {
	unsigned int active;
	unsigned int counters;
};

static struct set_use count_set_use(const struct rcr_counter_set *set,
				    const struct rcr_cpu_counters *c, int cpu)
{
	struct set_use use = { };
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		const struct perf_event *e = c->event[i];

		if (!(set->interrupted & BIT(i)) || !e || !rcr_perf_is_active(e, cpu))
			continue;
		use.active++;
		if (rcr_perf_is_general(e))
			use.counters += 1 + !!(set->pairs & BIT(i));
	}
	return use;
}

/**
 * rcr_perf_core_use() - determine the use of the general counters of a core
 * @set: the set
 * @c: its events on @cpu
 * @cpu: the CPU
 * @use: @used, @others and @watchdog are filled in; unchanged without core events
 *
 * Context: may sleep.
 */
void rcr_perf_core_use(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
		       int cpu, struct rcr_core_use *use)
{
	struct perf_event *e = NULL;
	struct neighbours n;
	unsigned int i, held;

	for (i = 0; i < set->count; i++)
		if ((set->interrupted & BIT(i)) && c->event[i])
			e = c->event[i];
	if (!e)
		return;
	list_neighbours(set, e, &n);
	use->used = count_set_use(set, c, cpu).counters;
	use->watchdog = n.watchdog;
	held = use->used + (n.watchdog == RCR_WATCHDOG_ON);
	use->others = n.pinned - min(n.pinned, held);
}

/*
 * Number of general counters left to others. Spare counters are meant for flexible events and
 * for events of tasks. If such events use them now, probe events do not find them: count the
 * counters that no pinned event of the CPU holds.
 */
static unsigned int count_free(const struct rcr_counter_set *set, const struct set_use *use,
			       const struct rcr_probes *p, int cpu)
{
	unsigned int counters = set->machine->box[0].counters, others, i;
	unsigned int free = 0, ours = use->counters;
	struct neighbours n;

	for (i = 0; i < p->count; i++) {
		if (!rcr_perf_is_active(p->event[i], cpu))
			continue;
		free++;
		/* Placeholders come first. */
		ours += i < p->pinned;
	}
	if (free == p->count)
		return free;
	list_neighbours(set, p->event[0], &n);
	if (n.flexible == p->count - p->pinned && !n.tasks)
		return free;
	others = n.pinned - min(n.pinned, ours);
	return max(free, counters - min(counters, others + use->counters));
}

static int fail_no_room(const struct rcr_counter_set *set, int cpu, unsigned int missing,
			unsigned int spare, unsigned int taken, struct rcr_failure *f)
{
	unsigned int counters = set->machine->box[0].counters;

	return rcr_fail_with(f, -ENOSPC, RCR_REASON_NO_ROOM, "%u%u%u%u%u%u", cpu,
			     hweight32(set->interrupted), spare, counters,
			     counters - min(taken, counters), missing);
}

/* Lower bound of the general counters that the core events of the set need. */
static unsigned int count_needed(const struct rcr_counter_set *set,
				 const struct rcr_cpu_counters *c, const struct neighbours *n)
{
	unsigned int i, needed = 0;

	for (i = 0; i < set->count; i++) {
		const struct perf_event *e = c->event[i];

		if (!(set->interrupted & BIT(i)) || (e && !rcr_perf_is_general(e)))
			continue;
		if (e || !(set->allowed[i] >> RCR_FIXED_FIRST & ~n->fixed))
			needed += 1 + !!(set->pairs & BIT(i));
	}
	return needed;
}

/**
 * rcr_perf_check_demand() - check by arithmetic that the spare counters can stay free
 * @set: the set, whose events have not been created yet
 * @c: those of its events that already count on @cpu
 * @cpu: the CPU
 * @f: filled in on failure
 *
 * Called before any event is created that could take a task's counter. A set that passes
 * may still not fit; rcr_perf_check_spare() decides.
 *
 * Context: may sleep.
 * Return: 0, or -ENOSPC.
 */
int rcr_perf_check_demand(const struct rcr_counter_set *set,
			  const struct rcr_cpu_counters *c, int cpu, struct rcr_failure *f)
{
	unsigned int counters = set->machine->box[0].counters, others, needed, spare;
	struct set_use use = count_set_use(set, c, cpu);
	struct perf_event *e;
	struct neighbours n;

	if (!set->spare)
		return 0;
	e = rcr_perf_create(PERF_TYPE_RAW, rcr_counter_set_core(set)->general_event, RCR_PERF_IDLE,
			    cpu);
	if (IS_ERR(e))
		return 0;
	list_neighbours(set, e, &n);
	perf_event_release_kernel(e);
	others = n.pinned - min(n.pinned, use.counters);
	needed = count_needed(set, c, &n);
	spare = set->spare + (n.watchdog == RCR_WATCHDOG_OFF);
	if (others + needed + spare <= counters)
		return 0;
	return fail_no_room(set, cpu, others + needed + spare - counters, spare,
		       counters - min(counters, others), f);
}

static int probe_once(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
		      int cpu, struct rcr_probes *p, struct rcr_failure *f)
{
	unsigned int spare = set->spare, free, missing;
	struct neighbours n = { };
	struct set_use use;

	while (p->count < spare && p->count < RCR_PROBES)
		rcr_probes_add(p, set, RCR_PERF_FLEXIBLE, cpu);
	if (p->count)
		list_neighbours(set, p->event[0], &n);
	if (p->count && n.watchdog == RCR_WATCHDOG_OFF) {
		spare++;
		if (p->count < spare)
			rcr_probes_add(p, set, RCR_PERF_FLEXIBLE, cpu);
	}
	use = count_set_use(set, c, cpu);
	free = p->count ? min(count_free(set, &use, p, cpu), spare) : 0;
	missing = hweight32(set->interrupted) - use.active + spare - free;
	return missing ? fail_no_room(set, cpu, missing, spare, use.counters + free, f) : 0;
}

/* A task that held a counter when the probes were created may have exited since. */
#define ATTEMPTS	3

/**
 * rcr_perf_check_spare() - check that all core events count and spare counters are free
 * @set: the set; without spare counters it may take all
 * @c: its events on @cpu
 * @cpu: the CPU
 * @p: the placeholders of @cpu; probe events are added, which the caller releases
 * @f: filled in on failure
 *
 * If an NMI watchdog is available and off, one more counter must be free.
 *
 * Context: may sleep.
 * Return: 0, or -ENOSPC.
 */
int rcr_perf_check_spare(const struct rcr_counter_set *set,
			 const struct rcr_cpu_counters *c, int cpu, struct rcr_probes *p,
			 struct rcr_failure *f)
{
	unsigned int attempt;
	int err;

	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		release_probes(p, p->pinned);
		err = probe_once(set, c, cpu, p, f);
		if (!err)
			return 0;
	}
	return err;
}

static struct perf_event *create_cycles(int cpu)
{
	return rcr_perf_create(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
			       RCR_PERF_FLEXIBLE, cpu);
}

/* Counter of perf's cycles event if that counter cannot count cycles; otherwise -1. */
static int wrong_counter(const struct rcr_counter_set *set, const struct perf_event *e)
{
	int index = e->hw.idx;

	if (index < 0 || index >= RCR_FIXED_FIRST)
		return -1;
	return perf_event_demand(set, e).allowed & BIT(index) ? -1 : index;
}

/*
 * Counter that perf's cycles event would have next to the pinned events of the CPU and a
 * watchdog, if that counter cannot count cycles; otherwise -1. A kernel without constraints
 * assigns counters in order.
 */
static int next_wrong_counter(const struct rcr_counter_set *set, const struct perf_event *cycles,
			      const struct neighbours *n)
{
	unsigned int index = n->pinned + (n->watchdog == RCR_WATCHDOG_OFF);

	return perf_event_demand(set, cycles).allowed & BIT(index) ? -1 : index;
}

/**
 * rcr_perf_check_cycles() - check that perf's own cycles event would be counted
 * @set: the default set, which counts
 * @cpu: the CPU
 * @f: filled in on failure
 *
 * While the watchdog is on, a kernel without constraints may assign that event a counter that
 * cannot count cycles, and perf would print 0. Families whose counters all count cycles pass.
 * If flexible events or events of a task cause a wrong assignment, compute the one that the
 * pinned events alone would cause.
 *
 * Context: may sleep.
 * Return: 0, or -ERANGE.
 */
int rcr_perf_check_cycles(const struct rcr_counter_set *set, int cpu,
			  struct rcr_failure *f)
{
	struct perf_event *e, *other = NULL;
	struct neighbours n;
	int wrong;

	if (!set->restricted)
		return 0;
	e = create_cycles(cpu);
	if (IS_ERR(e))
		return 0;
	list_neighbours(set, e, &n);
	/* @e has the counter that the watchdog would use; cycles would have the next one. */
	if (n.watchdog == RCR_WATCHDOG_OFF)
		other = create_cycles(cpu);
	wrong = wrong_counter(set, e);
	if (!IS_ERR_OR_NULL(other)) {
		wrong = max(wrong, wrong_counter(set, other));
		perf_event_release_kernel(other);
	}
	if (wrong >= 0 && (n.flexible > 1 || n.tasks))
		wrong = next_wrong_counter(set, e, &n);
	perf_event_release_kernel(e);
	if (wrong < 0)
		return 0;
	return rcr_fail_with(f, -ERANGE, RCR_REASON_MISPLACED_CYCLES, "%u%d", cpu, wrong);
}
