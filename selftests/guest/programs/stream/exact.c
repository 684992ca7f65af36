// SPDX-License-Identifier: GPL-2.0-only
/*
 * exact.c - promises P4 and P8: compares every record of every CPU with the virtual PMU's formula
 * and the clocks of the guest.
 *
 *	exact SECONDS PAUSE STEP
 *
 * Three readers follow the stream for SECONDS, two with read() and one in mapped rings. One of them
 * pauses for PAUSE seconds and must be told the exact number of lost records. With STEP 1 the wall
 * clock is set back by 60 s after a third of the time, and forward by 120 s after two thirds. With
 * STEP 2 it is set to just before midnight (UTC), when the kernel inserts a leap second: this is
 * a step of -1 s that no program has made.
 *
 * Expected counts are computed from vpmu/rate.h, and expected times from rdtsc and CLOCK_MONOTONIC
 * in this process, independently of the module. The sampler's budget must be off (budget_ppm=0), as
 * skipped ticks would be counted as late.
 */
#include <inttypes.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/timex.h>
#include <sys/wait.h>

#include "ksft.h"
#include "rcr.h"
#include "stream.h"

#define READERS 3
#define MAX_CPUS 64
#define BUFFER (512 * 1024)
#define EDGE 64			/* samples kept at either end, see keep_edges() */
#define ENOUGH (2 * EDGE)	/* least samples of a CPU */

/* State of a reader for one CPU. */
struct cpu {
	uint64_t records, lost, first_position, next_position;
	uint64_t tick, time, clocks, steps, overruns;
	int64_t shifts;
	struct {
		uint64_t tsc, tsc_end, tick, time;
		uint64_t total[RCR_MAX_COUNTERS];
	} first;
	struct edge {
		uint64_t tsc, tick;
		uint32_t late;
	} begin[EDGE], end[EDGE];
	bool started;
};

/* Results of a reader, in memory shared with the parent. */
struct result {
	uint64_t records, lost, clocks, overruns, steps;
	uint64_t wrong_count, wrong_tick, wrong_time, wrong_position, wrong_status;
	uint64_t from_the_future, wrong_rounding, silent_cpus, widest;
	bool done;
};

static struct result *results;
static struct rcr_set *set;
static struct cpu cpus[MAX_CPUS];
static struct result *res;

static void check_counts(const struct rcr_record *r, const struct cpu *c)
{
	const struct rcr_counter *counter = counters_of(set);
	unsigned int i;

	for (i = 0; i < set->ncounters; i++) {
		uint32_t rate = rate_of(&counter[i], r->item.cpu);
		uint64_t counted = r->value[i] - c->first.total[i];
		uint64_t least = vpmu_count(rate, r->tsc) -
				 vpmu_count(rate, c->first.tsc_end);
		uint64_t most = vpmu_count(rate, r->tsc_end) -
				vpmu_count(rate, c->first.tsc);

		if (statuses_of(set, r)[i] != RCR_STATUS_OK)
			res->wrong_status++;
		/* Signed, as least is negative for the first record itself. */
		if ((int64_t)(counted - least) < 0 || counted > most)
			res->wrong_count++;
	}
}

/*
 * A hole may include CLOCK records, two at most in this test: take the shift of the grid from the
 * first sample after the hole.
 */
static void check_times(const struct rcr_record *r, struct cpu *c, uint64_t now,
			bool after_hole)
{
	int64_t shifts = (int64_t)(r->time - c->first.time) -
			 (int64_t)((r->tick - c->first.tick) * set->period_ns);

	if (after_hole && llabs(shifts - c->shifts) < 2 * (int64_t)set->period_ns)
		c->shifts = shifts;
	if (!after_hole && r->tick != c->tick + 1 + r->overruns + r->skipped)
		res->wrong_tick++;
	if (shifts != c->shifts)
		res->wrong_time++;
	if (r->time > now || r->late >= set->period_ns)
		res->from_the_future++;
}

/* Keep the first samples and the last ones for check_rounding(). */
static void keep_edges(const struct rcr_record *r, struct cpu *c)
{
	struct edge e = { r->tsc, r->tick, r->late };

	if (c->records < EDGE)
		c->begin[c->records] = e;
	c->end[c->records % EDGE] = e;
}

