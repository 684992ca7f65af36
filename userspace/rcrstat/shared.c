// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared.c - counters that several CPUs share: what their unit has counted.
 *
 * One CPU of the unit, the owner, reads it; for the others it is elsewhere. Each
 * CPU's total is what that CPU has read, so the unit's is the sum of them. In an
 * interval in which another CPU took over, the sum lacks what was counted between
 * the two: there is no rate then.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include "aggregate.h"
#include "shared.h"

/* Which CPUs share a counter: an enum rcr_scope, or SCOPE_OTHER. */
unsigned int counter_scope(const struct rcr_set *set, unsigned int counter)
{
	unsigned int scope = rcr_set_counter(set, counter)->scope;

	return scope < SCOPE_OTHER ? scope : SCOPE_OTHER;
}

/* Did the CPU own it when the interval ended, or when it was heard of last? */
static bool is_owner(const struct cpu_interval *c, unsigned int counter)
{
	return c->to.valid && c->to.status[counter] != RCR_STATUS_ELSEWHERE;
}

/*
 * Is the CPU silent, and may be the one that had to read it? In a unit that is
 * one, somebody else's reading says no.
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
 * struct reading - what the CPUs of a unit have read together
 * @status: that of all owners, 0 without one
 * @tenths: the sum of their rates
 * @missing: somebody is silent who may have been an owner
 */
struct reading {
	enum rcr_status status;
	uint64_t tenths;
	bool missing;
};

static void take(struct reading *r, const struct intervals *v,
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
			take(&r, v, c, counter);
	}
	return r;
}

/**
 * shared_rate() - what a unit did in the present interval
 * @v: the intervals
 * @u: the unit
 * @counter: a counter that its CPUs share
 * @tenths: of a count per second, when the answer is RCR_STATUS_OK
 *
 * Returns RCR_STATUS_OK, the status that the counter had, RCR_STATUS_GAP when
 * another CPU took it over, RCR_STATUS_ELSEWHERE when its owner is not among the
 * CPUs that are looked at; or 0 when the CPUs are just those of which nobody knows
 * where they sit, and none of them is an owner: then there is nothing to tell.
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

/* Why a unit has no rate; RCR_STATUS_OK, too, when there is nothing to tell. */
enum rcr_status shared_status(const struct intervals *v, const struct unit *u,
			      unsigned int counter)
{
	uint64_t tenths;
	enum rcr_status status = shared_rate(v, u, counter, &tenths);

	return status ? status : RCR_STATUS_OK;
}

/**
 * shared_total() - what a unit has counted
 * @v: the intervals
 * @u: the unit
 * @counter: a counter that its CPUs share
 *
 * A CPU that is gone has its last total. What one that came later had read before
 * anybody looked is left out: it would be a jump.
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
