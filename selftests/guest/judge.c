// SPDX-License-Identifier: GPL-2.0-only
/*
 * judge.c STREAM SNAPSHOTS - compares what meters read (snapshot.h) with the same
 * quantities as it computes them itself (quantity.h, tracks.h, worth.h), from what a
 * reader of /dev/rcrtool got.
 *
 * What is allowed: half a unit of the last digit, because values are rounded to it;
 * a cycle of a time, whose ends are whole cycles; and, where an end of the span lies
 * between two samples of a CPU, a count of each of its counters and a cycle more,
 * because shares are whole. What a CPU told
 * later than meters may wait for it is in no tick: of spans that begin or end there, and
 * of currents and peaks, nothing is said ("undecided").
 *
 * Prints for each meter how many values were compared, how many are wrong, how many
 * undecided, and how far the worst was off, as a part of the value.
 */
#include "snapshot.h"
#include "worth.h"

#define TOLD	8	/* wrong values of a meter that are shown */

/* Of these numbers themselves. */
#define ROUNDING	(1 / 1e14)

/**
 * struct expected - a value that was computed
 * @val: it; NAN: there is none
 * @off: what it may be off by
 * @unsure: nothing is said
 */
struct expected {
	double val, off;
	bool unsure;
};

/* One meter at one place: what it read, one after the other. */
struct reading {
	const struct snapshot *at;
	const struct moment *begin, *end;
	bool member[CPUS];
	struct expected *current[RUNS];		/* by tick, as far as it was looked at */
	bool *known[RUNS];
	uint64_t first_begin;
};

static struct {
	unsigned long compared, wrong, undecided, outside;
	double worst;
} tally;

static int places[RCR_PLACE_CPU + 1][CPUS];
static uint64_t there[RUNS];

static void find_places(void)
{
	unsigned int kind, cpu, n;

	for (n = 0; n < run_count; n++)
		there[n] = all_there(&runs[n]);
	for (kind = 0; kind <= RCR_PLACE_CPU; kind++)
		for (cpu = 0; cpu < CPUS; cpu++)
			places[kind][cpu] = place_of(cpu, kind);
}

static void complain(const struct snapshot *s, const char *what, double got,
		     double expected)
{
	if (tally.wrong++ < TOLD)
		printf("# %s%s %u/%u %s at %llu from %llu: %.12g, expected %.12g\n", s->name,
		       s->from_file ? " (file)" : "", s->kind, s->number, what, s->value.time,
		       s->value.begin, got, expected);
}

/* @got: in units of the last digit. */
static void compare(const struct reading *r, const char *what, int64_t got,
		    struct expected e)
{
	double ten = pow(10, r->at->digits), off;

	if (e.unsure) {
		tally.undecided++;
		return;
	}
	tally.compared++;
	off = fabs(got / ten - e.val);
	if (isnan(e.val) || off > e.off + 0.5 / ten * (1 + 1 / 1e9) + fabs(e.val) * ROUNDING) {
		complain(r->at, what, got / ten, e.val);
		return;
	}
	if (e.val && off / fabs(e.val) > tally.worst)
		tally.worst = off / fabs(e.val);
}

static struct expected current_at(struct reading *r, unsigned int run, uint64_t tick)
{
	struct share s[CPUS] = { { .in = false } };
	struct expected *e;
	unsigned int cpu;
	bool any = false;

	if (tick < runs[run].first || tick > runs[run].last)
		return (struct expected){ .val = NAN };
	e = &r->current[run][tick - runs[run].first];
	if (r->known[run][tick - runs[run].first])
		return *e;
	r->known[run][tick - runs[run].first] = true;
	e->unsure = run && tick <= there[run];
	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!r->member[cpu])
			continue;
		s[cpu] = share_of_tick(cpu, run, tick);
		any |= s[cpu].in;
		e->unsure |= s[cpu].unsure;
	}
	e->val = any ? value_of(s, quantity->sort, &e->off) : NAN;
	return *e;
}

/* The highest of the ticks behind @begin, and what is known already. */
static struct expected highest_of(struct reading *r, const struct moment *begin,
				  const struct moment *end, struct expected high)
{
	struct expected e;
	unsigned int run;
	uint64_t tick;

	for (run = begin->run; run <= end->run; run++) {
		tick = run == begin->run ? begin->tick + 1 : runs[run].first;
		for (; tick <= (run == end->run ? end->tick : runs[run].last); tick++) {
			e = current_at(r, run, tick);
			high.unsure |= e.unsure;
			if (isnan(e.val))
				continue;
			if (isnan(high.val) || e.val > high.val)
				high.val = e.val;
			if (e.off > high.off)
				high.off = e.off;
		}
	}
	return high;
}

static void judge_current(struct reading *r)
{
	const struct rcr_board_value *v = &r->at->value;
	struct expected e = current_at(r, r->end->run, r->end->tick);
	bool ok = v->status == RCR_STATUS_OK;

	if (!e.unsure && ok == (bool)isnan(e.val))
		complain(r->at, "status", v->status, e.val);
	if (ok)
		compare(r, "current", v->current_value, e);
	e = highest_of(r, r->begin, r->end, (struct expected){ .val = NAN });
	if (!isnan(e.val))
		compare(r, "peak", v->peak, e);
}

