// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu.c - look up the box, the counters and the registers of an event in a PMU's table.
 *
 * Has no kernel state: also compiled into the unit tests. detect.c chooses the table, and
 * select.c encodes events.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "width.h"
#include "pmu.h"

/**
 * rcr_family_pmu() - n-th PMU of a family
 * @f: the family
 * @n: number of the PMU; 0 is the core
 *
 * Return: the PMU, or NULL if there are fewer.
 */
const struct rcr_pmu *rcr_family_pmu(const struct rcr_family *f, unsigned int n)
{
	const struct rcr_pmu *const *list, *pmu;

	if (!n)
		return &f->core;
	for (list = f->units; list < f->units + RCR_UNITS && *list; list++)
		for (pmu = *list; pmu->name; pmu++)
			if (!--n)
				return pmu;
	return NULL;
}

/* Number of events of a family's default set. */
unsigned int rcr_family_defaults(const struct rcr_family *f)
{
	unsigned int n = 0;

	while (n < RCR_DEFAULTS && f->default_event[n].name[0])
		n++;
	return n;
}

/**
 * rcr_pmu_counters() - number of general counters of each box
 * @pmu: the PMU
 * @boxes: number of boxes
 * @total: value of the CPUID register of pmu->counters_cpuid, within its mask
 *
 * If the total does not match the table, the addresses of several boxes are unknown.
 *
 * Return: the number; 0 if it is unknown.
 */
unsigned int rcr_pmu_counters(const struct rcr_pmu *pmu, unsigned int boxes, u32 total)
{
	if (!pmu->counters_cpuid.leaf)
		return pmu->counters;
	total >>= __ffs(pmu->counters_cpuid.mask);
	if (pmu->boxes <= 1)
		return min(total, pmu->counters);
	return total == boxes * pmu->counters ? pmu->counters : 0;
}

/**
 * rcr_box_name() - unit name of a box in events
 * @box: the box
 * @name: output buffer of RCR_UNIT_LEN bytes
 */
void rcr_box_name(const struct rcr_box *box, char *name)
{
	if (box->pmu->boxes > 1)
		snprintf(name, RCR_UNIT_LEN, "%s%u", box->pmu->name, box->number);
	else
		strscpy(name, box->pmu->name, RCR_UNIT_LEN);
}

/**
 * rcr_machine_box() - find the box of an event
 * @m: the machine
 * @e: the event
 *
 * Return: the box, or NULL if the machine has none of that name.
 */
const struct rcr_box *rcr_machine_box(const struct rcr_machine *m,
				      const struct rcr_event *e)
{
	char name[RCR_UNIT_LEN];
	unsigned int i;

	if (!e->unit[0])
		return &m->box[0];
	for (i = 0; i < m->count; i++) {
		rcr_box_name(&m->box[i], name);
		if (!strcmp(name, e->unit))
			return &m->box[i];
	}
	return NULL;
}

/* Add a box; boxes beyond RCR_BOXES are ignored. */
void rcr_machine_add_box(struct rcr_machine *m, const struct rcr_box *box)
{
	if (m->count < RCR_BOXES)
		m->box[m->count++] = *box;
}

/**
 * rcr_machine_add() - add the boxes of a PMU
 * @m: the machine
 * @pmu: the PMU
 * @boxes: number of boxes
 * @counters: number of general counters of each box
 * @scale: see struct rcr_box
 */
void rcr_machine_add(struct rcr_machine *m, const struct rcr_pmu *pmu,
		     unsigned int boxes, unsigned int counters, u8 scale)
{
	unsigned int i;

	for (i = 0; i < boxes; i++)
		rcr_machine_add_box(m, &(struct rcr_box){ pmu, i, counters, scale });
}

static bool umask_matches(const struct rcr_constraint *c, u32 umask)
{
	switch (c->rule) {
	case RCR_UMASK_MANY:
		return hweight32(umask) > 1;
	case RCR_UMASK_BOTH_NIBBLES:
		return (umask & 0xf0) && (umask & 0x0f);
	case RCR_UMASK_IS:
		return umask == c->umask;
	case RCR_UMASK_HAS:
		return (umask & c->umask) == c->umask;
	default:
		return true;
	}
}

static bool select_matches(const struct rcr_constraint *c, unsigned int event)
{
	event &= c->bits;
	return event == c->event || (event > c->event && event <= c->last);
}

static const struct rcr_constraint *
find_constraint(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_constraint *c;

	for (c = pmu->constraint; c && c->bits; c++)
		if (select_matches(c, e->event) && umask_matches(c, e->umask))
			return c;
	return NULL;
}

static void demand_general(const struct rcr_box *box, const struct rcr_event *e,
			   struct rcr_demand *d)
{
	const struct rcr_constraint *c = find_constraint(box->pmu, e);
	u32 all = GENMASK(box->counters - 1, 0);

	d->allowed = c ? c->counters & all : all;
	d->most = c && c->most ? c->most : box->pmu->most;
	d->pair = c && c->pair;
	if (e->pinned)
		d->allowed &= e->counter < box->counters ? BIT(e->counter) : 0;
}

/* Fixed counters support neither counter mask nor edge nor inversion. */
static void demand_fixed(const struct rcr_pmu *pmu, const struct rcr_event *e,
			 struct rcr_demand *d)
{
	unsigned int i;

