// SPDX-License-Identifier: GPL-2.0-only
/*
 * source_perf.c - counts from pinned counters of the kernel's perf.
 *
 * Lives beside perf, the NMI watchdog and profilers: the kernel places the
 * events and we only read them, each CPU its own, from the tick. A pinned
 * counter that does not fit is made without an error and is dead (state ERROR),
 * so that has to be looked for; nothing is ever multiplexed. Whenever an event
 * comes or goes on a CPU perf stops all of them for a moment. That we tell where
 * the event is ours; of others' we do not know.
 *
 * perf moves events from counter to counter whenever one comes or goes. A kernel that
 * does not know which counters can count an event (6.1 without
 * CONFIG_PERF_EVENTS_AMD_BRS on Family 15h) moves it to any: each tick checks the
 * counter of such an event, and what is misplaced is created again by a work item.
 *
 * So that others can count next to us, spare counters of each core stay free; events
 * that are created for a moment show whether they are.
 *
 * The events of a core may be created and released in hotplug callbacks. Software
 * events may not: releasing one takes the hotplug lock (static_key_slow_dec), so
 * settle() does it, from a work item.
 *
 * What several CPUs share is counted by a PMU of the kernel, which alone knows the
 * CPU where it is read: an event that is created for another one of the unit goes
 * there. So each CPU creates one, which does not count yet, and keeps it if it is its
 * own (settle(), too). One that begins or ends stops all others of that PMU for a
 * moment: of that all who read some are warned before (disturb()).
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/perf_event.h>

#include "compat/compat.h"
#include "counter_set.h"
#include "msr_look.h"
#include "own_pmu.h"
#include "place.h"
#include "source.h"

/* Its PMU "power" counts joules, halved so many times (events/ *.scale in sysfs). */
#define PERF_JOULES	32

/* Bits of a control that perf sets itself. */
#define PERF_OWN_BITS (RCR_SELECT_ENABLE | RCR_SELECT_OS | RCR_SELECT_USER | \
		       RCR_SELECT_HOST | RCR_SELECT_GUEST)

/* Spare events and placeholders of one CPU at most. */
#define MOST_GUESTS	(RCR_FIXED_FIRST + RCR_SPARE_MOST)

static bool serves_core;

/* Not for the set: an event that is there for a moment. */
static struct perf_event *create_other(u32 type, u64 config, bool disabled, int cpu)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.pinned = 1,
		.disabled = disabled,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

/**
 * rcr_source_perf_init() - finds out whether the kernel has a driver for the core counters
 *
 * It is asked for an event: perf_get_x86_pmu_capability() warns on hybrid CPUs.
 *
 * Context: may sleep.
 */
void rcr_source_perf_init(void)
{
	struct perf_event *e = create_other(PERF_TYPE_RAW, 0, true, raw_smp_processor_id());

	/* Whoever has taken the registers from perf proves that it has a driver. */
	serves_core = !IS_ERR(e) || PTR_ERR(e) == -EBUSY;
	if (!IS_ERR(e))
		perf_event_release_kernel(e);
}

/* Has the kernel a driver for this machine's core counters? */
bool rcr_source_perf_serves_core(void)
{
	return serves_core;
}

static const struct rcr_pmu *core_of(const struct rcr_counter_set *set)
{
	return set->machine->box[0].pmu;
}

static int check_event(const struct rcr_machine *m, const struct rcr_event *e,
		       struct rcr_demand *demand, struct rcr_failure *f)
{
	/* Without .most: whatever it counts can be. */
	*demand = (struct rcr_demand){ .allowed = ~0u << RCR_FIXED_FIRST };
	if (!rcr_event_is_hardware(e))
		return rcr_own_pmu_check(e, f);
	if (!rcr_event_is_core(e))
		return rcr_fail(f, -EINVAL,
			"%s: counters of \"%s\" are shared, and are counted with source=msr.",
			e->name, e->unit);
	if (!m || !rcr_source_perf_serves_core())
		return rcr_fail(f, -ENODEV,
			"%s: the kernel has no driver for the core counters of this CPU, or rcrtool does not know them; software events can be counted.",
			e->name);
	return rcr_counter_set_demand(m, e, demand, f);
}

