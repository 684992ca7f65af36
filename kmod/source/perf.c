// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf.c - source of counts: pinned kernel counters of perf. perf_read.c reads them.
 *
 * The kernel assigns the counters, so perf, the NMI watchdog and profilers keep working. Each
 * tick reads the events of its own CPU. A pinned event that does not fit is created without an
 * error but in the error state, so its state is checked; nothing is multiplexed. Whenever an
 * event is added or removed, perf stops all events of that PMU on the CPU for a moment. Our own
 * changes report a gap; changes by others are not visible.
 *
 * perf may move events to other counters whenever one is added or removed. A kernel that
 * does not know an event's counter constraints (6.1 without CONFIG_PERF_EVENTS_AMD_BRS on
 * Family 15h) moves it to any: each tick checks the counter of such an event, and a work
 * item recreates misplaced events.
 *
 * perf_spare.c keeps spare counters of each core free for others.
 *
 * Core events may be created and released in hotplug callbacks. Software events may not,
 * as their release takes the hotplug lock (static_key_slow_dec()): rcr_perf_create_late()
 * creates them from a work item.
 *
 * For a shared unit the kernel's PMU knows the owner CPU: an event that is created for
 * another CPU of the unit moves there. Each CPU creates a disabled event, and keeps it if it
 * was not moved (rcr_perf_create_late()). Enabling one stops all other events of that PMU for
 * a moment; their readings are marked before (rcr_readings_pause()).
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "set/assign.h"
#include "perf.h"

/* The kernel's PMU "power" counts in units of 2^-32 J (events/ *.scale in sysfs). */
#define PERF_JOULES	32

/* Bits of a control that perf sets itself. */
#define PERF_OWN_BITS (RCR_SELECT_ENABLE | RCR_SELECT_OS | RCR_SELECT_USER | \
		       RCR_SELECT_HOST | RCR_SELECT_GUEST)

static bool serves_core;

/**
 * rcr_source_perf_init() - check whether the kernel has a driver for the core counters
 *
 * Creates an event, as perf_get_x86_pmu_capability() warns on hybrid CPUs.
 *
 * Context: may sleep.
 */
void rcr_source_perf_init(void)
{
	struct perf_event *e;

	/* Keeps the CPU online. */
	cpus_read_lock();
	e = rcr_perf_create(PERF_TYPE_RAW, 0, RCR_PERF_IDLE, raw_smp_processor_id());
	cpus_read_unlock();
	/* -EBUSY: the registers are reserved, but there is a driver. */
	serves_core = !IS_ERR(e) || PTR_ERR(e) == -EBUSY;
	if (!IS_ERR(e))
		perf_event_release_kernel(e);
}

/* True if the kernel has a driver for the core counters. */
bool rcr_source_perf_serves_core(void)
{
	return serves_core;
}

static u32 excluded_type;	/* PMU type; 0: none */

/* Exclude this module's own PMU from the events that can be counted. */
void rcr_source_perf_exclude(u32 type)
{
	WRITE_ONCE(excluded_type, type);
}

/**
 * rcr_source_perf_check() - refuse events of this module's own PMU
 * @e: the event
 * @f: filled in on failure
 *
 * Context: any.
 * Return: 0, or -EINVAL for a meter.
 */
int rcr_source_perf_check(const struct rcr_event *e, struct rcr_failure *f)
{
	u32 excluded = READ_ONCE(excluded_type);

	if (e->kind != RCR_EVENT_PMU || !excluded || e->event != excluded)
		return 0;
	return rcr_fail_with(f, -EINVAL, RCR_REASON_METER, "%s", e->name);
}

static int check_event(const struct rcr_machine *m, const struct rcr_event *e,
		       struct rcr_demand *demand, struct rcr_failure *f)
{
	/* A software event has no limit: @most is 0. */
	*demand = (struct rcr_demand){ };
	if (!rcr_event_is_hardware(e))
		return rcr_source_perf_check(e, f);
	if (!rcr_event_is_core(e))
		return rcr_fail_with(f, -EINVAL, RCR_REASON_NEEDS_MSR, "%s%s", e->name, e->unit);
	if (!m || !rcr_source_perf_serves_core())
		return rcr_fail_with(f, -ENODEV, RCR_REASON_NO_DRIVER, "%s", e->name);
	return rcr_counter_set_demand(m, e, demand, f);
}

/*
 * Assign each event a counter from @first on, without a hole if possible: perf fills
 * counters in order, so the events keep theirs when it schedules all of them again. Sort
 * the events by counter.
 */
