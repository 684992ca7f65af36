// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_value.c - values of meters at places, checked with a log of all samples: statuses, takeovers
 * of shared counters, hotplug, changes of the set, and long times without a read.
 */
#include "value_judge.h"

#define C RCR_TERM_COUNT
#define R RCR_TERM_RATE
#define G RCR_TERM_GAUGE

static const struct row rows[] = {
	{ "A", 1, 1, false, { }, { 1 }, { { A, C, 1 } } },
	{ "A - 2 B", 1000, 3, false, { }, { 2 }, { { A, C, 1 }, { B, C, -2 } } },
	{ "rate(A)", 1000, 1, false, { }, { 1 }, { { A, R, 1 } } },
	{ "A / B", 1000000, 1, false, { }, { 1, 1 }, { { A, C, 1 }, { B, C, 1 } } },
	{ "rate(NODE)", 64, 1, false, { }, { 1 }, { { NODE, R, 1 } } },
	{ "rate(NODE) / rate(A)", 100000, 1, false, { }, { 1, 1 },
	  { { NODE, R, 1 }, { A, R, 1 } } },
	{ "max(rate(A + B))", 1, 1, false, { RCR_REDUCE_MAX }, { 2 },
	  { { A, R, 1 }, { B, R, 1 } } },
	{ "min(rate(B))", 10, 1, false, { RCR_REDUCE_MIN }, { 1 }, { { B, R, 1 } } },
	{ "max(A / B)", 10000, 1, true, { RCR_REDUCE_MAX }, { 1, 1 },
	  { { A, C, 1 }, { B, C, 1 } } },
	{ "mean(TEMP)", 1, 1, false, { RCR_REDUCE_MEAN }, { 1 }, { { TEMP, G, 1 } } },
	{ "max(PTEMP)", 1, 1, false, { RCR_REDUCE_MAX }, { 1 }, { { PTEMP, G, 1 } } },
	{ "rate(SLOW)", 1, 8, false, { }, { 1 }, { { SLOW, R, 1 } } },
	{ "spent", 1, 1, false, { }, { 1 }, { { SPENT, C, 1 } } },
	{ "rate(spent) / cpus", 1000000, HZ, false, { RCR_REDUCE_MEAN }, { 1 },
	  { { SPENT, R, 1 } } },
	{ "spent / A", 1000000000, 1, false, { }, { 1, 1 }, { { SPENT, C, 1 }, { A, C, 1 } } },
	{ "1 / (A - A)", 1, 1, false, { }, { 1, 2 }, { { B, C, 1 }, { A, C, 1 }, { A, C, -1 } } },
};

#define ROWS ARRAY_SIZE(rows)

/* The machine, its halves, the machine with its CPUs in another order, and each CPU. */
static const struct bench_place places[] = {
	{ 4, { 0, 1, 2, 3 } }, { 2, { 0, 1 } }, { 2, { 2, 3 } }, { 4, { 3, 1, 0, 2 } },
	{ 1, { 0 } }, { 1, { 1 } }, { 1, { 2 } }, { 1, { 3 } },
};

#define PLACES ARRAY_SIZE(places)

static struct machine machine;

/* The module's past of a meter at a place, and the judge's. */
static struct seen {
	struct rcr_past past;
	s64 current_value;
	s64 highest;
	bool has_highest;
	bool begun;
	u64 seen;
	u64 unseen;
	u64 period;
} seen[ROWS][PLACES];

static unsigned int wrong, checked, statuses[16], unseen, peaks, late;

/* Begin a run: an evaluation continues if all of its counters do. */
static void begin_run(struct machine *m, bool first)
{
	unsigned int i;

	begin_bench(m, first);
	for (i = 0; i < ROWS; i++)
		if (!bench.goes_on[i])
			memset(seen[i], 0, sizeof(seen[i]));
}

static void compare(const char *what, unsigned int row, unsigned int place, s64 got, s64 want)
{
	checked++;
	if (got == want)
		return;
	if (++wrong <= 10)
		ksft_print_msg("%s at place %u, tick %llu: %s is %lld, not %lld\n", rows[row].what,
			       place, machine.tick, what, got, want);
}

