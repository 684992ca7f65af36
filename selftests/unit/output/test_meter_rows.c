// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_meter_rows.c - meters of rcrstat: values of forms compared with exact fractions of
 * form_vectors.py, values of places, and the output.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 4
#include "command/saved_meters.h"
#include "format/format.h"
#include "format/table.h"
#include "interval/interval.h"
#include "interval/view.h"
#include "ksft.h"
#include "meter/meters.h"
#include "stream_maker.h"

/* Read the numbers of a line of vectors. */
struct numbers {
	const char *at;
	bool failed;
};

static long double next_number(struct numbers *n)
{
	long double number;
	char *end;
	bool negative = n->at[strspn(n->at, " ")] == '-';

	number = negative ? (long double)strtoll(n->at, &end, 10) :
			    (long double)strtoull(n->at, &end, 10);

	n->failed |= end == n->at;
	n->at = end;
	return number;
}

static uint64_t next_unsigned(struct numbers *n)
{
	char *end;
	uint64_t number = strtoull(n->at, &end, 10);

	n->failed |= end == n->at;
	n->at = end;
	return number;
}

static void read_side(struct numbers *n, struct rcr_form_side *side, uint8_t *operand)
{
	unsigned int i;

	for (i = 0; i < side->terms; i++) {
		operand[i] = next_unsigned(n);
		side->term[i].kind = next_unsigned(n);
		side->term[i].weight = next_number(n);
	}
}

static struct {
	unsigned int all, undefined, wrong;
} tried;

/* Return whether the value differs from the exact one by no more than rounding and cancellation. */
static bool is_near(double value, long double low, long double high)
{
	long double slack = 1 + fabsl(low) / 1e10L;

	return value >= low - slack && value <= high + slack;
}

static void check_line(const char *line)
{
	long double low, high;
	struct numbers n = { .at = line };
	struct bound_form b = { };
	struct form_lane *lane;
	unsigned int operands, lanes, times, i, k;
	uint64_t tsc_hz, parts;
	bool defined, got, counts = true;
	double value = 0;

	b.form.numerator = next_unsigned(&n);
	b.form.denominator = next_unsigned(&n);
	b.form.per_cpu = next_unsigned(&n);
	b.form.above.reduction = next_unsigned(&n);
	b.form.below.reduction = next_unsigned(&n);
	b.form.above.terms = next_unsigned(&n);
	b.form.below.terms = next_unsigned(&n);
	read_side(&n, &b.form.above, b.above);
	read_side(&n, &b.form.below, b.below);
	tsc_hz = next_unsigned(&n);
	parts = next_unsigned(&n);
	operands = next_unsigned(&n);
	lanes = next_unsigned(&n);
	times = next_unsigned(&n);
	if (operands > OPERANDS)
		return;
	lane = calloc((size_t)lanes * times + 1, sizeof(*lane));
	for (i = 0; i < lanes; i++) {
		for (k = 0; k < operands; k++) {
			lane[i].delta[k] = next_unsigned(&n);
			counts &= lane[i].delta[k] < 1ull << 53;
		}
		for (k = 0; k < operands; k++)
			lane[i].time[k] = next_unsigned(&n);
	}
	for (i = lanes; i < lanes * times; i++)
		lane[i] = lane[i % lanes];
	defined = next_unsigned(&n);
	low = next_number(&n);
	high = next_number(&n);
	if (n.failed)
		ksft_exit_fail_msg("malformed: %s", line);
	/*
	 * Skip intended differences from the module: rates without a clock, which are counts there,
	 * values that saturate in 64 bits, and counts larger than an interval can have.
	 */
	if (counts && tsc_hz && fabsl(low) < 1e17L && fabsl(high) < 1e17L) {
		got = form_compute(&b, lane, lanes * times, tsc_hz, parts, &value);
		tried.all++;
		tried.undefined += !defined;
		if ((got != defined || (got && !is_near(value, low, high))) && !tried.wrong++)
			ksft_print_msg("%.17g (%d) instead of %.20Lg to %.20Lg: %.300s", value, got,
				       low, high, line);
	}
	free(lane);
}

