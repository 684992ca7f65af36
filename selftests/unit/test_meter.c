// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_meter.c - what meters read at every place, against the model of meter_model.h,
 * through all that can happen to CPUs, clocks and sets.
 */
#include "form_of.h"
#include "ksft.h"
#include "meter_stories.h"

static struct rcr_meter meter;
static struct rcr_scratch scratch;
static unsigned int wrong;

/*
 * @val is @want in 10^-digits, or as much of it as fits, but for one rounding, a part in
 * 10^12, and @slack.
 */
static bool is_near(s64 val, long double want, unsigned int digits, long double slack)
{
	long double ten = powl(10, digits), all = want * ten;

	all = fmaxl(fminl(all, S64_MAX), -S64_MAX);
	return fabsl(val - all) <= 0.501L + fabsl(all) / 1e12L + slack * ten;
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
		for (k = 0; k < OPERANDS; k++)
			g->t[i][k] = g->t[i][k] > 0 ? TSC_HZ : 0;
}

static void check_window(const struct bench *b, const struct row *r, unsigned int place,
			 const struct rcr_board_value *v)
{
	long double average, sum, peak, slack, ticks;
	unsigned int end = latest(b), begin = tick_at(b, v->begin);
	struct got g = get_span(&groups[place], begin, end, r->uses);

	average = r->value(&g);
	if (isinf(average))	/* there is none */
		average = NAN;
	sum = average;
	peak = highest(place, begin, end);
	slack = rounding(r, &g);
	ticks = end - begin;
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
	} else if (r->kind != NEITHER && v->sum) {
		complain("sum of nothing", r, place, end, v->sum, 0);
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
	for (k = 0; k < OPERANDS; k++)
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
	long double now = currents[place][latest(b)], most;
	unsigned int end = latest(b);
	struct rcr_board_value v;

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

static const char *const names[COUNTERS] = { "A", "B", "NODE", "SLOW", "TEMP" };

/* As bind.c finds them: its number in a step. */
static unsigned int number_of(const char *name)
{
	unsigned int i = 0;

	while (i < COUNTERS && strcmp(names[i], name))
		i++;
	return i < COUNTERS ? i : RCR_OPERAND_SPENT;
}

static bool find_counter(const char *name, bool *gauge)
{
	*gauge = !strcmp(name, "TEMP");
	return number_of(name) != RCR_OPERAND_SPENT;
}

static void make_form(const struct row *r)
{
	struct rcr_form *f = form_of(r->formula, r->digits, TSC_HZ, find_counter);
	bool is_count = r->kind == COUNT, is_rate = r->kind == RATE;
	unsigned int i;

	if (rcr_form_is_count(f) != is_count || rcr_form_is_rate(f) != is_rate)
		complain("kind", r, 0, 0, rcr_form_is_rate(f), r->kind);
	for (i = 0; i < rcr_form_terms(f); i++)
		meter.counter[f->term[i].operand] = number_of(f->term[i].name);
	for (i = 0; i < f->operands; i++)
		meter.uses |= BIT_ULL(meter.counter[i]);
	meter.operands = f->operands;
	meter.spec.form = f;
	meter.spec.digits = r->digits;
}

static void begin_meter(const struct bench *b, const struct row *r, u64 scale)
{
	static struct rcr_instance instances[PLACES];
	static u8 lane_status[LANES];
	unsigned int i, part;

	memset(&meter, 0, sizeof(meter));
	make_form(r);
	meter.lane_status = lane_status;
	meter.instance = instances;
	meter.instances = PLACES;
	for (i = 0; i < PLACES; i++) {
		instances[i] = (struct rcr_instance){
			.group = &groups[i], .status = RCR_STATUS_GAP,
		};
		for (part = 0; part < RCR_WINDOW_MARKS; part++)
			instances[i].peak[part] = S64_MIN;
	}
	rcr_window_init(&meter.window, LANES, meter.operands);
	rcr_window_set_scale(&meter.window, scale, b->period_before);
	rcr_evaluate_begin(&meter, since, b->time[since], b->period_before);
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
	rcr_evaluate_begin(&meter, bench_first(b), b->time[b->restart], b->period);
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
	free((void *)meter.spec.form);
	drop_tables();
}

static const struct {
	const char *what;
	u64 ns;
	u64 period;
} scales[] = {
	{ "a period", PERIOD, PERIOD }, { "16 periods", 16 * PERIOD, PERIOD },
	{ "a second", 1000 * MS, PERIOD }, { "160 periods", 160 * PERIOD, PERIOD },
	{ "a millisecond", MS, MS / 20 },
};

static void test_story(unsigned int story, unsigned int scale)
{
	struct bench b;
	unsigned int i;

	wrong = 0;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		seed = story * 1000 + scale * 100 + i;
		bench_init(&b, 600, scales[scale].period, 5000 * MS);
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
	for (after = 90; after < 290; after += 61)
		for (i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
			seed = 77 + after;
			bench_init(&b, 600, PERIOD, 5000 * MS);
			if (i % 2)
				with_silence(&b);
			else
				with_a_new_set(&b);
			follow((struct follower){ &b, &rows[i / 2], 1000 * MS, after, 10 });
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
	follow((struct follower){
		&b, &rows[row], 3600000 * MS, .seldom = 10000, .only_windows = true,
	});
	bench_free(&b);
	ksft_test_result(!wrong, "an hour of \"%s\"\n", rows[row].formula);
}

/* Energy in nanojoules, say: more in the span than any rate can be. */
static void test_large(unsigned int row)
{
	unsigned int lane, t;
	struct bench b;

	wrong = 0;
	seed = 5;
	bench_init(&b, 7000, 3 * PERIOD, 3 * MS);
	random_counts(&b);
	for (lane = 0; lane < LANES; lane++)
		for (t = 1; t <= b.ticks; t++)
			b.truth[lane][t].count[A] = 4000000000u + chance(1000);
	follow((struct follower){
		&b, &rows[row], 180000 * MS, .seldom = 200, .only_windows = true,
	});
	bench_free(&b);
	ksft_test_result(!wrong, "large counts of \"%s\"\n", rows[row].formula);
}

int main(void)
{
	unsigned int story, scale;

	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(stories) * ARRAY_SIZE(scales) + 1 + 3 + 4);
	if (rcr_scratch_init(&scratch, LANES))
		ksft_exit_fail_msg("no memory\n");
	for (story = 0; story < ARRAY_SIZE(stories); story++)
		for (scale = 0; scale < ARRAY_SIZE(scales); scale++)
			test_story(story, scale);
	test_made_later();
	test_hour(0);
	test_hour(2);
	test_hour(4);
	test_large(0);
	test_large(2);
	test_large(6);
	test_large(9);
	rcr_scratch_free(&scratch);
	ksft_finished();
}
