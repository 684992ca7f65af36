// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_judge.c - the guest's judge of meters (guest/programs/judge/explain.h): given only recorded
 * streams of machines of history_bench.h, it accepts the values that the module computes, and
 * refuses values that break a rule.
 */
#include <stdlib.h>

#include "meter_bench.h"
#include "explain.h"

#define C RCR_TERM_COUNT
#define R RCR_TERM_RATE
#define G RCR_TERM_GAUGE

static const struct row rows[] = {
	{ "A", 1, 1, false, { }, { 1 }, { { A, C, 1 } } },
	{ "A - 2 B", 1000, 3, false, { }, { 2 }, { { A, C, 1 }, { B, C, -2 } } },
	{ "mean(A)", 1000, 1, false, { RCR_REDUCE_MEAN }, { 1 }, { { A, C, 1 } } },
	{ "rate(A)", 1000, 1, false, { }, { 1 }, { { A, R, 1 } } },
	{ "A / B", 1000000, 1, false, { }, { 1, 1 }, { { A, C, 1 }, { B, C, 1 } } },
	{ "rate(NODE)", 64, 1, false, { }, { 1 }, { { NODE, R, 1 } } },
	{ "rate(NODE) / rate(A)", 100000, 1, false, { }, { 1, 1 },
	  { { NODE, R, 1 }, { A, R, 1 } } },
	{ "rate(NODE) / A", 1ull << 60, 3, false, { }, { 1, 1 },
	  { { NODE, R, 1 }, { A, C, 1 } } },
	{ "max(rate(A + B))", 1, 1, false, { RCR_REDUCE_MAX }, { 2 },
	  { { A, R, 1 }, { B, R, 1 } } },
	{ "min(rate(B))", 10, 1, false, { RCR_REDUCE_MIN }, { 1 }, { { B, R, 1 } } },
	{ "max(A / B)", 10000, 1, true, { RCR_REDUCE_MAX }, { 1, 1 },
	  { { A, C, 1 }, { B, C, 1 } } },
	{ "mean(A / rate(B))", 1u << 31, 1, true, { RCR_REDUCE_MEAN }, { 1, 1 },
	  { { A, C, 1 }, { B, R, 1 } } },
	{ "mean(TEMP)", 1, 1, false, { RCR_REDUCE_MEAN }, { 1 }, { { TEMP, G, 1 } } },
	{ "max(PTEMP)", 1, 1, false, { RCR_REDUCE_MAX }, { 1 }, { { PTEMP, G, 1 } } },
	{ "rate(SLOW)", 1, 8, false, { }, { 1 }, { { SLOW, R, 1 } } },
	{ "spent", 1, 1, false, { }, { 1 }, { { SPENT, C, 1 } } },
	{ "rate(spent) / cpus", 1000000, HZ, false, { RCR_REDUCE_MEAN }, { 1 },
	  { { SPENT, R, 1 } } },
	{ "1 / (A - A)", 1, 1, false, { }, { 1, 2 }, { { B, C, 1 }, { A, C, 1 }, { A, C, -1 } } },
};

#define ROWS ARRAY_SIZE(rows)

/* The machine, its halves, and each CPU. */
static const struct bench_place places[] = {
	{ 4, { 0, 1, 2, 3 } }, { 2, { 0, 1 } }, { 2, { 2, 3 } },
	{ 1, { 0 } }, { 1, { 1 } }, { 1, { 2 } }, { 1, { 3 } },
};

#define PLACES ARRAY_SIZE(places)
#define MOST_SNAPSHOTS 400000

/* State of the module in addition to the bench. */
static struct machine machine;
static struct rcr_past pasts[ROWS][PLACES];
static u64 versions[ROWS][PLACES];

/* Input of the judge. */
static struct meter_form judged_forms[ROWS];
static struct snapshot *snapshots;
static unsigned int snapshot_count;
static u64 logged[LANES];
static u64 last_time[LANES];