	if (e->cmask || e->inv || e->edge || e->pinned)
		return;
	for (i = 0; i < pmu->nfixed; i++) {
		if (pmu->fixed[i].event != e->event ||
		    pmu->fixed[i].umask != e->umask)
			continue;
		d->allowed |= BIT(RCR_FIXED_FIRST + i);
		d->most = pmu->fixed[i].most;
	}
}

/**
 * rcr_pmu_demand() - find the counters that can count an event
 * @box: the box
 * @e: the event
 * @demand: filled in; @allowed is 0 if no counter can count the event
 */
void rcr_pmu_demand(const struct rcr_box *box, const struct rcr_event *e,
		    struct rcr_demand *demand)
{
	const struct rcr_pmu *pmu = box->pmu;

	*demand = (struct rcr_demand){ };
	if (e->is_register != pmu->is_register || !rcr_pmu_has_event(pmu, e))
		return;
	demand_general(box, e, demand);
	demand_fixed(pmu, e, demand);
}

/**
 * rcr_pmu_fixed_modes() - bits of the fixed counter control for one counter
 * @os: count in kernel mode
 * @user: count in user mode
 * @n: number of the fixed counter
 *
 * Intel SDM volume 3B, IA32_FIXED_CTR_CTRL: bit 0 kernel, 1 user, 3 interrupt.
 */
u64 rcr_pmu_fixed_modes(bool os, bool user, unsigned int n)
{
	return ((os ? 1ull : 0) | (user ? 2ull : 0)) << (4 * n);
}

static void fixed_register(const struct rcr_box *box, const struct rcr_event *e,
			   unsigned int n, struct rcr_register *reg)
{
	const struct rcr_pmu *pmu = box->pmu;

	reg->control = rcr_box_address(box, pmu->fixed_control);
	reg->counter = rcr_box_address(box, pmu->fixed_counter0) + n;
	reg->select = rcr_pmu_fixed_modes(e->os, e->user, n);
	reg->mask = 0xfull << (4 * n);
	reg->enable = 0x3ull << (4 * n);
	reg->global = BIT_ULL(32 + n);
	reg->written = pmu->width;
}

static void general_register(const struct rcr_box *box, const struct rcr_event *e,
			     unsigned int index, bool pair, struct rcr_register *reg)
{
	const struct rcr_pmu *pmu = box->pmu;
	u32 counters = (pair ? 3u : 1u) << index;

	reg->counter = rcr_box_address(box, pmu->counter0) +
		       index * rcr_pmu_count_stride(pmu);
	reg->global = (u64)counters << pmu->global_bit;
	reg->general = counters;
	reg->written = pmu->written ?: pmu->width;
	if (pmu->is_register)
		return;
	reg->control = rcr_box_address(box, pmu->control0) + index * pmu->stride;
	reg->mask = ~0ull;
	reg->enable = rcr_pmu_layout(pmu)->enable;
	reg->select = rcr_pmu_select(pmu, e);
	reg->per_node = e->per_node ? rcr_pmu_umask_first(pmu) : 0;
}

/* Set the counter's bits of the global control, and their value while it counts. */
static void set_global_bits(const struct rcr_pmu *pmu, struct rcr_register *reg)
{
	if (!pmu->global_control)
		reg->global = 0;
	else if (pmu->global_stops)
		reg->global = pmu->global_stops;
	reg->global_on = pmu->global_stops ? 0 : reg->global;
}

/**
 * rcr_pmu_register() - registers and values that count an event on a counter
 * @box: the box
 * @e: the event
 * @index: the counter, numbered as by rcr_pmu_demand()
 * @reg: filled in
 */
void rcr_pmu_register(const struct rcr_box *box, const struct rcr_event *e,
		      unsigned int index, struct rcr_register *reg)
{
	struct rcr_demand demand;

	rcr_pmu_demand(box, e, &demand);
	*reg = (struct rcr_register){
		.pmu = box->pmu,
		.index = index,
		.most = demand.most,
		.scale = box->scale,
	};
	if (index >= RCR_FIXED_FIRST)
		fixed_register(box, e, index - RCR_FIXED_FIRST, reg);
	else
		general_register(box, e, index, demand.pair, reg);
	set_global_bits(box->pmu, reg);
	reg->unused_bits = ~rcr_width_mask(box->pmu->width);
	reg->plain = !box->pmu->pci && !box->pmu->gauge && !box->pmu->saturates &&
		     !demand.pair && !reg->per_node;
}

/**
 * rcr_pmu_upper() - registers of the upper counter of a pair
 * @lower: registers of the lower counter
 * @upper: filled in
 *
 * AMD, PPR of each Zen family, "Large Increment per Cycle Events": the odd counter holds the
 * merge event and extends the even counter below it.
 *
 * Return: true if the counter is the lower one of a pair.
 */
bool rcr_pmu_upper(const struct rcr_register *lower, struct rcr_register *upper)
{
	const struct rcr_pmu *pmu = lower->pmu;

	if (hweight32(lower->general) < 2)
		return false;
	*upper = *lower;
	upper->index++;
	upper->control += pmu->stride;
	upper->counter += rcr_pmu_count_stride(pmu);
	upper->general &= lower->general - 1;
	upper->select = pmu->merge;
	upper->per_node = 0;
	return true;
}
