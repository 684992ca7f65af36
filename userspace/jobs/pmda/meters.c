// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meters.c - meters of blackboard 1.
 *
 * The agent subscribes to the meters, so that the module evaluates them once per grid step. Values
 * are read at each grid tick, so that a fetch makes no system call.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmda/agent.h"

/* Bits of an instance number that hold the number of the place. */
#define INST_PLACE 24

void meters_close(struct agent *a)
{
	rcr_board_close(a->board);
	a->board = NULL;
	a->renamed |= a->descriptions;
	a->descriptions = 0;
	a->meters = 0;
}

static void open_board(struct agent *a)
{
	if (a->file) {
		strcpy(a->board_state, "a recording has no meters");
		return;
	}
	a->board = rcr_board_open(NULL);
	if (a->board)
		strcpy(a->board_state, "present");
	else
		rcr_board_open_error(NULL, errno, a->board_state, sizeof(a->board_state));
}

static void add_meter(struct agent *a, unsigned int board, unsigned int entry)
{
	const struct rcr_board_meter *m = &a->description[board];
	const struct rcr_board_entry *e = rcr_board_entry(a->board, entry);
	const struct rcr_board_place *p = e ? rcr_board_place(a->board, e->place) : NULL;
	struct agent_meter *meter = p && p->number < 1u << INST_PLACE ?
		reallocarray(a->meter, a->meters + 1, sizeof(*meter)) : NULL;

	if (!meter)
		return;
	a->meter = meter;
	meter[a->meters++] = (struct agent_meter){
		.board = board, .inst = p->kind << INST_PLACE | p->number, .value = NAN,
		.handle = { .entry = entry, .serial = m->serial, .digits = m->digits,
			    .type = m->type, .scale_ns = m->scale_ns },
	};
}

/* If the list of meters has changed, subscribes to the new ones and lists their places. */
static void take_meter_list(struct agent *a)
{
	struct rcr_board_meter each[AGENT_METERS];
	int i, count = rcr_board_meters(a->board, each, AGENT_METERS);
	unsigned int n;

	if (count < 0 || ((unsigned int)count == a->descriptions &&
			  !memcmp(each, a->description, count * sizeof(*each))))
		return;
	memcpy(a->description, each, count * sizeof(*each));
	a->descriptions = count;
	a->meters = 0;
	a->renamed = true;
	for (i = 0; i < count; i++) {
		rcr_board_subscribe_meter(a->board, &each[i], a->align.grid);
		for (n = 0; n < each[i].entries; n++)
			add_meter(a, i, each[i].first + n);
	}
}

/* Reads the values of all meters. */
void meters_read(struct agent *a)
{
	unsigned int i;

	if (!a->board)
		open_board(a);
	if (!a->board)
		return;
	take_meter_list(a);
	for (i = 0; i < a->meters; i++)
		a->meter[i].value = rcr_board_get(a->board, &a->meter[i].handle);
}
