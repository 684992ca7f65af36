/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter.h - meters, their places, and how they are evaluated.
 *
 * rcr_meters_lock serializes meters, spans, and subscribers.
 */
#ifndef RCR_METER_H
#define RCR_METER_H

#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/types.h>
#include <linux/rcrboard.h>

#include "error.h"
#include "form.h"
#include "value.h"

struct cpumask;
struct rcr_counter_set;
struct rcr_event;
struct rcr_run;

/**
 * struct rcr_group - a part of the machine
 * @kind: enum rcr_place_kind
 * @number: number of the place, see struct rcr_board_place
 * @parent: number of the enclosing group
 * @lanes: number of its sampled CPUs; see rcr_groups_has()
 */
struct rcr_group {
	u32 kind;
	u32 number;
	u32 parent;
	unsigned int lanes;
};

int rcr_groups_init(const struct cpumask *sampled);
void rcr_groups_exit(void);
bool rcr_groups_update(void);
unsigned int rcr_groups_lanes(void);
int rcr_groups_cpu(unsigned int lane);
unsigned int rcr_groups_count(void);
unsigned int rcr_groups_max(void);
const struct rcr_group *rcr_groups_get(unsigned int n);
int rcr_groups_find(u32 kind, u32 number);
const char *rcr_place_name(u32 kind);
const u16 *rcr_groups_sharing(u32 kind);
bool rcr_groups_has(unsigned int n, unsigned int lane);

/* Value of rcr_meter_spec.over for the narrowest place that the meter's counters allow. */
#define RCR_OVER_NARROWEST	~0u

/**
 * struct rcr_meter_spec - definition of a meter
 * @name: unique name
 * @form: the form; NULL: values are posted
 * @unit: unit of the values, as text
 * @scale: time scale, ns
 * @type: enum rcr_time_type: the value for readers that take only one
 * @over: enum rcr_place_kind, or RCR_OVER_NARROWEST
 * @digits: decimal places of the values
 * @flags: RCR_METER_...
 */
struct rcr_meter_spec {
	char name[RCR_METER_NAME_LEN];
	const struct rcr_form *form;
	char unit[RCR_METER_UNIT_LEN];
	u64 scale;
	u32 type;
	u32 over;
	u32 digits;
	u32 flags;
};

/**
 * struct rcr_instance - a meter at a place
 * @place: number of the group
 * @pass: pass of the last evaluation
 * @limits: limits of the resource at this place
 * @past: results of earlier evaluations
 * @posted: values posted here, if the meter has no form
 */
struct rcr_instance {
	u32 place;
	u32 pass;
	struct rcr_limits limits;
	union {
		struct rcr_past past;
		struct rcr_posted posted;
	};
};

/**
 * struct rcr_place_limits - limits that were set, whether the meter is live or not
 * @place: number of the group
 * @limits: the limits at this place
 */
struct rcr_place_limits {
	u32 place;
	struct rcr_limits limits;
};

/**
 * struct rcr_meter - a meter
 * @serial: never reused while the module is loaded
 * @number: its slot
 * @spec: definition of the meter
 * @over: enum rcr_place_kind of its places, in addition to the machine
 * @why: reason why it is not live
 * @live: its counters are in the set
 * @binding: the form bound to the run
 * @bound: changes when its counters restart, or the CPUs of its places change
 * @span: span of its time scale; NULL: values are posted
 * @instance: its places, the machine first
 * @place: group number of each place; in the allocation of @instance
 * @instances: number of places
 * @set: limits that were set
 * @sets: number of entries in @set
 */
struct rcr_meter {
	u32 serial;
	u32 number;
	struct rcr_meter_spec spec;
	u32 over;
	struct rcr_failure why;
	bool live;
	struct rcr_binding binding;
	u32 bound;
	struct rcr_span *span;
	struct rcr_instance *instance;
	u32 *place;
	unsigned int instances;
	struct rcr_place_limits *set;
	unsigned int sets;
};