static void sort_events(u8 *event, const struct rcr_need *need, unsigned int count,
			unsigned int first, u8 *index)
{
	struct rcr_need narrow[RCR_MAX_COUNTERS];
	u32 from = ~0u << first;
	u32 dense = from & ~(from << min_t(unsigned int, count, RCR_FIXED_FIRST));
	unsigned int i, k;

	for (i = 0; i < count; i++) {
		narrow[i] = need[i];
		narrow[i].allowed &= dense | (~0u << RCR_FIXED_FIRST);
	}
	if (rcr_place(narrow, count, index)) {
		for (i = 0; i < count; i++)
			narrow[i].allowed = need[i].allowed & from;
		if (rcr_place(narrow, count, index))
			memset(index, 0, count);
	}
	for (i = 1; i < count; i++)
		for (k = i; k && index[k - 1] > index[k]; k--) {
			swap(index[k - 1], index[k]);
			swap(event[k - 1], event[k]);
		}
}

static void set_perf_counter(struct rcr_counter_set *set, unsigned int i)
{
	const struct rcr_event *e = &set->event[i];
	struct rcr_counter *c = &set->counter[i];

	strscpy(c->name, e->name, sizeof(c->name));
	c->width = 64;
	c->select = rcr_event_is_hardware(e) ? rcr_pmu_select(rcr_counter_set_core(set), e) :
		    e->kind == RCR_EVENT_PMU ? e->config : e->event;
	c->scope = e->scope;
	if (!e->joules)
		return;
	c->unit = RCR_UNIT_NANOJOULE;
	set->reg[i].scale = PERF_JOULES;
}

static void set_allowed(struct rcr_counter_set *set, unsigned int i,
			const struct rcr_demand *demand)
{
	u32 general = GENMASK(set->machine->box[0].counters - 1, 0);

	set->interrupted |= BIT(i);
	set->allowed[i] = demand->allowed;
	if ((demand->allowed & general) != general)
		set->restricted |= BIT(i);
	if (demand->pair)
		set->pairs |= BIT(i);
}

/* True if the U-box freeze may stop the counter: an uncore event, but not energy. */
static bool is_freezable(const struct rcr_counter_set *set, unsigned int i)
{
	const struct rcr_event *e = &set->event[i];

	return set->machine && set->machine->family->package_freeze &&
	       e->kind == RCR_EVENT_PMU && e->scope == RCR_SCOPE_PACKAGE && !e->joules;
}

/**
 * rcr_perf_build() - determine the perf attributes and counters of the events of a set
 * @set: the set
 * @mask: events counted by perf, bit n for event n
 * @f: filled in on failure
 *
 * Return: 0, -EINVAL or -ENODEV.
 */
int rcr_perf_build(struct rcr_counter_set *set, u32 mask, struct rcr_failure *f)
{
	struct rcr_need need[RCR_MAX_COUNTERS];
	unsigned long which = mask;
	u8 index[RCR_MAX_COUNTERS];
	struct rcr_demand demand;
	unsigned int i, count = 0;
	int err;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		err = check_event(set->machine, &set->event[i], &demand, f);
		if (err)
			return err;
		if (rcr_event_is_hardware(&set->event[i])) {
			set_allowed(set, i, &demand);
			set->order[count] = i;
			need[count++] = (struct rcr_need){ demand.allowed, demand.pair };
		}
		if (set->event[i].kind == RCR_EVENT_PMU)
			set->driven |= BIT(i);
		if (set->event[i].kind == RCR_EVENT_TRACEPOINT)
			set->tracepoints |= BIT(i);
		if (is_freezable(set, i))
			set->freezable |= BIT(i);
		set->reg[i].most = demand.most;
		set_perf_counter(set, i);
	}
	set->scope[RCR_SCOPE_CPU] |= mask;
	/* A kernel that knows the constraints accepts any order. */
	sort_events(set->order, need, count, 0, index);
	return 0;
}