static struct {
	unsigned int values, wrong, other, outside, undecided, broken, broken_refused;
} tally;
static bool quiet;

static void make_judged_form(unsigned int i)
{
	struct meter_form *j = &judged_forms[i];
	const struct row *r = &rows[i];
	struct form_side *s;
	unsigned int t, side;

	*j = (struct meter_form){ r->numerator, r->denominator, r->per_cpu, 0, { } };
	for (t = 0; t < row_terms(r); t++) {
		side = t >= r->terms[0];
		s = &j->side[side];
		s->reduction = r->reduction[side];
		s->term[s->terms] = (struct form_term){ "", 0, r->term[t].kind,
							r->term[t].weight };
		strcpy(s->term[s->terms++].name, term_name(r, t));
	}
	if (!number_operands(j))
		ksft_exit_fail_msg("%s\n", r->what);
}

static void log_set(const struct machine *m)
{
	size_t size = sizeof(struct rcr_set) + m->layout.count * sizeof(struct rcr_counter);
	struct rcr_set *set = calloc(1, size);
	struct rcr_counter *c = (void *)(set + 1);
	unsigned int i, u;

	set->item = (struct rcr_item){ .size = size, .type = RCR_ITEM_SET, .cpu = ~0u,
				       .generation = m->run + 1 };
	set->ncounters = m->layout.count;
	set->period_ns = m->period;
	set->tsc_khz = HZ / 1000;
	set->counter_offset = sizeof(*set);
	set->counter_size = sizeof(*c);
	set->value_offset = offsetof(struct rcr_record, value);
	set->value_size = 8;
	set->status_offset = set->value_offset + 8 * m->layout.count;
	set->status_size = 1;
	set->slow = m->layout.slow;
	set->slow_offset = m->layout.slow_offset;
	for (i = 0; i < m->layout.count; i++) {
		u = m->counter[i];
		strcpy(c[i].name, names[u]);
		c[i].select = u;
		c[i].counter = 100 + u;
		c[i].scope = u == NODE ? RCR_SCOPE_CORE : u == PTEMP ? RCR_SCOPE_PACKAGE :
								       RCR_SCOPE_CPU;
		c[i].unit = is_gauge(u) ? RCR_UNIT_MILLIDEGREE : RCR_UNIT_EVENT;
	}
	log_item(&set->item);
}

/* Append the records that a CPU has written since the last call, as a reader would get them. */
static void log_records(struct machine *m, unsigned int cpu, bool was_away)
{
	const struct rcr_ring *ring = ring_of(&m->cpu[cpu]);
	struct rcr_record *r;

	for (; logged[cpu] < ring->head; logged[cpu]++) {
		r = malloc(m->record_size);
		memcpy(r, rcr_ring_slot(ring, logged[cpu]), m->record_size);
		if (r->item.type != RCR_ITEM_SAMPLE) {
			free(r);
			continue;
		}
		r->item.cpu = cpu;
		r->item.generation = m->run + 1;
		if (last_time[cpu] && !was_away)
			r->skipped = (r->time - last_time[cpu]) / m->period - 1 - r->overruns;
		last_time[cpu] = r->time;
		log_item(&r->item);
	}
}

/* An evaluation continues if all of its counters did. */
static void begin_module_run(struct machine *m, bool first)
{
	unsigned int i;

	begin_bench(m, first);
	memset(logged, 0, sizeof(logged));
	memset(last_time, 0, sizeof(last_time));
	for (i = 0; i < ROWS; i++)
		if (!bench.goes_on[i])
			memset(pasts[i], 0, sizeof(pasts[i]));
	if (first)
		memset(versions, 0, sizeof(versions));
	log_set(m);
}

static void evaluate(unsigned int row, unsigned int place)
{
	struct rcr_board_value v;
	struct snapshot *s;

	rcr_value_update(&pasts[row][place], &bench.binding[row], &bench.view[place],
			 &bench.workspace, &v);
	versions[row][place]++;
	/* Record some evaluations only, and none before the first sample. */
	if (!v.time || snapshot_count == MOST_SNAPSHOTS || !chance(6))
		return;
	s = &snapshots[snapshot_count++];
	*s = (struct snapshot){
		.serial = row, .kind = place, .has = HAS_ALL, .version = versions[row][place],
		.value = v,
	};
}