/*
 * Gives each event a counter from @first on, without a hole if they fit so: then they
 * stay there when perf, which fills counters in turn, places all events anew. And sorts
 * the events by these counters.
 */
static void sort_events(u8 *event, const struct rcr_need *need, unsigned int count,
			unsigned int hardware, unsigned int first, u8 *index)
{
	struct rcr_need narrow[RCR_MAX_COUNTERS];
	u32 from = ~0u << first;
	u32 dense = from & ~(from << min_t(unsigned int, hardware, RCR_FIXED_FIRST));
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

static void set_counter(struct rcr_counter_set *set, unsigned int i)
{
	const struct rcr_event *e = &set->event[i];
	struct rcr_counter *c = &set->counter[i];

	strscpy(c->name, e->name, sizeof(c->name));
	c->width = 64;
	c->select = rcr_event_is_hardware(e) ? rcr_pmu_select(core_of(set), e) :
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

/* May it be one of the uncore that the U-box stops? Energy is none. */
static bool is_freezable(const struct rcr_counter_set *set, unsigned int i)
{
	const struct rcr_event *e = &set->event[i];

	return set->machine && set->machine->family->package_freeze &&
	       e->kind == RCR_EVENT_PMU && e->scope == RCR_SCOPE_PACKAGE && !e->joules;
}

static int perf_build(struct rcr_counter_set *set,
		      const struct rcr_counter_set *before, u32 mask,
		      struct rcr_failure *f)
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
		if (rcr_event_is_hardware(&set->event[i]))
			set_allowed(set, i, &demand);
		set->order[count] = i;
		need[count++] = (struct rcr_need){ demand.allowed, demand.pair };
		if (set->event[i].kind == RCR_EVENT_PMU)
			set->driven |= BIT(i);
		if (is_freezable(set, i))
			set->freezable |= BIT(i);
		set->reg[i].most = demand.most;
		set_counter(set, i);
	}
	set->scope[RCR_SCOPE_CPU] |= mask;
	/* A kernel that knows where events can be counted takes them in any order. */
	sort_events(set->order, need, count, hweight32(set->interrupted), 0, index);
	return 0;
}

/* The kernel arbitrates, one counter at a time; lockdown is ours to ask for. */
static int perf_reserve(const struct rcr_counter_set *set,
			const struct rcr_counter_set *before,
			struct rcr_failure *f)
{
	if (security_locked_down(LOCKDOWN_PERF))
		return rcr_fail(f, -EPERM,
			"Kernel lockdown forbids perf: boot without lockdown=confidentiality.");
	return 0;
}

static void perf_release(const struct rcr_counter_set *set,
			 const struct rcr_counter_set *next)
{
}

static bool is_shared(const struct rcr_counter_set *set, unsigned int i)
{
	return set->counter[i].scope != RCR_SCOPE_CPU;
}

static struct perf_event *create(const struct rcr_counter_set *set,
				 unsigned int i, int cpu)
{
	const struct rcr_event *e = &set->event[i];
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = set->counter[i].select,
		.pinned = 1,
		.disabled = is_shared(set, i),
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
	}
	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

static int not_counted(const struct rcr_counter_set *set, unsigned int i, int cpu,
		       const struct perf_event *e, struct rcr_failure *f)
{
	return rcr_fail(f, PTR_ERR(e), "CPU %d: the kernel does not count %s (%pe).", cpu,
			set->counter[i].name, e);
}

static bool is_active(const struct perf_event *e, int cpu)
{
	return READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE &&
	       READ_ONCE(e->oncpu) == cpu;
}

/* How many counters are the kernel's. */
static unsigned int asked(const struct rcr_counter_set *set)
{
	return hweight32(set->by[RCR_SOURCE_PERF]);
}

/* Does the kernel count it, with no counter of a core? */
static bool is_software(const struct rcr_counter_set *set, unsigned int i)
{
	return !rcr_event_is_hardware(&set->event[i]);
}

