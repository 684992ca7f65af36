// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * split.c - chooses the events that this process counts. If a mode has more events than there are
 * counters, they are split into groups, and each rank counts one of these. All ranks form the same
 * groups if the same counters are free; rcrregion joins the counts by the names of the events.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/region.h"

/* Group of an event that is in no group. */
#define SPLIT_NONE	0xff

/**
 * struct split_rule - assigns a group to this process
 * @most: most groups that are used
 * @number: number of the process, from 0: it counts this group modulo the number of groups
 */
struct split_rule {
	unsigned int most;
	unsigned int number;
};

/* Parses a number from the environment; returns -1 if @text is none. */
static int read_number(const char *text)
{
	char *end;
	long number = text ? strtol(text, &end, 10) : -1;

	return text && *text && !*end && number >= 0 && number <= INT_MAX ? number : -1;
}

/* Reads the rank from variables of Open MPI, PMIx, MPICH and Slurm; returns -1 if there is none. */
int region_read_rank(void)
{
	static const char *const variables[] = {
		"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID",
	};
	int rank = -1;
	size_t i;

	for (i = 0; rank < 0 && i < sizeof(variables) / sizeof(variables[0]); i++)
		rank = read_number(getenv(variables[i]));
	return rank;
}

/* Reads the rule from RCR_REGION_SPLIT; the default is to split over ranks, if there are any. */
static struct split_rule read_split_rule(void)
{
	static const struct split_rule first_group = { 1, 0 };
	const char *text = getenv("RCR_REGION_SPLIT");
	int group = read_number(text), number = region_process.rank;
	unsigned int most = REGION_LIST;

	if (group > 0)
		return (struct split_rule){ REGION_LIST, group - 1 };
	if (!text || !*text)
		return number < 0 ? first_group : (struct split_rule){ REGION_LIST, number };
	if (!strcmp(text, "none"))
		return first_group;
	if (!strcmp(text, "even-odd")) {
		most = 2;
	} else if (!strcmp(text, "nodes")) {
		number = read_number(getenv("SLURM_NODEID"));
	} else if (strcmp(text, "ranks")) {
		region_say(REGION_SAY_SPLIT,
			   "RCR_REGION_SPLIT: unknown rule '%.40s': use ranks, nodes, even-odd, none or the number of a group",
			   text);
		return first_group;
	}
	if (number >= 0)
		return (struct split_rule){ most, number };
	region_say(REGION_SAY_SPLIT, "RCR_REGION_SPLIT=%s: this process counts the first group, because it has no %s",
		   text, strcmp(text, "nodes") ? "rank" : "node (SLURM_NODEID)");
	return first_group;
}

/*
 * Adds an event that only some counters count to the group @number. The kernel assigns counters in
 * turn, so events of earlier groups are added before it, to occupy the wrong counters. Returns
 * false, with the group unchanged, if this does not help.
 */
static bool add_after_others(unsigned int event, unsigned int events, unsigned int number,
			     const unsigned char group[REGION_LIST])
{
	struct region_process *p = &region_process;
	struct region_event was[REGION_EVENTS];
	unsigned int count = p->count, i;

	memcpy(was, p->event, sizeof(was));
	for (i = 0; i < events; i++) {
		if (group[i] >= number || region_add_event(&p->mode.event[i]))
			continue;
		if (!region_add_event(&p->mode.event[event]))
			return true;
	}
	memcpy(p->event, was, sizeof(was));
	p->count = count;
	return false;
}

/*
 * Forms the next group from the events of the mode that are in none, in their order. Sets @group
 * of the events in it and @error of the others; returns the number of events in the group.
 */
static unsigned int form_group(unsigned int events, unsigned int number,
			       unsigned char group[REGION_LIST], int error[REGION_LIST])
{
	struct region_process *p = &region_process;
	unsigned int i, k, before;

	p->count = 0;
	for (i = 0; i < events; i++) {
		before = p->count;
		if (group[i] == SPLIT_NONE)
			error[i] = region_add_event(&p->mode.event[i]);
		/* With one more event, an earlier one that had no right counter may now get one. */
		for (k = 0; k < i && p->count > before; k++)
			if (group[k] == SPLIT_NONE && error[k] == EXDEV)
				error[k] = region_add_event(&p->mode.event[k]);
		for (k = 0; k <= i && p->count > before; k++)
			if (group[k] == SPLIT_NONE && !error[k])
				group[k] = number;
	}
	for (i = 0; i < events; i++) {
		if (group[i] == SPLIT_NONE && error[i] == EXDEV &&
		    add_after_others(i, events, number, group))
			group[i] = number;
	}
	return p->count;
}

/* Names of the events of all groups, for region_report_events(). */
static char group_names[320];

static void name_groups(unsigned int events, unsigned int groups,
			const unsigned char group[REGION_LIST])
{
	const char *between = "";
	unsigned int g, i;
	size_t length;

	for (g = 0; g < groups; g++, between = " | ") {
		for (i = 0; i < events; i++) {
			if (group[i] != g)
				continue;
			length = strlen(group_names);
			snprintf(group_names + length, sizeof(group_names) - length, "%s%s",
				 between, region_process.mode.event[i].name);
			between = ", ";
		}
	}
}

/* Chooses the events of the mode that this process counts; returns 0 or an errno. */
int region_choose_events(void)
{
	static struct region_event formed[REGION_LIST][REGION_EVENTS];
	struct split_rule rule = read_split_rule();
	struct region_process *p = &region_process;
	unsigned int count[REGION_LIST], groups = 0, i, chosen, events = p->events;
	unsigned char group[REGION_LIST];
	int error[REGION_LIST];

	memset(group, SPLIT_NONE, sizeof(group));
	while (groups < rule.most && form_group(events, groups, group, error)) {
		memcpy(formed[groups], p->event, sizeof(formed[0]));
		count[groups++] = p->count;
	}
	if (!groups)
		return error[0];
	chosen = rule.number % groups;
	memcpy(p->event, formed[chosen], sizeof(formed[0]));
	p->count = count[chosen];
	p->group = groups > 1 ? chosen + 1 : 0;
	p->groups = groups > 1 ? groups : 0;
	for (i = 0, p->events = p->count; i < events; i++) {
		if (group[i] != SPLIT_NONE)
			continue;
		p->error[p->events] = error[i];
		p->event[p->events++] = p->mode.event[i];
	}
	if (groups > 1)
		name_groups(events, groups, group);
	return 0;
}

static const char *why_uncounted(int error)
{
	switch (error) {
	case ENOENT:
	case EOPNOTSUPP:
		return "not on this CPU";
	case EXDEV:
		return "the kernel uses a counter that cannot count it";
	default:
		return "no free counter";
	}
}

void region_report_events(void)
{
	const struct region_process *p = &region_process;
	char list[512] = "";
	unsigned int i;

	if (p->rank > 0)
		return;
	for (i = p->count; i < p->events; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s (%s)",
			 i > p->count ? ", " : "", p->event[i].name, why_uncounted(p->error[i]));
	if (p->groups)
		region_say(REGION_SAY_UNCOUNTED, "mode %s: counted by turns: %s%s%s", p->mode.name,
			   group_names, *list ? "; not counted: " : "", list);
	else if (*list)
		region_say(REGION_SAY_UNCOUNTED, "mode %s: not counted: %s", p->mode.name, list);
}