static struct perf_event *create_event(const struct rcr_counter_set *set,
				       unsigned int i, int cpu, struct rcr_failure *f)
{
	const struct rcr_event *e = &set->event[i];
	struct perf_event *created;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = set->counter[i].select,
		.pinned = 1,
		.disabled = rcr_perf_is_shared(set, i),
	};

	switch (e->kind) {
	case RCR_EVENT_SOFTWARE:
		attr.type = PERF_TYPE_SOFTWARE;
		break;
	case RCR_EVENT_TRACEPOINT:
		attr.type = PERF_TYPE_TRACEPOINT;
		break;
	case RCR_EVENT_PMU:
		attr.type = e->event;
		attr.config1 = e->config1;
		attr.config2 = e->config2;
		break;
	case RCR_EVENT_HARDWARE:
		attr.type = PERF_TYPE_RAW;
		attr.config &= ~PERF_OWN_BITS;
		attr.exclude_kernel = !e->os;
		attr.exclude_user = !e->user;
		attr.exclude_host = e->guest && !e->host;
		attr.exclude_guest = e->host && !e->guest;
		break;
	case RCR_EVENT_REGISTER:	/* is RCR_EVENT_HARDWARE in a struct rcr_event */
		break;
	}
	created = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(created))
		rcr_fail_with(f, PTR_ERR(created), RCR_REASON_KERNEL_REFUSES, "%u%s%u", cpu,
			      set->counter[i].name, (u32)-PTR_ERR(created));
	return created;
}

/* Release the core events of a CPU. Context: same as rcr_perf_events_create(). */
void rcr_perf_events_destroy(const struct rcr_counter_set *set, struct rcr_cpu_counters *c)
{
	unsigned long core = set->interrupted;
	unsigned int i;

	c->misplaced = 0;
	for_each_set_bit(i, &core, RCR_MAX_COUNTERS)
		if (c->event[i])
			perf_event_release_kernel(xchg(&c->event[i], NULL));
}

static int create_core_event(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			     unsigned int i, int cpu, struct rcr_failure *f)
{
	struct perf_event *e = create_event(set, i, cpu, f);

	if (IS_ERR(e))
		return PTR_ERR(e);
	c->event[i] = e;
	c->created |= BIT(i);
	return 0;
}

/* Fail if an event is on a counter that cannot count it. */
static int check_places(const struct rcr_counter_set *set,
			const struct rcr_cpu_counters *c, int cpu, struct rcr_failure *f)
{
	unsigned long restricted = set->restricted;
	unsigned int i;

	for_each_set_bit(i, &restricted, RCR_MAX_COUNTERS)
		if (c->event[i] && !rcr_perf_is_well_placed(set, i, c->event[i]))
			return rcr_fail_with(f, -ENOSPC, RCR_REASON_MISPLACED, "%u%s%d", cpu,
					     set->counter[i].name, c->event[i]->hw.idx);
	return 0;
}

/* The counter that a kernel without constraints assigns next. */
static unsigned int next_counter(const struct rcr_counter_set *set, int cpu)
{
	struct rcr_probes p = { };
	unsigned int next = 0;

	if (rcr_probes_add(&p, set, RCR_PERF_PINNED, cpu))
		next = min_t(unsigned int, p.event[0]->hw.idx, RCR_FIXED_FIRST);
	rcr_probes_end(&p);
	return next;
}

/*
 * Release all core events and create them in the order of their counters; pinned
 * placeholders take the counters that must stay free in between.
 */
static int recreate_events(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			   int cpu, struct rcr_probes *p, struct rcr_failure *f)
{
	unsigned int k, count = hweight32(set->interrupted), next;
	u8 list[RCR_MAX_COUNTERS], index[RCR_MAX_COUNTERS];
	struct rcr_need need[RCR_MAX_COUNTERS];
	int err = 0;

	rcr_perf_events_destroy(set, c);
	next = next_counter(set, cpu);
	memcpy(list, set->order, sizeof(list));
	for (k = 0; k < count; k++)
		need[k] = (struct rcr_need){ set->allowed[list[k]],
					     set->pairs & BIT(list[k]) };
	sort_events(list, need, count, next, index);
	for (k = 0; k < count && !err; k++) {
		for (; index[k] < RCR_FIXED_FIRST && next < index[k]; next++)
			rcr_probes_add(p, set, RCR_PERF_PINNED, cpu);
		err = create_core_event(set, c, list[k], cpu, f);
		next += 1 + need[k].pair;
	}
	/* Missing events are recreated like misplaced ones, when a tick finds them. */
	if (err)
		c->misplaced |= set->interrupted;
	return err;
}

static int create_missing(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			  int cpu, struct rcr_probes *p, struct rcr_failure *f)
{
	unsigned int k, count = hweight32(set->interrupted);
	struct rcr_failure misplaced = { };
	int err = 0;

	for (k = 0; k < count && !err; k++)
		if (!c->event[set->order[k]])
			err = create_core_event(set, c, set->order[k], cpu, f);
	if (!err && check_places(set, c, cpu, &misplaced))
		err = recreate_events(set, c, cpu, p, f);
	return err;
}