static inline bool rcr_meter_is_posted(const struct rcr_meter *m)
{
	return m->spec.flags & RCR_METER_POSTED;
}

/* True if the run counts everything that the meter needs. */
static inline bool rcr_meter_is_counted(const struct rcr_meter *m)
{
	return m->live && !rcr_meter_is_posted(m);
}

/**
 * struct rcr_span - the windows of a time scale, on all CPUs and at all places
 * @scale: the time scale, ns; 0: unused
 * @users: number of meters that use it
 * @history: histories by lane; NULL: nothing is counted, or out of memory
 * @view: views by group; NULL: no meter has needed it yet
 */
struct rcr_span {
	u64 scale;
	unsigned int users;
	struct rcr_history *history;
	struct rcr_view **view;
};

/**
 * struct rcr_meters_state - statistics for the status file
 * @passes: number of passes
 * @evaluations: number of evaluations of a meter at a place
 * @lost: marks that were overwritten before they were read
 * @cycles: TSC cycles spent in passes
 */
struct rcr_meters_state {
	u64 passes;
	u64 evaluations;
	u64 lost;
	u64 cycles;
};

int rcr_spans_init(void);
void rcr_spans_exit(void);
struct rcr_span *rcr_span_get(u64 scale, struct rcr_failure *f);
void rcr_span_put(struct rcr_span *s);
int rcr_span_prepare(struct rcr_span *s, u32 kind);
void rcr_spans_follow(struct rcr_run *now);
int rcr_spans_regroup(void);
const struct rcr_run *rcr_spans_run(void);
const struct rcr_record_layout *rcr_spans_layout(void);

void rcr_pass_begin(void);
void rcr_pass_end(void);
u64 rcr_pass_period(void);
const struct rcr_view *rcr_pass_view(struct rcr_meter *m, unsigned int place);
struct rcr_workspace *rcr_pass_workspace(void);
void rcr_pass_evaluate(struct rcr_meter *m, unsigned int place);
void rcr_pass_evaluate_all(struct rcr_meter *m);
void rcr_pass_state(struct rcr_meters_state *state);

int rcr_meters_set_limits(const char *name, u32 kind, u32 number, const s64 *maximum,
			  const s64 *contention, struct rcr_failure *f);
const struct rcr_limits *rcr_limits_find(const struct rcr_meter *m, u32 place);

int rcr_bind(struct rcr_meter *m, const struct rcr_run *run);
int rcr_bind_check(const struct rcr_form *form, const struct rcr_counter_set *set,
		   const struct rcr_event *event, unsigned int count, struct rcr_failure *f);
int rcr_bind_groups(struct rcr_meter *m);
void rcr_bind_show(const struct rcr_meter *m);
void rcr_unbind(struct rcr_meter *m);

extern struct mutex rcr_meters_lock;
extern struct rcr_meter *rcr_meters[RCR_METERS_MAX];	/* under rcr_meters_lock */
extern u32 rcr_meters_changes;		/* version of the list; odd */
extern struct blocking_notifier_head rcr_meters_chain;	/* meters were added or removed */

int rcr_meters_init(const struct cpumask *sampled);
void rcr_meters_exit(void);
void rcr_meters_catch_up(void);

int rcr_meters_add(const struct rcr_meter_spec *spec, struct rcr_failure *f);
int rcr_meters_add_with(u32 *generation, const struct rcr_meter_spec *spec,
			const struct rcr_event *event, unsigned int count,
			struct rcr_failure *f);
int rcr_meters_wake(u32 *generation, const char *name, const struct rcr_event *event,
		    unsigned int count, struct rcr_failure *f);
int rcr_meters_remove(const char *name, struct rcr_failure *f);
int rcr_meters_reset(const char *name, struct rcr_failure *f);
struct rcr_meter *rcr_meters_find(const char *name);
struct rcr_meter *rcr_meters_look_up(const char *name, struct rcr_failure *f);

#endif
