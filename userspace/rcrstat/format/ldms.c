// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ldms.c - one line per interval, in the layout that LDMS's store_csv writes for msr_interlagos.
 *
 *	#Time,Time_usec,ProducerName,component_id,job_id,app_id,
 *		Ctr0_name,Ctr0_wctl0,Ctr0_c0,Ctr0_c1,...,Ctr1_name,...
 *
 * Time is the end of the interval in seconds since 1970, and Time_usec repeats its microseconds.
 * The values are raw totals at that time, not rates: a reader computes differences. Ctr0_wctl0 is
 * the control register in decimal, Ctr0_c3 the total of CPU 3. A shared counter has the totals of
 * its sharing units instead, Ctr1_n0, Ctr1_n1, ..., in ascending order of the units; its control is
 * the one in the set, although an event with "pernode" differs from it by one bit of the unit mask
 * on each node. job_id is the job running at that time according to the marks; app_id is 0. Marks
 * have no lines of their own: the header begins with a #, too, so a reader that skips comments
 * would skip the column names.
 *
 * A counter that was not ok on every CPU, or in every unit, throughout the interval has an empty
 * name, control 0 and totals 0 in that line: an empty name means no data, never a count of zero.
 * The layout has no way to report it for a single CPU.
 *
 * Columns of --derive follow, with the name of the formula and its value for the whole machine,
 * which is empty if it is not known.
 */
#include <inttypes.h>

#include "config/node.h"
#include "print/digits.h"
#include "interval/interval.h"
#include "format/format.h"
#include "format/meter_rows.h"
#include "interval/view.h"
#include "print/wall.h"

/* Returns the units that share a counter; NULL if each CPU has its own. */
static const struct units *sharers_of_counter(const struct intervals *v, const struct view *view,
					      unsigned int counter)
{
	unsigned int scope = counter_scope(v->set, counter);

	return scope == RCR_SCOPE_CPU ? NULL : &view->shares[scope];
}

static int ldms_header(const struct page *p)
{
	const struct intervals *v = p->v;
	const struct units *units;
	unsigned int i, counter;

	fputs("#Time,Time_usec,ProducerName,component_id,job_id,app_id", p->out);
	for (counter = 0; counter < v->set->ncounters; counter++) {
		units = sharers_of_counter(v, p->view, counter);
		fprintf(p->out, ",Ctr%u_name,Ctr%u_wctl0", counter, counter);
		for (i = 0; units && i < units->count; i++)
			fprintf(p->out, ",Ctr%u_n%u", counter, i);
		for (i = 0; !units && i < v->cpus; i++)
			fprintf(p->out, ",Ctr%u_c%u", counter, v->cpu[i].cpu);
	}
	meter_rows_ldms_names(p->out, v);
	fputc('\n', p->out);
	return 0;
}

/* True if the counter was ok on every CPU throughout the interval. */
static bool is_right(const struct intervals *v, unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		if (!v->cpu[i].to.valid ||
		    v->cpu[i].to.worst[counter] != RCR_STATUS_OK)
			return false;
	return true;
}

/* True if the counter has a rate in every unit that shares it. */
static bool is_right_in_units(const struct intervals *v, const struct units *units,
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

static void print_ldms_counter(FILE *out, const struct intervals *v, const struct view *view,
			       unsigned int counter)
{
	const struct rcr_counter *c = rcr_set_counter(v->set, counter);
	const struct units *units = sharers_of_counter(v, view, counter);
	bool right = units ? is_right_in_units(v, units, counter) : is_right(v, counter);
	unsigned int i;

	fprintf(out, ",%s", right ? c->name : "");
	print_total(out, right, c->select);
	for (i = 0; units && i < units->count; i++)
		print_total(out, right, shared_total(v, &units->unit[i], counter));
	for (i = 0; !units && i < v->cpus; i++)
		print_total(out, right, v->cpu[i].to.total[counter]);
}

static void ldms_line(const struct page *p)
{
	uint64_t end = intervals_wall_time(p->v);
	unsigned int i;

	wall_seconds(p->out, end);
	fprintf(p->out, ",%" PRIu64 ",%s,", end % 1000000000 / 1000, p->node->producer);
	if (p->node->has_component)
		fprintf(p->out, "%" PRIu64, p->node->component);
	fprintf(p->out, ",%" PRIu64 ",0", p->job);
	for (i = 0; i < p->v->set->ncounters; i++)
		print_ldms_counter(p->out, p->v, p->view, i);
	meter_rows_ldms(p->out, p->v);
	fputc('\n', p->out);
}

const struct format format_ldms = {
	.name = "ldms",
	.derives = true,
	.identified = true,
	.set = ldms_header,
	.line = ldms_line,
};
