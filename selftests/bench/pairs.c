// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs.c FUNCTION... - from a text trace of hrtimer_expire_entry and _exit by the
 * clock x86-tsc: how often each timer function ran, and the least, the median and the
 * mean of what it took, with what a tracepoint takes.
 */
#define _GNU_SOURCE
#include <string.h>

#include "measure.h"

#define CPUS 64
#define MOST 1000000

/* A function's runs. */
static struct runs {
	const char *name;
	uint64_t *cycles;
	size_t count;
} runs[8];

/* What runs on a CPU now. */
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

/* The time stamp stands right before ": hrtimer_expire_". */
static uint64_t time_before(const char *line, const char *at)
{
	while (at > line && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return strtoull(at, NULL, 10);
}

static void take(const char *line)
{
	const char *at = strstr(line, ": hrtimer_expire_"), *cpu;
	struct run *run;

	cpu = at ? memrchr(line, '[', at - line) : NULL;
	if (!cpu || strtoul(cpu + 1, NULL, 10) >= CPUS)
		return;
	run = &running[strtoul(cpu + 1, NULL, 10)];
	if (!strncmp(at, ": hrtimer_expire_entry", 22)) {
		run->of = function_of(at);
		run->begin = time_before(line, at);
	} else if (run->of && run->of->count < MOST) {
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

int main(int argc, char **argv)
{
	char line[1024];
	uint64_t middle;
	int i;

	if (argc < 2 || argc > 8)
		errx(1, "FUNCTION...");
	for (i = 1; i < argc; i++) {
		runs[i - 1].name = argv[i];
		runs[i - 1].cycles = calloc(MOST, sizeof(uint64_t));
		if (!runs[i - 1].cycles)
			err(1, "memory");
	}
	while (fgets(line, sizeof(line), stdin))
		take(line);
	for (i = 0; i < argc - 1; i++) {
		middle = median(runs[i].cycles, runs[i].count);
		printf("%s %zu %" PRIu64 " %" PRIu64 " %.1f\n", runs[i].name, runs[i].count,
		       runs[i].count ? runs[i].cycles[0] : 0, middle, mean(&runs[i]));
	}
	return 0;
}
