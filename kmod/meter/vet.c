// SPDX-License-Identifier: GPL-2.0-only
/*
 * vet.c - what can be a meter: its name, its time scale, its digits, its places.
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
		return rcr_failf(f, -EINVAL, "A meter's name begins with a letter, not as \"%s\".",
				 name);
	while (isascii(*c) && (isalnum(*c) || *c == '_' || *c == '.'))
		c++;
	return *c ? rcr_failf(f, -EINVAL,
			      "A meter's name has letters, digits, _ and ., not as \"%s\".",
			      name) : 0;
}

static int check_scale(const struct rcr_meter_spec *spec, const struct rcr_run *run,
		       struct rcr_failure *f)
{
	u64 period = div_u64(run->timing.period, NSEC_PER_USEC);

	if (RCR_TIME_US(spec->timescale) >= period)
		return 0;
	return rcr_failf(f, -EINVAL,
		"The time scale of %u us is shorter than the sampling period, which is %llu us.",
		RCR_TIME_US(spec->timescale), period);
}

/**
 * rcr_meter_vet() - could there be such a meter, whatever its formula?
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
	if (spec->digits > RCR_NUMBER_DIGITS)
		return rcr_failf(f, -EINVAL, "A meter has at most %u digits behind the point.",
				 RCR_NUMBER_DIGITS);
	if (spec->over != RCR_OVER_NARROWEST && spec->over > RCR_PLACE_CPU)
		return rcr_failf(f, -EINVAL, "There is no such kind of place.");
	if (rcr_meters_find(spec->name))
		return rcr_failf(f, -EEXIST, "There is a meter \"%s\" already.", spec->name);
	return 0;
}

/**
 * rcr_meters_check() - rcr_meter_vet(), for those who have not the lock
 * @spec: what it is
 * @f: gets the reason when it cannot
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -EEXIST.
 */
int rcr_meters_check(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	int err;

	mutex_lock(&rcr_meters_lock);
	err = rcr_meter_vet(spec, rcr_engine_run(), f);
	mutex_unlock(&rcr_meters_lock);
	return err;
}