/* Judge the past of a place: all complete parts since the first evaluation. */
static void judge_past(struct machine *m, unsigned int row, unsigned int place,
		       struct seat *seat, const struct judged *j)
{
	struct seen *s = &seen[row][place];
	unsigned int i, k;
	u64 from, id;
	s64 val;

	/* Values of counts start over if the period has changed. */
	if (is_count_row(&rows[row]) && s->period != m->period)
		*s = (struct seen){ .past = s->past, .current_value = s->current_value };
	s->period = m->period;
	from = s->begun ? s->seen : j->begin_id;
	if (s->begun && min(j->gone, j->complete) > from)
		s->unseen += (min(j->gone, j->complete) - from) * m->part /
			     max(m->part, m->period);
	from = max(from, j->gone);
	for (i = 0; i < places[place].lanes && from != U64_MAX; i++)
		for (k = 0; k < seat[i].marks; k++) {
			id = seat[i].mark[k]->time / m->part;
			if (id <= from || id > j->complete ||
			    !judge_part(m, &rows[row], seat, places[place].lanes, id, &val))
				continue;
			s->highest = s->has_highest ? max(s->highest, val) : val;
			s->has_highest = true;
		}
	if (judge_running(m, &rows[row], seat, places[place].lanes,
			  j->time > m->scale ? j->time - m->scale : 0, j->complete, &val)) {
		s->highest = s->has_highest ? max(s->highest, val) : val;
		s->has_highest = true;
	}
	s->seen = j->complete;
	s->begun = true;
	unseen += s->unseen != 0;
}

static void check_row(struct machine *m, unsigned int row, unsigned int place, struct seat *seat)
{
	struct seen *s = &seen[row][place];
	struct rcr_past fresh = { .current_value = s->current_value };
	struct rcr_board_value v, w;
	struct judged j;

	rcr_value_update(&s->past, &bench.binding[row], &bench.view[place], &bench.workspace,
			 &v);
	judge_value(m, &rows[row], seat, places[place].lanes, &j);
	if (j.has_current)
		s->current_value = j.current_value;
	judge_past(m, row, place, seat, &j);
	compare("time", row, place, v.time, j.time);
	compare("begin", row, place, v.begin, j.begin);
	compare("complete", row, place, bench.view[place].complete, j.complete);
	compare("current", row, place, v.current_value, s->current_value);
	compare("average", row, place, v.average, j.has_average ? j.average : s->current_value);
	if (j.has_average || !(is_count_row(&rows[row]) || is_rate_row(&rows[row])))
		compare("sum", row, place, v.sum, j.has_average ? j.sum : v.average);
	compare("counted", row, place, v.counted_ns, j.counted_ns);
	compare("status", row, place, v.status, j.status);
	compare("current's status", row, place, v.current_status, j.current_status);
	compare("peak", row, place, v.peak, j.has_peak ? j.peak : s->current_value);
	compare("highest", row, place, v.highest, s->highest);
	compare("unseen", row, place, v.unseen, s->unseen);
	/* A reader that starts at this time gets the same values. */
	rcr_value_update(&fresh, &bench.binding[row], &bench.view[place], &bench.workspace,
			 &w);
	w.highest = v.highest;
	w.unseen = v.unseen;
	compare("value of a new reader", row, place, memcmp(&v, &w, sizeof(v)), 0);
	statuses[v.status]++;
	peaks += s->past.end - s->past.first > 1;
}

static void check_places(struct machine *m)
{
	struct seat seat[LANES];
	unsigned int i, k, row;
	u64 anew;

	for (i = 0; i < LANES; i++)
		rcr_history_update(&bench.history[i], time_of_tick(m));
	for (i = 0; i < PLACES; i++) {
		if (chance(3) == 0)
			continue;
		for (k = 0; k < places[i].lanes; k++)
			sit(m, &seat[k], &m->cpu[places[i].lane[k]], places[i].lane[k]);
		anew = bench.view[i].anew;
		rcr_view_update(&bench.view[i]);
		late += bench.view[i].anew != anew;
		for (row = 0; row < ROWS; row++)
			if (bench.live[row] && has_value_at(row, i))
				check_row(m, row, i, seat);
	}
}

