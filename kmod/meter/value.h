/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value.h - computes the values of a meter at a place from the histories of its CPUs.
 */
#ifndef RCR_VALUE_H
#define RCR_VALUE_H

#include <linux/types.h>
#include <linux/rcrboard.h>

#include "form.h"
#include "history.h"

/* Parts that a view lists, and candidates for a peak; a power of two. */
#define RCR_VIEW_PARTS	RCR_SCALE_MARKS

/* Intervals that a form is evaluated over. */
enum rcr_interval {
	RCR_WINDOW,
	RCR_LATEST,		/* between the two newest samples */
	RCR_RUNNING,		/* the time after the complete parts */
	RCR_PART,		/* the newest complete part */
	RCR_INTERVALS
};

/**
 * struct rcr_rows - counts of a CPU in an interval: the difference of two rows of its history,
 *	valid until that is updated
 * @from: first row of counts
 * @gauge_from: first row of gauges
 * @to: last row of both; the same as the first if the CPU has nothing in the interval
 * @mark: position of the mark of @from, if several parts follow it up to @to
 */
struct rcr_rows {
	const u64 *from;
	const u64 *gauge_from;
	const u64 *to;
	u64 mark;
};

/**
 * struct rcr_view_lane - a CPU of a place
 * @history: history of the CPU; set by the caller
 * @lane: number of the CPU in sharing maps; set by the caller
 * @begin: position of the first mark in its window; history->head: there is none
 * @end: position after its newest mark in the complete parts
 * @known: position after its newest mark at the last update
 * @is_current: its latest sample is in the window
 * @rows: by enum rcr_interval
 */
struct rcr_view_lane {
	const struct rcr_history *history;
	unsigned int lane;
	bool is_current;
	u64 begin;
	u64 end;
	u64 known;
	struct rcr_rows rows[RCR_INTERVALS];
};

/**
 * struct rcr_view - the window of a place at a time scale, and the parts in it
 * @pass: pass of the last update; set by the caller
 * @lanes: number of CPUs of the place, not 0; the caller sets the members from here to @tsc_hz
 * @lane: the CPUs
 * @scale: the time scale, ns
 * @period: sampling period, ns, not 0
 * @tsc_hz: TSC cycles in a second
 * @part: sixteenth of @scale, ns
 * @expected: number of CPUs that are sampled now
 * @values: number of values that these CPUs have of a gauge that is read in each sample
 * @time: time of the newest sample, CLOCK_MONOTONIC, ns; 0: no sample yet
 * @tsc: TSC of the newest sample
 * @begin: beginning of the window, CLOCK_MONOTONIC, ns
 * @begin_id: the parts in the window are those after this one
 * @complete: id of the latest complete part
 * @gone: parts up to this id cannot be evaluated any more
 * @dropped: parts up to this id were dropped because @id is full
 * @anew: not 0; changes when complete parts change: after a late mark, and, by the caller, in
 *	another run
 * @parts: number of parts so far that ended with a mark
 * @id: the latest of these, by number % RCR_VIEW_PARTS
 * @new_part: id of the part of RCR_PART, the latest in @id; 0: there is no new one
 * @shortest: by enum rcr_interval: the shortest time in it on any CPU, ns; 0: none. For
 *	RCR_WINDOW, the whole window
 */
struct rcr_view {
	u32 pass;
	unsigned int lanes;
	struct rcr_view_lane *lane;
	u64 scale;
	u64 period;
	u64 tsc_hz;
	u64 part;
	unsigned int expected;
	u64 values;
	u64 time;
	u64 tsc;
	u64 begin;
	u64 begin_id;
	u64 complete;
	u64 gone;
	u64 dropped;
	u64 anew;
	u64 parts;
	u64 id[RCR_VIEW_PARTS];
	u64 new_part;
	u64 shortest[RCR_INTERVALS];
};

/**
 * struct rcr_binding - a form over the columns of histories
 * @form: the form
 * @operands: number of its operands
 * @columns: number of columns of the histories
 * @column: column of each operand
 * @gauges: operands that are gauges
 * @steady: operands other than gauges that are read at every sample
 * @alike: those of @steady that each CPU counts for itself; 0: fewer than two
 * @alike_first: the first of these
 * @shares: some operand has a map in @sharing
 * @is_count: see rcr_form_is_count()
 * @is_rate: see rcr_form_is_rate()
 * @adds_up: the value of a place is the sum of those of its CPUs or units
 * @sharing: by operand: for each lane the number of the unit that it shares; NULL: each CPU
 *	counts for itself
 */
struct rcr_binding {
	const struct rcr_form *form;
	unsigned int operands;
	unsigned int columns;
	u8 column[RCR_FORM_OPERANDS];
	u32 gauges;
	u32 steady;
	u32 alike;
	u32 alike_first;
	bool shares;
	bool is_count;
	bool is_rate;
	bool adds_up;
	const u16 *sharing[RCR_FORM_OPERANDS];
};