static void test_form_vectors(void)
{
	FILE *f = fopen(VECTORS, "r");
	size_t size = 0;
	char *line = NULL;

	if (!f)
		ksft_exit_fail_msg(VECTORS ": %s\n", strerror(errno));
	while (getline(&line, &size, f) > 0)
		check_line(line);
	free(line);
	fclose(f);
	ksft_test_result(!tried.wrong && tried.all > 10000 && tried.undefined > 500,
			 "forms: values of %u forms, %u of them undefined, are exact (%u differ)\n",
			 tried.all, tried.undefined, tried.wrong);
}

static struct made_set set;
static struct intervals v;
static struct view view;
static struct meters meters;
static char text[65536];

/* Counters 0 and 1 are each CPU's, 2 is shared by all and read by CPU 1, and 3 is a temperature. */
static void begin_meters(void)
{
	static const char *const names[] = { "TOT_CYC", "TOT_INS", "DCT_RD_TOT", "TEMP" };
	unsigned int i;

	set = make_set();
	strcpy(set.set.family, "AMD Fam15h");
	set.set.period_ns = 1000000;
	for (i = 0; i < MAKER_COUNTERS; i++)
		strcpy(set.counter[i].name, names[i]);
	set.counter[0].select = 0x430076;
	set.counter[1].select = 0x4300c0;
	set.counter[2].scope = RCR_SCOPE_DIE;
	set.counter[3].unit = RCR_UNIT_MILLIDEGREE;
	intervals_free(&v);
	intervals_init(&v, &set.set, 1000000000, NULL);
	v.meters = &meters;
	v.keeps_before = true;
	view = (struct view){ };
}

/* Add a sample of a CPU: its counts, and its reading of the shared counter. */
static void add_counts(unsigned int cpu, uint64_t ms, uint64_t cycles, uint64_t instructions,
		       uint64_t reads, enum rcr_status status)
{
	struct made_record r = make_sample(cpu, ms, cycles, instructions);

	r.record.spent = ms * 2000;
	set_total(&r, 2, reads);
	set_total(&r, 3, 40000 + ms);
	set_status(&r, 1, status);
	set_status(&r, 2, cpu == 1 ? RCR_STATUS_OK : RCR_STATUS_ELSEWHERE);
	intervals_add(&v, &r.record.item);
}

/* Add a meter of one counter divided by another, or of one counter. */
static struct meter *add_meter(const char *name, const char *above, const char *below,
			       uint32_t kind, unsigned int digits)
{
	struct meter *m = &meters.meter[meters.count++];

	memset(m, 0, sizeof(*m));
	strcpy(m->name, name);
	strcpy(m->unit, "1");
	m->digits = digits;
	m->bound.form.numerator = pow(10, digits);
	m->bound.form.denominator = 1;
	m->bound.form.above.terms = 1;
	m->bound.form.above.term[0] = (struct rcr_form_term){ .kind = kind, .weight = 1 };
	strcpy(m->bound.form.above.term[0].name, above);
	if (below) {
		m->bound.form.below.terms = 1;
		m->bound.form.below.term[0] = (struct rcr_form_term){ .kind = kind, .weight = 1 };
		strcpy(m->bound.form.below.term[0].name, below);
	}
	return m;
}

static bool value_is(const struct meter *m, enum meter_span span, double expected)
{
	const struct unit whole = units_whole(&v);
	struct meter_value value = meter_compute(m, &v, &whole, span);

	return value.status == RCR_STATUS_OK && fabs(value.value - expected) < expected / 1e9;
}

static bool status_is(const struct meter *m, enum rcr_status status)
{
	const struct unit whole = units_whole(&v);

	return meter_compute(m, &v, &whole, METER_AVERAGE).status == status;
}

