// SPDX-License-Identifier: GPL-2.0-only
/*
 * exact.c - promises P4 and P8: every record of every CPU, against the virtual
 * PMU's formula and the guest's own clocks.
 *
 *	exact SECONDS PAUSE STEP
 *
 * Three readers follow the stream for SECONDS. One of them stops for PAUSE
 * seconds and has to be told exactly what it lost. With STEP 1 the wall clock
 * is set back 60 s after a third of the time and forward 120 s after another.
 *
 * The counts come from vpmu/rate.h, the times from rdtsc and CLOCK_MONOTONIC
 * in this process: nothing that is compared was computed by the module. Its
 * budget has to be off (budget_ppm=0): a sampler that holds back is not late.
 */
#include <inttypes.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "ksft.h"
#include "stream.h"
#include "rate.h"

#define READERS 3
#define MAX_CPUS 64
#define BUFFER (512 * 1024)
#define EDGE 200		/* records at either end, see find_edges() */

/* What a reader keeps of one CPU. */
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
	} begin, end;
	bool started;
};

/* What a reader found; shared with the parent. */
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
		uint32_t rate = vpmu_rate(event_of(counter[i].select),
					  umask_of(counter[i].select), r->item.cpu);
		uint64_t counted = r->value[i] - c->first.total[i];
		uint64_t least = vpmu_count(rate, r->tsc) -
				 vpmu_count(rate, c->first.tsc_end);
		uint64_t most = vpmu_count(rate, r->tsc_end) -
				vpmu_count(rate, c->first.tsc);

		if (statuses_of(set, r)[i] != RCR_STATUS_OK)
			res->wrong_status++;
		/* The first record itself: least is "negative". */
		if ((int64_t)(counted - least) < 0 || counted > most)
			res->wrong_count++;
	}
}

/*
 * In a hole CLOCK records may be lost, two at the most in this test: what they
 * shifted the grid by is taken from the first sample behind the hole.
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

/*
 * The ticks at either end that were least late: between them elapsed time
 * divided by the period is near a whole number, whatever the host did.
 */
static void find_edges(const struct rcr_record *r, struct cpu *c)
{
	struct edge e = { r->tsc, r->tick, r->late };

	if (c->records < EDGE && (!c->begin.tsc || r->late < c->begin.late))
		c->begin = e;
	if (!c->end.tsc || r->late <= c->end.late || r->tick > c->end.tick + EDGE)
		c->end = e;
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
	find_edges(r, c);
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

/* One read(); false at the end of the stream or on an error. */
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
 * Ticks per period of the TSC, measured here over the whole run. A sample is
 * taken as late as it says; on a busy host that can be most of a period.
 */
static void check_rounding(uint64_t tsc, uint64_t monotonic)
{
	double per_period = (double)tsc / monotonic * set->period_ns;
	unsigned int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		struct cpu *c = &cpus[cpu];
		double late = (double)c->end.late - c->begin.late;
		double periods = (c->end.tsc - c->begin.tsc) / per_period -
				 late / set->period_ns;

		if (!c->started)
			continue;
		if ((uint64_t)(periods + 0.5) != c->end.tick - c->begin.tick) {
			ksft_print_msg("cpu %u: %.3f periods, %" PRIu64 " ticks (late %u and %u ns)\n",
				       cpu, periods, c->end.tick - c->begin.tick,
				       c->begin.late, c->end.late);
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
		/* Samples, other records and lost ones: all that were written. */
		if (c->records + c->clocks + c->steps + c->lost !=
		    c->next_position - c->first_position)
			res->wrong_position++;
	}
	res->done = true;
}

/* @pause: seconds without reading, from a third of the time on. */
static void reader(unsigned int seconds, unsigned int pause)
{
	uint64_t begin = monotonic_ns(), tsc = rdtsc();
	uint64_t end = begin + seconds * 1000000000ull;
	uint64_t pause_at = begin + seconds * 1000000000ull / 3;
	bool hole[MAX_CPUS] = { };
	struct pollfd p = { .events = POLLIN };

	set = open_stream(&p.fd, 0);
	if (!set || set->ncpus > MAX_CPUS)
		exit(KSFT_FAIL);
	while (monotonic_ns() < end) {
		if (pause && monotonic_ns() >= pause_at) {
			sleep(pause);
			pause = 0;
		}
		poll(&p, 1, 1000);
		if (!take_items(p.fd, hole))
			exit(KSFT_FAIL);
	}
	check_rounding(rdtsc() - tsc, monotonic_ns() - begin);
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

static void report(unsigned int i, bool pauses, unsigned int seconds)
{
	const struct result *r = &results[i];
	uint64_t expected = (uint64_t)seconds * 1000000000ull / set->period_ns;

	ksft_print_msg("reader %u: %" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " overruns, %" PRIu64 " clock records, widest read %" PRIu64 " TSC ticks\n",
		       i, r->records, r->lost, r->overruns, r->clocks, r->widest);
	ksft_test_result(r->done && r->records > expected / 10 && !r->silent_cpus &&
			 !r->wrong_count && !r->wrong_status,
			 "reader %u: every total is the formula's between its TSCs (%" PRIu64 " wrong)\n",
			 i, r->wrong_count + r->wrong_status);
	ksft_test_result(r->done && !r->wrong_tick && !r->wrong_time && !r->steps,
			 "reader %u: ticks differ by 1 + overruns, times by periods and shifts (%" PRIu64 ", %" PRIu64 " wrong)\n",
			 i, r->wrong_tick, r->wrong_time);
	ksft_test_result(r->done && !r->from_the_future && !r->wrong_rounding,
			 "reader %u: the monotonic clock shows every tick and overrun (%" PRIu64 ", %" PRIu64 " wrong)\n",
			 i, r->from_the_future, r->wrong_rounding);
	ksft_test_result(r->done && !r->wrong_position && (pauses ? r->lost > 0 : true),
			 "reader %u: %s\n", i, pauses ?
			 "what it lost while it stood still is told exactly" :
			 "no hole but those that are told");
}

int main(int argc, char **argv)
{
	unsigned int seconds, pause, step, i;
	int fd;

	ksft_print_header();
	if (argc != 4)
		ksft_exit_fail_msg("usage: exact SECONDS PAUSE STEP\n");
	seconds = atoi(argv[1]);
	pause = atoi(argv[2]);
	step = atoi(argv[3]);
	ksft_set_plan(READERS * 4 + 1);
	ksft_print_msg("the sampler's budget is off in this test\n");

	results = mmap(NULL, sizeof(*results) * READERS, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < READERS; i++) {
		res = &results[i];
		if (!fork())
			reader(seconds, i == READERS - 1 ? pause : 0);
	}
	if (step) {
		sleep(seconds / 3);
		step_clock(-60);
		sleep(seconds / 3);
		step_clock(120);
	}
	while (wait(NULL) > 0)
		;
	set = open_stream(&fd, 0);
	if (!set)
		ksft_exit_fail_msg("the device cannot be opened\n");
	for (i = 0; i < READERS; i++)
		report(i, pause && i == READERS - 1, seconds);
	ksft_test_result(results[0].clocks == (step ? 2 * set->ncpus : 0),
			 "each CPU tells each step of the clock (%" PRIu64 " told)\n",
			 results[0].clocks);
	ksft_finished();
}
