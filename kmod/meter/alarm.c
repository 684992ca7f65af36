// SPDX-License-Identifier: GPL-2.0-only
/*
 * alarm.c - shows each tick of a meter to those who watch it, and triggers the flight
 * recorder when a bound was crossed that a holder of CAP_SYS_RAWIO watches.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "board.h"
#include "recorder/flight.h"
#include "alarm.h"
#include "groups.h"
#include "watch.h"

static void tell_recorder(const struct rcr_meter *m, unsigned int place, s64 value)
{
	const struct rcr_group *g = m->instance[place].group;
	char text[RCR_MARK_LEN];

	snprintf(text, sizeof(text), "%.60s crossed a bound at %lld (10^-%u %s) in place %u/%u",
		 m->spec.name, value, m->spec.digits, m->spec.unit, g->kind, g->number);
	rcr_flight_trigger(RCR_FLIGHT_CROSSING, text);
}

/**
 * rcr_alarm() - a tick of a meter
 * @m: the meter
 * @place: which of its instances
 * @v: its values
 *
 * Context: may sleep.
 */
void rcr_alarm(const struct rcr_meter *m, unsigned int place,
	       const struct rcr_board_value *v)
{
	const s64 by_type[] = {
		[RCR_TIME_CURRENT] = v->current_value, [RCR_TIME_SUM] = v->sum,
		[RCR_TIME_AVERAGE] = v->average, [RCR_TIME_PEAK] = v->peak,
	};

	if (rcr_watch_see(rcr_board_first_entry(m->number) + place, m->serial, by_type,
			  v->status == RCR_STATUS_OK, v->time))
		tell_recorder(m, place, v->current_value);
}