/* perf numbers general counters from 0 and fixed ones from 32. */
static bool is_general(const struct perf_event *e)
{
	return e->hw.idx < INTEL_PMC_IDX_FIXED;
}

static bool is_well_placed(const struct rcr_counter_set *set, unsigned int i,
			   const struct perf_event *e)
{
	int index = READ_ONCE(e->hw.idx);

	if (!(set->restricted & BIT(i)))
		return true;
	if (index >= INTEL_PMC_IDX_FIXED)
		index += RCR_FIXED_FIRST - INTEL_PMC_IDX_FIXED;
	return index >= 0 && index < 32 && (set->allowed[i] & BIT(index));
}

/* Changes whenever perf assigns another counter: it numbers assignments by counter. */
static u64 assignment_of(const struct perf_event *e)
{
	return READ_ONCE(e->hw.last_tag) << 8 | (READ_ONCE(e->hw.idx) & 0xff);
}

/* What a core counts, in the order in which the kernel is asked for it. */
static unsigned int list_core(const struct rcr_counter_set *set, u8 *list)
{
	unsigned int k, count = 0;

	for (k = 0; k < asked(set); k++)
		if (!is_software(set, set->order[k]))
			list[count++] = set->order[k];
	return count;
}

static void perf_destroy(const struct rcr_counter_set *set, struct rcr_cpu_counters *c)
{
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		if (!(set->interrupted & BIT(i)) || !c->event[i])
			continue;
		perf_event_release_kernel(c->event[i]);
		c->event[i] = NULL;
	}
}

static int create_one(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      unsigned int i, int cpu, struct rcr_failure *f)
{
	struct perf_event *e = create(set, i, cpu);

	if (IS_ERR(e))
		return not_counted(set, i, cpu, e, f);
	c->event[i] = e;
	c->created |= BIT(i);
	return 0;
}

/**
 * struct guests - events that are created for a moment on one CPU
 * @event: each keeps a general counter from the events of the set, or shows that
 *	one is free
 * @count: how many
 */
struct guests {
	struct perf_event *event[MOST_GUESTS];
	unsigned int count;
};

/* Whether one more general counter was free. */
static bool add_guest(const struct rcr_counter_set *set, struct guests *g, int cpu)
{
	struct perf_event *e;

	if (g->count == MOST_GUESTS)
		return false;
	e = create_other(PERF_TYPE_RAW, core_of(set)->unfixed, false, cpu);
	if (IS_ERR(e))
		return false;
	g->event[g->count++] = e;
	return is_active(e, cpu);
}

static void end_guests(struct guests *g)
{
	while (g->count)
		perf_event_release_kernel(g->event[--g->count]);
}

static bool are_well_placed(const struct rcr_counter_set *set,
			    const struct rcr_cpu_counters *c)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if ((set->interrupted & BIT(i)) && c->event[i] &&
		    !is_well_placed(set, i, c->event[i]))
			return false;
	return true;
}

/* The counter that a kernel which gives them out in turn gives out next. */
static unsigned int next_counter(const struct rcr_counter_set *set, int cpu)
{
	struct guests g = { };
	unsigned int next = 0;

	if (add_guest(set, &g, cpu))
		next = min_t(unsigned int, g.event[0]->hw.idx, RCR_FIXED_FIRST);
	end_guests(&g);
	return next;
}

/*
 * All events of the core are released, and created in an order that places them; guests
 * take the counters that have to stay free in between.
 */
static int create_again(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			int cpu, struct guests *g, struct rcr_failure *f)
{
	u8 list[RCR_MAX_COUNTERS], index[RCR_MAX_COUNTERS];
	struct rcr_need need[RCR_MAX_COUNTERS];
	unsigned int k, count = list_core(set, list), next;
	int err = 0;

	perf_destroy(set, c);
	next = next_counter(set, cpu);
	for (k = 0; k < count; k++)
		need[k] = (struct rcr_need){ set->allowed[list[k]],
					     set->pairs & BIT(list[k]) };
	sort_events(list, need, count, count, next, index);
	for (k = 0; k < count && !err; k++) {
		for (; index[k] < RCR_FIXED_FIRST && next < index[k]; next++)
			add_guest(set, g, cpu);
		err = create_one(set, c, list[k], cpu, f);
		next += 1 + need[k].pair;
	}
	return err;
}

