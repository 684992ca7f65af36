// SPDX-License-Identifier: GPL-2.0-only
/*
 * ldms.c - one line an interval, as LDMS's store_csv writes msr_interlagos.
 *
 *	#Time,Time_usec,ProducerName,component_id,job_id,app_id,
 *		Ctr0_name,Ctr0_wctl0,Ctr0_c0,Ctr0_c1,...,Ctr1_name,...
 *
 * Time is the end of the interval, seconds since 1970, and Time_usec repeats
 * its microseconds. What follows are the raw totals at that time, not rates:
 * a reader takes differences. Ctr0_wctl0 is the control register in decimal,
 * Ctr0_c3 the total of CPU 3. A counter that CPUs share has instead, as Ctr1_n0,
 * Ctr1_n1, ..., the totals of the units that share it, in order of their numbers;
 * its control is the one in the set, which an event with "pernode" has changed by
 * a bit of the unit mask on each node. job_id is the job that ran at that time, as
 * marks tell it; app_id is 0. Marks have no lines of their own: the header begins
 * with a #, too, so that what passes over comments passes over the names of columns.
 *
 * A counter that was not right on every CPU, or in every unit, throughout the
 * interval has no name, control 0 and totals 0 in that line: no name means no data,
 * and never a count of nothing. The layout has no place to say it of one alone.
 */
#include <inttypes.h>

#include "digits.h"
#include "interval.h"
#include "ldms.h"
#include "view.h"
#include "wall.h"

/* What shares a counter; NULL: nothing, it is each CPU's own. */
static const struct units *sharers(const struct intervals *v, const struct view *view,
				   unsigned int counter)
{
	unsigned int scope = counter_scope(v->set, counter);

	return scope == RCR_SCOPE_CPU ? NULL : &view->shares[scope];
}

void ldms_header(FILE *out, const struct intervals *v, const struct view *view)
{
	const struct units *units;
	unsigned int i, counter;

	fputs("#Time,Time_usec,ProducerName,component_id,job_id,app_id", out);
	for (counter = 0; counter < v->set->ncounters; counter++) {
		units = sharers(v, view, counter);
		fprintf(out, ",Ctr%u_name,Ctr%u_wctl0", counter, counter);
		for (i = 0; units && i < units->count; i++)
			fprintf(out, ",Ctr%u_n%u", counter, i);
		for (i = 0; !units && i < v->cpus; i++)
			fprintf(out, ",Ctr%u_c%u", counter, v->cpu[i].cpu);
	}
	fputc('\n', out);
}

/* Has every CPU a total of it that a rate could be made of? */
static bool is_right(const struct intervals *v, unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		if (!v->cpu[i].to.valid ||
		    v->cpu[i].to.worst[counter] != RCR_STATUS_OK)
			return false;
	return true;
}

/* And every unit? */
static bool is_right_in(const struct intervals *v, const struct units *units,
			unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (shared_status(v, &units->unit[i], counter) != RCR_STATUS_OK)
			return false;
	return true;
}

static void print_total(FILE *out, bool right, uint64_t total)
{
	char text[1 + DIGITS_MOST] = ",";

	fwrite(text, 1, digits_put(text + 1, right ? total : 0) - text, out);
}

static void print_counter(FILE *out, const struct intervals *v, const struct view *view,
			  unsigned int counter)
{
	const struct rcr_counter *c = rcr_set_counter(v->set, counter);
	const struct units *units = sharers(v, view, counter);
	bool right = units ? is_right_in(v, units, counter) : is_right(v, counter);
	unsigned int i;

	fprintf(out, ",%s", right ? c->name : "");
	print_total(out, right, c->select);
	for (i = 0; units && i < units->count; i++)
		print_total(out, right, shared_total(v, &units->unit[i], counter));
	for (i = 0; !units && i < v->cpus; i++)
		print_total(out, right, v->cpu[i].to.total[counter]);
}

void ldms_line(FILE *out, const struct intervals *v, const struct view *view,
	       const struct ldms_names *names)
{
	uint64_t end = intervals_wall_time(v);
	unsigned int i;

	wall_seconds(out, end);
	fprintf(out, ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",0",
		end % 1000000000 / 1000, names->producer, names->component, names->job);
	for (i = 0; i < v->set->ncounters; i++)
		print_counter(out, v, view, i);
	fputc('\n', out);
}
