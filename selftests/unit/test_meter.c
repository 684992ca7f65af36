// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_meter.c - what meters read, against section 4 of <linux/rcrboard.h> done the
 * long way: every tick of every CPU in a table, and sums over it.
 */
#include <time.h>

#include "meter_bench.h"
#include "ksft.h"

/* What a formula is made of: of each CPU that counted, by counter. */
struct got {
	unsigned int lanes;
	long double d[LANES][COUNTERS];
	long double t[LANES][COUNTERS];
};

static long double count(const struct got *g, unsigned int k)
{
	long double sum = NAN;
	unsigned int i;

	for (i = 0; i < g->lanes; i++)
		if (g->t[i][k] > 0)
			sum = (isnan(sum) ? 0 : sum) + g->d[i][k];
	return sum;
}

static long double rate(const struct got *g, unsigned int k)
{
	long double sum = NAN;
	unsigned int i;

	for (i = 0; i < g->lanes; i++)
		if (g->t[i][k] > 0)
			sum = (isnan(sum) ? 0 : sum) + g->d[i][k] / g->t[i][k] * TSC_HZ;
	return sum;
}

static long double gauge(const struct got *g, unsigned int k)
{
	long double values = 0;
	unsigned int i;

	for (i = 0; i < g->lanes; i++)
		values += g->t[i][k];
	return values ? count(g, k) / values : NAN;
}

static long double f_count(const struct got *g) { return count(g, A); }
static long double f_counts(const struct got *g) { return count(g, A) - 2 * count(g, B); }
static long double f_rate(const struct got *g) { return rate(g, A); }
static long double f_rates(const struct got *g) { return 64 * (rate(g, A) + rate(g, B)); }
static long double f_ratio(const struct got *g) { return count(g, A) / count(g, B); }
static long double f_clock(const struct got *g) { return TSC_HZ * count(g, A) / count(g, B); }
static long double f_share(const struct got *g) { return rate(g, A) / TSC_HZ; }
static long double f_node(const struct got *g) { return rate(g, NODE); }
static long double f_mixed(const struct got *g) { return rate(g, NODE) / rate(g, A); }
static long double f_slow(const struct got *g) { return rate(g, SLOW) / 8; }
static long double f_gauge(const struct got *g) { return gauge(g, TEMP) / 1000; }

static long double f_most(const struct got *g)
{
	long double most = NAN, one;
	unsigned int i;

	for (i = 0; i < g->lanes; i++) {
		if (!(g->t[i][A] > 0))
			continue;
		one = g->d[i][A] / g->d[i][B];
		if (!isfinite(one))	/* it has none */
			continue;
		if (isnan(most) || one > most)
			most = one;
	}
	return most;
}

/* What stands in for a sum: see section 4. */
enum kind { COUNT, RATE, NEITHER };

static const struct row {
	const char *formula;
	long double (*value)(const struct got *g);
	enum kind kind;
	unsigned int digits;
	unsigned int uses;
} rows[] = {
	{ "A", f_count, COUNT, 3, 1 << A },
	{ "A - 2 x B", f_counts, COUNT, 0, 1 << A | 1 << B },
	{ "rate(A)", f_rate, RATE, 3, 1 << A },
	{ "rate(A + B) x 64", f_rates, RATE, 0, 1 << A | 1 << B },
	{ "A / B", f_ratio, NEITHER, 9, 1 << A | 1 << B },
	{ "tsc_hz x A / B", f_clock, NEITHER, 3, 1 << A | 1 << B },
	{ "rate(A) / tsc_hz", f_share, NEITHER, 9, 1 << A },
	{ "max(A / B)", f_most, NEITHER, 6, 1 << A | 1 << B },
	{ "rate(NODE)", f_node, RATE, 3, 1 << NODE },
	{ "rate(NODE) / rate(A)", f_mixed, NEITHER, 6, 1 << NODE | 1 << A },
	{ "rate(SLOW) / 8", f_slow, RATE, 3, 1 << SLOW },
	{ "TEMP / 1000", f_gauge, NEITHER, 3, 1 << TEMP },
};