static int create_missing(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			  int cpu, struct guests *g, struct rcr_failure *f)
{
	u8 list[RCR_MAX_COUNTERS];
	unsigned int k, count = list_core(set, list);
	int err = 0;

	for (k = 0; k < count && !err; k++)
		if (!c->event[list[k]])
			err = create_one(set, c, list[k], cpu, f);
	if (!err && !are_well_placed(set, c))
		err = create_again(set, c, cpu, g, f);
	return err;
}

/* perf's mark of an event that the kernel itself has created (TASK_TOMBSTONE). */
#define OWNED_BY_KERNEL	((void *)-1L)

/*
 * Has the NMI watchdog a general counter, or may it want one? Its event is in the context
 * of the CPU, as ours are: the only pinned one of the kernel that samples. The kernel
 * exports nothing to ask.
 */
static enum rcr_watchdog ask_watchdog(const struct perf_event *ours)
{
	struct perf_event_context *ctx = ours->ctx;
	enum rcr_watchdog state = RCR_WATCHDOG_OFF;
	struct perf_event *e;

	if (!IS_ENABLED(CONFIG_HARDLOCKUP_DETECTOR_PERF) ||
	    (ours->pmu->capabilities & PERF_PMU_CAP_NO_INTERRUPT))
		return RCR_WATCHDOG_NONE;
	mutex_lock(&ctx->mutex);
	list_for_each_entry(e, &ctx->event_list, event_entry)
		if (e->pmu == ours->pmu && e->attr.pinned && is_sampling_event(e) &&
		    READ_ONCE(e->owner) == OWNED_BY_KERNEL)
			state = is_general(e) ? RCR_WATCHDOG_ON : RCR_WATCHDOG_NONE;
	mutex_unlock(&ctx->mutex);
	return state;
}

/* How many of a core's events of the set count now; of these @general on general counters. */
static unsigned int count_active(const struct rcr_counter_set *set,
				 const struct rcr_cpu_counters *c, int cpu,
				 unsigned int *general)
{
	unsigned int i, active = 0;

	*general = 0;
	for (i = 0; i < set->count; i++) {
		const struct perf_event *e = c->event[i];

		if (!(set->interrupted & BIT(i)) || !e || !is_active(e, cpu))
			continue;
		active++;
		if (is_general(e))
			*general += 1 + !!(set->pairs & BIT(i));
	}
	return active;
}

static int no_room(const struct rcr_counter_set *set, int cpu, unsigned int missing,
		   unsigned int spare, unsigned int taken, struct rcr_failure *f)
{
	unsigned int counters = set->machine->box[0].counters;

	return rcr_fail(f, -ENOSPC,
		"CPU %d: %u core events and %u spare counters do not fit: of %u counters perf, a profiler or the NMI watchdog holds %u: leave out %u events.",
		cpu, hweight32(set->interrupted), spare, counters,
		counters - min(taken, counters), missing);
}

/*
 * Does all count, and are the spare counters free, with one for the watchdog? Without spare
 * counters the set may take all.
 */
static int check_room(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
		      int cpu, struct guests *g, struct rcr_failure *f)
{
	unsigned int spare = set->spare, general, active, missing = 0, i;

	for (i = g->count; i < spare; i++)
		add_guest(set, g, cpu);
	if (g->count && ask_watchdog(g->event[0]) == RCR_WATCHDOG_OFF) {
		spare++;
		if (g->count < spare)
			add_guest(set, g, cpu);
	}
	active = count_active(set, c, cpu, &general);
	missing = hweight32(set->interrupted) - active;
	for (i = 0; i < spare; i++) {
		if (i < g->count && is_active(g->event[i], cpu))
			general++;
		else
			missing++;
	}
	return missing ? no_room(set, cpu, missing, spare, general, f) : 0;
}

