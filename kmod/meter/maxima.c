// SPDX-License-Identifier: GPL-2.0-only
/*
 * maxima.c - utilization and verdict: what a meter reads, against what its resource
 * can do, used as it is used. RCRTool Design Document, section 3.2.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>

#include "maxima.h"

#define MILLION		1000000

/* Nearer than that to reads alone, or to writes alone, counts as such. */
#define MOSTLY		(MILLION / 4)

static u32 measured_mix(s64 write_share_ppm)
{
	if (write_share_ppm == RCR_SHARE_UNKNOWN)
		return RCR_MIX_COPY;
	if (write_share_ppm < MOSTLY)
		return RCR_MIX_READ;
	return write_share_ppm > MILLION - MOSTLY ? RCR_MIX_WRITE : RCR_MIX_COPY;
}

/* Of a mix that nobody calibrated the next best is told. */
static u32 known_mix(const struct rcr_maxima *x, u32 mix)
{
	static const u8 next_best[] = {
		RCR_MIX_COPY, RCR_MIX_READ, RCR_MIX_WRITE, RCR_MIX_RANDOM,
	};
	unsigned int i;

	if (x->maximum[mix])
		return mix;
	for (i = 0; i < ARRAY_SIZE(next_best); i++)
		if (x->maximum[next_best[i]])
			return next_best[i];
	return mix;
}

static u32 utilization(s64 val, s64 maximum)
{
	if (val <= 0 || maximum <= 0)
		return 0;
	if (val / 4000 >= maximum)
		return U32_MAX;
	return mul_u64_u64_div_u64(val, MILLION, maximum);
}

static u32 verdict(s64 val, s64 maximum, s64 contention)
{
	if (!contention)
		return RCR_VERDICT_NONE;
	if (val < contention)
		return RCR_VERDICT_OK;
	return maximum && val >= maximum - maximum / 20 ? RCR_VERDICT_BUSY :
							  RCR_VERDICT_CONTENTION;
}

/**
 * rcr_maxima_judge() - completes the values of a meter
 * @x: what its resource can do
 * @write_share_ppm: millionths of what is written, of all that is moved, or
 *	RCR_SHARE_UNKNOWN
 * @v: the values: gets maximum, contention, mix, utilization and verdict
 */
void rcr_maxima_judge(const struct rcr_maxima *x, s64 write_share_ppm,
		      struct rcr_board_value *v)
{
	u32 mix = x->mix < RCR_MIXES ? x->mix : measured_mix(write_share_ppm);

	v->mix = known_mix(x, mix);
	v->maximum = x->maximum[v->mix] ?: x->theoretical;
	v->contention = x->contention[v->mix];
	v->utilization = utilization(v->current_value, v->maximum);
	v->verdict = verdict(v->current_value, v->maximum, v->contention);
}