static void start_cpu(const struct rcr_record *r, struct cpu *c)
{
	c->started = true;
	c->first_position = r->position;
	c->first.tsc = r->tsc;
	c->first.tsc_end = r->tsc_end;
	c->first.tick = r->tick;
	c->first.time = r->time;
	memcpy(c->first.total, r->value, set->ncounters * sizeof(r->value[0]));
}

static void take_sample(const struct rcr_record *r, struct cpu *c, uint64_t now,
			bool after_hole)
{
	if (!c->started)
		start_cpu(r, c);
	else
		check_times(r, c, now, after_hole);
	check_counts(r, c);
	keep_edges(r, c);
	c->tick = r->tick;
	c->time = r->time;
	c->records++;
	c->overruns += r->overruns;
	if (r->tsc_end - r->tsc > res->widest)
		res->widest = r->tsc_end - r->tsc;
}

static void take_record(const struct rcr_record *r, uint64_t now, bool *hole)
{
	struct cpu *c = &cpus[r->item.cpu];

	if (!c->started && r->item.type != RCR_ITEM_SAMPLE)
		return;
	if (c->started && r->position != c->next_position)
		res->wrong_position++;
	c->next_position = r->position + 1;
	if (r->item.type == RCR_ITEM_SAMPLE) {
		take_sample(r, c, now, hole[r->item.cpu]);
		hole[r->item.cpu] = false;
	} else if (r->item.type == RCR_ITEM_CLOCK) {
		c->clocks++;
		c->shifts += (int64_t)r->value[2];
	} else {
		c->steps++;
	}
}

static void take_lost(const struct rcr_lost *l, bool *hole)
{
	struct cpu *c = &cpus[l->item.cpu];

	if (!c->started)
		return;
	if (l->position != c->next_position || !l->count)
		res->wrong_position++;
	c->next_position = l->position + l->count;
	c->lost += l->count;
	hole[l->item.cpu] = true;
}

/* Read and check items once; return false at the end of the stream or on an error. */
static bool take_items(int fd, bool *hole)
{
	static char buffer[BUFFER] __attribute__((aligned(8)));
	ssize_t got = read(fd, buffer, sizeof(buffer)), at;
	uint64_t now = monotonic_ns();

	for (at = 0; at < got; ) {
		const struct rcr_item *item = (void *)(buffer + at);

		if (item->type == RCR_ITEM_LOST)
			take_lost((const void *)item, hole);
		else if (item->type >= RCR_ITEM_SAMPLE)
			take_record((const void *)item, now, hole);
		at += item->size;
	}
	return got > 0;
}

/*
 * Both clocks at one moment: the closest of several reads, as the host may stop this CPU between
 * them.
 */
struct moment {
	uint64_t tsc, monotonic;
};

static struct moment look_at_clocks(void)
{
	uint64_t before, monotonic, after, best = UINT64_MAX;
	struct moment m = { };
	unsigned int i;

	for (i = 0; i < 100; i++) {
		before = rdtsc();
		monotonic = monotonic_ns();
		after = rdtsc();
		if (after - before >= best)
			continue;
		best = after - before;
		m = (struct moment){ before + best / 2, monotonic };
	}
	return m;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Return elapsed periods minus elapsed ticks: the median over pairs of a first and a last sample. A
 * single pair is not enough, as the host may stop a CPU between its reads of the clock and the TSC.
 */
static double excess(const struct cpu *c, double tsc_per_period)
{
	double all[EDGE];
	unsigned int i;

	for (i = 0; i < EDGE; i++)
		all[i] = (c->end[i].tsc - c->begin[i].tsc) / tsc_per_period -
			 ((double)c->end[i].late - c->begin[i].late) / set->period_ns -
			 (double)(c->end[i].tick - c->begin[i].tick);
	qsort(all, EDGE, sizeof(all[0]), compare);
	return all[EDGE / 2];
}

/* Check that the elapsed time divided by the period, rounded, is the difference of ticks. */
static void check_rounding(const struct moment *begin)
{
	struct moment end = look_at_clocks();
	double per_period = (double)(end.tsc - begin->tsc) /
			    (end.monotonic - begin->monotonic) * set->period_ns, more;
	unsigned int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (!cpus[cpu].started)
			continue;
		more = excess(&cpus[cpu], per_period);
		if (cpus[cpu].records < ENOUGH || more >= 0.5 || more <= -0.5) {
			ksft_print_msg("cpu %u: %.3f periods more than ticks\n",
				       cpu, more);
			res->wrong_rounding++;
		}
	}
}

