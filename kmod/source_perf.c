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
 * A core's counters may be made and released in hotplug callbacks. Software
 * ones may not: releasing one takes the hotplug lock (static_key_slow_dec), so
 * settle() does it, from a work item.
 *
 * What several CPUs share is counted by a PMU of the kernel, which alone knows the
 * CPU where it is read: an event that is made for another one of the unit goes
 * there. So each CPU makes one, which does not count yet, and keeps it if it is its
 * own (settle(), too). One that begins or ends stops all others of that PMU for a
 * moment: of that all who read some are warned before (disturb()).
 */
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/perf_event.h>

#include "compat/compat.h"
#include "counter_set.h"
#include "place.h"
#include "source.h"

/* Its PMU "power" counts joules, halved so many times (events/ *.scale in sysfs). */
#define PERF_JOULES	32

/* Bits of a control that perf sets itself. */
#define PERF_OWN_BITS (RCR_SELECT_ENABLE | RCR_SELECT_OS | RCR_SELECT_USER | \
		       RCR_SELECT_HOST | RCR_SELECT_GUEST)

/* Has the kernel a driver for this machine's core counters? */
bool rcr_source_perf_serves_core(void)
{
	struct x86_pmu_capability cap;

	perf_get_x86_pmu_capability(&cap);
	return cap.num_counters_gp > 0;
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
		return 0;
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
 * Asks for the events in the order of the counters that they need. A kernel that
 * knows the per-event counter masks does not care; one that does not (6.1
 * without CONFIG_PERF_EVENTS_AMD_BRS on Family 15h) gives them out in turn.
 */
static void set_order(struct rcr_counter_set *set, const u8 *event,
		      const struct rcr_need *need, unsigned int count)
{
	u8 index[RCR_MAX_COUNTERS] = { }, sorted[RCR_MAX_COUNTERS];
	unsigned int i, k;

	if (rcr_place(need, count, index))
		memset(index, 0, sizeof(index));
	for (i = 0; i < count; i++) {
		for (k = i; k && sorted[k - 1] > index[i]; k--) {
			sorted[k] = sorted[k - 1];
			set->order[k] = set->order[k - 1];
		}
		sorted[k] = index[i];
		set->order[k] = event[i];
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

static int perf_build(struct rcr_counter_set *set,
		      const struct rcr_counter_set *before, u32 mask,
		      struct rcr_failure *f)
{
	struct rcr_need need[RCR_MAX_COUNTERS];
	unsigned long which = mask;
	u8 event[RCR_MAX_COUNTERS];
	struct rcr_demand demand;
	unsigned int i, count = 0;
	int err;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		err = check_event(set->machine, &set->event[i], &demand, f);
		if (err)
			return err;
		if (rcr_event_is_hardware(&set->event[i]))
			set->interrupted |= BIT(i);
		event[count] = i;
		need[count++] = (struct rcr_need){ demand.allowed, demand.pair };
		if (set->event[i].kind == RCR_EVENT_PMU)
			set->driven |= BIT(i);
		set->reg[i].most = demand.most;
		set_counter(set, i);
	}
	set->scope[RCR_SCOPE_CPU] |= mask;
	set_order(set, event, need, count);
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

static void perf_stop(const struct rcr_counter_set *set,
		      struct rcr_cpu_counters *c, u32 mask)
{
	unsigned long which = mask;
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		if (is_software(set, i) || !c->event[i])
			continue;
		perf_event_release_kernel(c->event[i]);
		c->event[i] = NULL;
	}
}

static int check_active(const struct rcr_counter_set *set,
			const struct rcr_cpu_counters *c, struct rcr_failure *f)
{
	unsigned int i, k, wanted = 0, active = 0;

	for (k = 0; k < asked(set); k++) {
		i = set->order[k];
		if (is_software(set, i))
			continue;
		wanted++;
		active += c->event[i] &&
			  is_active(c->event[i], smp_processor_id());
	}
	if (active == wanted)
		return 0;
	return rcr_fail(f, -ENOSPC,
		"CPU %d: %u of these %u events can be counted now; perf, a profiler or the NMI watchdog has the other counters: leave out %u.",
		smp_processor_id(), active, wanted, wanted - active);
}

/* perf numbers general counters from 0 and fixed ones from 32. */
static bool is_well_placed(const struct rcr_counter_set *set, unsigned int i,
			   const struct perf_event *e)
{
	struct rcr_demand demand;
	int index = e->hw.idx;

	rcr_pmu_demand(&set->machine->box[0], &set->event[i], &demand);
	if (index >= INTEL_PMC_IDX_FIXED)
		index += RCR_FIXED_FIRST - INTEL_PMC_IDX_FIXED;
	return index >= 0 && index < 32 && (demand.allowed & BIT(index));
}

/* A count from a counter that cannot count the event would be a wrong one. */
static int check_places(const struct rcr_counter_set *set,
			const struct rcr_cpu_counters *c, struct rcr_failure *f)
{
	unsigned int i, k;

	for (k = 0; k < asked(set); k++) {
		i = set->order[k];
		if (!is_software(set, i) && !is_well_placed(set, i, c->event[i]))
			return rcr_fail(f, -ENOSPC,
				"CPU %d: the kernel put %s on counter %d, which cannot count it: leave out this or another event, or use source=msr.",
				smp_processor_id(), set->counter[i].name,
				c->event[i]->hw.idx);
	}
	return 0;
}

/* Makes those that are not there yet. */
static int create_hardware(const struct rcr_counter_set *set,
			   struct rcr_cpu_counters *c, struct rcr_failure *f)
{
	struct perf_event *e;
	unsigned int i, k;

	for (k = 0; k < asked(set); k++) {
		i = set->order[k];
		if (is_software(set, i) || c->event[i])
			continue;
		e = create(set, i, smp_processor_id());
		if (IS_ERR(e))
			return rcr_fail(f, PTR_ERR(e),
				"CPU %d: the kernel does not count %s (%pe).",
				smp_processor_id(), set->counter[i].name, e);
		c->event[i] = e;
		rcr_reading_begin(&c->reading[i], local64_read(&e->count));
	}
	return 0;
}

static int perf_start(const struct rcr_counter_set *set,
		      struct rcr_cpu_counters *c, u32 which, bool all,
		      struct rcr_failure *f)
{
	int err = create_hardware(set, c, f);

	if (!err && all)
		err = check_active(set, c, f);
	if (!err && all)
		err = check_places(set, c, f);
	return err;
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

static u8 look_at(const struct rcr_counter_set *set, unsigned int i,
		  struct perf_event *e, u64 global, u64 *now)
{
	if (!e)
		return is_shared(set, i) ? RCR_STATUS_ELSEWHERE : RCR_STATUS_OFFLINE;
	if (!is_active(e, smp_processor_id()))
		return RCR_STATUS_BUSY;
	/* A core's counters are those; asking the event itself is a cache line more. */
	if (set->interrupted & BIT(i) && is_foreign(e, global))
		return RCR_STATUS_FOREIGN;
	e->pmu->read(e);
	*now = local64_read(&e->count);
	return RCR_STATUS_OK;
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
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		status[i] = look_at(set, i, READ_ONCE(c->event[i]), global, &now[i]);
		if (status[i] == RCR_STATUS_OK && (disturbed & BIT(i)))
			status[i] = RCR_STATUS_GAP;
	}
}

/* The tick that may be reading it is in a hard interrupt: an RCU reader. */
static void drop(struct rcr_cpu_counters *c, unsigned int i)
{
	struct perf_event *e = c->event[i];

	WRITE_ONCE(c->event[i], NULL);
	synchronize_rcu();
	rcr_reading_interrupt(&c->reading[i]);
	perf_event_release_kernel(e);
}

static int make(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		unsigned int i, int cpu, struct rcr_failure *f)
{
	struct perf_event *e = create(set, i, cpu);

	if (IS_ERR(e))
		return rcr_fail(f, PTR_ERR(e),
			"CPU %d: the kernel does not count %s (%pe).", cpu,
			set->counter[i].name, e);
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

static int perf_settle(const struct rcr_counter_set *set,
		       struct rcr_cpu_counters *c, int cpu, bool online,
		       struct rcr_failure *f)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < set->count && !err; i++) {
		if (!(set->by[RCR_SOURCE_PERF] & BIT(i)))
			continue;
		/* What goes on from the set before is made already. */
		if (!is_software(set, i) || set->from[i] != RCR_FROM_NONE)
			continue;
		/* What was made before its CPU went is dead now. */
		if (c->event[i] && !(online && is_active(c->event[i], cpu)))
			drop(c, i);
		if (online && !c->event[i] && !(c->elsewhere & BIT(i)))
			err = make(set, c, i, cpu, f);
	}
	return err;
}

/* The kernel programs the registers, and only when an event is enabled. */
static int perf_rewrite(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *c, u32 which,
			struct rcr_failure *f)
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
	return 0;
}

static void perf_revive(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *c)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (c->event[i] &&
		    READ_ONCE(c->event[i]->state) != PERF_EVENT_STATE_ACTIVE)
			perf_event_enable(c->event[i]);
}

const struct rcr_source rcr_source_perf = {
	.name = "perf",
	.build = perf_build,
	.reserve = perf_reserve,
	.release = perf_release,
	.start = perf_start,
	.stop = perf_stop,
	.look = perf_look,
	.rewrite = perf_rewrite,
	.settle = perf_settle,
	.revive = perf_revive,
};
