// SPDX-License-Identifier: GPL-2.0-only
/*
 * traced.c STREAM - compares events of the tracepoint rcrtool:sample on standard input, as printed
 * by the kernel or perf, with the records of a stream of the same time.
 *
 * Prints "N cpus, N events without a record, N different, N records without an event"; all but the
 * first must be 0. The last one counts records between the first and last event of a CPU.
 */
#include <inttypes.h>
#include <sys/stat.h>

#include "stream.h"

#define MAX_CPUS 64
#define MAX_TICKS 65536

/* Samples of each CPU by tick, and whether they had an event. */
static const struct rcr_record *sample[MAX_CPUS][MAX_TICKS];
static bool told[MAX_CPUS][MAX_TICKS];
static unsigned int samples[MAX_CPUS], counters;

static void take(const struct rcr_item *item)
{
	const struct rcr_record *r = (const void *)item;

	if (item->type == RCR_ITEM_SET)
		counters = ((const struct rcr_set *)item)->ncounters;
	if (item->type == RCR_ITEM_SAMPLE && item->cpu < MAX_CPUS &&
	    samples[item->cpu] < MAX_TICKS)
		sample[item->cpu][samples[item->cpu]++] = r;
}

static void load(const char *path)
{
	FILE *in = fopen(path, "r");
	struct stat st;
	char *bytes;
	long at = 0;

	if (!in || fstat(fileno(in), &st))
		exit(1);
	bytes = malloc(st.st_size + 1);
	if (!bytes || fread(bytes, 1, st.st_size, in) != (size_t)st.st_size)
		exit(1);
	fclose(in);
	while (at + (long)sizeof(struct rcr_item) <= st.st_size) {
		struct rcr_item *item = (struct rcr_item *)(bytes + at);

		if (!item->size || item->size > st.st_size - at)
			break;
		take(item);
		at += item->size;
	}
}

/* Return the number after " NAME=" in a line; all ones if there is none. */
static uint64_t number(const char *line, const char *name)
{
	char key[32];
	const char *at;

	snprintf(key, sizeof(key), " %s=", name);
	at = strstr(line, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : ~0ull;
}

/*
 * Return element @i of the array after " NAME=", which the kernel prints as hexadecimal numbers in
 * braces, and perf as decimal numbers between blanks. All ones if there is no such element.
 */
static uint64_t element(const char *line, const char *name, unsigned int i)
{
	int base = 10;
	char key[32], *end;
	const char *at;
	uint64_t got;

	snprintf(key, sizeof(key), " %s=", name);
	at = strstr(line, key);
	if (!at)
		return ~0ull;
	at += strlen(key);
	if (*at == '{') {
		base = 16;
		at++;
	}
	for (;; at = end + (*end == ',')) {
		got = strtoull(at, &end, base);
		if (end == at)
			return ~0ull;
		if (!i--)
			return got;
	}
}

static int find(unsigned int cpu, uint64_t tick)
{
	unsigned int first = 0, last = samples[cpu], middle;

	while (first < last) {
		middle = (first + last) / 2;
		if (sample[cpu][middle]->tick < tick)
			first = middle + 1;
		else
			last = middle;
	}
	return first < samples[cpu] && sample[cpu][first]->tick == tick ? (int)first : -1;
}

static bool is_same(const char *line, const struct rcr_record *r)
{
	const uint8_t *statuses = (const uint8_t *)&r->value[counters];
	unsigned int i;

	for (i = 0; i < counters; i++)
		if (element(line, "totals", i) != r->value[i] ||
		    element(line, "statuses", i) != statuses[i])
			return false;
	return element(line, "totals", counters) == ~0ull &&
	       number(line, "counters") == counters && number(line, "time") == r->time &&
	       number(line, "tsc") == r->tsc && number(line, "late") == r->late &&
	       number(line, "overruns") == r->overruns &&
	       number(line, "skipped") == r->skipped && number(line, "tgid") == r->tgid &&
	       number(line, "generation") == r->item.generation;
}

/* Count the records without an event between the first and last record of a CPU that have one. */
static unsigned int untold(unsigned int cpu)
{
	unsigned int i, count = 0, first = samples[cpu], last = 0;

	for (i = 0; i < samples[cpu]; i++) {
		if (!told[cpu][i])
			continue;
		first = first < i ? first : i;
		last = i;
	}
	for (i = first; i < last; i++)
		count += !told[cpu][i];
	return count;
}

int main(int argc, char **argv)
{
	unsigned int events = 0, stray = 0, different = 0, missing = 0, cpus = 0, cpu;
	static char line[8192];

	if (argc != 2)
		return 2;
	load(argv[1]);
	while (fgets(line, sizeof(line), stdin)) {
		uint64_t of = number(line, "cpu");
		int at = of < MAX_CPUS ? find(of, number(line, "tick")) : -1;

		if (of == ~0ull)
			continue;
		events++;
		stray += at < 0;
		if (at < 0)
			continue;
		different += !is_same(line, sample[of][at]);
		told[of][at] = true;
	}
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		missing += untold(cpu);
		cpus += !!memchr(told[cpu], true, sizeof(told[cpu]));
	}
	fprintf(stderr, "%u events, %u counters\n", events, counters);
	printf("%u cpus, %u events without a record, %u different, %u records without an event\n",
	       cpus, stray, different, missing);
	return events < 100;
}