static void sum_up(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < set->ncpus && cpu < MAX_CPUS; cpu++) {
		struct cpu *c = &cpus[cpu];

		if (!c->started) {
			res->silent_cpus++;
			continue;
		}
		res->records += c->records;
		res->lost += c->lost;
		res->clocks += c->clocks;
		res->overruns += c->overruns;
		res->steps += c->steps;
		/* Samples, other records and lost ones must add up to the records written. */
		if (c->records + c->clocks + c->steps + c->lost !=
		    c->next_position - c->first_position)
			res->wrong_position++;
	}
	res->done = true;
}

/* Return whether each CPU has at least ENOUGH samples. */
static bool enough(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < set->ncpus; cpu++)
		if (rcr_set_has_cpu(set, cpu) && cpus[cpu].records < ENOUGH)
			return false;
	return true;
}

/*
 * Return whether to run on: for @seconds, or longer on a busy host, until there are enough samples.
 */
static bool goes_on(uint64_t begin, unsigned int seconds)
{
	uint64_t past = monotonic_ns() - begin, whole = seconds * 1000000000ull;

	return past < whole || (past < 10 * whole && !enough());
}

/* Read the stream; pause for @pause seconds after a third of the time. */
static void reader(unsigned int seconds, unsigned int pause)
{
	bool hole[MAX_CPUS] = { };
	struct pollfd p = { .events = POLLIN };
	uint64_t begin, pause_at;
	struct moment at;

	set = open_stream(&p.fd, 0);
	if (!set || set->ncpus > MAX_CPUS)
		exit(KSFT_FAIL);
	at = look_at_clocks();
	begin = monotonic_ns();
	pause_at = begin + seconds * 1000000000ull / 3;
	while (goes_on(begin, seconds)) {
		if (pause && monotonic_ns() >= pause_at) {
			sleep(pause);
			pause = 0;
		}
		poll(&p, 1, 1000);
		if (!take_items(p.fd, hole))
			exit(KSFT_FAIL);
	}
	check_rounding(&at);
	sum_up();
	exit(KSFT_PASS);
}

/* The mapped reader: copy the new records of every CPU, and check that they were still valid. */
static void take_mapped(struct rcr_map **map, bool *hole)
{
	static char copy[4096] __attribute__((aligned(8)));
	const struct rcr_record *r;
	uint64_t lost, now;
	unsigned int cpu;

	for (cpu = 0; cpu < set->ncpus; cpu++) {
		while (map[cpu] && rcr_map_next(map[cpu], &r, &lost) == 1) {
			struct rcr_lost l = {
				.item.cpu = cpu, .count = lost,
				.position = cpus[cpu].next_position,
			};

			if (lost)
				take_lost(&l, hole);
			memcpy(copy, r, set->record_size);
			now = monotonic_ns();
			if (rcr_map_valid(map[cpu]))
				take_record((const void *)copy, now, hole);
		}
	}
}

static void mapped_reader(unsigned int seconds)
{
	struct timespec wait = { .tv_nsec = 2000000 };
	struct rcr_reader *r = rcr_open(NULL);
	struct rcr_map *map[MAX_CPUS] = { };
	bool hole[MAX_CPUS] = { };
	struct moment at;
	unsigned int cpu;
	uint64_t begin;
	int fd;

	set = open_stream(&fd, 0);
	if (!r || !set || set->ncpus > MAX_CPUS || set->record_size > 4096)
		exit(KSFT_FAIL);
	for (cpu = 0; cpu < set->ncpus; cpu++) {
		if (!rcr_set_has_cpu(set, cpu))
			continue;
		map[cpu] = rcr_map(r, cpu);
		if (!map[cpu]) {
			ksft_print_msg("cannot map the ring of CPU %u: %s\n", cpu,
				       strerror(errno));
			exit(KSFT_FAIL);
		}
	}
	rcr_close(r);
	at = look_at_clocks();
	begin = monotonic_ns();
	while (goes_on(begin, seconds)) {
		take_mapped(map, hole);
		nanosleep(&wait, NULL);
	}
	check_rounding(&at);
	sum_up();
	exit(KSFT_PASS);
}

static void step_clock(int seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += seconds;
	clock_settime(CLOCK_REALTIME, &t);
}

#define DAY 86400