struct rcr_part_value {
	u64 id;
	s64 val;
};

/**
 * struct rcr_past - results of earlier evaluations of a meter at a place; all 0: none
 * @has_highest: @highest is valid
 * @seen: id of the latest complete part that was evaluated
 * @unseen: parts that were not evaluated because their marks were gone
 * @begin_id: @begin_id of the view at the last evaluation
 * @anew: @anew of the view then; 0: nothing has been evaluated
 * @period: @period of the view then
 * @current_value: last known current value
 * @highest: highest of the parts since the last reset
 * @first: number of the oldest entry of @peak
 * @end: number after the newest entry of @peak
 * @peak: parts of the window that no later one exceeds, by number % RCR_VIEW_PARTS
 */
struct rcr_past {
	bool has_highest;
	u64 seen;
	u64 unseen;
	u64 begin_id;
	u64 anew;
	u64 period;
	s64 current_value;
	s64 highest;
	u32 first;
	u32 end;
	struct rcr_part_value peak[RCR_VIEW_PARTS];
};

/* A cell holds the counts of all operands on a CPU, then their times. */
#define RCR_CELL_TIME	RCR_FORM_OPERANDS
#define RCR_CELL_SIZE	(2 * RCR_FORM_OPERANDS)

/**
 * struct rcr_group_slot - CPUs of a place that share a counter
 * @stamp: @stamp of the workspace when it was written
 * @slot: number of the first of them in the view
 */
struct rcr_group_slot {
	u32 stamp;
	u32 slot;
};

/**
 * struct rcr_workspace - memory of an evaluation; one at a time
 * @lane: argument of rcr_form_value()
 * @cell: memory of @lane, RCR_CELL_SIZE words each
 * @rows: of a part other than the new one
 * @group: CPUs of each unit, by number of the unit
 * @stamp: incremented to invalidate @group
 */
struct rcr_workspace {
	struct rcr_lane *lane;
	u64 *cell;
	struct rcr_rows *rows;
	struct rcr_group_slot *group;
	u32 stamp;
};

int rcr_workspace_init(struct rcr_workspace *w, unsigned int lanes, unsigned int units);
void rcr_workspace_free(struct rcr_workspace *w);
void rcr_view_update(struct rcr_view *v);
u64 rcr_view_part(const struct rcr_view *v, u64 id, struct rcr_rows *r, size_t stride);
void rcr_view_count(const struct rcr_view *v, const struct rcr_binding *b,
		    const struct rcr_rows *r, size_t stride, struct rcr_workspace *w);
unsigned int rcr_view_unit(const struct rcr_view *v, const u16 *sharing, unsigned int i,
			   struct rcr_workspace *w);
void rcr_view_share(const struct rcr_view *v, const struct rcr_binding *b,
		    struct rcr_workspace *w);
void rcr_binding_init(struct rcr_binding *b, const struct rcr_form *form, const u8 *counter,
		      const u16 *const *sharing, const struct rcr_record_layout *l);
void rcr_past_reset(struct rcr_past *p);
void rcr_value_update(struct rcr_past *p, const struct rcr_binding *b,
		      const struct rcr_view *v, struct rcr_workspace *w,
		      struct rcr_board_value *val);

/**
 * struct rcr_limits - limits of the resource of a meter at a place; 0: unknown
 * @maximum: largest possible value
 * @contention: level from which latency grows faster than throughput
 */
struct rcr_limits {
	s64 maximum;
	s64 contention;
};

/* Posted values are kept by sixteenths of the time scale, including the current one. */
#define RCR_POSTED_PARTS	16

/**
 * struct rcr_posted_part - values posted in a sixteenth of a time scale
 * @id: time / (a sixteenth)
 * @first: time of the first value, CLOCK_MONOTONIC, ns
 * @sum: sum of the values
 * @count: number of values
 * @highest: highest of the values
 */
struct rcr_posted_part {
	u64 id;
	u64 first;
	__int128_t sum;
	u64 count;
	s64 highest;
};

/**
 * struct rcr_posted - values posted to a meter at a place
 * @valued: a value was posted since the last reset
 * @highest: highest value since the last reset
 * @part: by id % RCR_POSTED_PARTS
 */
struct rcr_posted {
	bool valued;
	s64 highest;
	struct rcr_posted_part part[RCR_POSTED_PARTS];
};

void rcr_posted_add(struct rcr_posted *p, u64 scale, s64 val, u64 now,
		    struct rcr_board_value *v);
void rcr_posted_reset(struct rcr_posted *p);

void rcr_limits_judge(const struct rcr_limits *l, struct rcr_board_value *v);

#endif