static unsigned int random_mask(void)
{
	return (1 + chance((1 << COUNTERS) - 1)) | 1 << A;
}

static u64 random_period(void)
{
	static const u64 periods[] = { 100000, 100003, 140000, 1000000 };

	return periods[chance(ARRAY_SIZE(periods))];
}

/* Run the machine with about @gap ticks between evaluations. */
static void run_machine(u64 period, u64 scale, unsigned int ticks, unsigned int gap,
			unsigned int events, bool sets)
{
	struct machine *m = &machine;
	unsigned int i;

	begin_machine(m, period, scale, (1 << COUNTERS) - 1);
	begin_run(m, true);
	for (m->tick = 1; m->tick < ticks; m->tick++) {
		if (sets && !chance(300)) {
			if (chance(3))
				change_set(m, random_mask());
			else
				change_period(m, random_period());
			begin_run(m, false);
			if (!chance(2))
				check_places(m);
		}
		for (i = 0; i < LANES; i++) {
			tick_cpu(m, i, events);
			/* Check between the samples of a tick, too. */
			if (!chance(gap * 8))
				check_places(m);
		}
		if (!chance(gap))
			check_places(m);
	}
	end_machine(m);
}

static const u64 scales[] = { 1000000, 16000000, 3333333, 300000, 100000, 99999937, 16000 };

/* Divisor of the numbers of ticks; 1 if the program has an argument. */
static unsigned int share = 4;

static void test_all(const char *what, unsigned int ticks, unsigned int gap, unsigned int events,
		     bool sets)
{
	unsigned int i, before = wrong;

	checked = 0;
	for (i = 0; i < ARRAY_SIZE(scales); i++)
		run_machine(100000 + 3 * chance(2), scales[i], ticks / share, gap, events, sets);
	ksft_test_result(wrong == before && checked > 10000,
			 "value: values agree with the log: %s (%u)\n", what, checked);
}

static void test_edges(void)
{
	struct machine *m = &machine;
	unsigned int before = wrong;

	begin_machine(m, 100000, 1600000, (1 << COUNTERS) - 1);
	begin_run(m, true);
	check_places(m);
	m->tick = 1;
	tick_cpu(m, 0, 0);
	check_places(m);
	check_places(m);
	take_sample_at(m, 1, m->base + 100000);
	check_places(m);
	end_machine(m);
	ksft_test_result(wrong == before, "value: a meter needs two samples for a value\n");
}

static void test_coverage(void)
{
	unsigned int i, kinds = 0;

	for (i = 0; i < ARRAY_SIZE(statuses); i++)
		kinds += !!statuses[i];
	ksft_print_msg("ok %u, undefined %u, gap %u, offline %u, elsewhere %u\n",
		       statuses[RCR_STATUS_OK], statuses[0], statuses[RCR_STATUS_GAP],
		       statuses[RCR_STATUS_OFFLINE], statuses[RCR_STATUS_ELSEWHERE]);
	ksft_print_msg("%u marks were too late\n", late);
	ksft_test_result(kinds >= 7 && unseen && peaks && late > 100 / share,
			 "value: the schedules contained every kind of event\n");
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		share = 1;
	ksft_print_header();
	ksft_set_plan(7);
	open_bench(rows, ROWS, places, PLACES);
	test_all("a machine without events", 1500, 4, 0, false);
	test_all("statuses, takeovers, idle CPUs and hotplug", 3000, 6, 60, false);
	test_all("changes of the set and of the period", 3000, 8, 30, true);
	test_all("meters that are rarely read", 8000, 300, 30, true);
	test_all("rare events, read at every tick", 1000, 1, 10, true);
	test_edges();
	test_coverage();
	close_bench();
	free_machine(&machine);
	ksft_finished();
}
