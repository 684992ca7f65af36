/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter.h - what a meter is, and what it has counted.
 */
#ifndef RCR_METER_H
#define RCR_METER_H

#include <linux/types.h>
#include <linux/rcrboard.h>

#include "error.h"
#include "feed.h"
#include "form.h"
#include "window.h"

struct rcr_group;
struct rcr_counter_set;

/* Where it is told: as narrow as its counters are, and no user said otherwise. */
#define RCR_OVER_NARROWEST	~0u

/**
 * struct rcr_meter_spec - a meter as somebody asked for it
 * @name: unique
 * @form: what it computes; NULL: its values are posted
 * @unit: of its values, for people
 * @timescale: see RCR_TIME_US()
 * @over: enum rcr_place_kind, or RCR_OVER_NARROWEST
 * @digits: of its values behind the point
 * @flags: RCR_METER_...
 */
struct rcr_meter_spec {
	char name[RCR_METER_NAME_LEN];
	const struct rcr_form *form;
	char unit[RCR_METER_UNIT_LEN];
	u32 timescale;
	u32 over;
	u32 digits;
	u32 flags;
};

/* Its time scale, ns. */
static inline u64 rcr_meter_scale(const struct rcr_meter_spec *spec)
{
	return 1000ull * RCR_TIME_US(spec->timescale);
}

/* The mix that is in use is measured, or not known. */
#define RCR_MIX_MEASURED	RCR_MIXES

/**
 * struct rcr_maxima - what the resource of a meter can do; 0: not known
 * @theoretical: the machine's limit
 * @maximum: the observed peak, by enum rcr_mix
 * @contention: the level from which latency grows faster than throughput
 * @mix: how it is used, or RCR_MIX_MEASURED
 */
struct rcr_maxima {
	s64 theoretical;
	s64 maximum[RCR_MIXES];
	s64 contention[RCR_MIXES];
	u32 mix;
};

/**
 * struct rcr_instance - a meter at a place
 * @group: the place
 * @place: its number
 * @status: enum rcr_status of the latest tick; 0: there was nothing to divide by
 * @current_value: of the latest tick in which there was one
 * @highest: since the meter was made or reset
 * @peak: highest of each part of the window
 * @valued: there was a value
 */
struct rcr_instance {
	const struct rcr_group *group;
	u32 place;
	u32 status;
	s64 current_value;
	s64 highest;
	s64 peak[RCR_WINDOW_MARKS];
	bool valued;
};

/**
 * struct rcr_meter - a meter
 * @serial: unlike that of any meter before
 * @number: its slot
 * @spec: what it is
 * @over: enum rcr_place_kind: where it is told
 * @maxima: of its resource
 * @why: why it has no values, when it is not live
 * @marked: CPUs write marks for its time scale
 * @live: its counters are in the set
 * @operands: of its form; a posted one has one
 * @counter: by operand: number in a struct rcr_step
 * @uses: those, bit n for counter n
 * @sharing: of an operand that CPUs share: by lane the first of those that share it with
 *	that one; else NULL
 * @window: what was counted
 * @lane_status: by lane, of the latest tick: RCR_STATUS_OK, or why it has no part
 * @instance: where it is told, the machine first
 * @place: the groups of those, by number; in the same memory
 * @instances: how many
 */
struct rcr_meter {
	u32 serial;
	bool marked;
	u32 number;
	struct rcr_meter_spec spec;
	u32 over;
	struct rcr_maxima maxima;
	struct rcr_failure why;
	bool live;
	unsigned int operands;
	u8 counter[RCR_FORM_OPERANDS];
	u64 uses;
	const u16 *sharing[RCR_FORM_OPERANDS];
	struct rcr_window window;
	u8 *lane_status;
	struct rcr_instance *instance;
	u32 *place;
	unsigned int instances;
};

static inline bool rcr_meter_is_posted(const struct rcr_meter *m)
{
	return m->spec.flags & RCR_METER_POSTED;
}

/* Has it values, by what is counted? */
static inline bool rcr_meter_is_counted(const struct rcr_meter *m)
{
	return m->live && !rcr_meter_is_posted(m);
}

#endif