/* A count from a counter that cannot count the event would be a wrong one. */
static int check_places(const struct rcr_counter_set *set,
			const struct rcr_cpu_counters *c, int cpu, struct rcr_failure *f)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if ((set->interrupted & BIT(i)) && !is_well_placed(set, i, c->event[i]))
			return rcr_fail(f, -ENOSPC,
				"CPU %d: the kernel put %s on counter %d, which cannot count it: leave out this or another event, or use source=msr.",
				cpu, set->counter[i].name, c->event[i]->hw.idx);
	return 0;
}

static struct perf_event *create_cycles(int cpu)
{
	return create_other(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false, cpu);
}

/* The counter on which the kernel has put perf's cycles, if that cannot count them; or -1. */
static int wrong_counter(const struct rcr_counter_set *set, const struct perf_event *e)
{
	struct rcr_event event = {
		.event = e->hw.config & 0xff,
		.umask = e->hw.config >> 8 & 0xff,
	};
	struct rcr_demand demand;
	int index = e->hw.idx;

	rcr_pmu_demand(&set->machine->box[0], &event, &demand);
	return index >= 0 && index < RCR_FIXED_FIRST && !(demand.allowed & BIT(index)) ?
	       index : -1;
}

/*
 * Would perf's own cycles be counted next to the set, with the watchdog on? A kernel that
 * gives out counters in turn may put them on one that cannot count them: perf would show
 * 0, as a result.
 */
static int check_cycles(const struct rcr_counter_set *set, int cpu, struct rcr_failure *f)
{
	struct perf_event *e = create_cycles(cpu), *other = NULL;
	int wrong;

	if (IS_ERR(e))
		return 0;
	/* The first stands for the watchdog. */
	if (ask_watchdog(e) == RCR_WATCHDOG_OFF)
		other = create_cycles(cpu);
	wrong = wrong_counter(set, e);
	if (!IS_ERR_OR_NULL(other)) {
		wrong = max(wrong, wrong_counter(set, other));
		perf_event_release_kernel(other);
	}
	perf_event_release_kernel(e);
	if (wrong < 0)
		return 0;
	return rcr_fail(f, -ERANGE,
		"CPU %d: the kernel would put the cycles of perf on counter %d, which cannot count them.",
		cpu, wrong);
}

static int perf_create(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		       int cpu, bool all, struct rcr_failure *f)
{
	struct guests g = { };
	int err;

	if (!set->interrupted)
		return 0;
	err = create_missing(set, c, cpu, &g, f);
	/* What goes on as it is takes nothing from anybody. */
	all &= c->created && !set->restores;
	if (!err && all)
		err = check_room(set, c, cpu, &g, f);
	end_guests(&g);
	if (!err && all)
		err = check_places(set, c, cpu, f);
	if (!err && all && set->is_default)
		err = check_cycles(set, cpu, f);
	return err;
}

/* All that has been created begins to count for us at one moment. */
static int perf_start(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u32 which, struct rcr_failure *f)
{
	unsigned long created = c->created & which;
	unsigned int i;

	for_each_set_bit(i, &created, RCR_MAX_COUNTERS) {
		struct perf_event *e = c->event[i];

		if (!e)
			continue;
		if (is_active(e, smp_processor_id()))
			e->pmu->read(e);
		rcr_reading_begin(&c->reading[i], local64_read(&e->count));
		c->tag[i] = assignment_of(e);
	}
	c->created &= ~created;
	return 0;
}

static void perf_core(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
		      struct rcr_core_use *use)
{
	unsigned int i;

	use->used = 0;
	for (i = 0; i < set->count; i++) {
		const struct perf_event *e = c->event[i];

		if (!(set->interrupted & BIT(i)) || !e)
			continue;
		if (is_general(e))
			use->used += 1 + !!(set->pairs & BIT(i));
		use->watchdog = ask_watchdog(e);
	}
}

/* Bits of a control by which somebody else's program is told from perf's own. */
#define COMPARED_BITS	(~(RCR_SELECT_INT | RCR_SELECT_HOST | RCR_SELECT_GUEST))

