// SPDX-License-Identifier: GPL-2.0-only
/*
 * calibrate_tell.c - tells the module what a calibration says.
 */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "message.h"
#include "meter.h"

static int as_value(const struct rcr_meter_state *m, const char *text, int64_t *value)
{
	struct quantity_scale scale = { .unit = m->unit, .digits = m->digits };
	struct quantity q;
	struct why why;

	*value = 0;
	if (!*text)
		return EXIT_SUCCESS;
	if (!quantity_parse(text, &q, &why) && !quantity_value(&q, &scale, value, &why))
		return EXIT_SUCCESS;
	return fail("%s: %s", m->name, why.text);
}

static int understand(const struct rcr_meters *meters, const struct calibrated *line,
		      struct rcr_meter_maximum *max)
{
	const struct rcr_meter_state *m = rcr_meters_find(meters, line->meter);

	if (!m)
		return fail("there is no meter \"%s\" now: make it, or take its lines out of the file",
			    line->meter);
	*max = (struct rcr_meter_maximum){
		.theoretical = line->kind == CALIBRATION_MACHINE,
		.mix = line->kind == CALIBRATION_MACHINE ? RCR_METER_ANY : line->kind,
		.has_maximum = true,
		.has_contention = line->kind != CALIBRATION_MACHINE,
	};
	return as_value(m, line->maximum, &max->maximum) ||
	       as_value(m, line->contention, &max->contention);
}

int calibration_tell(struct session *s, const struct calibration *c)
{
	static struct rcr_meter_maximum max[CALIBRATION_MOST];
	static struct rcr_meters meters;
	int status = meters_look(s, &meters);
	unsigned int i;

	for (i = 0; !status && i < c->count; i++)
		status = understand(&meters, &c->line[i], &max[i]);
	for (i = 0; !status && i < c->count; i++)
		status = done(s, rcr_control_meter_maximum(s->control, s->generation,
							   c->line[i].meter, &max[i]));
	return status;
}
