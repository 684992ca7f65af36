// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibrate_measure.c - loads a resource step by step with each kind of operation, and finds its
 * maximum throughput and its knee.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"
#include "clock.h"
#include "file.h"
#include "gauge.h"
#include "load/load.h"
#include "message.h"
#include "meters.h"
#include "smbios.h"
#include "knee/sweep.h"

/*
 * After a change of the load, wait for two ticks, which may have begun under the previous load, and
 * for a fraction of the measuring time: a CPU that is late reports more than one tick.
 */
#define TICKS_BEFORE	2
#define PART_BEFORE	4
#define TICKS_LEAST	3
#define PATIENCE	10		/* ticks that may be missed */
#define PATIENCE_NS	2000000000	/* time to wait for a CPU that is late */

#define LATENCY_METER	"mem_latency"
#define MEMORY_METER	"mem_bw"

static atomic_bool stopped;

/**
 * struct measurement - a calibration in progress
 * @c: command line
 * @period_ns: sampling period
 * @load: source of load
 * @b: the board
 * @throughput: meter of the resource
 * @latency: meter of its latency
 * @has_latency: @latency is used; otherwise the load measures latency
 * @kind: current enum mix
 * @step: current step of the sweep
 * @progress: stderr is a terminal, show progress on it
 * @status: exit status
 */
struct measurement {
	const struct calibrate *c;
	uint64_t period_ns;
	struct load *load;
	struct rcr_blackboard *b;
	struct gauge throughput;
	struct gauge latency;
	bool has_latency;
	unsigned int kind;
	unsigned int step;
	bool progress;
	int status;
};

static void stop_measuring(int number)
{
	(void)number;
	stopped = true;
}

static void show_progress(const struct measurement *m, double load)
{
	if (!m->progress)
		return;
	fprintf(stderr, "\r%s %s: step %u of %u, load %.3f\033[K", m->c->meter,
		calibration_kind_name(m->kind), m->step, SWEEP_ROUNDS * m->c->steps, load);
	fflush(stderr);
}

static void clear_progress(const struct measurement *m)
{
	if (m->progress)
		fputs("\r\033[K", stderr);
}

static int report_read_error(const struct gauge *g)
{
	if (errno == ESTALE)
		return fail("sampling was stopped, or the meter '%s' was removed", g->name);
	return fail("%s: %s", g->name, strerror(errno));
}

/* Reads both gauges; returns the one that failed, with errno, or NULL. */
static const struct gauge *read_gauges(struct measurement *m)
{
	if (gauge_look(&m->throughput))
		return &m->throughput;
	if (m->has_latency && gauge_look(&m->latency))
		return &m->latency;
	return NULL;
}

static bool has_enough(const struct measurement *m)
{
	return m->throughput.count >= TICKS_LEAST &&
	       (!m->has_latency || m->latency.count >= TICKS_LEAST);
}

/* Collects ticks after @from for the measuring time, and longer if there are too few. */
static int collect_ticks(struct measurement *m, uint64_t from)
{
	uint64_t end = from + m->c->time_ns, last = end + PATIENCE * m->period_ns + PATIENCE_NS;
	const struct gauge *bad = NULL;

	gauge_begin(&m->throughput, from);
	gauge_begin(&m->latency, from);
	while (!bad && !stopped && now_ns() < (has_enough(m) ? end : last)) {
		sleep_ns(m->period_ns / 2);
		bad = read_gauges(m);
	}
	clear_progress(m);
	if (bad)
		return report_read_error(bad);
	return stopped ? fail("stopped by a signal: nothing is changed") : EXIT_SUCCESS;
}

static int take_point(struct measurement *m, struct knee_point *point)
{
	bool known = m->has_latency;

	point->throughput = gauge_median(&m->throughput);
	if (known)
		point->latency = gauge_median(&m->latency);
	else
		known = load_latency(m->load, &point->latency);
	if (!m->throughput.count || !known || (m->has_latency && !m->latency.count))
		return fail("%s had no value while the load was %.3f: see 'rcrctl meter show'",
			    m->throughput.count ? "the meter of latency" : m->c->meter,
			    point->load);
	return EXIT_SUCCESS;
}

/* Callback of the sweep: measures one load level. */
static bool measure_level(void *to, double load, struct knee_point *point)
{
	struct measurement *m = to;
	struct why why;
	double ns;

	m->step++;
	show_progress(m, load);
	if (load_set(m->load, m->kind, load, &why)) {
		clear_progress(m);
		m->status = fail("%s", why.text);
		return false;
	}
	sleep_ns(TICKS_BEFORE * m->period_ns + m->c->time_ns / PART_BEFORE);
	load_latency(m->load, &ns);
	point->load = load;
	m->status = collect_ticks(m, now_ns());
	if (!m->status)
		m->status = take_point(m, point);
	return !m->status;
}

static int report_answer(const struct measurement *m, enum knee_answer answer)
{
	static const char *const sentences[] = {
		[KNEE_ABOVE] = "latency never grows faster than throughput: the load does not saturate the resource",
		[KNEE_BELOW] = "latency grows faster than throughput from the lowest load on",
		[KNEE_UNCLEAR] = "the points are not conclusive: use more --steps or a longer --time",
	};

	return fail("%s %s has no knee: %s", m->c->meter, calibration_kind_name(m->kind),
		    sentences[answer]);
}

