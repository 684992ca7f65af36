// SPDX-License-Identifier: GPL-2.0-or-later
/* meters.c - reads and finds the module's meters. */
#include <stdlib.h>

#include "message.h"
#include "meters.h"

int meters_look(struct session *s, struct rcr_meters *meters)
{
	int status = session_open(s);

	if (!status)
		status = done(s, rcr_control_meters(s->control, meters));
	return status;
}

const struct rcr_meter_state *meters_find(struct session *s, struct rcr_meters *meters,
					  const char *name)
{
	const struct rcr_meter_state *m;

	if (meters_look(s, meters))
		return NULL;
	m = rcr_meters_find(meters, name);
	if (!m)
		fail("unknown meter '%s': see 'rcrctl meter ls -a'", name);
	return m;
}