static void test_places(void)
{
	struct meter *ipc, *reads, *hot, *spent, *none, *joules;

	begin_meters();
	meters.count = 0;
	ipc = add_meter("ipc", "TOT_INS", "TOT_CYC", RCR_TERM_COUNT, 6);
	reads = add_meter("reads", "DCT_RD_TOT", NULL, RCR_TERM_RATE, 0);
	hot = add_meter("hot", "TEMP", NULL, RCR_TERM_GAUGE, 3);
	hot->bound.form.above.reduction = RCR_REDUCE_MAX;
	spent = add_meter("spent", "", NULL, RCR_TERM_RATE, 0);
	none = add_meter("none", "TOT_INS", "ABSENT", RCR_TERM_COUNT, 0);
	joules = add_meter("joules", "TOT_CYC", NULL, RCR_TERM_COUNT, 3);
	meters_bind(&meters, &set.set);
	add_counts(0, 5000, 0, 0, 0, RCR_STATUS_OK);
	add_counts(1, 5000, 0, 0, 100, RCR_STATUS_OK);
	add_counts(3, 5000, 0, 0, 0, RCR_STATUS_OK);
	add_counts(0, 5900, 900, 450, 0, RCR_STATUS_OK);
	add_counts(1, 5900, 900, 450, 500, RCR_STATUS_OK);
	add_counts(3, 5900, 900, 450, 0, RCR_STATUS_OK);
	add_counts(0, 6000, 1000, 500, 0, RCR_STATUS_OK);
	add_counts(1, 6000, 1000, 700, 1100, RCR_STATUS_OK);
	add_counts(3, 6000, 2000, 800, 0, RCR_STATUS_OK);
	ksft_test_result(value_is(ipc, METER_AVERAGE, 2000 / 4000.0),
			 "places: a ratio is computed from all counts of the interval\n");
	ksft_test_result(value_is(ipc, METER_CURRENT, 650 / 1300.0),
			 "places: the current value is computed from the last two samples\n");
	ksft_test_result(value_is(reads, METER_AVERAGE, 1000) &&
			 value_is(reads, METER_CURRENT, 6000),
			 "places: a shared counter is counted once, by its reader\n");
	ksft_test_result(value_is(hot, METER_AVERAGE, 46000), "places: a gauge is its latest value\n");
	ksft_test_result(value_is(spent, METER_AVERAGE, 3 * 2000000),
			 "places: the cycles of the sampler can be used as a counter\n");
	ksft_test_result(value_is(joules, METER_AVERAGE, 4.0) &&
			 value_is(joules, METER_CURRENT, 13.0),
			 "places: a count is for one sampling period\n");
	ksft_test_result(status_is(none, METER_UNDEFINED) && !strcmp(none->missing, "ABSENT"),
			 "places: a counter that is not in the set has no value\n");
	intervals_next(&v);
	add_counts(0, 6990, 1990, 600, 0, RCR_STATUS_OK);
	add_counts(0, 7000, 2000, 1100, 0, RCR_STATUS_FOREIGN);
	add_counts(1, 7000, 2000, 1100, 1200, RCR_STATUS_OK);
	add_counts(3, 7000, 2000, 1100, 0, RCR_STATUS_OK);
	ksft_test_result(status_is(ipc, RCR_STATUS_FOREIGN) && value_is(reads, METER_AVERAGE, 100),
			 "places: there is no value if a counter of one CPU is not ok\n");
	intervals_next(&v);
	add_counts(0, 8000, 3000, 1100, 0, RCR_STATUS_OK);
	add_counts(3, 8000, 3000, 1100, 0, RCR_STATUS_OK);
	ksft_test_result(status_is(reads, RCR_STATUS_GAP),
			 "places: a shared counter has no value if its reader is silent\n");
}

/* Samples outside of the interval must not change its values. */
static void test_current(void)
{
	struct meter *ipc;
	unsigned int cpu;

	begin_meters();
	meters.count = 0;
	ipc = add_meter("ipc", "TOT_INS", "TOT_CYC", RCR_TERM_COUNT, 6);
	meters_bind(&meters, &set.set);
	for (cpu = 0; cpu < 4; cpu += 1 + (cpu == 1)) {
		add_counts(cpu, 5000, 0, 0, 0, RCR_STATUS_OK);
		add_counts(cpu, 6000, 1000, 1000, 0, RCR_STATUS_OK);
		add_counts(cpu, 6500, 1500, 1750, 0, RCR_STATUS_OK);
		add_counts(cpu, 7000, 2000, 3000, 0, RCR_STATUS_OK);
	}
	ksft_test_result(value_is(ipc, METER_CURRENT, 1),
			 "current: an interval with one sample has a value\n");
	intervals_next(&v);
	ksft_test_result(value_is(ipc, METER_CURRENT, 2.5) && value_is(ipc, METER_AVERAGE, 2),
			 "current: a sample from before the interval is used\n");
}

