// SPDX-License-Identifier: GPL-2.0-only
/*
 * vet.c - what can be a meter: its name and its time scale.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/mutex.h>

#include "ring/run.h"
#include "engine.h"
#include "meters.h"
#include "vet.h"

static int check_name(const char *name, struct rcr_failure *f)
{
	const char *c = name;

	if (!isascii(*c) || (!isalpha(*c) && *c != '_'))
		return rcr_fail_with(f, -EINVAL, RCR_REASON_METER_NAME, "%s", name);
	while (isascii(*c) && (isalnum(*c) || *c == '_' || *c == '.'))
		c++;
	return *c ? rcr_fail_with(f, -EINVAL, RCR_REASON_METER_NAME, "%s", name) : 0;
}

static int check_scale(const struct rcr_meter_spec *spec, const struct rcr_run *run,
		       struct rcr_failure *f)
{
	u64 period = div_u64(run->timing.period, NSEC_PER_USEC);

	if (RCR_TIME_US(spec->timescale) >= period)
		return 0;
	return rcr_fail_with(f, -EINVAL, RCR_REASON_SHORT_SCALE, "%u%llu",
			     RCR_TIME_US(spec->timescale), period);
}

/**
 * rcr_meter_vet() - could there be such a meter, whatever its form?
 * @spec: what it is
 * @run: what is counted
 * @f: gets the reason when it cannot
 *
 * Context: under rcr_meters_lock.
 * Return: 0; -EINVAL, -EEXIST.
 */
int rcr_meter_vet(const struct rcr_meter_spec *spec, const struct rcr_run *run,
		  struct rcr_failure *f)
{
	int err = check_name(spec->name, f) ?: check_scale(spec, run, f);

	if (err)
		return err;
	if (rcr_meters_find(spec->name))
		return rcr_fail_with(f, -EEXIST, RCR_REASON_METER_EXISTS, "%s", spec->name);
	return 0;
}
