// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shared.c - counters that several CPUs share: rates and totals per unit.
 *
 * One CPU of the unit, the owner, reads the counter; for the others its status is "elsewhere". Each
 * CPU's total is what that CPU has read, so the total of the unit is their sum. If another CPU
 * became the owner during an interval, the sum lacks the counts between the two, and there is no
 * rate.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include "interval/aggregate.h"
#include "interval/shared.h"

/* Returns an enum rcr_scope, or SCOPE_OTHER for one that is unknown. */
unsigned int counter_scope(const struct rcr_set *set, unsigned int counter)
{
	unsigned int scope = rcr_set_counter(set, counter)->scope;

	return scope < SCOPE_OTHER ? scope : SCOPE_OTHER;
}

/* True if the CPU owned the counter in its last sample of the interval. */
static bool is_owner(const struct cpu_interval *c, unsigned int counter)
{
	return c->to.valid && c->to.status[counter] != RCR_STATUS_ELSEWHERE;
}

/*
 * True if a silent CPU may be the owner. In a mixed unit a CPU without any sample is not assumed to
 * be one.
 */
static bool is_missing(const struct cpu_interval *c, const struct unit *u,
		       unsigned int counter)
{
	if (!cpu_is_silent(c))
		return false;
	return c->from.valid ? c->from.status[counter] != RCR_STATUS_ELSEWHERE :
			       !u->mixed;
}

/**
 * struct reading - result of all CPUs of a unit
 * @status: combined status of all owners, 0 without one
 * @tenths: sum of the rates of the owners, in tenths of a count per second
 * @missing: a silent CPU may be an owner
 */
struct reading {
	enum rcr_status status;
	uint64_t tenths;
	bool missing;
};

static void take_reading(struct reading *r, const struct intervals *v,
			 const struct cpu_interval *c, unsigned int counter)
{
	enum rcr_status status;
	double rate;

	status = intervals_rate(v, c, counter, &rate);
	if (status == RCR_STATUS_OK)
		r->tenths += rate_tenths(rate);
	r->status = r->status ? status_worse(r->status, status) : status;
}

static struct reading read_all(const struct intervals *v, const struct unit *u,
			       unsigned int counter)
{
	const struct cpu_interval *c;
	struct reading r = { };
	unsigned int i;

	for (i = 0; i < u->cpus; i++) {
		c = &v->cpu[unit_member(u, i)];
		if (is_missing(c, u, counter))
			r.missing = true;
		else if (!cpu_is_silent(c) && is_owner(c, counter))
			take_reading(&r, v, c, counter);
	}
	return r;
}

/**
 * shared_rate() - rate of a shared counter of a unit in the current interval
 * @v: the intervals
 * @u: the unit
 * @counter: index of a counter that the unit's CPUs share
 * @tenths: rate in tenths of a count per second; valid if RCR_STATUS_OK is returned
 *
 * Returns RCR_STATUS_OK; the status of the counter; RCR_STATUS_GAP if another CPU became the owner
 * or the owner is silent; RCR_STATUS_ELSEWHERE if the owner is not a selected CPU; or 0 if the unit
 * is mixed (its CPUs may belong to several units) and none of them is an owner: there is nothing to
 * report then.
 */
enum rcr_status shared_rate(const struct intervals *v, const struct unit *u,
			    unsigned int counter, uint64_t *tenths)
{
	struct reading r = read_all(v, u, counter);

	*tenths = r.tenths;
	if (r.missing && (u->mixed || !r.status))
		return r.status ? status_worse(r.status, RCR_STATUS_GAP) : RCR_STATUS_GAP;
	if (r.status || u->mixed)
		return r.status;
	return RCR_STATUS_ELSEWHERE;
}

/* Returns why a unit has no rate; RCR_STATUS_OK if it has one or there is nothing to report. */
enum rcr_status shared_status(const struct intervals *v, const struct unit *u,
			      unsigned int counter)
{
	uint64_t tenths;
	enum rcr_status status = shared_rate(v, u, counter, &tenths);

	return status ? status : RCR_STATUS_OK;
}

/* Returns the number of the first check that @counter failed on a CPU of the unit, or 0. */
unsigned int shared_suspect(const struct intervals *v, const struct unit *u,
			    unsigned int counter)
{
	unsigned int i, suspect = 0;

	for (i = 0; i < u->cpus && !suspect; i++)
		suspect = cpu_suspect(&v->cpu[unit_member(u, i)], counter);
	return suspect;
}

/**
 * shared_total() - total of a shared counter of a unit
 * @v: the intervals
 * @u: the unit
 * @counter: index of a counter that the unit's CPUs share
 *
 * A CPU that went offline keeps its last total. Counts from before the first sample of a CPU that
 * appeared later are left out, because the total would jump.
 */
uint64_t shared_total(const struct intervals *v, const struct unit *u,
		      unsigned int counter)
{
	const struct cpu_interval *c;
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < u->cpus; i++) {
		c = &v->cpu[unit_member(u, i)];
		if (c->from.valid)
			total += (c->to.valid ? c->to : c->from).total[counter] -
				 c->missed[counter];
	}
	return total;
}