/*
 * Return whether the kernel has inserted a leap second: it adds one to the offset of TAI, 0 at
 * boot.
 */
static bool second_was_inserted(void)
{
	struct timex t = { };

	return adjtimex(&t) >= 0 && t.tai == 1;
}

/* Set the clock to 3 s before the end of a day, insert a leap second there, and wait for it. */
static void insert_second(void)
{
	struct timex t = { .modes = ADJ_STATUS, .status = STA_INS };
	struct timespec now;
	unsigned int i;

	clock_gettime(CLOCK_REALTIME, &now);
	step_clock(DAY - 3 - now.tv_sec % DAY);
	if (adjtimex(&t) < 0)
		ksft_print_msg("no leap second: %s\n", strerror(errno));
	for (i = 0; i < 600 && !second_was_inserted(); i++)
		usleep(100000);
	/*
	 * The offset changes at the begin of the second; the kernel steps the clock at its next
	 * tick.
	 */
	sleep(1);
	t.status = 0;
	adjtimex(&t);
}

static void move_clock(unsigned int seconds, unsigned int how)
{
	sleep(seconds / 3);
	if (how == 2) {
		insert_second();
		return;
	}
	step_clock(-60);
	sleep(seconds / 3);
	step_clock(120);
}

static void report(unsigned int i, bool pauses)
{
	const struct result *r = &results[i];

	ksft_print_msg("reader %u: %" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " overruns, %" PRIu64 " clock records, widest read %" PRIu64 " TSC ticks\n",
		       i, r->records, r->lost, r->overruns, r->clocks, r->widest);
	ksft_test_result(r->done && !r->silent_cpus &&
			 !r->wrong_count && !r->wrong_status,
			 "exact: reader %u: every total matches the formula between its TSCs (%" PRIu64 " wrong)\n",
			 i, r->wrong_count + r->wrong_status);
	ksft_test_result(r->done && !r->wrong_tick && !r->wrong_time && !r->steps,
			 "exact: reader %u: ticks differ by 1 + overruns, times by periods and shifts (%" PRIu64 ", %" PRIu64 " wrong)\n",
			 i, r->wrong_tick, r->wrong_time);
	ksft_test_result(r->done && !r->from_the_future && !r->wrong_rounding,
			 "exact: reader %u: ticks and overruns add up to the periods elapsed on CLOCK_MONOTONIC (%" PRIu64 ", %" PRIu64 " wrong)\n",
			 i, r->from_the_future, r->wrong_rounding);
	ksft_test_result(r->done && !r->wrong_position && (pauses ? r->lost > 0 : true),
			 "exact: reader %u: %s\n", i, pauses ?
			 "the exact number of records lost in a pause is reported" :
			 "every missing record is reported as lost");
}

int main(int argc, char **argv)
{
	unsigned int seconds, pause, step, i;
	uint64_t told;
	int fd;

	ksft_print_header();
	if (argc != 4)
		ksft_exit_fail_msg("usage: exact SECONDS PAUSE STEP\n");
	seconds = atoi(argv[1]);
	pause = atoi(argv[2]);
	step = atoi(argv[3]);
	ksft_set_plan(READERS * 4 + 1 + (step == 2));
	ksft_print_msg("this test needs budget_ppm=0\n");

	results = mmap(NULL, sizeof(*results) * READERS, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < READERS; i++) {
		res = &results[i];
		if (fork())
			continue;
		if (i == 1)
			mapped_reader(seconds);
		else
			reader(seconds, i == READERS - 1 ? pause : 0);
	}
	if (step)
		move_clock(seconds, step);
	while (wait(NULL) > 0)
		;
	set = open_stream(&fd, 0);
	if (!set)
		ksft_exit_fail_msg("cannot open the device: %s\n", strerror(errno));
	for (i = 0; i < READERS; i++)
		report(i, pause && i == READERS - 1);
	/* A reader that the host stopped may have lost CLOCK records: use the other one. */
	told = results[0].clocks > results[1].clocks ? results[0].clocks :
						       results[1].clocks;
	ksft_test_result(told == (step ? 2 * set->ncpus : 0),
			 "exact: each CPU records each step of the clock (%" PRIu64 " recorded)\n",
			 told);
	if (step == 2)
		ksft_test_result(second_was_inserted(),
				 "exact: one of the steps is a leap second\n");
	ksft_finished();
}
