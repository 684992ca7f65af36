// SPDX-License-Identifier: GPL-2.0-only
/*
 * compare.c - compares rcrstat's CSV with the virtual PMU's formula.
 *
 *	rcrstat -n N | compare TSC_KHZ NAME=SELECT...
 *
 * Prints the rate of each event on each CPU, as the mean of all lines and by the formula. Fails if
 * a cell is missing or more than 1 % off.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rate.h"

#define MAX_COLUMNS 4096
#define FIRST_COLUMN 5		/* columns before: time,interval,lost,overruns,status */

struct column {
	char name[64];
	unsigned int cpu;
	double expected, sum, worst;
	unsigned int cells;
};

static struct column column[MAX_COLUMNS];
static unsigned int columns;

static uint64_t select_of(const char *name, char **args)
{
	size_t len = strlen(name);

	for (; *args; args++)
		if (!strncmp(*args, name, len) && (*args)[len] == '=')
			return strtoull(*args + len + 1, NULL, 0);
	fprintf(stderr, "compare: no argument %s=SELECT for that column\n", name);
	exit(2);
}

static void read_header(char *line, double khz, char **args)
{
	char *word = strtok(line, ",\n");
	unsigned int i;

	for (i = 0; word && columns < MAX_COLUMNS; i++, word = strtok(NULL, ",\n")) {
		struct column *c = &column[columns];
		uint64_t select;

		if (i < FIRST_COLUMN)
			continue;
		/* The last column identifies the node. */
		if (!strcmp(word, "producer"))
			return;
		if (sscanf(word, "cpu%u:%63s", &c->cpu, c->name) != 2) {
			fprintf(stderr, "compare: column \"%s\" is not cpuN:EVENT\n", word);
			exit(2);
		}
		select = select_of(c->name, args);
		c->expected = khz * 1e3 / (1 << VPMU_RATE_SHIFT) *
			      vpmu_rate((select & 0xff) | (select >> 24 & 0xf00),
					select >> 8 & 0xff, c->cpu);
		columns++;
	}
}

static void read_line(char *line)
{
	unsigned int i;
	char *cell;

	for (i = 0; (cell = strsep(&line, ",\n")) && i < FIRST_COLUMN + columns; i++) {
		struct column *c = &column[i - FIRST_COLUMN];
		double off;

		if (i < FIRST_COLUMN || !*cell)
			continue;
		c->sum += strtod(cell, NULL);
		c->cells++;
		off = strtod(cell, NULL) / c->expected - 1;
		if (fabs(off) > fabs(c->worst))
			c->worst = off;
	}
}

static int report(unsigned int lines)
{
	unsigned int i, bad = 0;

	printf("%-16s %4s %16s %16s %10s\n", "event", "cpu", "measured/s",
	       "model/s", "worst");
	for (i = 0; i < columns; i++) {
		struct column *c = &column[i];
		int wrong = c->cells != lines || !(fabs(c->worst) <= 0.01);

		printf("%-16s %4u %16.0f %16.0f %+9.4f%%%s\n", c->name, c->cpu,
		       c->sum / c->cells, c->expected, c->worst * 100,
		       wrong ? "  <-- wrong" : "");
		bad += wrong;
	}
	printf("%u lines of %u rates, %u columns incomplete or off by more than 1 %%\n",
	       lines, columns, bad);
	return bad || !columns || !lines;
}

int main(int argc, char **argv)
{
	unsigned int lines = 0;
	char *line = NULL;
	size_t size = 0;

	if (argc < 3) {
		fputs("usage: compare TSC_KHZ NAME=SELECT...\n", stderr);
		return 2;
	}
	while (getline(&line, &size, stdin) > 0) {
		if (line[0] == '#')
			continue;
		if (!columns) {
			read_header(line, strtod(argv[1], NULL), argv + 2);
			continue;
		}
		read_line(line);
		lines++;
	}
	free(line);
	return report(lines);
}
