// SPDX-License-Identifier: GPL-2.0-only
/*
 * misplaced.c - promise P10 while other users of counters start and stop: compares every cell
 * (counter, CPU, sample) with status ok with the virtual PMU's formula and register log.
 *
 *	misplaced STEP...
 *
 *	on, off		switches the NMI watchdog
 *	stat		runs perf stat for 0.3 s
 *	run COMMAND	runs a shell command
 *	settle		waits until all counters of all CPUs have been ok for QUIET consecutive
 *			samples, at most SETTLE samples
 *	wait:N		waits for N samples
 *
 * A cell is right if its count matches vpmu/rate.h for the time in which the register log
 * (vpmu/register_log.h) has a register enabled for the event. This excludes the time in which perf
 * disables all counters of a CPU to add or remove an event, but includes the time of an enabled
 * counter that cannot count its event. The log does not depend on the module.
 *
 * If the watchdog is off, all cells must be right again within HEALED samples after a step.
 *
 * No other program may count an event of the set, as the log does not show whose register it is.
 * Prints results, which misplaced.sh checks.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sys/param.h>

#include "changes.h"
#include "stream.h"

#define MAX_CPUS	16
#define MAX_SAMPLES	8192
#define MAX_STEPS	32
#define BUFFER		0x100000
#define QUIET		30
#define HEALED		200
#define SETTLE		(HEALED + 2 * QUIET)
#define SHOWN		8

struct sample {
	struct bracket at;
	uint64_t tick, lost;
	uint64_t total[RCR_MAX_COUNTERS];
	uint8_t status[RCR_MAX_COUNTERS];
};

static struct {
	struct sample *all;
	unsigned int n, quiet;
	struct changes log;
	struct spans spans[RCR_MAX_COUNTERS];
} cpus[MAX_CPUS];

/* Begin and end of a step, and the results of the cells after its begin. */
static struct step {
	const char *name;
	uint64_t began, done;
	unsigned int cells, ok, wrong, paused;
	uint64_t longest;		/* longest time disabled in a cell with status ok */
	uint64_t ticks;			/* sum of these times */
	uint64_t healed;		/* ticks from done to the last cell that was not right */
	bool well;			/* all cells were right at the end */
	bool alone;			/* the watchdog was off after the step */
} steps[MAX_STEPS];

static struct rcr_set *set;
static int device;
static uint64_t lost, sets;
static unsigned int nsteps, shown, twice;
static bool watchdog;

static void fail(const char *what)
{
	printf("misplaced: %s: %s\n", what, strerror(errno));
	exit(1);
}

static bool all_ok(const struct sample *s)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (s->status[i] != RCR_STATUS_OK)
			return false;
	return true;
}

static void keep(const struct rcr_record *r)
{
	unsigned int cpu = r->item.cpu;
	struct sample *s;

	if (cpu >= MAX_CPUS || cpus[cpu].n == MAX_SAMPLES)
		return;
	s = &cpus[cpu].all[cpus[cpu].n++];
	*s = (struct sample){ .at = bracket_of(r), .tick = r->tick };
	memcpy(s->total, r->value, set->ncounters * sizeof(s->total[0]));
	memcpy(s->status, statuses_of(set, r), set->ncounters);
	cpus[cpu].quiet = all_ok(s) ? cpus[cpu].quiet + 1 : 0;
}

static void take_items(int timeout)
{
	static char buffer[BUFFER] __attribute__((aligned(8)));
	struct pollfd p = { .fd = device, .events = POLLIN };
	ssize_t got, at;

	if (poll(&p, 1, timeout) < 1)
		return;
	got = read(device, buffer, sizeof(buffer));
	if (got < 0)
		fail("read");
	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size) {
		struct rcr_item *item = (struct rcr_item *)(buffer + at);

		if (item->type == RCR_ITEM_SAMPLE && item->generation == set->item.generation)
			keep((struct rcr_record *)item);
		lost += item->type == RCR_ITEM_LOST;
		sets += item->type == RCR_ITEM_SET;
	}
}

static bool have(const unsigned int *first, unsigned int samples)
{
	unsigned int cpu;

	for (cpu = 0; cpu < set->ncpus; cpu++)
		if (cpus[cpu].n < first[cpu] + samples)
			return false;
	return true;
}