/* Ticks of the span: of one that goes over several runs those of its length. */
static double ticks_of(const struct reading *r, double *off)
{
	*off = 0;
	if (r->begin->run == r->end->run)
		return r->end->tick - r->begin->tick;
	*off = 1;
	return (double)(r->end->time - r->begin->time) / runs[r->end->run].set->period_ns;
}

/* The ticks from one part of a time scale to the next, in time. */
static uint64_t part_of(const struct run *run, uint64_t scale)
{
	uint64_t ticks = scale / run->set->period_ns;

	return (ticks + 15) / 16 * run->set->period_ns;
}

/* Nothing is known of what was before: it was made there, or it slept. */
static bool is_beginning(const struct reading *r)
{
	return r->begin->time == r->first_begin || (r->begin->run && !told[r->begin->run - 1]);
}

/* Does the span begin while CPUs come into a run in which the quantity is told anew? */
static bool begins_with_run(const struct reading *r)
{
	const struct moment *m = r->begin;

	return m->run && !told[m->run - 1] && m->tick <= there[m->run];
}

/*
 * The beginning of what is counted: the first span of a run has all that any CPU counted
 * there, if it came a little earlier or not.
 */
static struct moment counts_begin(const struct reading *r)
{
	struct moment m = *r->begin;

	if (begins_with_run(r))
		m.tick = 0;
	return m;
}

/* Where a part of the time scale ends, too, it may be a later span. */
static bool may_be_later(const struct reading *r)
{
	uint64_t period = runs[r->begin->run].set->period_ns;
	uint64_t part = part_of(&runs[r->begin->run], r->at->scale_ns);

	return begins_with_run(r) && (!part || r->begin->tick % (part / period) == 0);
}

static void judge_sums(struct reading *r)
{
	struct expected average = { .val = NAN }, sum;
	struct share s[CPUS] = { { .in = false } };
	struct moment begin = counts_begin(r);
	double ticks, off;
	unsigned int cpu;

	average.unsure = may_be_later(r);
	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!r->member[cpu])
			continue;
		s[cpu] = share_of_span(cpu, &begin, r->end);
		average.unsure |= s[cpu].unsure;
	}
	average.val = value_of(s, quantity->sort, &average.off);
	sum = average;
	/* The sum of a rate is its integral over the time that counts, in seconds. */
	if (quantity->sort == RATE || quantity->sort == UNDER_WAY || quantity->sort == COUNT) {
		sum.val = value_of(s, COUNT, &sum.off);
		sum.val = isnan(sum.val) ? 0 : sum.val;
	}
	if (quantity->sort == UNDER_WAY) {
		sum.val /= hz();
		sum.off /= hz();
	}
	if (quantity->sort == COUNT) {
		ticks = ticks_of(r, &off);
		average.val /= ticks;
		average.off = average.off / ticks + average.val * off / ticks;
	}
	if (!isnan(average.val))
		compare(r, "average", r->at->value.average, average);
	if (!isnan(sum.val))
		compare(r, "sum", r->at->value.sum, sum);
}

/*
 * No longer than the time scale; and shorter by no more than a part of it, if there
 * was something before. A part is of whole ticks. Where the period has changed there is
 * a part of each, and the time between, or that of both; where the grid was shifted or has
 * changed, a tick.
 */
static void judge_span(struct reading *r)
{
	const struct run *begin = &runs[r->begin->run], *end = &runs[r->end->run];
	uint64_t length = r->end->time - r->begin->time;
	uint64_t scale = r->at->scale_ns, shorter;

	if (scale < end->set->period_ns)
		scale = end->set->period_ns;
	shorter = part_of(end, scale) + end->set->period_ns;
	if (begin != end)
		shorter += part_of(begin, scale) + llabs((int64_t)(end->begin - begin->end));
	if (length > scale + (length % end->set->period_ns ? end->set->period_ns : 0))
		complain(r->at, "span, ns", length, scale);
	if (length + shorter < scale && !is_beginning(r))
		complain(r->at, "span, ns", length, scale - shorter);
	tally.compared++;
}

/* Since the reading before: never reset in between. */
static void judge_highest(struct reading *r, const struct snapshot *last,
			  const struct moment *last_end)
{
	struct expected e = { .val = last->value.highest / pow(10, r->at->digits) };

	if (last->serial != r->at->serial || r->at->from_file || last->from_file ||
	    r->at->value.highest < last->value.highest)
		return;
	compare(r, "highest", r->at->value.highest, highest_of(r, last_end, r->end, e));
}

static bool is_same_place(const struct snapshot *a, const struct snapshot *b)
{
	return !strcmp(a->name, b->name) && a->kind == b->kind && a->number == b->number;
}

static void begin_place(struct reading *r, const struct snapshot *s)
{
	unsigned int n, cpu;

	for (n = 0; n < run_count; n++) {
		uint64_t ticks = runs[n].last - runs[n].first + 1;

		free(r->current[n]);
		free(r->known[n]);
		r->current[n] = calloc(ticks, sizeof(*r->current[n]));
		r->known[n] = calloc(ticks, sizeof(*r->known[n]));
	}
	for (cpu = 0; cpu < CPUS; cpu++)
		r->member[cpu] = places[s->kind][cpu] == (int)s->number;
	r->first_begin = 0;
}