/* The machine, both halves of it, every CPU, CPUs that are far apart, three of four. */
static u16 lane_list[] = { 0, 1, 2, 3 };
static u16 core_list[] = { 0, 2, 3, 1 };
static const struct rcr_group groups[] = {
	{ RCR_PLACE_MACHINE, 0, 0, 4, lane_list }, { RCR_PLACE_DIE, 0, 0, 2, lane_list },
	{ RCR_PLACE_DIE, 1, 0, 2, lane_list + 2 }, { RCR_PLACE_CPU, 0, 0, 1, lane_list },
	{ RCR_PLACE_CPU, 1, 0, 1, lane_list + 1 }, { RCR_PLACE_CPU, 2, 0, 1, lane_list + 2 },
	{ RCR_PLACE_CPU, 3, 0, 1, lane_list + 3 }, { RCR_PLACE_CORE, 0, 0, 2, core_list },
	{ RCR_PLACE_CORE, 1, 0, 2, core_list + 2 }, { RCR_PLACE_NODE, 0, 0, 3, lane_list + 1 },
};

#define PLACES ARRAY_SIZE(groups)

/*
 * What samples say of a tick of a CPU, by counter: its share, for how long, and
 * what has been told last of what is read seldom.
 */
struct cell {
	double d[COUNTERS], t[COUNTERS];
	double told, told_t;
	u8 good, elsewhere;	/* masks of counters */
	u8 status[COUNTERS];
};

static struct cell *cells[LANES];
static u8 *in_tick;			/* which CPUs were in time, by tick */
static unsigned int *late[LANES];	/* tick with which a late tick was accounted */
static double *currents[PLACES];	/* by tick */
static struct rcr_meter meter;
static struct rcr_scratch scratch;
static unsigned int since;		/* the tick behind which the meter begins */
static u64 seed;
static unsigned int wrong;

/* No tick is accounted later than that. */
#define LATEST	400u