static void evaluate_places(void)
{
	unsigned int i, row;

	for (i = 0; i < LANES; i++)
		rcr_history_update(&bench.history[i], time_of_tick(&machine));
	for (i = 0; i < PLACES; i++) {
		if (!chance(3))
			continue;
		rcr_view_update(&bench.view[i]);
		for (row = 0; row < ROWS; row++)
			if (bench.live[row] && has_value_at(row, i))
				evaluate(row, i);
	}
}

static unsigned int random_mask(void)
{
	return (1 + chance((1 << COUNTERS) - 1)) | 1 << A;
}

static void forget_log(void)
{
	unsigned int i;
	int k;

	for (i = 0; i < LOG_CPUS; i++) {
		for (k = 0; k < samples.cpu[i].count; k++)
			free((void *)samples.cpu[i].sample[k].record);
		free(samples.cpu[i].sample);
		for (k = 0; k < LOG_SCALES; k++)
			free(samples.scale[k].marks[i].sample);
	}
	for (i = 0; i < samples.runs; i++)
		free((void *)samples.run[i].set);
	memset(&samples, 0, sizeof(samples));
}

/* @gap: mean number of ticks between evaluations */
static void run_machine(u64 period, u64 scale, unsigned int ticks, unsigned int gap,
			unsigned int events, bool sets)
{
	struct machine *m = &machine;
	unsigned int i;
	bool was_away;

	forget_log();
	snapshot_count = 0;
	begin_machine(m, period, scale, (1 << COUNTERS) - 1);
	begin_module_run(m, true);
	for (m->tick = 1; m->tick < ticks; m->tick++) {
		if (sets && !chance(300)) {
			if (chance(3))
				change_set(m, random_mask());
			else
				change_period(m, 100000 + 40000 * chance(3));
			begin_module_run(m, false);
			if (!chance(2))
				evaluate_places();
		}
		for (i = 0; i < LANES; i++) {
			was_away = m->cpu[i].away;
			tick_cpu(m, i, events);
			log_records(m, i, was_away);
			if (!chance(gap * 8))
				evaluate_places();
		}
		if (!chance(gap))
			evaluate_places();
	}
	end_machine(m);
	for (i = 0; i < LANES; i++)
		mark_samples(use_scale(scale), i, 0, 0);
}

static void complain(const struct snapshot *s, const struct explanation *e)
{
	if (++tally.wrong > 10 || quiet)
		return;
	ksft_print_msg("%s at place %u, time %llu: %s\n", rows[s->serial].what, s->kind,
		       s->value.time, mismatch_names[e->why]);
	ksft_print_msg("module: %lld %lld %lld %lld %lld unseen %llu, %llu counted, status %u\n",
		       s->value.current_value, s->value.average, s->value.sum, s->value.peak,
		       s->value.highest, s->value.unseen, s->value.counted_ns, s->value.status);
	ksft_print_msg("status of the current value: %u instead of %u\n", s->value.current_status,
		       e->value.current_status);
	ksft_print_msg("judge:  %ld %ld %ld %ld %ld unseen %lu, %lu counted, status %u\n",
		       (long)e->value.current_value, (long)e->value.average, (long)e->value.sum,
		       (long)e->peak, (long)e->highest, (long)e->unseen,
		       (long)e->value.counted_ns, e->value.status);
}

/* Return whether snapshot @i is one of the quarter that the test changes. */
static bool is_broken(unsigned int i)
{
	return !(i * 2654435761u >> 20 & 3);
}