/* Prints a value with all digits of the meter, and its unit if that is a single word. */
static void write_value(const struct measurement *m, double value,
			char text[QUANTITY_LEN + RCR_METER_UNIT_LEN])
{
	const struct rcr_board_meter *about = &m->throughput.about;
	char number[QUANTITY_LEN];
	uint32_t i;

	for (i = 0; i < about->digits; i++)
		value *= 10;
	quantity_text(number, llround(value), about->digits);
	snprintf(text, QUANTITY_LEN + RCR_METER_UNIT_LEN, "%s%s", number,
		 strpbrk(about->unit, " \t#") ? "" : about->unit);
}

static int keep_result(const struct measurement *m, const struct knee *knee,
		       struct calibration *found)
{
	struct calibrated line = { .kind = m->kind };
	struct why why;

	strcpy(line.meter, m->throughput.about.name);
	write_value(m, knee->peak, line.maximum);
	write_value(m, knee->throughput, line.contention);
	printf("%s %s maximum %s contention %s load %.4f\n", line.meter,
	       calibration_kind_name(m->kind), line.maximum, line.contention, knee->load);
	return calibration_put(found, &line, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}

/* Measures one kind; a kind without a knee sets @lacks and does not end the run. */
static bool measure_kind(struct measurement *m, struct calibration *found, bool *lacks)
{
	static struct sweep sweep;

	m->step = 0;
	sweep = (struct sweep){ .steps = m->c->steps, .measure = measure_level, .to = m };
	if (!sweep_run(&sweep))
		return false;
	if (sweep.answer == KNEE_FOUND)
		m->status = keep_result(m, &sweep.knee, found);
	else
		*lacks = report_answer(m, sweep.answer);
	return !m->status;
}

/* Returns 0 if the firmware table is missing or not readable. RCR_DMI overrides its path. */
static uint64_t machine_memory_bw(void)
{
	const char *path = getenv("RCR_DMI");
	uint64_t bytes;
	struct why why;
	size_t size;
	char *table;

	table = file_read(path && *path ? path : SMBIOS_TABLE, &size, &why);
	bytes = table ? smbios_memory_bw((const uint8_t *)table, size) : 0;
	free(table);
	return bytes;
}

/* Adds the limit that the firmware reports, for the meter of memory bandwidth only. */
static void add_machine(const struct measurement *m, struct calibration *found)
{
	struct calibrated line = { .kind = CALIBRATION_MACHINE };
	uint64_t bytes;
	struct why why;

	if (strcmp(m->throughput.about.name, MEMORY_METER) ||
	    strcmp(m->throughput.about.unit, "B/s"))
		return;
	bytes = machine_memory_bw();
	if (!bytes)
		return;
	strcpy(line.meter, MEMORY_METER);
	write_value(m, bytes, line.maximum);
	printf("%s machine maximum %s\n", line.meter, line.maximum);
	calibration_put(found, &line, &why);
}

static int measure_kinds(struct measurement *m, struct calibration *found)
{
	bool lacks = false;

	for (m->kind = 0; m->kind < MIXES; m->kind++)
		if (m->c->kinds & 1u << m->kind && !measure_kind(m, found, &lacks))
			return m->status;
	if (found->count)
		add_machine(m, found);
	return lacks ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Opens the given latency meter, or else that of memory; without one, the load measures latency. */
static int find_latency(struct measurement *m)
{
	struct rcr_meter meter;

	m->has_latency = m->c->latency ||
			 (!strcmp(m->c->meter, MEMORY_METER) &&
			  !rcr_board_find(m->b, LATENCY_METER, RCR_PLACE_MACHINE, 0, &meter));
	if (m->has_latency)
		return gauge_open(&m->latency, m->b,
				  m->c->latency ? m->c->latency : LATENCY_METER, m->period_ns);
	if (!m->c->command)
		return EXIT_SUCCESS;
	return fail("no meter of the latency of an operation: choose one with --latency, such as %s",
		    LATENCY_METER);
}

/* Sets the current maximum again, to report missing privileges before measuring. */
static int check_right(struct session *s, const char *name)
{
	static struct rcr_meters meters;
	const struct rcr_meter_state *m = meters_find(s, &meters, name);
	struct rcr_meter_limits same = { .kind = RCR_PLACE_MACHINE, .has_maximum = true };

	if (!m)
		return EXIT_FAILURE;
	same.maximum = m->maximum;
	return done(s, rcr_control_meter_maximum(s->control, s->generation, m->name, &same));
}

static int prepare_measurement(struct measurement *m, struct session *s)
{
	struct why why;
	int status = check_right(s, m->c->meter);

	if (!status)
		status = session_look(s);
	if (status)
		return status;
	m->period_ns = s->state.period_ns;
	m->b = board_open();
	if (!m->b)
		return EXIT_FAILURE;
	status = gauge_open(&m->throughput, m->b, m->c->meter, m->period_ns);
	if (!status)
		status = find_latency(m);
	if (status)
		return status;
	m->load = load_open(m->c->command, 0, &why);
	return m->load ? EXIT_SUCCESS : fail("%s", why.text);
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

int calibrate_measure(struct session *s, const struct calibrate *c, struct calibration *found)
{
	struct measurement m = { .c = c, .progress = isatty(STDERR_FILENO) };
	struct sigaction action = { .sa_handler = stop_measuring }, before[SIGNALS];
	size_t i;
	int status;

	stopped = false;
	for (i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &before[i]);
	status = prepare_measurement(&m, s);
	if (!status)
		status = measure_kinds(&m, found);
	if (m.status)
		found->count = 0;
	load_close(m.load);
	rcr_board_close(m.b);
	for (i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
	return status;
}
