// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gauge.c - median of a meter over selected ticks.
 *
 * The averages of the meter are not used: its time scale began before the present load, and an
 * average is affected by every tick that a CPU was late for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gauge.h"
#include "message.h"

int gauge_open(struct gauge *g, const struct rcr_blackboard *b, const char *name,
	       uint64_t interval_ns)
{
	struct rcr_board_value v;
	int status;

	*g = (struct gauge){ .b = b, .name = name };
	status = board_find(b, name, RCR_PLACE_MACHINE, 0, &g->meter);
	if (status)
		return status;
	if (rcr_board_subscribe(b, &g->meter, interval_ns) && errno != ESTALE)
		return fail("%s: %s", board_path(), strerror(errno));
	if (rcr_board_read(b, &g->meter, &v) && errno == ESTALE)
		return fail("sampling is stopped: see 'rcrctl ls'");
	if (!board_describe(b, &g->meter, &g->about))
		return fail("the meter '%s' was removed meanwhile", name);
	return EXIT_SUCCESS;
}

void gauge_begin(struct gauge *g, uint64_t from)
{
	g->last = from;
	g->count = 0;
}

int gauge_look(struct gauge *g)
{
	struct rcr_board_value v;
	double value;
	uint32_t i;

	if (rcr_board_read(g->b, &g->meter, &v))
		return errno == ENODATA || errno == EAGAIN ? 0 : -1;
	if (v.time <= g->last)
		return 0;
	g->last = v.time;
	if (v.current_status != RCR_STATUS_OK)
		return 0;
	value = v.current_value;
	for (i = 0; i < g->about.digits; i++)
		value /= 10;
	g->value[g->count++ % GAUGE_TICKS] = value;
	return 0;
}

static int compare_ticks(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

double gauge_median(struct gauge *g)
{
	unsigned int count = g->count < GAUGE_TICKS ? g->count : GAUGE_TICKS;

	qsort(g->value, count, sizeof(g->value[0]), compare_ticks);
	return count ? (g->value[count / 2] + g->value[(count - 1) / 2]) / 2 : 0;
}
