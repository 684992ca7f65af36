// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_labelled.c - writes a recording of labelled.h to standard output, for tests of programs.
 * Usage:
 * make_labelled KIND [NAME=VALUE]..., where KIND is "thrasher" and NAME seed, nodes, cpus, ticks,
 * period (ms), noise, lost (%) or missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "labelled.h"

static enum labelled_kind kind_of(const char *name)
{
	enum labelled_kind kind;

	for (kind = 0; kind < LABELLED_KINDS && strcmp(labelled_name(kind), name); kind++)
		;
	return kind;
}

static int take_word(struct labelled_options *o, const char *word)
{
	char name[16];
	double value;

	if (sscanf(word, "%15[a-z]=%lf", name, &value) != 2)
		return -1;
	if (!strcmp(name, "seed"))
		o->seed = value;
	else if (!strcmp(name, "nodes"))
		o->nodes = value;
	else if (!strcmp(name, "cpus"))
		o->node_cpus = value;
	else if (!strcmp(name, "ticks"))
		o->ticks = value;
	else if (!strcmp(name, "period"))
		o->period_ns = value * 1000000;
	else if (!strcmp(name, "noise"))
		o->noise = value / 100;
	else if (!strcmp(name, "lost"))
		o->lost = value / 100;
	else if (!strcmp(name, "missing"))
		o->missing = value;
	else
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct labelled_options o = {
		.seed = 1, .nodes = 2, .node_cpus = 4, .ticks = 1500, .period_ns = 2000000,
		.noise = 0.1,
	};
	struct labelled_truth t;
	int i, wrong = argc < 2;

	if (!wrong)
		o.kind = kind_of(argv[1]);
	for (i = 2; i < argc; i++)
		wrong |= take_word(&o, argv[i]);
	if (wrong || labelled_write(stdout, &o, &t)) {
		fprintf(stderr, "make_labelled: wrong arguments\n");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
