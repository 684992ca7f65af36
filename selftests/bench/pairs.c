// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs.c CYCLES FUNCTION... - reads a text trace of hrtimer_expire_entry and _exit with the clock
 * x86-tsc. Prints for each timer function how often it ran, and the minimum, median and mean of its
 * durations; for the first function also how often it ran in the last CYCLES before the mark in the
 * trace, and the sum of these durations.
 */
#define _GNU_SOURCE
#include <string.h>

#include "measure.h"

#define CPUS 64
#define MOST 1000000

/* All runs of a function. */
static struct runs {
	const char *name;
	uint64_t *cycles;
	uint64_t *begin;
	size_t count;
} runs[8];

static uint64_t marked;		/* TSC of the mark */

/* The function that runs on a CPU now. */
static struct run {
	struct runs *of;
	uint64_t begin;
} running[CPUS];

static struct runs *function_of(const char *text)
{
	const char *at = strstr(text, "function=");
	struct runs *r;

	for (r = runs; at && r->name; r++) {
		size_t n = strlen(r->name);

		if (!strncmp(at + 9, r->name, n) && (at[9 + n] == ' ' || at[9 + n] == '+'))
			return r;
	}
	return NULL;
}

/* The time stamp is right before ": hrtimer_expire_". */
static uint64_t time_before(const char *line, const char *at)
{
	while (at > line && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return strtoull(at, NULL, 10);
}

static void take(const char *line)
{
	const char *at = strstr(line, ": hrtimer_expire_"), *cpu;
	const char *mark = strstr(line, ": tracing_mark_write");
	struct run *run;

	if (mark)
		marked = time_before(line, mark);
	cpu = at ? memrchr(line, '[', at - line) : NULL;
	if (!cpu || strtoul(cpu + 1, NULL, 10) >= CPUS)
		return;
	run = &running[strtoul(cpu + 1, NULL, 10)];
	if (!strncmp(at, ": hrtimer_expire_entry", 22)) {
		run->of = function_of(at);
		run->begin = time_before(line, at);
	} else if (run->of && run->of->count < MOST) {
		run->of->begin[run->of->count] = run->begin;
		run->of->cycles[run->of->count++] = time_before(line, at) - run->begin;
		run->of = NULL;
	}
}

static double mean(const struct runs *r)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < r->count; i++)
		sum += r->cycles[i];
	return r->count ? sum / r->count : 0;
}

static void tell_window(const struct runs *r, uint64_t cycles)
{
	uint64_t sum = 0;
	size_t i, n = 0;

	for (i = 0; i < r->count; i++) {
		if (r->begin[i] + cycles < marked || r->begin[i] >= marked)
			continue;
		sum += r->cycles[i];
		n++;
	}
	printf("window %zu %" PRIu64 "\n", n, sum);
}

int main(int argc, char **argv)
{
	char line[1024];
	uint64_t middle;
	int i, count = argc - 2;

	if (count < 1 || count > 7)
		errx(1, "usage: pairs CYCLES FUNCTION...");
	for (i = 0; i < count; i++) {
		runs[i].name = argv[i + 2];
		runs[i].cycles = calloc(MOST, sizeof(uint64_t));
		runs[i].begin = calloc(MOST, sizeof(uint64_t));
		if (!runs[i].cycles || !runs[i].begin)
			err(1, "memory");
	}
	while (fgets(line, sizeof(line), stdin))
		take(line);
	tell_window(&runs[0], strtoull(argv[1], NULL, 10));
	for (i = 0; i < count; i++) {
		middle = median(runs[i].cycles, runs[i].count);
		printf("%s %zu %" PRIu64 " %" PRIu64 " %.1f\n", runs[i].name, runs[i].count,
		       runs[i].count ? runs[i].cycles[0] : 0, middle, mean(&runs[i]));
	}
	return 0;
}