static void begin_meter(const char *name)
{
	unsigned int n, cpu;

	memset(&tally, 0, sizeof(tally));
	if (!find_quantity(name))
		return;
	for (n = 0; n < run_count; n++)
		for (cpu = 0; cpu < CPUS; cpu++)
			make_track(&runs[n], cpu, &tracks[n][cpu]);
}

static void end_meter(const char *name)
{
	if (quantity)
		printf("%s: %lu values, %lu wrong, %lu undecided, %lu outside, worst %.1e\n", name,
		       tally.compared, tally.wrong, tally.undecided, tally.outside, tally.worst);
}

/* The stream begins and ends at other moments than the readings. */
static bool is_outside(uint64_t time)
{
	return time < moments[0].time || time > moments[moment_count - 1].time;
}

/*
 * CPUs go over from one run to the next one by one: at that time some are still in the
 * old one. A moment then is of the run in which the quantity is told; NULL: in both.
 */
static const struct moment *of_one_run(const struct moment *m)
{
	const struct moment *found = NULL, *end = moments + moment_count;
	unsigned int n, runs_told = 0;

	for (n = 0; n < run_count; n++)
		runs_told += told[n] && m->time >= runs[n].begin && m->time <= runs[n].end;
	for (; m < end && (!found || m->time == found->time); m++)
		if (told[m->run] && !found)
			found = m;
	return runs_told == 1 ? found : NULL;
}

/* False: of other times than the stream's, or of none of its ticks. */
static bool find_ends(struct reading *r)
{
	const struct moment *end = find_moment(r->at->value.time, 0);
	const struct moment *begin = find_moment(r->at->value.begin, 0);

	if (end && begin) {
		r->end = of_one_run(end);
		r->begin = of_one_run(begin);
		if (r->end && r->begin)
			return true;
		tally.undecided++;
		return false;
	}
	if (is_outside(r->at->value.time) || is_outside(r->at->value.begin))
		tally.outside++;
	else
		complain(r->at, "is of no tick", 0, 0);
	return false;
}

static int by_place(const void *a, const void *b)
{
	const struct snapshot *s = a, *t = b;
	int d = strcmp(s->name, t->name);

	if (!d)
		d = s->kind < t->kind ? -1 : s->kind > t->kind;
	if (!d)
		d = s->number < t->number ? -1 : s->number > t->number;
	if (!d)
		d = s->from_file < t->from_file ? -1 : s->from_file > t->from_file;
	return d ? d : s->order < t->order ? -1 : s->order > t->order;
}

static void judge(const struct snapshot *s, size_t n)
{
	const struct snapshot *last = NULL;	/* that was judged, */
	const struct moment *last_end = NULL;	/* and where it ended */
	static struct reading r;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!i || strcmp(s[i].name, s[i - 1].name)) {
			if (i)
				end_meter(s[i - 1].name);
			begin_meter(s[i].name);
		}
		if (!quantity)
			continue;
		if (!i || !is_same_place(&s[i], &s[i - 1])) {
			begin_place(&r, &s[i]);
			last = NULL;
		} else if (!memcmp(&s[i].value, &s[i - 1].value, sizeof(s[i].value)) &&
			   s[i].from_file == s[i - 1].from_file) {
			continue;
		}
		r.at = &s[i];
		if (!find_ends(&r))
			continue;
		if (!r.first_begin)
			r.first_begin = r.begin->time;
		judge_current(&r);
		judge_sums(&r);
		judge_span(&r);
		if (last)
			judge_highest(&r, last, last_end);
		last = &s[i];
		last_end = r.end;
	}
	if (n)
		end_meter(s[n - 1].name);
}

static struct snapshot *load_snapshots(const char *path, size_t *n)
{
	FILE *in = fopen(path, "r");
	struct snapshot *all;
	struct stat st;

	if (!in || fstat(fileno(in), &st))
		exit(1);
	all = malloc(st.st_size + 1);
	*n = fread(all, sizeof(*all), st.st_size / sizeof(*all), in);
	fclose(in);
	qsort(all, *n, sizeof(*all), by_place);
	return all;
}

int main(int argc, char **argv)
{
	struct snapshot *all;
	unsigned int n, cpu;
	size_t count;

	if (argc != 3 || !load_history(argv[1]))
		return 1;
	all = load_snapshots(argv[2], &count);
	find_places();
	printf("stream: %u runs, %u times lost\n", run_count, lost_records);
	for (n = 0; n < run_count; n++)
		for (cpu = 0; cpu < CPUS; cpu++)
			if (runs[n].samples[cpu])
				printf("# run %u cpu %u: %u samples, ticks %llu to %llu\n", n, cpu,
				       runs[n].samples[cpu], runs[n].sample[cpu][0]->tick,
				       runs[n].sample[cpu][runs[n].samples[cpu] - 1]->tick);
	judge(all, count);
	return 0;
}
