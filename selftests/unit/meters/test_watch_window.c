// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_watch_window.c - values over the window of a watch, evaluated at random times and checked
 * with a log of all samples.
 */
#include "value_judge.h"
#include "watch/window.h"

#define C RCR_TERM_COUNT
#define R RCR_TERM_RATE
#define G RCR_TERM_GAUGE

static const struct row rows[] = {
	{ "A - 2 B", 1000, 3, false, { }, { 2 }, { { A, C, 1 }, { B, C, -2 } } },
	{ "rate(A)", 1000, 1, false, { }, { 1 }, { { A, R, 1 } } },
	{ "A / B", 1000000, 1, false, { }, { 1, 1 }, { { A, C, 1 }, { B, C, 1 } } },
	{ "rate(NODE)", 64, 1, false, { }, { 1 }, { { NODE, R, 1 } } },
	{ "rate(NODE) / rate(A)", 100000, 1, false, { }, { 1, 1 },
	  { { NODE, R, 1 }, { A, R, 1 } } },
	{ "max(A / B)", 10000, 1, true, { RCR_REDUCE_MAX }, { 1, 1 },
	  { { A, C, 1 }, { B, C, 1 } } },
	{ "mean(TEMP)", 1, 1, false, { RCR_REDUCE_MEAN }, { 1 }, { { TEMP, G, 1 } } },
	{ "max(PTEMP)", 1, 1, false, { RCR_REDUCE_MAX }, { 1 }, { { PTEMP, G, 1 } } },
	{ "rate(SLOW)", 1, 8, false, { }, { 1 }, { { SLOW, R, 1 } } },
	{ "spent", 1, 1, false, { }, { 1 }, { { SPENT, C, 1 } } },
	{ "B / (A - A)", 1, 1, false, { }, { 1, 2 }, { { B, C, 1 }, { A, C, 1 }, { A, C, -1 } } },
};

static const struct bench_place places[] = { { 4, { 3, 1, 0, 2 } }, { 2, { 2, 3 } }, { 1, { 1 } } };

#define ROWS ARRAY_SIZE(rows)
#define PLACES ARRAY_SIZE(places)

/* State at an evaluation: newest sample of each CPU, and newest time at each place. */
struct moment {
	const struct raw *last[LANES];
	u64 time[PLACES];
};

static struct machine machine;
static struct rcr_window windows[ROWS][PLACES];
static struct moment moments[RCR_WINDOW_QUARTERS + 1];
static u64 evaluations;			/* in this run */
static unsigned int wrong, checked, statuses[16];

static void begin_run(struct machine *m)
{
	unsigned int i, row;

	begin_bench(m, true);
	evaluations = 0;
	for (row = 0; row < ROWS; row++)
		for (i = 0; i < PLACES; i++) {
			rcr_window_free(&windows[row][i]);
			if (bench.live[row] &&
			    rcr_window_init(&windows[row][i], &bench.binding[row], &bench.view[i]))
				ksft_exit_fail_msg("no memory\n");
		}
}

static struct moment *moment_before(unsigned int n)
{
	return &moments[(evaluations - n) % ARRAY_SIZE(moments)];
}

static void note_moment(const struct machine *m)
{
	struct moment *at = moment_before(0);
	unsigned int i, k;
	struct seat seat;

	for (i = 0; i < LANES; i++) {
		sit(m, &seat, &m->cpu[i], i);
		at->last[i] = seat.last;
	}
	for (i = 0; i < PLACES; i++)
		for (at->time[i] = 0, k = 0; k < places[i].lanes; k++)
			if (at->last[places[i].lane[k]])
				at->time[i] = max(at->time[i], at->last[places[i].lane[k]]->time);
}

/*
 * Count the CPUs with a sample in the window; CPUs that share a counter count as one.
 */
static unsigned int judge_expected(unsigned int place, unsigned int u, u64 begin)
{
	bool is_there[LANES] = { };
	unsigned int i, n = 0;

	for (i = 0; i < places[place].lanes; i++) {
		unsigned int lane = places[place].lane[i];
		const struct raw *last = moment_before(0)->last[lane];
		unsigned int group = u == NODE ? lane / 2 : u == PTEMP ? 0 : lane;

		if (last && last->time > begin && !is_there[group]) {
			is_there[group] = true;
			n++;
		}
	}
	return n;
}

/*
 * In a sum, each CPU with a sample in the window (or whose pair has one) must have been counted
 * for at least half of the window.
 */
static bool judge_each(const struct row *r, unsigned int place, const struct sum *s, u64 begin,
		       u64 end)
{
	unsigned int t, i, k, n = places[place].lanes;

	if (n == 1 || r->terms[1] || r->reduction[0] || (!is_count_row(r) && !is_rate_row(r)))
		return true;
	for (t = 0; t < r->terms[0]; t++)
		for (i = 0; i < n && r->term[t].u != SLOW; i++) {
			unsigned int lane = places[place].lane[i], u = r->term[t].u;
			const struct raw *last = moment_before(0)->last[lane];
			__uint128_t time = 0;

			for (k = 0; k < n; k++)
				if (k == i ||
				    (u == NODE && places[place].lane[k] / 2 == lane / 2))
					time += s[k].time[u];
			if (last && last->time > begin &&
			    2 * (time * 1000000000 / HZ) < end - begin)
				return false;
		}
	return true;
}