/*
 * Is what perf wrote still in its registers? Profilers that write them through
 * the msr device ask nobody. Interrupts are off, and perf changes them only with
 * interrupts off: they are as it left them, or somebody else's.
 */
static bool is_foreign(const struct perf_event *e, u64 global)
{
	const struct hw_perf_event *hw = &e->hw;
	u64 control, expected = hw->config | RCR_SELECT_ENABLE;
	u64 mask = COMPARED_BITS;

	if (!(global & BIT_ULL(hw->idx)))
		return true;
	if (hw->idx >= INTEL_PMC_IDX_FIXED) {
		mask = 0x3ull << (4 * (hw->idx - INTEL_PMC_IDX_FIXED));
		expected = rcr_pmu_fixed_modes(!e->attr.exclude_kernel,
					       !e->attr.exclude_user,
					       hw->idx - INTEL_PMC_IDX_FIXED);
	}
	return rcr_rdmsr_tick(hw->config_base, &control) ||
	       ((control ^ expected) & mask);
}

/*
 * Is the event on a counter that can count it? If the kernel has assigned that anew since
 * the last tick the event may have been on another one in between.
 */
static bool check_place(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			unsigned int i, const struct perf_event *e)
{
	if (!is_well_placed(set, i, e)) {
		c->misplaced |= BIT(i);
		return false;
	}
	if (c->tag[i] != assignment_of(e)) {
		c->tag[i] = assignment_of(e);
		rcr_reading_interrupt(&c->reading[i]);
	}
	return true;
}

static u8 look_at(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		  unsigned int i, struct perf_event *e, u64 global, u64 *now)
{
	if (!e)
		return is_shared(set, i) ? RCR_STATUS_ELSEWHERE : RCR_STATUS_OFFLINE;
	if (!is_active(e, smp_processor_id()))
		return RCR_STATUS_BUSY;
	/* A core's counters are those; asking the event itself is a cache line more. */
	if (set->interrupted & BIT(i)) {
		if ((set->restricted & BIT(i)) && !check_place(set, c, i, e))
			return RCR_STATUS_MISPLACED;
		if (is_foreign(e, global))
			return RCR_STATUS_FOREIGN;
	}
	e->pmu->read(e);
	*now = local64_read(&e->count);
	return RCR_STATUS_OK;
}

/* The kernel's driver of the uncore does not check whether its package is frozen. */
static u8 check_package(const struct rcr_counter_set *set, const struct perf_event *e,
			u8 *package)
{
	if (strncmp(e->pmu->name, "uncore_", 7))
		return RCR_STATUS_OK;
	if (!*package)
		*package = rcr_package_status(set->machine);
	return *package;
}

/* What a counter has to be enabled by besides; all ones where nothing else. */
static u64 read_global(const struct rcr_pmu *pmu)
{
	u64 global;

	if (!pmu->global_control)
		return ~0ull;
	return rcr_rdmsr_tick(pmu->global_control, &global) ? 0 : global;
}

static void perf_look(const struct rcr_counter_set *set,
		      struct rcr_cpu_counters *c, u32 mask, u64 *now, u8 *status)
{
	u64 global = set->interrupted & mask ?
		     read_global(core_of(set)) : 0;
	/* Interrupts are off: what is not disturbed now is not until they are on. */
	u32 disturbed = smp_load_acquire(&c->disturbed);
	unsigned long which = mask;
	u8 package = 0;		/* not known yet */
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		struct perf_event *e = READ_ONCE(c->event[i]);

		status[i] = look_at(set, c, i, e, global, &now[i]);
		if (status[i] == RCR_STATUS_OK && set->freezable & BIT(i))
			status[i] = check_package(set, e, &package);
		if (status[i] == RCR_STATUS_OK && (disturbed & BIT(i)))
			status[i] = RCR_STATUS_GAP;
	}
}