/* Judge the snapshots of one in @each pairs of a meter and a place. */
static void judge_snapshots(unsigned int each)
{
	static struct meter_place m;
	unsigned int row, place, i;
	struct explanation e;

	memset(&tally, 0, sizeof(tally));
	for (row = 0; row < ROWS; row++)
		for (place = 0; place < PLACES; place++) {
			struct past past = { };

			if (each > 1 && chance(each))
				continue;
			m.form = &judged_forms[row];
			m.scale = find_scale(machine.scale);
			m.lanes = places[place].lanes;
			for (i = 0; i < m.lanes; i++)
				m.cpu[i] = places[place].lane[i];
			bind_meter(&m);
			for (i = 0; i < snapshot_count; i++) {
				if (snapshots[i].serial != row || snapshots[i].kind != place)
					continue;
				tally.values++;
				tally.broken += is_broken(i);
				if (!explain_snapshot(&m, &snapshots[i], &past, &e)) {
					if (e.overdue && !quiet) {
						tally.undecided++;
						continue;
					}
					tally.broken_refused += is_broken(i);
					complain(&snapshots[i], &e);
				}
				tally.other += e.cost > 0;
				tally.outside += e.outside;
			}
		}
}

static void judge_quietly(unsigned int each)
{
	quiet = true;
	judge_snapshots(each);
	quiet = false;
}

static const u64 scales[] = { 1600000, 16000000, 3333333, 300000, 100000, 99999937, 16000 };

/* Divisor of the numbers of ticks; 1 if the program has an argument. */
static unsigned int share = 4;

static void test_agrees(const char *what, unsigned int ticks, unsigned int gap,
			unsigned int events, bool sets)
{
	unsigned int i, values = 0, wrong = 0, other = 0, outside = 0, undecided = 0;

	for (i = 0; i < ARRAY_SIZE(scales); i++) {
		run_machine(100000 + 3 * chance(2), scales[i], ticks / share, gap, events, sets);
		judge_snapshots(1);
		values += tally.values;
		wrong += tally.wrong;
		other += tally.other;
		outside += tally.outside;
		undecided += tally.undecided;
	}
	ksft_print_msg("%u snapshots, %u not by the obvious choice, %u outside, %u undecided\n",
		       values, other, outside, undecided);
	ksft_test_result(!wrong && values > 5000 / share && undecided < values / 1000,
			 "judge: agrees on %s\n", what);
}

/* Log a machine with random events, and the values of the module. */
static void make_log(u64 scale)
{
	run_machine(100000, scale, 200, 2, 40, false);
}

static const char *const fields[] = {
	"time", "begin", "TSC", "current", "average", "sum", "peak", "counted_ns", "status",
	"highest", "unseen", "current_status",
};

static void break_field(struct rcr_board_value *v, unsigned int field)
{
	switch (field) {
	case 0:
		v->time ^= 1;
		break;
	case 1:
		v->begin ^= 1;
		break;
	case 2:
		v->tsc ^= 1;
		break;
	case 3:
		v->current_value ^= 1;
		break;
	case 4:
		v->average ^= 1;
		break;
	case 5:
		v->sum ^= 1;
		break;
	case 6:
		v->peak ^= 1;
		break;
	case 7:
		v->counted_ns ^= 1;
		break;
	case 8:
		v->status = v->status == RCR_STATUS_OK ? RCR_STATUS_GAP : RCR_STATUS_OK;
		break;
	case 9:
		v->highest ^= 1;
		break;
	case 10:
		v->unseen ^= 1;
		break;
	case 11:
		v->current_status ^= 1;
		break;
	}
}

/* Change the last digit of values: most are refused, some cannot be determined. */
static void test_fields(void)
{
	unsigned int field, i, broken, refused, least = 100, others = 0;

	make_log(1600000);
	for (field = 0; field < ARRAY_SIZE(fields); field++) {
		for (i = 0; i < snapshot_count; i++)
			if (is_broken(i))
				break_field(&snapshots[i].value, field);
		bench_seed = 7;
		judge_quietly(40);
		broken = tally.broken;
		refused = tally.broken_refused;
		others += tally.wrong - refused;
		ksft_print_msg("%s off: %u of %u refused\n", fields[field], refused, broken);
		/* Some fields depend on the previous evaluation, which may not be recorded. */
		least = min(least, 100 * refused / broken);
		for (i = 0; i < snapshot_count; i++)
			if (is_broken(i))
				break_field(&snapshots[i].value, field);
	}
	ksft_print_msg("%u are refused after a wrong value was accepted\n", others);
	ksft_test_result(least >= 20 && broken > 50, "judge: refuses values that are off by one\n");
}