static bool judge_enough(const struct row *r, unsigned int place, const struct sum *s, u64 begin,
			 u64 end)
{
	unsigned int t, i;

	for (t = 0; t < (unsigned int)r->terms[0] + r->terms[1]; t++) {
		unsigned int u = r->term[t].u, expected = judge_expected(place, u, begin);
		__uint128_t time = 0;

		for (i = 0; i < places[place].lanes; i++)
			time += s[i].time[u];
		if (!time || !expected)
			return false;
		if (u != SPENT && is_gauge(u) ? 2 * time < expected * RCR_WINDOW_QUARTERS :
		    2 * time * 1000000000 / HZ < (__uint128_t)(end - begin) * expected)
			return false;
	}
	return judge_each(r, place, s, begin, end);
}

static u32 judge_watch(const struct machine *m, unsigned int row, unsigned int place, s64 *val)
{
	struct sum s[LANES] = { };
	struct seat seat[LANES];
	u64 begin, end;
	unsigned int i, q;

	if (evaluations < RCR_WINDOW_QUARTERS)
		return RCR_STATUS_GAP;
	begin = moment_before(RCR_WINDOW_QUARTERS)->time[place];
	end = moment_before(0)->time[place];
	if (end <= begin)
		return RCR_STATUS_GAP;
	for (i = 0; i < places[place].lanes; i++) {
		seat[i].lane = places[place].lane[i];
		for (q = RCR_WINDOW_QUARTERS; q--;) {
			const struct raw *a = moment_before(q + 1)->last[seat[i].lane];
			const struct raw *b = moment_before(q)->last[seat[i].lane];

			if (b && a != b)
				add_interval(m, &rows[row], &s[i], a, b);
		}
	}
	if (!judge_enough(&rows[row], place, s, begin, end))
		return RCR_STATUS_GAP;
	return judge_interval(m, &rows[row], seat, places[place].lanes, s, end - begin, val) ?
	       RCR_STATUS_OK : 0;
}

static void check_window(struct machine *m, unsigned int row, unsigned int place)
{
	s64 val = 0, want = 0;
	u32 status, wanted;

	rcr_window_add(&windows[row][place], &bench.binding[row], &bench.view[place]);
	status = rcr_window_value(&windows[row][place], &bench.binding[row], &bench.view[place],
				  &bench.workspace, &val);
	wanted = judge_watch(m, row, place, &want);
	checked++;
	statuses[status]++;
	if (status == wanted && (status != RCR_STATUS_OK || val == want))
		return;
	if (++wrong <= 10)
		ksft_print_msg("%s at place %u, tick %llu: %u %lld, not %u %lld\n",
			       rows[row].what, place, m->tick, status, val, wanted, want);
}

static void evaluate(struct machine *m)
{
	unsigned int i, row;

	for (i = 0; i < LANES; i++)
		rcr_history_update(&bench.history[i], time_of_tick(m));
	note_moment(m);
	for (i = 0; i < PLACES; i++) {
		rcr_view_update(&bench.view[i]);
		for (row = 0; row < ROWS; row++)
			if (bench.live[row] && has_value_at(row, i))
				check_window(m, row, i);
	}
	evaluations++;
}

static void run_machine(unsigned int ticks, unsigned int gap, unsigned int events, bool sets)
{
	struct machine *m = &machine;
	unsigned int i;

	begin_machine(m, 100000 + 3 * chance(2), 1600000, (1 << COUNTERS) - 1);
	begin_run(m);
	for (m->tick = 1; m->tick < ticks; m->tick++) {
		if (sets && !chance(400)) {
			change_set(m, 1 + chance((1 << COUNTERS) - 1));
			begin_run(m);
		}
		for (i = 0; i < LANES; i++) {
			tick_cpu(m, i, events);
			if (!chance(gap * 8))
				evaluate(m);
		}
		if (!chance(gap))
			evaluate(m);
	}
	end_machine(m);
}

static void test_windows(const char *what, unsigned int ticks, unsigned int gap,
			 unsigned int events, bool sets)
{
	unsigned int before = wrong;

	checked = 0;
	run_machine(ticks, gap, events, sets);
	ksft_test_result(wrong == before && checked > 10000,
			 "watch window: values agree with the log: %s (%u)\n", what,
			 checked);
}

int main(void)
{
	unsigned int i, row;

	ksft_print_header();
	ksft_set_plan(5);
	open_bench(rows, ROWS, places, PLACES);
	test_windows("a machine without events", 8000, 4, 0, false);
	test_windows("statuses, takeovers, idle CPUs and hotplug", 12000, 6, 60, false);
	test_windows("changes of the set", 12000, 5, 30, true);
	test_windows("evaluated at every sample", 4000, 1, 20, true);
	ksft_test_result(statuses[RCR_STATUS_OK] > 10000 && statuses[RCR_STATUS_GAP] > 1000 &&
			 statuses[0] > 100,
			 "watch window: the schedules contained every kind of event\n");
	for (row = 0; row < ROWS; row++)
		for (i = 0; i < PLACES; i++)
			rcr_window_free(&windows[row][i]);
	close_bench();
	free_machine(&machine);
	ksft_finished();
}
