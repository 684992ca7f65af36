// SPDX-License-Identifier: GPL-2.0-or-later
/* posted.c - create the posted meters of rcrd. */
#include <errno.h>
#include <string.h>

#include "posted.h"

/* An existing meter is used if it is posted and has the same unit and digits. */
static int check_meter(const struct rcr_meters *meters, const struct rcr_meter_request *r,
		       struct why *why)
{
	const struct rcr_meter_state *m = rcr_meters_find(meters, r->name);

	if (!m || ((m->flags & RCR_METER_POSTED) && m->digits == r->digits &&
		   !strcmp(m->unit, r->unit)))
		return 0;
	return because(why, "another meter '%s' exists: remove it with 'rcrctl meter remove %s'",
		       r->name, r->name);
}

static int make_meter(struct rcr_control *c, const struct rcr_meters *meters,
		      const struct rcr_meter_request *r, struct why *why)
{
	if (rcr_meters_find(meters, r->name))
		return 0;
	if (!rcr_control_meter_add(c, 0, r, NULL) || errno == EEXIST)
		return 0;
	return because(why, "%s", rcr_control_reason(c));
}

int posted_make(struct rcr_control *c, const struct rcr_meter_request *r, unsigned int count,
		struct why *why)
{
	static struct rcr_meters meters;
	unsigned int i;
	int ret = 0;

	if (rcr_control_meters(c, &meters))
		return because(why, "%s", rcr_control_reason(c));
	for (i = 0; !ret && i < count; i++)
		ret = check_meter(&meters, &r[i], why);
	for (i = 0; !ret && i < count; i++)
		ret = make_meter(c, &meters, &r[i], why);
	return ret;
}
