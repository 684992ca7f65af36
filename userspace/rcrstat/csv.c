// SPDX-License-Identifier: GPL-2.0-only
/*
 * csv.c - one line an interval.
 *
 *	time,interval,lost,overruns,status,cpu0:TOT_CYC,cpu0:TOT_INS,...
 *
 * time is the end of the interval, seconds since 1970; interval its length in
 * seconds; lost the records that this reader lost and overruns the ticks that
 * the sampler missed in it, on all CPUs shown; status is ok, or a list of what
 * is not, as cpu1:TOT_CYC=foreign;cpu2=gap; then rates per second, empty where
 * there is none. Names hold no character that CSV would have to quote.
 */
#include <inttypes.h>

#include "csv.h"
#include "interval.h"

void csv_header(FILE *out, const struct intervals *v)
{
	unsigned int i, counter;

	fputs("time,interval,lost,overruns,status", out);
	for (i = 0; i < v->cpus; i++)
		for (counter = 0; counter < v->set->ncounters; counter++)
			fprintf(out, ",cpu%u:%s", v->cpu[i].cpu,
				rcr_set_counter(v->set, counter)->name);
	fputc('\n', out);
}

static void print_losses(FILE *out, const struct intervals *v)
{
	uint64_t lost = 0, overruns = 0;
	unsigned int i;

	for (i = 0; i < v->cpus; i++) {
		lost += v->cpu[i].lost;
		overruns += v->cpu[i].overruns;
	}
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", lost, overruns);
}

/* Returns what separates the next entry from this one. */
static const char *print_cpu_status(FILE *out, const struct intervals *v,
				    const struct cpu_interval *c,
				    const char *separator)
{
	enum rcr_status status;
	unsigned int counter;
	double rate;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		status = intervals_rate(v, c, counter, &rate);
		if (status == RCR_STATUS_OK)
			continue;
		fprintf(out, "%scpu%u", separator, c->cpu);
		separator = ";";
		if (status != RCR_STATUS_GAP)
			fprintf(out, ":%s", rcr_set_counter(v->set, counter)->name);
		fprintf(out, "=%s", rcr_status_name(status));
		if (status == RCR_STATUS_GAP)
			break;		/* a gap is of the whole CPU */
	}
	return separator;
}

static void print_status(FILE *out, const struct intervals *v)
{
	const char *separator = "";
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		separator = print_cpu_status(out, v, &v->cpu[i], separator);
	if (!*separator)
		fputs("ok", out);
}

static void print_rates(FILE *out, const struct intervals *v,
			const struct cpu_interval *c)
{
	unsigned int counter;
	double rate;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (intervals_rate(v, c, counter, &rate) == RCR_STATUS_OK)
			fprintf(out, ",%.1f", rate);
		else
			fputc(',', out);
	}
}

void csv_line(FILE *out, const struct intervals *v)
{
	uint64_t end = v->end + v->offset;
	unsigned int i;

	fprintf(out, "%" PRIu64 ".%06" PRIu64 ",%.6g", end / 1000000000,
		end % 1000000000 / 1000, v->length / 1e9);
	print_losses(out, v);
	print_status(out, v);
	for (i = 0; i < v->cpus; i++)
		print_rates(out, v, &v->cpu[i]);
	fputc('\n', out);
}
