// SPDX-License-Identifier: GPL-2.0-or-later
/* calibrate_set.c - sets the limits of one mix from a calibration. */
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "calibrate.h"
#include "message.h"
#include "meters.h"

/**
 * struct setting - limits to set
 * @meter: the meter
 * @limits: for the whole machine
 */
struct setting {
	const struct rcr_meter_state *meter;
	struct rcr_meter_limits limits;
};

/* Converts the limits of a line; a missing contention level is set to unknown. */
static int limits_of_line(const struct rcr_meters *meters, const struct calibrated *line,
			  struct setting *set)
{
	struct rcr_meter_limits *l = &set->limits;

	set->meter = rcr_meters_find(meters, line->meter);
	if (!set->meter)
		return fail("unknown meter '%s': add it, or remove its lines from the file",
			    line->meter);
	*l = (struct rcr_meter_limits){
		.kind = RCR_PLACE_MACHINE, .has_maximum = true, .has_contention = true,
	};
	return meter_value(set->meter, 0, line->maximum, &l->maximum) ||
	       (*line->contention &&
		meter_value(set->meter, 0, line->contention, &l->contention));
}

/* True if no line before it has the same meter. */
static bool is_first_line(const struct calibration *c, const struct calibrated *line)
{
	const struct calibrated *before;

	for (before = c->line; before < line; before++)
		if (!strcmp(before->meter, line->meter))
			return false;
	return true;
}

int calibration_set(struct session *s, const struct calibration *c, const char *meter,
		    unsigned int mix)
{
	static struct setting set[CALIBRATION_MOST];
	static struct rcr_meters meters;
	const struct calibrated *line, *end = c->line + c->count;
	int status = meters_look(s, &meters);
	struct rcr_blackboard *b = NULL;
	unsigned int count = 0, i;

	for (line = c->line; !status && line < end; line++)
		if (is_first_line(c, line) && (!meter || !strcmp(meter, line->meter)))
			status = limits_of_line(&meters, calibration_choose(c, line->meter, mix),
						&set[count++]);
	if (!status)
		b = board_open();
	if (!b)
		return EXIT_FAILURE;
	for (i = 0; !status && i < count; i++)
		status = meter_set_limits(s, b, set[i].meter, &set[i].limits);
	rcr_board_close(b);
	return status;
}