static bool is_quiet(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < set->ncpus; cpu++)
		if (cpus[cpu].quiet < QUIET)
			return false;
	return true;
}

static void wait_for(unsigned int samples, bool settle)
{
	unsigned int first[MAX_CPUS], cpu;

	for (cpu = 0; cpu < set->ncpus; cpu++) {
		first[cpu] = cpus[cpu].n;
		cpus[cpu].quiet = 0;
	}
	while (!have(first, samples) && !(settle && is_quiet()))
		take_items(1000);
}

static void switch_watchdog(const char *to)
{
	int fd = open("/proc/sys/kernel/nmi_watchdog", O_WRONLY);

	if (fd < 0 || write(fd, to, 1) != 1)
		fail("nmi_watchdog");
	close(fd);
	watchdog = *to == '1';
}

static void find_watchdog(void)
{
	FILE *f = fopen("/proc/sys/kernel/nmi_watchdog", "r");

	if (!f)
		fail("nmi_watchdog");
	watchdog = fgetc(f) == '1';
	fclose(f);
}

static void run(const char *command)
{
	int status = system(command);

	if (status)
		printf("misplaced: \"%s\" failed with status %d\n", command, status);
}

/* Run a step; return the number of arguments that it takes. */
static int do_step(char **word)
{
	struct step *s = &steps[nsteps];
	int taken = 1;

	if (!strcmp(word[0], "settle")) {
		wait_for(SETTLE, true);
		return 1;
	}
	if (!strncmp(word[0], "wait:", 5)) {
		wait_for(atoi(word[0] + 5), false);
		return 1;
	}
	if (nsteps == MAX_STEPS) {
		errno = E2BIG;
		fail(word[0]);
	}
	s->name = word[0];
	s->began = rdtsc();
	if (!strcmp(word[0], "on"))
		switch_watchdog("1");
	else if (!strcmp(word[0], "off"))
		switch_watchdog("0");
	else if (!strcmp(word[0], "stat"))
		run("perf stat -a -e r00c2 -o /dev/null sleep 0.3 2>/dev/null");
	else if (!strcmp(word[0], "run") && word[1])
		run(s->name = word[taken++]);
	else if (strcmp(word[0], "begin"))
		fail(word[0]);
	s->done = rdtsc();
	s->alone = !watchdog;
	nsteps++;
	return taken;
}

/* Return the latest step that began before @tsc. */
static struct step *step_of(uint64_t tsc)
{
	unsigned int i = nsteps - 1;

	while (i && steps[i].began > tsc)
		i--;
	return &steps[i];
}

static void show(unsigned int cpu, unsigned int i, const struct sample *s, const char *step,
		 uint64_t counted, uint64_t least, uint64_t most, uint64_t ticks)
{
	if (shown++ >= SHOWN)
		return;
	printf("wrong: cpu%u:%s at tick %" PRIu64 " (after %s): %" PRIu64 ", not %" PRIu64 " to %" PRIu64 " with the register disabled for %.1f us\n",
	       cpu, counters_of(set)[i].name, s->tick, step, counted, least, most,
	       ticks * 1e3 / set->tsc_khz);
}

/* Check one cell; return true if its status is ok and its count right. */
static bool judge(unsigned int cpu, unsigned int i, const struct sample *was,
		  const struct sample *is, struct step *step)
{
	const struct spans *s = &cpus[cpu].spans[i];
	uint64_t least = counted_to(s, is->at.begin) - counted_to(s, was->at.end);
	uint64_t most = counted_to(s, is->at.end) - counted_to(s, was->at.begin);
	uint64_t counted = is->total[i] - was->total[i], ticks;
	bool ok = is->status[i] == RCR_STATUS_OK && was->status[i] == RCR_STATUS_OK;

	step->cells++;
	step->ok += ok;
	ticks = disabled_for(s, was->at.begin, is->at.end);
	/* A cell with another status may have counted less, but not more. */
	if (counted > most || (ok && counted < least)) {
		step->wrong++;
		show(cpu, i, is, step->name, counted, least, most, ticks);
		return false;
	}
	if (!ok)
		return false;
	step->paused += !!ticks;
	step->ticks += ticks;
	step->longest = MAX(step->longest, ticks);
	return true;
}

