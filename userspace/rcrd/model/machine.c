// SPDX-License-Identifier: GPL-2.0-or-later
/* machine.c - write the facts of a machine to a recording, and read them back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/machine.h"
#include "parse/cpulist.h"

#define MOST_BOXES	64		/* of a node; also most L3 caches */
#define LEAST_FACT	(1 / 1e9)	/* counts are divided by facts */
#define MOST_FACT	1e18

/* Holds the prefix and the longest list of CPUs. */
#define LINE_ROOM	(CPULIST_TEXT + 64)

static void write_node_cpus(const struct machine *m, unsigned int node, unsigned int cpus,
			    char *line)
{
	static bool in_node[CPU_LIMIT];
	FILE *out = fmemopen(line, LINE_ROOM, "w");
	unsigned int cpu;

	*line = 0;
	if (!out)
		return;
	for (cpu = 0; cpu < CPU_LIMIT; cpu++)
		in_node[cpu] = cpu < cpus && m->node_of[cpu] == node;
	fprintf(out, "machine.cpus.%u=", node);
	cpulist_print(out, in_node);
	fclose(out);
}

void machine_write(const struct machine *m, unsigned int cpus, fact_take take, void *to)
{
	static char line[LINE_ROOM];
	unsigned int n;

	if (m->knee > 0) {
		snprintf(line, sizeof(line), "machine.knee.0=%.17g", m->knee);
		take(to, line);
	}
	if (m->boxes) {
		snprintf(line, sizeof(line), "machine.boxes.0=%u", m->boxes);
		take(to, line);
	}
	if (m->caches) {
		snprintf(line, sizeof(line), "machine.caches.0=%u",
			 m->caches < MOST_BOXES ? m->caches : MOST_BOXES);
		take(to, line);
	}
	for (n = 0; n < m->nodes; n++) {
		write_node_cpus(m, n, cpus, line);
		take(to, line);
		/* 17 digits represent a double exactly. */
		if (m->capacity[n] > 0) {
			snprintf(line, sizeof(line), "machine.lines.%u=%.17g", n, m->capacity[n]);
			take(to, line);
		}
		if (m->latency[n] > 0) {
			snprintf(line, sizeof(line), "machine.latency.%u=%.17g", n, m->latency[n]);
			take(to, line);
		}
	}
}

static bool take_cpus(struct machine *m, unsigned int node, const char *list)
{
	static bool in_node[CPU_LIMIT];
	unsigned int cpu;

	memset(in_node, 0, sizeof(in_node));
	if (!cpulist_parse(list, in_node))
		return false;
	for (cpu = 0; cpu < CPU_LIMIT; cpu++) {
		if (!in_node[cpu])
			continue;
		m->node_of[cpu] = node;
		if (cpu >= m->cpus)
			m->cpus = cpu + 1;
	}
	if (node >= m->nodes)
		m->nodes = node + 1;
	return true;
}

static bool take_fact_number(double *to, const char *text)
{
	char *end;
	double val = strtod(text, &end);

	if (*text < '0' || *text > '9' || *end || !(val >= LEAST_FACT && val < MOST_FACT))
		return false;
	*to = val;
	return true;
}

static bool take_boxes(unsigned int *to, const char *text)
{
	double val;

	if (!take_fact_number(&val, text) || val < 1 || val > MOST_BOXES)
		return false;
	*to = val;
	return true;
}

bool machine_take(struct machine *m, const char *line)
{
	char what[8], number[3];
	unsigned int node;
	int begin = 0;

	if (sscanf(line, "machine.%7[a-z].%2[0-9]=%n", what, number, &begin) != 2 || !begin)
		return false;
	node = atoi(number);
	if (node >= MACHINE_NODES)
		return false;
	if (!strcmp(what, "cpus"))
		return take_cpus(m, node, line + begin);
	if (!strcmp(what, "lines"))
		return take_fact_number(&m->capacity[node], line + begin);
	if (!strcmp(what, "boxes"))
		return take_boxes(&m->boxes, line + begin);
	if (!strcmp(what, "caches"))
		return take_boxes(&m->caches, line + begin);
	if (!strcmp(what, "knee"))
		return take_fact_number(&m->knee, line + begin);
	return !strcmp(what, "latency") && take_fact_number(&m->latency[node], line + begin);
}