/* True if a core event has not been created yet. */
static bool is_incomplete(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c)
{
	unsigned long core = set->interrupted;
	unsigned int i;

	for_each_set_bit(i, &core, RCR_MAX_COUNTERS)
		if (!c->event[i])
			return true;
	return false;
}

/**
 * rcr_perf_events_create() - create the missing core events of a CPU
 * @set: the set
 * @c: state of the CPU
 * @cpu: the CPU
 * @all: fail unless all events count; otherwise, those that cannot are busy
 * @f: filled in on failure
 *
 * Context: a task on any CPU, also in a hotplug callback of @cpu; no tick of @cpu runs.
 * Return: 0, or -errno: the caller undoes it by rcr_perf_events_destroy().
 */
int rcr_perf_events_create(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			   int cpu, bool all, struct rcr_failure *f)
{
	struct rcr_probes p = { };
	int err = 0;

	if (!set->interrupted)
		return 0;
	/* A set that continues unchanged takes no counter. */
	all &= !set->restores && is_incomplete(set, c);
	if (all)
		err = rcr_perf_check_demand(set, c, cpu, f);
	if (!err)
		err = create_missing(set, c, cpu, &p, f);
	if (!err && all)
		err = rcr_perf_check_spare(set, c, cpu, &p, f);
	rcr_probes_end(&p);
	if (!err && all)
		err = check_places(set, c, cpu, f);
	if (!err && all && set->is_default)
		err = rcr_perf_check_cycles(set, cpu, f);
	return err;
}

static int create_late(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		       unsigned int i, int cpu, struct rcr_failure *f)
{
	struct perf_event *e = create_event(set, i, cpu, f);

	if (IS_ERR(e))
		return PTR_ERR(e);
	/* A core PMU: its events need the checks for spare counters and placement. */
	if (set->event[i].kind == RCR_EVENT_PMU && e->pmu->task_ctx_nr == perf_hw_context) {
		perf_event_release_kernel(e);
		return rcr_fail_with(f, -EINVAL, RCR_REASON_CORE_EVENT, "%s",
				     set->counter[i].name);
	}
	if (rcr_perf_is_shared(set, i) && READ_ONCE(e->cpu) != cpu) {
		perf_event_release_kernel(e);
		c->elsewhere |= BIT(i);
		return 0;
	}
	if (rcr_perf_is_shared(set, i))
		perf_event_enable(e);
	if (!rcr_perf_is_active(e, cpu)) {
		perf_event_release_kernel(e);
		return rcr_fail_with(f, -ENOSPC, RCR_REASON_NO_FREE_COUNTER, "%u%s", cpu,
				     set->counter[i].name);
	}
	rcr_reading_begin(c, i, local64_read(&e->count));
	/* Pairs with the tick's read: the baseline is set before the event is visible. */
	smp_store_release(&c->event[i], e);
	return 0;
}

static bool is_created_late(const struct rcr_counter_set *set, unsigned int i)
{
	/* Counters inherited from the set before exist already. */
	return (set->by[RCR_SOURCE_PERF] & ~set->interrupted & BIT(i)) &&
	       set->from[i] == RCR_FROM_NONE;
}

/**
 * rcr_perf_detach() - hide events created by rcr_perf_create_late() from the ticks
 * @set: the set
 * @c: state of the CPU
 * @cpu: the CPU
 * @online: true: only events that no longer count; false: all
 *
 * Context: any CPU, may sleep.
 * Return: true if an event was detached: the caller sends an IPI to all CPUs and calls
 * rcr_perf_release_detached().
 */
bool rcr_perf_detach(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
		     bool online)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		if (!is_created_late(set, i) || !c->event[i])
			continue;
		/* Events created before the CPU went offline are dead. */
		if (online && rcr_perf_is_active(c->event[i], cpu))
			continue;
		c->detached[i] = c->event[i];
		WRITE_ONCE(c->event[i], NULL);
		any = true;
	}
	return any;
}

/**
 * struct ended_event - an event that no tick reads any more
 * @node: entry of ended_events
 * @event: the event
 */
struct ended_event {
	struct llist_node node;
	struct perf_event *event;
};

static LLIST_HEAD(ended_events);

static void release_ended(struct work_struct *work)
{
	struct ended_event *ended, *next;

	llist_for_each_entry_safe(ended, next, llist_del_all(&ended_events), node) {
		perf_event_release_kernel(ended->event);
		kfree(ended);
	}
}

