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
 * Ctr0_c3 the total of CPU 3. job_id is the job that ran at that time, as marks
 * tell it; app_id is 0. Marks have no lines of their own: the header begins with
 * a #, too, so that what passes over comments passes over the names of columns.
 *
 * A counter that was not right on every CPU and throughout the interval has no
 * name, control 0 and totals 0 in that line: no name means no data, and never a
 * count of nothing. The layout has no place to say it of one CPU alone.
 */
#include <inttypes.h>

#include "interval.h"
#include "ldms.h"
#include "wall.h"

void ldms_header(FILE *out, const struct intervals *v)
{
	unsigned int i, counter;

	fputs("#Time,Time_usec,ProducerName,component_id,job_id,app_id", out);
	for (counter = 0; counter < v->set->ncounters; counter++) {
		fprintf(out, ",Ctr%u_name,Ctr%u_wctl0", counter, counter);
		for (i = 0; i < v->cpus; i++)
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

static void print_counter(FILE *out, const struct intervals *v, unsigned int counter)
{
	const struct rcr_counter *c = rcr_set_counter(v->set, counter);
	bool right = is_right(v, counter);
	unsigned int i;

	fprintf(out, ",%s,%" PRIu64, right ? c->name : "",
		right ? (uint64_t)c->select : 0);
	for (i = 0; i < v->cpus; i++)
		fprintf(out, ",%" PRIu64, right ? v->cpu[i].to.total[counter] : 0);
}

void ldms_line(FILE *out, const struct intervals *v, const struct ldms_names *names)
{
	uint64_t end = intervals_wall_time(v);
	unsigned int i;

	wall_seconds(out, end);
	fprintf(out, ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",0",
		end % 1000000000 / 1000, names->producer, names->component, names->job);
	for (i = 0; i < v->set->ncounters; i++)
		print_counter(out, v, i);
	fputc('\n', out);
}