/* At least @least of 1000 values must be refused. See judge_snapshots() for @each. */
static void report_broken(const char *what, unsigned int least, unsigned int each)
{
	bench_seed = 7;
	judge_quietly(each);
	ksft_test_result(tally.values > 300 && 1000 * tally.wrong / tally.values >= least,
			 "judge: refuses values where %s (%u of %u)\n", what, tally.wrong,
			 tally.values);
}

static void test_mark_dropped(void)
{
	struct log_marks *m;
	unsigned int i;

	make_log(1600000);
	for (i = 0; i < LANES; i++) {
		m = &find_scale(1600000)->marks[i];
		memmove(m->sample + 100, m->sample + 101, (m->count - 101) * sizeof(*m->sample));
		m->count--;
	}
	report_broken("a mark was not written", 5, 24);
}

/* Pretend that the mark at the edge of the window is outside of it. */
static void test_edge_of_window(void)
{
	make_log(1600000);
	find_scale(1600000)->ns--;
	machine.scale--;
	report_broken("the mark at the edge of the window is left out", 500, 24);
	machine.scale++;
	find_scale(1599999)->ns++;
}

/* Mark samples that the module has counted as foreign in the judge's log. */
static void test_foreign_counted(void)
{
	unsigned int cpu;
	int i;

	make_log(1600000);
	for (cpu = 0; cpu < LANES; cpu++)
		for (i = 50; i < samples.cpu[cpu].count; i += 50) {
			const struct log_sample *s = &samples.cpu[cpu].sample[i];
			u32 at = samples.run[0].set->status_offset + machine.number[A];

			((u8 *)s->record)[at] = RCR_STATUS_FOREIGN;
		}
	report_broken("a foreign part was counted", 50, 24);
}

/* Count a shared counter twice. */
static void test_shared_twice(void)
{
	make_log(1600000);
	shared_unit[RCR_SCOPE_CORE][1] = 5;
	shared_unit[RCR_SCOPE_PACKAGE][3] = 6;
	report_broken("a shared counter was counted twice", 5, 8);
	shared_unit[RCR_SCOPE_CORE][1] = 0;
	shared_unit[RCR_SCOPE_PACKAGE][3] = 0;
}

int main(int argc, char **argv)
{
	unsigned int i, pair;

	(void)argv;
	if (argc > 1)
		share = 1;
	ksft_print_header();
	ksft_set_plan(10);
	snapshots = calloc(MOST_SNAPSHOTS, sizeof(*snapshots));
	open_bench(rows, ROWS, places, PLACES);
	for (i = 0; i < ROWS; i++)
		make_judged_form(i);
	for (i = 0; i < LANES; i++) {
		pair = i / 2;
		shared_unit[RCR_SCOPE_CORE][i] = pair;
		shared_unit[RCR_SCOPE_PACKAGE][i] = 0;
	}
	test_agrees("a machine without events", 300, 4, 0, false);
	test_agrees("statuses, takeovers, idle CPUs and hotplug", 500, 6, 60, false);
	test_agrees("changes of the set and of the period", 700, 8, 30, true);
	test_agrees("meters that are rarely read", 3000, 300, 30, true);
	test_agrees("rare events, read at every tick", 300, 1, 10, true);
	test_fields();
	test_mark_dropped();
	test_edge_of_window();
	test_foreign_counted();
	test_shared_twice();
	close_bench();
	forget_log();
	free(snapshots);
	free_machine(&machine);
	ksft_finished();
}