static DECLARE_WORK(release_work, release_ended);

/*
 * Releasing a tracepoint waits for RCU and SRCU, which a real-time task on any CPU can
 * delay without limit: reset and close must not wait for that.
 */
static bool release_later(struct perf_event *e)
{
	struct ended_event *ended = kmalloc(sizeof(*ended), GFP_KERNEL);

	if (!ended)
		return false;
	ended->event = e;
	llist_add(&ended->node, &ended_events);
	queue_work(system_unbound_wq, &release_work);
	return true;
}

/* Wait for the release of tracepoints after counting has ended. May sleep. */
void rcr_source_perf_exit(void)
{
	flush_work(&release_work);
}

/* Release the events that rcr_perf_detach() has hidden. */
void rcr_perf_release_detached(const struct rcr_counter_set *set, struct rcr_cpu_counters *c)
{
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++) {
		if (!c->detached[i])
			continue;
		rcr_reading_interrupt(c, i);
		if (!(set->tracepoints & BIT(i)) || !release_later(c->detached[i]))
			perf_event_release_kernel(c->detached[i]);
		c->detached[i] = NULL;
	}
}

/* Counters whose event rcr_perf_create_late() would create on @cpu, bit n for counter n. */
u32 rcr_perf_missing(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c, int cpu)
{
	unsigned int i;
	u32 missing = 0;

	for (i = 0; i < set->count; i++) {
		const struct perf_event *e = c->event[i];

		if (!is_created_late(set, i) || (c->elsewhere & BIT(i)))
			continue;
		if (!e || !rcr_perf_is_active(e, cpu))
			missing |= BIT(i);
	}
	return missing;
}

/**
 * rcr_perf_create_late() - create events that may not be created under the hotplug lock
 * @set: the set
 * @c: state of the CPU
 * @cpu: the CPU
 * @which: the counters; those that rcr_perf_missing() returns are created
 * @f: filled in on failure
 *
 * Context: any CPU, may sleep; ticks may run.
 * Return: 0, or -errno.
 */
int rcr_perf_create_late(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
			 u32 which, struct rcr_failure *f)
{
	unsigned long missing = rcr_perf_missing(set, c, cpu) & which;
	unsigned int i;
	int err = 0;

	for_each_set_bit(i, &missing, RCR_MAX_COUNTERS)
		if (!err && !c->event[i])
			err = create_late(set, c, i, cpu, f);
	return err;
}

/* perf stops all events of a PMU while it enables or disables one. */
static u32 stopped_counters(const struct rcr_counter_set *set, u32 which)
{
	u32 stopped = 0;

	if (which & set->interrupted)
		stopped |= set->interrupted;
	if (which & set->driven)
		stopped |= set->driven;
	return stopped;
}

static void reenable_events(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			    unsigned long which)
{
	u32 stopped = stopped_counters(set, which);
	unsigned int i;

	rcr_readings_pause(c, stopped, true);
	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		perf_event_disable(c->event[i]);
		perf_event_enable(c->event[i]);
	}
	rcr_readings_pause(c, stopped, false);
}

/**
 * rcr_perf_rewrite() - have the kernel reprogram events that do not count
 * @set: the set
 * @c: state of the CPU
 * @cpu: the CPU
 * @which: the counters, bit n for counter n; those of registers are ignored
 * @f: filled in on failure
 *
 * The kernel programs the registers when an event is enabled.
 *
 * Context: same as rcr_perf_events_create() if any of @which is a core event.
 * Return: 0, or -errno.
 */
int rcr_perf_rewrite(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
		     u32 which, struct rcr_failure *f)
{
	u32 faulty = 0;
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if ((which & BIT(i)) && c->event[i] && READ_ONCE(c->status[i]) != RCR_STATUS_OK)
			faulty |= BIT(i);
	if (faulty)
		reenable_events(set, c, faulty);
	/* perf may have moved core events; only then has the caller paused the ticks. */
	return which & set->interrupted ? rcr_perf_events_create(set, c, cpu, false, f) : 0;
}

/* Re-enable events that have lost their counter. Context: any CPU, under the hotplug lock. */
void rcr_perf_reenable(const struct rcr_counter_set *set, struct rcr_cpu_counters *c)
{
	u32 dead = 0;
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (c->event[i] &&
		    READ_ONCE(c->event[i]->state) != PERF_EVENT_STATE_ACTIVE)
			dead |= BIT(i);
	if (dead)
		reenable_events(set, c, dead);
}
