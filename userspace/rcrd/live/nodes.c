// SPDX-License-Identifier: GPL-2.0-or-later
/* nodes.c - read the nodes and limits of this machine. */
#include <stdlib.h>
#include <string.h>

#include "live/nodes.h"

#define METER		"mem_bw"
#define LINE_BYTES	64.0

/* The die that a place belongs to, or 0. */
static unsigned int die_of(const struct rcr_blackboard *board, const struct rcr_board_place *place)
{
	unsigned int steps;

	for (steps = RCR_PLACE_CPU; place && steps; steps--) {
		if (place->kind == RCR_PLACE_DIE)
			return place->number < MACHINE_NODES ? place->number : 0;
		place = rcr_board_place(board, place->parent);
	}
	return 0;
}

/* L3 caches of the node that has most of them. */
static unsigned int most_caches(const struct rcr_blackboard *board)
{
	unsigned int caches[MACHINE_NODES] = { }, most = 0, i, die;

	for (i = 0; i < rcr_board_head(board)->places; i++) {
		const struct rcr_board_place *place = rcr_board_place(board, i);

		if (!place || place->kind != RCR_PLACE_LLC)
			continue;
		die = die_of(board, place);
		if (++caches[die] > most)
			most = caches[die];
	}
	return most;
}

void nodes_read(struct machine *m, const struct rcr_blackboard *board)
{
	unsigned int i, die;

	m->cpus = MACHINE_CPUS;
	m->nodes = 1;
	m->caches = most_caches(board);
	for (i = 0; i < rcr_board_head(board)->places; i++) {
		const struct rcr_board_place *place = rcr_board_place(board, i);

		if (!place || place->kind != RCR_PLACE_CPU || place->number >= MACHINE_CPUS)
			continue;
		die = die_of(board, place);
		m->node_of[place->number] = die;
		if (die >= m->nodes)
			m->nodes = die + 1;
	}
}

/* Convert a value of the meter to lines per second. */
static double lines_of(int64_t value, unsigned int digits)
{
	double unit = 1;

	while (digits--)
		unit *= 10;
	return value / unit / LINE_BYTES;
}

/* Maximum of a node, in lines per second; 0: unknown. */
static double maximum_of(const struct rcr_blackboard *board, unsigned int node)
{
	struct rcr_board_value v;
	struct rcr_meter meter;

	if (rcr_board_find(board, METER, RCR_PLACE_DIE, node, &meter) ||
	    rcr_board_read(board, &meter, &v) || v.maximum <= 0)
		return 0;
	return lines_of(v.maximum, meter.digits);
}

/* Maximum of the machine, in lines per second, which even a sleeping meter has; 0: unknown. */
static double whole_maximum(const struct rcr_meter_state *state)
{
	return state && state->maximum > 0 ? lines_of(state->maximum, state->digits) : 0;
}

/* Utilization at which rcrcal found that contention begins; 0: unknown. */
static double knee_of(const struct rcr_meter_state *state)
{
	if (!state || state->contention <= 0 || state->contention > state->maximum)
		return 0;
	return (double)state->contention / state->maximum;
}

/* Number of controllers that a meter sums: counter names, as CAS0, end with their numbers. */
static unsigned int boxes_of(const struct rcr_meter_state *state)
{
	uint64_t seen = 0;
	unsigned int i;

	for (i = 0; state && i < state->form.above.terms; i++) {
		const char *name = state->form.above.term[i].name, *end = name + strlen(name);

		while (end > name && end[-1] >= '0' && end[-1] <= '9')
			end--;
		if (*end)
			seen |= 1ull << (atoi(end) & 63);
	}
	return __builtin_popcountll(seen);
}

void nodes_take_limits(struct machine *m, const struct rcr_blackboard *board,
		       struct rcr_control *control)
{
	/* Nodes with a maximum of their own, which cannot be read while the meter sleeps. */
	static bool has_own[MACHINE_NODES];
	static struct rcr_meters meters;
	const struct rcr_meter_state *state;
	double lines;
	unsigned int n;

	if (rcr_control_meters(control, &meters))
		return;
	state = rcr_meters_find(&meters, METER);
	m->knee = knee_of(state);
	m->boxes = boxes_of(state);
	for (n = 0; n < m->nodes; n++) {
		/* Read the board only if needed: this makes the module evaluate the meter. */
		lines = state && state->flags & RCR_METER_LIMITED ? maximum_of(board, n) : 0;
		if (!state || !*state->reason || lines > 0)
			has_own[n] = lines > 0;
		if (!(lines > 0))
			lines = whole_maximum(state) / m->nodes;
		if (lines > 0 || !has_own[n])
			m->capacity[n] = lines;
	}
}