static u32 chance(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

/* A step as its samples say, in equal shares. */
static void fill_step(const struct bench *b, unsigned int lane, unsigned int from,
		      unsigned int to, const u64 *delta, u64 cycles, u64 slow_cycles)
{
	const struct truth *was = &b->truth[lane][from], *is = &b->truth[lane][to];
	unsigned int t, k, n = to - from;

	for (t = from + 1; t <= to; t++) {
		struct cell *c = &cells[lane][t];

		for (k = 0; k < COUNTERS; k++) {
			bool good = is->status[k] == RCR_STATUS_OK &&
				    (k == TEMP || was->status[k] == RCR_STATUS_OK);

			c->status[k] = is->status[k];
			if (is->status[k] == RCR_STATUS_OK && !good)
				c->status[k] = RCR_STATUS_GAP;
			if (is->status[k] == RCR_STATUS_ELSEWHERE)
				c->elsewhere |= 1 << k;
			if (!good)
				continue;
			c->good |= 1 << k;
			c->d[k] = k == TEMP ? is->count[k] : (double)delta[k] / n;
			c->t[k] = k == TEMP ? 1 : k == SLOW ? (double)slow_cycles / n :
				  (double)cycles / n;
		}
		c->told = delta[SLOW];
		c->told_t = c->good & 1 << SLOW ? slow_cycles : 0;
	}
}

/* What was counted up to tick @t and seen by the reading of what is slow before it. */
static unsigned int slow_tick(unsigned int t)
{
	return t ? (t - 1) / SLOW_TICKS * SLOW_TICKS : 0;
}

static void fill_lane(const struct bench *b, unsigned int lane)
{
	const struct truth *truth = b->truth[lane];
	unsigned int t, from = 1, i, k;

	for (t = 2; t <= b->ticks; t++) {
		u64 delta[COUNTERS] = { }, cycles = 0, slow_cycles = 0;

		if (!truth[t].sampled)
			continue;
		if (b->restart && from < b->restart && t >= b->restart) {
			from = t;
			continue;
		}
		for (i = from + 1; i <= t; i++) {
			for (k = 0; k < SLOW; k++)
				delta[k] += truth[i].count[k];
			cycles += truth[i].cycles;
		}
		for (i = slow_tick(from) + 1; i <= slow_tick(t); i++) {
			delta[SLOW] += truth[i].count[SLOW];
			slow_cycles += truth[i].cycles;
		}
		fill_step(b, lane, from, t, delta, cycles, slow_cycles);
		from = t;
	}
}

static bool has_part(unsigned int lane, unsigned int t, unsigned int uses)
{
	const struct cell *c = &cells[lane][t];

	return !(uses & ~(c->good | c->elsewhere)) && (uses & c->good);
}

static void add(struct got *g, const struct cell *c, unsigned int uses)
{
	unsigned int k;

	for (k = 0; k < COUNTERS; k++) {
		if (!(uses & 1 << k))
			continue;
		g->d[g->lanes][k] += c->d[k];
		g->t[g->lanes][k] += c->t[k];
	}
}

/* What a CPU told last of what is read seldom, in a tick that it has a part in. */
static void tell_slow(struct got *g, unsigned int lane, unsigned int t, unsigned int uses)
{
	for (; t > since && !(has_part(lane, t, uses) && in_tick[t] & 1 << lane &&
			      cells[lane][t].told_t > 0); t--)
		;
	g->d[g->lanes][SLOW] = t > since ? cells[lane][t].told : 0;
	g->t[g->lanes][SLOW] = t > since ? cells[lane][t].told_t : 0;
}

/* The latest tick, by those who were in time. */
static struct got get_tick(const struct rcr_group *p, unsigned int t, unsigned int uses)
{
	struct got g = { };
	unsigned int i;

	for (i = 0; i < p->lanes; i++) {
		unsigned int lane = p->lane[i];

		if (!(in_tick[t] & 1 << lane) || !has_part(lane, t, uses))
			continue;
		add(&g, &cells[lane][t], uses);
		if (uses & 1 << SLOW)
			tell_slow(&g, lane, t, uses);
		g.lanes++;
	}
	return g;
}

/* Ticks behind @begin up to @end; a late one is in the span in which it was told. */
static struct got get_span(const struct rcr_group *p, unsigned int begin, unsigned int end,
			   unsigned int uses)
{
	unsigned int i, t, first = max(since, begin - min(begin, LATEST)) + 1;
	struct got g = { };

	for (i = 0; i < p->lanes; i++) {
		unsigned int lane = p->lane[i];
		bool any = false;

		for (t = first; t <= end; t++) {
			unsigned int at = late[lane][t] ?: t;

			if (at <= begin || at > end || !has_part(lane, t, uses))
				continue;
			if (!late[lane][t] && !(in_tick[t] & 1 << lane))
				continue;
			add(&g, &cells[lane][t], uses);
			any = true;
		}
		g.lanes += any;
	}
	return g;
}

/* @val is @want in 10^-digits, but for one unit, a part in 10^12, and @slack. */
static bool is_near(s64 val, long double want, unsigned int digits, long double slack)
{
	long double ten = powl(10, digits);

	return fabsl(val - want * ten) <= 1 + fabsl(want * ten) * 1e-12L + slack * ten;
}

static void complain(const char *what, const struct row *r, unsigned int place, unsigned int t,
		     s64 val, long double want)
{
	if (++wrong > 8)
		return;
	ksft_print_msg("%s, place %u, tick %u: %s is %lld, not %.3Lf\n", r->formula, place, t,
		       what, val, want * powl(10, r->digits));
}

static void compare(const char *what, const struct row *r, unsigned int place, unsigned int t,
		    s64 val, long double want, long double slack)
{
	if (!is_near(val, want, r->digits, slack))
		complain(what, r, place, t, val, want);
}

/* The tick at a time that a meter told. */
static unsigned int tick_at(const struct bench *b, u64 time)
{
	unsigned int low = 0, high = b->ticks;

	while (low < high) {
		unsigned int middle = (low + high + 1) / 2;

		if (b->time[middle] <= time)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static long double highest(unsigned int place, unsigned int begin, unsigned int end)
{
	long double most = NAN;
	unsigned int t;

	for (t = begin + 1; t <= end; t++)
		if (!isnan(currents[place][t]) && !(most >= currents[place][t]))
			most = currents[place][t];
	return most;
}

/* The tick that is accounted last. */
static unsigned int latest(const struct bench *b)
{
	return b->offset + b->span.to;
}

/* Is some of the span from before the second run? */
static bool is_over_restart(const struct bench *b, unsigned int begin)
{
	return b->offset && begin < b->restart;
}

/* The span is of ticks, and as long as it has to be: section 4. */
static void check_span(const struct bench *b, const struct row *r, const struct rcr_board_value *v,
		       unsigned int begin, u64 scale)
{
	unsigned int end = latest(b);
	u64 span = (end - begin) * b->span.period, may_lack = max(scale / 16, b->span.period);

	scale = max(scale, b->span.period);
	if (is_over_restart(b, begin))
		span = b->time[end] - b->time[begin];
	if (b->offset && b->time[end] - b->time[b->restart] < scale)
		may_lack += b->period_before + b->time[b->restart] - b->time[b->restart - 1];
	if (v->begin != b->time[begin] || v->time != b->time[end] || span > scale ||
	    (begin != since && span + may_lack < scale))
		complain("span", r, 0, end, span, scale);
}

/*
 * Of what is read seldom a late sample's shares are those of all the ticks since the
 * last reading: whole counts and cycles, at both ends of a span.
 */
static long double rounding(const struct row *r, const struct got *g)
{
	long double t = g->t[0][SLOW];

	return r->uses & 1 << SLOW && t > 0 ? (2 + 2 * g->d[0][SLOW] / t) / t * TSC_HZ : 0;
}

/* A rate of what was counted in a second is the count. */
static void forget_time(struct got *g)
{
	unsigned int i, k;

	for (i = 0; i < LANES; i++)
		for (k = 0; k < COUNTERS; k++)
			g->t[i][k] = g->t[i][k] > 0 ? TSC_HZ : 0;
}

static void check_window(const struct bench *b, const struct row *r, unsigned int place,
			 const struct rcr_board_value *v)
{
	unsigned int begin = tick_at(b, v->begin), end = latest(b);
	struct got g = get_span(&groups[place], begin, end, r->uses);
	long double average = r->value(&g), sum = average, peak = highest(place, begin, end);
	long double slack = rounding(r, &g), ticks = end - begin;

	if (is_over_restart(b, begin))
		ticks = (long double)(b->time[end] - b->time[begin]) / b->period;
	if (r->kind == RATE) {
		forget_time(&g);
		sum = r->value(&g);
	} else if (r->kind == COUNT) {
		average /= ticks;
		if (is_over_restart(b, begin))	/* a tick of which there is a part */
			slack = fabsl(average) / (ticks - 1);
	}
	if (!isnan(average)) {
		compare("average", r, place, end, v->average, average, slack);
		compare("sum", r, place, end, v->sum, sum, r->uses & 1 << SLOW ? 2 : 0);
	}
	if (!isnan(peak))
		compare("peak", r, place, end, v->peak, peak, 0);
}

/* What is wrong with a CPU's tick: a mask of statuses. */
static unsigned int wrong_with(unsigned int lane, unsigned int t, unsigned int uses)
{
	unsigned int k, mask = 0;

	if (!(in_tick[t] & 1 << lane))
		return BIT(RCR_STATUS_OFFLINE);
	for (k = 0; k < COUNTERS; k++)
		if (uses & 1 << k)
			mask |= BIT(cells[lane][t].status[k]);
	mask &= ~BIT(RCR_STATUS_OK);
	return mask == BIT(RCR_STATUS_ELSEWHERE) ? mask : mask & ~BIT(RCR_STATUS_ELSEWHERE);
}

/* The status of a place in a tick: what is wrong, of that the worst; or that it has no value. */
static bool status_is_right(const struct row *r, unsigned int place, unsigned int t, u32 status)
{
	const struct rcr_group *p = &groups[place];
	unsigned int i, mask = 0;

	if (!isnan(currents[place][t]))
		return status == RCR_STATUS_OK;
	for (i = 0; i < p->lanes; i++) {
		if (has_part(p->lane[i], t, r->uses) && in_tick[t] & 1 << p->lane[i])
			return !status;
		mask |= wrong_with(p->lane[i], t, r->uses);
	}
	if (mask & ~BIT(RCR_STATUS_ELSEWHERE))
		mask &= ~BIT(RCR_STATUS_ELSEWHERE);
	if (mask & ~BIT(RCR_STATUS_OFFLINE))
		mask &= ~BIT(RCR_STATUS_OFFLINE);
	return status && status < 32 && mask & BIT(status);
}

static void check_place(const struct bench *b, const struct row *r, unsigned int place,
			u64 scale, bool whole)
{
	struct rcr_board_value v;
	unsigned int end = latest(b);
	long double now = currents[place][end], most;

	rcr_evaluate_values(&meter, &meter.instance[place], &b->span, &scratch, &v);
	if (!status_is_right(r, place, end, v.status))
		complain("status", r, place, end, v.status, now);
	if (!isnan(now))
		compare("current", r, place, end, v.current_value, now, 0);
	if (!whole || !meter.instance[place].valued)
		return;
	most = highest(place, since, end);
	compare("highest", r, place, end, v.highest, most, 0);
	check_span(b, r, &v, tick_at(b, v.begin), scale);
	check_window(b, r, place, &v);
}

static int find_counter(void *context, const char *name, bool *gauge)
{
	static const char *const names[COUNTERS] = { "A", "B", "NODE", "SLOW", "TEMP" };
	unsigned int i;

	(void)context;
	*gauge = !strcmp(name, "TEMP");
	for (i = 0; i < COUNTERS; i++)
		if (!strcmp(names[i], name))
			return i;
	return -ENOENT;
}

static const char *no_meter(void *context, const char *name)
{
	(void)context;
	(void)name;
	return NULL;
}

static void begin_meter(const struct bench *b, const struct row *r, u64 scale)
{
	const struct rcr_formula_names names = { .counter = find_counter, .meter = no_meter };
	static struct rcr_instance instances[PLACES];
	static u8 lane_status[LANES];
	struct rcr_failure failure = { };
	unsigned int i, part;

	memset(&meter, 0, sizeof(meter));
	if (rcr_formula_parse(&meter.formula, r->formula, &names, &failure))
		ksft_exit_fail_msg("%s: %s\n", r->formula, failure.reason);
	for (i = 0; i < meter.formula.operands; i++)
		meter.uses |= BIT_ULL(meter.formula.operand[i].counter);
	meter.spec.digits = r->digits;
	meter.lane_status = lane_status;
	meter.instance = instances;
	meter.instances = PLACES;
	for (i = 0; i < PLACES; i++) {
		instances[i] = (struct rcr_instance){ .group = &groups[i], .status = RCR_STATUS_GAP };
		for (part = 0; part < RCR_WINDOW_MARKS; part++)
			instances[i].peak[part] = S64_MIN;
	}
	rcr_window_init(&meter.window, LANES, meter.formula.operands);
	rcr_window_set_scale(&meter.window, scale, b->period_before);
	rcr_evaluate_begin(&meter, since, b->time[since], b->period_before);
}

/* The ticks are over: who was in time, who came late, what the ticks read. */
static void note_span(const struct bench *b, const struct row *r)
{
	unsigned int lane, t, place, from = b->offset + b->span.from;

	for (lane = 0; lane < LANES; lane++) {
		if (!b->present[lane])
			continue;
		for (t = b->offset + b->feed[lane].accounted + 1; t < from; t++)
			late[lane][t] = from;
		for (t = from; t <= latest(b); t++)
			in_tick[t] |= 1 << lane;
	}
	for (place = 0; place < PLACES; place++)
		for (t = from; t <= latest(b); t++) {
			struct got g = get_tick(&groups[place], t, r->uses);

			currents[place][t] = g.lanes ? (double)r->value(&g) : NAN;
			if (isinf(currents[place][t]))
				currents[place][t] = NAN;
		}
}

static void make_tables(const struct bench *b)
{
	unsigned int i, t;

	in_tick = calloc(b->ticks + 1, sizeof(*in_tick));
	for (i = 0; i < LANES; i++) {
		cells[i] = calloc(b->ticks + 1, sizeof(*cells[i]));
		late[i] = calloc(b->ticks + 1, sizeof(*late[i]));
		fill_lane(b, i);
	}
	for (i = 0; i < PLACES; i++) {
		currents[i] = calloc(b->ticks + 1, sizeof(*currents[i]));
		for (t = 0; t <= b->ticks; t++)
			currents[i][t] = NAN;
	}
}

static void drop_tables(void)
{
	unsigned int i;

	free(in_tick);
	for (i = 0; i < LANES; i++) {
		free(cells[i]);
		free(late[i]);
	}
	for (i = 0; i < PLACES; i++)
		free(currents[i]);
}

/*
 * Follows a machine with one meter, which is made behind tick @after (0: with the
 * first tick). The windows are looked at in one of @seldom ticks, and what the
 * latest tick reads in all of them or then, too.
 */
struct follower {
	struct bench *b;
	const struct row *row;
	u64 scale;
	unsigned int after;
	unsigned int seldom;
	bool only_windows;
	bool begun;
};

/* The ticks of b->span, at every place. */
static void follow_span(struct follower *f)
{
	struct bench *b = f->b;
	bool whole = !chance(f->seldom) || latest(b) == b->ticks;
	unsigned int place;

	if (!f->begun && b->span.from > f->after) {
		since = b->span.from - 1;
		begin_meter(b, f->row, f->scale);
		f->begun = true;
	}
	note_span(b, f->row);
	if (f->begun)
		rcr_evaluate_account(&meter, &b->span, &scratch);
	if (f->only_windows && !whole)
		return bench_done(b);
	for (place = 0; f->begun && place < PLACES; place++)
		check_place(b, f->row, place, f->scale, whole);
	bench_done(b);
}

/* As the engine does when the set has changed: the first sample ends no tick. */
static void go_on(const struct follower *f)
{
	const struct bench *b = f->b;

	rcr_window_set_scale(&meter.window, f->scale, b->period);
	rcr_evaluate_begin(&meter, 1, b->time[b->restart], b->period);
}

static void follow(struct follower f)
{
	struct bench *b = f.b;

	since = 0;
	make_tables(b);
	for (b->now = 1; b->now <= b->ticks; b->now++) {
		do {
			while (bench_next(b))
				follow_span(&f);
			if (!bench_begins_again(b))
				break;
			go_on(&f);
		} while (true);
	}
	if (latest(b) != b->ticks || !f.begun) {
		wrong++;
		ksft_print_msg("%s: it stopped at tick %u\n", f.row->formula, latest(b));
	}
	rcr_window_free(&meter.window);
	drop_tables();
}

#define MS 1000000ull
#define PERIOD (10 * MS)

/* Loads that change; what a missed tick has is what its step's others have. */
static void random_counts(struct bench *b)
{
	unsigned int lane, t, k;
	u32 level;

	for (lane = 0; lane < LANES; lane++) {
		level = 1000;
		for (t = b->ticks; t; t--) {
			struct truth *at = &b->truth[lane][t];

			if (!at->sampled) {
				memcpy(at->count, at[1].count, sizeof(at->count));
				at->cycles = at[1].cycles;
				continue;
			}
			if (!chance(50))
				level = 1 + chance(3000000);
			for (k = 0; k < TEMP; k++)
				at->count[k] = chance(level);
			at->count[A] += !chance(100) ? 10000000 : 1;
			at->count[TEMP] = 20000 + 1000 * chance(70);
			at->cycles += chance(200000);
		}
	}
}

static void plain(struct bench *b)
{
	random_counts(b);
}

static void with_overruns(struct bench *b)
{
	unsigned int lane, t, n;

	for (lane = 0; lane < LANES; lane++)
		for (t = 2; t + 6 < b->ticks; t++)
			for (n = chance(20) ? 0 : chance(4); n; n--)
				b->truth[lane][t++].sampled = false;
	random_counts(b);
}

/* All CPUs stop for longer than a whole time scale. */
static void with_a_pause(struct bench *b)
{
	unsigned int lane, t;

	for (lane = 0; lane < LANES; lane++)
		for (t = b->ticks / 2; t < b->ticks / 2 + 300; t++)
			b->truth[lane][t].sampled = false;
	b->patience = 1000;
	random_counts(b);
}

static void with_halts(struct bench *b)
{
	static const u8 others[] = {
		RCR_STATUS_HALTED, RCR_STATUS_FOREIGN, RCR_STATUS_BUSY, RCR_STATUS_FAULT,
	};
	unsigned int lane, t, n, k;
	u8 status;

	for (lane = 0; lane < LANES; lane++)
		for (t = 30 + chance(50); t + 60 < b->ticks; t += 1 + chance(120)) {
			k = chance(COUNTERS);
			status = others[chance(ARRAY_SIZE(others))];
			for (n = chance(30); n; n--, t++)
				if (b->truth[lane][t].status[k] != RCR_STATUS_ELSEWHERE)
					b->truth[lane][t].status[k] = status;
		}
	random_counts(b);
}

/* CPUs that go away and come back, longer than anybody waits for them. */
static void with_silence(struct bench *b)
{
	unsigned int lane, t, n, k;

	for (lane = 1; lane < LANES; lane++)
		for (t = 100 * lane; t + 120 < b->ticks; t += 200 + chance(100)) {
			for (n = 6 + chance(90); n; n--)
				b->truth[lane][t++].sampled = false;
			for (k = 0; k < TEMP && chance(2); k++)
				if (b->truth[lane][t].status[k] == RCR_STATUS_OK)
					b->truth[lane][t].status[k] = RCR_STATUS_GAP;
		}
	random_counts(b);
}

/* The wall clock is stepped: from some tick on the grid lies elsewhere. */
static void with_clock_steps(struct bench *b)
{
	s64 shift = 0;
	unsigned int t;

	for (t = 1; t <= b->ticks; t++) {
		if (t % 70 == 0)
			shift += (s64)chance(b->period * 9 / 10) - 4 * (s64)b->period / 10;
		b->time[t] += shift;
	}
	random_counts(b);
}

/* Who reads for the others goes offline, and another one takes over. */
static void with_handover(struct bench *b)
{
	unsigned int t;

	for (t = b->ticks / 3; t <= b->ticks; t++) {
		b->truth[0][t].status[NODE] = RCR_STATUS_ELSEWHERE;
		b->truth[1][t].status[NODE] = t == b->ticks / 3 ? RCR_STATUS_GAP : RCR_STATUS_OK;
	}
	random_counts(b);
}

/* Another set, and later the old one, or whatever else begins a new run. */
static void with_a_new_set(struct bench *b)
{
	with_silence(b);
	bench_restart(b, b->ticks / 2, b->period, b->period * 33 / 10);
	random_counts(b);
}

static void with_longer_periods(struct bench *b)
{
	bench_restart(b, b->ticks / 2, b->period * 5 / 2, 0);
	random_counts(b);
}

static void with_shorter_periods(struct bench *b)
{
	bench_restart(b, b->ticks / 2, b->period * 2 / 5, b->period / 3);
	random_counts(b);
}

static const struct {
	const char *what;
	void (*make)(struct bench *b);
} stories[] = {
	{ "an even life", plain }, { "overruns", with_overruns }, { "a pause of all", with_a_pause },
	{ "halts", with_halts }, { "silent CPUs", with_silence },
	{ "steps of the clock", with_clock_steps }, { "a handover", with_handover },
	{ "another set", with_a_new_set }, { "longer periods", with_longer_periods },
	{ "shorter periods", with_shorter_periods },
};

static const struct {
	const char *what;
	u64 ns;
	u64 period;
} scales[] = {
	{ "a period", PERIOD, PERIOD }, { "16 periods", 16 * PERIOD, PERIOD },
	{ "a second", 1000 * MS, PERIOD }, { "77 periods", 77 * PERIOD, PERIOD },
	{ "a millisecond", MS, MS / 20 },
};

static void test_story(unsigned int story, unsigned int scale)
{
	struct bench b;
	unsigned int i;

	wrong = 0;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		seed = story * 1000 + scale * 100 + i;
		bench_init(&b, 700, scales[scale].period, 5000 * MS);
		stories[story].make(&b);
		follow((struct follower){ &b, &rows[i], scales[scale].ns, .seldom = 60 });
		bench_free(&b);
	}
	ksft_test_result(!wrong, "%s, over %s: all values of %zu meters\n", stories[story].what,
			 scales[scale].what, ARRAY_SIZE(rows));
}

/* A meter that is made while CPUs are late has nothing from before. */
static void test_made_later(void)
{
	struct bench b;
	unsigned int i, after;

	wrong = 0;
	for (after = 90; after < 400; after += 61)
		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			seed = 77 + after;
			bench_init(&b, 600, PERIOD, 5000 * MS);
			with_silence(&b);
			follow((struct follower){ &b, &rows[i], 1000 * MS, after, 10 });
			bench_free(&b);
		}
	ksft_test_result(!wrong, "a meter has nothing from before it was made\n");
}

/* 120,000 ticks of 30 ms, sixteen parts of them. */
static void test_hour(unsigned int row)
{
	struct bench b;

	wrong = 0;
	seed = 4;
	bench_init(&b, 150000, 3 * PERIOD, 3 * MS);
	random_counts(&b);
	follow((struct follower){ &b, &rows[row], 3600000 * MS, .seldom = 10000,
				  .only_windows = true });
	bench_free(&b);
	ksft_test_result(!wrong, "an hour of \"%s\"\n", rows[row].formula);
}

int main(void)
{
	unsigned int story, scale;

	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(stories) * ARRAY_SIZE(scales) + 1 + 3);
	if (rcr_scratch_init(&scratch, LANES))
		ksft_exit_fail_msg("no memory\n");
	for (story = 0; story < ARRAY_SIZE(stories); story++)
		for (scale = 0; scale < ARRAY_SIZE(scales); scale++)
			test_story(story, scale);
	test_made_later();
	test_hour(0);
	test_hour(2);
	test_hour(4);
	rcr_scratch_free(&scratch);
	ksft_finished();
}