/* Return the number of sample @n, from 1 for the first one after @tsc. */
static uint64_t ticks_since(unsigned int cpu, unsigned int n, uint64_t tsc)
{
	const struct sample *s = cpus[cpu].all;
	uint64_t tick = s[n].tick;

	if (s[n].at.begin < tsc)
		return 0;
	while (n && s[n - 1].at.begin >= tsc)
		n--;
	return tick - s[n].tick + 1;
}

static void judge_cpu(unsigned int cpu)
{
	const struct rcr_counter *counter = counters_of(set);
	struct changes *log = &cpus[cpu].log;
	unsigned int n, i;

	*log = log_take(cpu);
	if (!log->all)
		fail("cannot read the register log");
	if (log->lost)
		printf("misplaced: the register log lost %" PRIu64 " changes\n", log->lost);
	for (i = 0; i < set->ncounters; i++) {
		cpus[cpu].spans[i] = spans_of(log, event_of(counter[i].select),
					      umask_of(counter[i].select),
					      rate_of(&counter[i], cpu));
		twice += cpus[cpu].spans[i].twice;
	}
	for (n = 1; n < cpus[cpu].n; n++) {
		const struct sample *is = &cpus[cpu].all[n], *was = is - 1;
		struct step *step = step_of(is->at.begin);
		bool right = true;

		/* Skip samples from before the log began. */
		if (!log->n || was->at.begin < log->all[0].tsc)
			continue;
		for (i = 0; i < set->ncounters; i++)
			right &= judge(cpu, i, was, is, step);
		step->well = right;
		if (!right)
			step->healed = MAX(step->healed, ticks_since(cpu, n, step->done));
	}
}

/* Check all cells. A step has healed if the last cells of all CPUs are right. */
static void judge_all(void)
{
	bool well[MAX_STEPS];
	unsigned int cpu, k;

	for (k = 0; k < nsteps; k++)
		well[k] = true;
	for (cpu = 0; cpu < set->ncpus; cpu++) {
		for (k = 0; k < nsteps; k++)
			steps[k].well = false;
		judge_cpu(cpu);
		for (k = 0; k < nsteps; k++)
			well[k] &= steps[k].well;
	}
	for (k = 0; k < nsteps; k++)
		steps[k].well = well[k];
}

static double us(uint64_t ticks)
{
	return ticks * 1e3 / set->tsc_khz;
}

static void report(void)
{
	unsigned int k, cells = 0, ok = 0, wrong = 0;
	unsigned int alone = 0, healed = 0;
	uint64_t longest = 0;

	for (k = 0; k < nsteps; k++) {
		const struct step *s = &steps[k];

		printf("after %s: %u cells, %u ok, %u wrong, %u paused for %.1f us in all and %.1f at most, ",
		       s->name, s->cells, s->ok, s->wrong, s->paused, us(s->ticks), us(s->longest));
		if (s->well)
			printf("right from tick %" PRIu64 " on\n", s->healed + 1);
		else
			puts("still wrong at the end");
		cells += s->cells;
		ok += s->ok;
		wrong += s->wrong;
		longest = MAX(longest, s->longest);
		alone += s->alone;
		healed += s->alone && s->well && s->healed < HEALED;
	}
	printf("longest pause: %.1f us\n", us(longest));
	printf("%u of %u steps that leave the watchdog off were right again within %u ticks\n",
	       healed, alone, HEALED);
	printf("%" PRIu64 " sets, %" PRIu64 " lost, %u counted twice\n", sets, lost, twice);
	printf("%s cells, %s ok, %u wrong\n", cells > 1000 ? "many" : "few",
	       ok > cells / 4 ? "many" : "few", wrong);
}

int main(int argc, char **argv)
{
	char begin[] = "begin", *first[2] = { begin };
	unsigned int cpu;
	int i;

	set = open_stream(&device, 0);
	if (!set || set->ncpus > MAX_CPUS)
		fail(DEVICE);
	for (cpu = 0; cpu < set->ncpus; cpu++) {
		cpus[cpu].all = calloc(MAX_SAMPLES, sizeof(*cpus[cpu].all));
		if (!cpus[cpu].all || !log_switch(cpu, true))
			fail("cannot start the register log");
	}
	find_watchdog();
	do_step(first);
	wait_for(SETTLE, true);
	for (i = 1; i < argc; i += do_step(argv + i))
		;
	for (cpu = 0; cpu < set->ncpus; cpu++)
		log_switch(cpu, false);
	judge_all();
	report();
	return 0;
}
