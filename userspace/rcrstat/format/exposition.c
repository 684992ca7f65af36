// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exposition.c - the text formats of OpenMetrics 1.0 and of Prometheus.
 *
 *	# TYPE rcrtool_events counter
 *	rcrtool_events_total{event="TOT_CYC",place="cpu0",producer="node17"} 123 1700000001.000000
 *
 * Metrics: rcrtool_events, the totals; rcrtool_event_rate, counts per second in the last interval;
 * rcrtool_value, gauges; rcrtool_event_ok, 1 if nothing is wrong with the counts of the last
 * interval. A counter that is not ok has neither total nor rate, because counts are missing.
 *
 * Each interval is a separate exposition, which with -o replaces the file. The Prometheus format
 * has no timestamps, because the textfile collector of node_exporter rejects them.
 */
#include <inttypes.h>

#include "config/node.h"
#include "format/format.h"
#include "format/values.h"
#include "interval/interval.h"
#include "print/wall.h"

/**
 * struct exposition - a metric whose samples are being printed
 * @page: the page
 * @metric: the metric
 * @timed: print timestamps
 */
struct exposition {
	const struct page *page;
	const struct metric *metric;
	bool timed;
};

/**
 * struct metric - a metric family
 * @name: its name
 * @suffix: suffix of the name of its samples
 * @type: its type, in both formats
 * @help: its help text
 * @has: returns true if a value has a sample
 * @print: prints the number of a sample
 */
struct metric {
	const char *name;
	const char *suffix;
	const char *type;
	const char *help;
	bool (*has)(const struct value *value);
	void (*print)(FILE *out, const struct value *value);
};

static bool sample_has_total(const struct value *value)
{
	return !value->gauge && value_is_ok(value);
}

static void print_total_number(FILE *out, const struct value *value)
{
	fprintf(out, "%" PRIu64, value->total);
}

static bool sample_has_rate(const struct value *value)
{
	return !value->gauge && value->known && value_is_ok(value);
}

static bool sample_has_value(const struct value *value)
{
	return value->gauge && value->known && value_is_ok(value);
}

static bool sample_has_status(const struct value *value)
{
	(void)value;
	return true;
}

static void print_ok(FILE *out, const struct value *value)
{
	fputc(value_is_ok(value) ? '1' : '0', out);
}

static const struct metric metrics[] = {
	{
		"rcrtool_events", "_total", "counter",
		"Counted events. Counts of intervals that were not ok are missing.",
		sample_has_total, print_total_number,
	}, {
		"rcrtool_event_rate", "", "gauge", "Events per second in the last interval.",
		sample_has_rate, value_print_rate,
	}, {
		"rcrtool_value", "", "gauge", "Value of a meter that is not a count, e.g. a temperature.",
		sample_has_value, value_print_rate,
	}, {
		"rcrtool_event_ok", "", "gauge",
		"1 if the counts of the last interval are complete, else 0.",
		sample_has_status, print_ok,
	},
};

#define METRICS (sizeof(metrics) / sizeof(metrics[0]))

static void print_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			fputc('\\', out);
		if (*value == '\n')
			fputs("\\n", out);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

static void print_labels(FILE *out, const struct value *value, const struct node *node)
{
	unsigned int i;

	fputc('{', out);
	print_label(out, "event", value->event);
	fputc(',', out);
	print_label(out, "place", value->place);
	if (*node->producer) {
		fputc(',', out);
		print_label(out, "producer", node->producer);
	}
	if (node->has_component)
		fprintf(out, ",component_id=\"%" PRIu64 "\"", node->component);
	if (*node->cluster) {
		fputc(',', out);
		print_label(out, "cluster", node->cluster);
	}
	for (i = 0; i < node->tags; i++) {
		fprintf(out, ",tag_%s", node->tag[i].name);
		print_label(out, "", node->tag[i].value);
	}
	fputc('}', out);
}

static void print_sample(void *to, const struct value *value)
{
	const struct exposition *e = to;
	FILE *out = e->page->out;

	if (!e->metric->has(value))
		return;
	fprintf(out, "%s%s", e->metric->name, e->metric->suffix);
	print_labels(out, value, e->page->node);
	fputc(' ', out);
	e->metric->print(out, value);
	if (e->timed) {
		fputc(' ', out);
		wall_seconds(out, intervals_wall_time(e->page->v));
	}
	fputc('\n', out);
}

static void print_exposition(const struct page *p, bool open)
{
	struct exposition e = { .page = p, .timed = open };
	const struct metric *metric;

	for (metric = metrics; metric < metrics + METRICS; metric++) {
		/* OpenMetrics wants the name of the family here, Prometheus that of the samples. */
		fprintf(p->out, "# HELP %s%s %s\n# TYPE %s%s %s\n", metric->name,
			open ? "" : metric->suffix, metric->help, metric->name,
			open ? "" : metric->suffix, metric->type);
		e.metric = metric;
		values_visit(p->v, p->view, print_sample, &e);
	}
	if (open)
		fputs("# EOF\n", p->out);
}

static void openmetrics_line(const struct page *p)
{
	print_exposition(p, true);
}

static void prometheus_line(const struct page *p)
{
	print_exposition(p, false);
}

const struct format format_openmetrics = {
	.name = "openmetrics",
	.chosen = true,
	.identified = true,
	.replaced = true,
	.line = openmetrics_line,
};

const struct format format_prometheus = {
	.name = "prometheus",
	.chosen = true,
	.identified = true,
	.replaced = true,
	.line = prometheus_line,
};