static int make(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		unsigned int i, int cpu, struct rcr_failure *f)
{
	struct perf_event *e = create(set, i, cpu);

	if (IS_ERR(e))
		return not_counted(set, i, cpu, e, f);
	/* One of a core's own PMUs, which spare counters and places are checked for. */
	if (set->event[i].kind == RCR_EVENT_PMU && e->pmu->task_ctx_nr == perf_hw_context) {
		perf_event_release_kernel(e);
		return rcr_fail(f, -EINVAL,
			"%s counts on a core: write %s=event:0x76,umask:0x00 with its event select and unit mask.",
			set->counter[i].name, set->counter[i].name);
	}
	if (is_shared(set, i) && READ_ONCE(e->cpu) != cpu) {
		perf_event_release_kernel(e);
		c->elsewhere |= BIT(i);
		c->reading[i].status = RCR_STATUS_ELSEWHERE;
		return 0;
	}
	if (is_shared(set, i))
		perf_event_enable(e);
	if (!is_active(e, cpu)) {
		perf_event_release_kernel(e);
		return rcr_fail(f, -ENOSPC,
			"CPU %d: no counter is free for %s: leave out it or another event of its unit, or end what uses them.",
			cpu, set->counter[i].name);
	}
	rcr_reading_begin(&c->reading[i], local64_read(&e->count));
	/* Pairs with the tick's read: the baseline is there before the event. */
	smp_store_release(&c->event[i], e);
	return 0;
}

static bool is_settled_here(const struct rcr_counter_set *set, unsigned int i)
{
	/* What goes on from the set before is created already. */
	return (set->by[RCR_SOURCE_PERF] & BIT(i)) && is_software(set, i) &&
	       set->from[i] == RCR_FROM_NONE;
}

static bool perf_detach(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			int cpu, bool online)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		if (!is_settled_here(set, i) || !c->event[i])
			continue;
		/* What was created before its CPU went is dead now. */
		if (online && is_active(c->event[i], cpu))
			continue;
		c->detached[i] = c->event[i];
		WRITE_ONCE(c->event[i], NULL);
		any = true;
	}
	return any;
}

static void perf_release_detached(struct rcr_cpu_counters *c)
{
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++) {
		if (!c->detached[i])
			continue;
		rcr_reading_interrupt(&c->reading[i]);
		perf_event_release_kernel(c->detached[i]);
		c->detached[i] = NULL;
	}
}

static int perf_settle(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		       int cpu, struct rcr_failure *f)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < set->count && !err; i++)
		if (is_settled_here(set, i) && !c->event[i] && !(c->elsewhere & BIT(i)))
			err = make(set, c, i, cpu, f);
	return err;
}

/* The kernel programs the registers, and only when an event is enabled. */
static int perf_renew(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      int cpu, u32 which, struct rcr_failure *f)
{
	bool done = false;
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		if (!(which & BIT(i)) || !c->event[i] ||
		    c->reading[i].status == RCR_STATUS_OK)
			continue;
		perf_event_disable(c->event[i]);
		perf_event_enable(c->event[i]);
		done = true;
	}
	for (i = 0; done && i < set->count; i++)
		if (set->interrupted & BIT(i))
			rcr_reading_interrupt(&c->reading[i]);
	/* perf may have placed them anew. */
	return perf_create(set, c, cpu, false, f);
}

static void perf_revive(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *c)
{
	bool core = false;
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		if (!c->event[i] ||
		    READ_ONCE(c->event[i]->state) == PERF_EVENT_STATE_ACTIVE)
			continue;
		perf_event_enable(c->event[i]);
		core |= !!(set->interrupted & BIT(i));
	}
	/* perf has stopped all events of the core for a moment. */
	for (i = 0; core && i < set->count; i++)
		if (set->interrupted & BIT(i))
			rcr_reading_interrupt(&c->reading[i]);
}

const struct rcr_source rcr_source_perf = {
	.name = "perf",
	.build = perf_build,
	.reserve = perf_reserve,
	.release = perf_release,
	.create = perf_create,
	.destroy = perf_destroy,
	.start = perf_start,
	.look = perf_look,
	.renew = perf_renew,
	.settle = perf_settle,
	.detach = perf_detach,
	.release_detached = perf_release_detached,
	.core = perf_core,
	.revive = perf_revive,
};