static bool prints(const char *what)
{
	return strstr(text, what);
}

static void print_with(void (*print)(const struct page *p))
{
	FILE *f = fmemopen(text, sizeof(text), "w");
	const struct page page = { .out = f, .v = &v, .view = &view };

	memset(text, 0, sizeof(text));
	print(&page);
	fclose(f);
}

static void print_csv_names(const struct page *p)
{
	format_csv.set(p);
}

static void print_table_lines(const struct page *p)
{
	const struct table_size size = { .lines = 7, .columns = 80 };

	table_print(p->out, p->v, p->view, NULL, &size);
}

static void test_print(void)
{
	v.chosen = 0;
	print_with(print_csv_names);
	ksft_test_result(!strcmp(text, "time,interval,lost,overruns,status,all:ipc,all:ipc:current\n"
				       "# unit ipc 1\n"), "csv: a meter has its columns\n");
	print_with(format_csv.line);
	ksft_test_result(prints(",1,0,0,ok,2.000000,2.500000\n"), "csv: a meter has its values\n");
	print_with(format_json.line);
	ksft_test_result(prints("\"places\": [], \"meters\": [{\"name\": \"ipc\", \"place\": \"all\"") &&
			 prints("\"status\": \"ok\", \"current\": 2.500000, \"average\": 2.000000}]}\n"),
			 "json: a meter has its values\n");
	add_meter("more", "ABSENT", NULL, RCR_TERM_RATE, 0);
	meters_bind(&meters, &set.set);
	print_with(format_csv.line);
	ksft_test_result(prints(",1,0,0,all:more=undefined,2.000000,2.500000,,\n"),
			 "csv: an unknown value is empty, and in the status\n");
	print_with(format_json.line);
	ksft_test_result(prints("\"status\": \"undefined\", \"current\": null, \"average\": null}"),
			 "json: an unknown value is null\n");
	print_with(print_table_lines);
	ksft_test_result(!strcmp(strchr(text, '\n'), "\n\nMETER  PLACE    CURRENT    AVERAGE  UNIT\n"
				 "ipc    all        2.500      2.000\n"
				 "more   all            -          -\n\n"
				 "more of all has no value: ABSENT is not counted\n"),
			 "table: meters are printed without counters\n");
	v.chosen = 3;
	print_with(print_table_lines);
	ksft_test_result(prints("1 more row of meters not shown") || prints("CPUs are not shown"),
			 "table: rows of meters that do not fit in the window are counted\n");
}

/* Meters of a saved stream identify their counters by name and event. */
static void test_saved_meters(void)
{
	struct meter m = { .name = "ipc" };
	struct why why;

	begin_meters();
	ksft_test_result(!saved_meter_find(&m, &set.set, &why) && m.digits == 6 &&
			 !strcmp(m.bound.form.above.term[0].name, "TOT_INS") &&
			 !strcmp(m.bound.form.below.term[0].name, "TOT_CYC"),
			 "saved: a meter of the family is computed\n");
	set.counter[1].select = 0x4300c2;
	ksft_test_result(saved_meter_find(&m, &set.set, &why) &&
			 strstr(why.text, "lacks the counters"),
			 "saved: a counter with the right name but another event is refused\n");
	strcpy(m.name, "no_such");
	ksft_test_result(saved_meter_find(&m, &set.set, &why) && strstr(why.text, "not known"),
			 "saved: an unknown meter is refused\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(22);
	test_form_vectors();
	test_places();
	test_current();
	test_print();
	test_saved_meters();
	intervals_free(&v);
	ksft_finished();
}
