/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * phase.h - rates that change while a guest runs, by a schedule that the guest
 * gives: rate.h's formula over a time that runs faster or slower.
 *
 * An event of rate.h belongs to a class. Each class has a time of its own, and
 * from a phase's start on that time runs at the phase's multiplier, in 2^-16:
 *
 *	W(class, t)	= the sum over its phases of multiplier x length, up to t
 *	count(t)	= floor(rate x (W(class, t) + offset) / 2^32)
 *	counted between t1, t2 = count(t2) - count(t1)
 *
 * Before the first phase the multiplier is 65536, so W(t) = t x 2^16 and count(t)
 * is vpmu_count(): a guest that gives no schedule sees rate.h. All numbers are
 * integers and nothing is rounded but the count, down.
 *
 * Which events a class has: none, until the guest assigns a pair of a unit and an
 * event select to it, with one unit mask or with whatever unit mask, on one CPU or in
 * one copy of the unit or in all of them. One with its unit mask goes before one
 * without; of two that are alike in that, the one of an instance goes before that of all.
 * All others are in class 0, which has no phases.
 * An assignment holds from its moment on. The offset of the pair is what keeps its
 * count where it was; it is 0 if class and pair had no phases before. A pair that was
 * assigned once keeps its place among the VPMU_PAIRS, in class 0, too.
 *
 *	unit			event
 *	VPMU_UNIT_CORE		a core's event; a fixed counter's by rate.h's table
 *	VPMU_UNIT_NB and so on	as rate.h has it
 *	VPMU_UNIT_ENERGY	the domain (rate.h); time forwarded (power.h) is added
 *				to W as it is
 *	VPMU_UNIT_CLOCK		0xe7 MPERF, 0xe8 APERF
 *
 * The guest writes registers that no processor has (fault.h has the reason), on
 * any CPU:
 *
 *	VPMU_START_MSR	start		TSC at which the next phase starts; 0: now
 *	VPMU_PHASE_MSR	class << 32 | multiplier
 *					a phase, after all others of its class; uses
 *					the start up
 *	VPMU_INSTANCE_MSR	instance + 1
 *					the next assignment is of this CPU or copy of the
 *					unit (as rate.h numbers it) alone; it uses this up
 *	VPMU_ASSIGN_MSR	any << 63 | class << 56 | unit << 48 | umask << 16 | event
 *					any: whatever its unit mask, which is 0 here
 *	VPMU_LOAD_MSR	kind << 32 | level
 *					a phase of both load classes, from now on
 *	VPMU_KNEE_MSR	curve << 48 | kind << 32 | knee
 *	VPMU_SCALE_MSR	kind << 32 | multiplier
 *					these two hold from the next load on
 *	VPMU_CLEAR_MSR	0		drops phases that have not started, all classes run
 *					at 65536 from now on
 *
 * Reading any of them gives the TSC from which the last request holds. #GP, and
 * nothing changed: a start that has passed or is not after the class's last one
 * (so no load while a phase is to come), a class, kind, curve, level or knee out of
 * its range, class 0's phase, more than VPMU_PHASES of a class to come, a pair more
 * than VPMU_PAIRS; a unit mask of all instances after any mask of one of them, which it
 * would move to another time. There may be one writer at a time, which assigns before it
 * has phases. W is known for the last VPMU_PHASES phases of a class.
 *
 * In exec mode (exec.h) only energy and clocks have phases.
 *
 * Loads: a resource of which level (0 to 65536, all of its scale) is asked, by one
 * kind of operation (read, write, copy, random). It drives two classes: throughput, the
 * rate of its service, and occupancy, how many operations are under way on average, which
 * by Little's law is throughput x latency:
 *
 *	VPMU_CURVE_HARD		throughput = min(level, knee)
 *				latency    = max(1, level / knee)
 *				occupancy  = level
 *	VPMU_CURVE_QUEUE	throughput = min(level, knee - floor(knee / 64))
 *				latency    = knee / (knee - throughput)
 *					     x level / throughput
 *				occupancy  = floor(level x knee / (knee - throughput))
 *
 *	multiplier = floor(scale x throughput or occupancy / 65536)
 *
 * Latency is in units of that without load. The hard one grows from the knee on, in
 * proportion. The queue is that of one server (M/M/1) until it is almost full, and
 * from half its knee on latency grows faster than throughput. Knee and scale are the
 * kind's, 65536 both until they are written.
 *
 * This file is compiled into the model and into the tests, and it includes
 * nothing of the module.
 */
#ifndef RCR_VPMU_PHASE_H
#define RCR_VPMU_PHASE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "rate.h"

#define VPMU_START_MSR		0x52435210
#define VPMU_PHASE_MSR		0x52435211
#define VPMU_ASSIGN_MSR		0x52435212
#define VPMU_LOAD_MSR		0x52435213
#define VPMU_KNEE_MSR		0x52435214
#define VPMU_SCALE_MSR		0x52435215
#define VPMU_CLEAR_MSR		0x52435216
#define VPMU_INSTANCE_MSR	0x52435217

#define VPMU_ONE		65536	/* the multiplier of no change, all of a scale */
#define VPMU_PHASES		1024
#define VPMU_CLASSES		16
#define VPMU_PAIRS		64
#define VPMU_INSTANCES		4096
#define VPMU_KNEE_MIN		64
#define VPMU_SCALE_MAX		(256 * VPMU_ONE)

#define VPMU_CLASS_THROUGHPUT	1
#define VPMU_CLASS_OCCUPANCY	2

/* Units of phases that have no number in rate.h. */
#define VPMU_UNIT_CORE		0
#define VPMU_UNIT_ENERGY	0x40
#define VPMU_UNIT_CLOCK		0x41

enum vpmu_kind {
	VPMU_KIND_READ,
	VPMU_KIND_WRITE,
	VPMU_KIND_COPY,
	VPMU_KIND_RANDOM,
	VPMU_KINDS
};

enum vpmu_curve {
	VPMU_CURVE_HARD,
	VPMU_CURVE_QUEUE,
	VPMU_CURVES
};

#define VPMU_ANY_UMASK		(1ull << 63)

/* From @start on the class's time runs at @multiplier; @warp is W(start). */
struct vpmu_phase {
	unsigned __int128 warp;
	uint64_t start;
	uint32_t multiplier;
};

/* phase[0] is the oldest that is kept, at first the one that began at power on. */
struct vpmu_class {
	uint32_t phases;
	struct vpmu_phase phase[VPMU_PHASES + 1];
};

struct vpmu_pair {
	uint32_t unit, event, umask;
	bool any;		/* unit mask */
	uint32_t only;		/* instance + 1; 0: all */
	uint32_t class;
	unsigned __int128 offset;	/* modulo 2^128: may be negative */
};

struct vpmu_load {
	uint32_t curve, knee, scale;
};

/* All state that a machine's rates depend on: some 500 KiB. */
struct vpmu_phases {
	struct vpmu_class class[VPMU_CLASSES];
	struct vpmu_load load[VPMU_KINDS];
	struct vpmu_pair pair[VPMU_PAIRS];
	uint32_t pairs;
	uint32_t only;		/* of the next assignment */
};

/*
 * vpmu_phases_init() - set the state at power on
 */
static inline void vpmu_phases_init(struct vpmu_phases *p)
{
	unsigned int i;

	memset(p, 0, sizeof(*p));
	for (i = 0; i < VPMU_CLASSES; i++) {
		p->class[i].phases = 1;
		p->class[i].phase[0].multiplier = VPMU_ONE;
	}
	for (i = 0; i < VPMU_KINDS; i++)
		p->load[i] = (struct vpmu_load){ VPMU_CURVE_HARD, VPMU_ONE, VPMU_ONE };
}

/* Return the phase of @c at @tsc, or the oldest that is kept if @tsc is before that. */
static inline const struct vpmu_phase *vpmu_phase_at(const struct vpmu_class *c,
						     uint64_t tsc)
{
	uint32_t low = 0, high = c->phases, middle;

	while (high - low > 1) {
		middle = (low + high) / 2;
		if (c->phase[middle].start <= tsc)
			low = middle;
		else
			high = middle;
	}
	return &c->phase[low];
}

/**
 * vpmu_class_warp() - W of a class
 * @p: the machine's phases
 * @class: 0 to VPMU_CLASSES - 1
 * @tsc: guest time stamp counter
 *
 * Return: TSC ticks in 2^-16.
 */
static inline unsigned __int128 vpmu_class_warp(const struct vpmu_phases *p,
						uint32_t class, uint64_t tsc)
{
	const struct vpmu_phase *at = vpmu_phase_at(&p->class[class], tsc);

	return at->warp + ((unsigned __int128)tsc - at->start) * at->multiplier;
}

/* Return the index of exactly this pair; -1 if there is none. */
static inline int vpmu_find_pair(const struct vpmu_phases *p,
				 const struct vpmu_pair *of)
{
	uint32_t i;

	for (i = 0; i < p->pairs; i++)
		if (p->pair[i].unit == of->unit && p->pair[i].event == of->event &&
		    p->pair[i].umask == of->umask && p->pair[i].any == of->any &&
		    p->pair[i].only == of->only)
			return i;
	return -1;
}

/* Return the index of this pair, or else of that of all instances. */
static inline int vpmu_find_either(const struct vpmu_phases *p, struct vpmu_pair of)
{
	int i = vpmu_find_pair(p, &of);

	of.only = 0;
	return i < 0 ? vpmu_find_pair(p, &of) : i;
}

/* Return the index of the pair that @of belongs to: the same one, or one of more. */
static inline int vpmu_match_pair(const struct vpmu_phases *p,
				  const struct vpmu_pair *of)
{
	struct vpmu_pair any = {
		.unit = of->unit, .event = of->event, .any = true, .only = of->only,
	};
	int i = vpmu_find_either(p, *of);

	return i < 0 ? vpmu_find_either(p, any) : i;
}

/* True if @of, a pair of all instances, would take counts away from one of any unit mask. */
static inline bool vpmu_takes_away(const struct vpmu_phases *p,
				   const struct vpmu_pair *of)
{
	uint32_t i;

	for (i = 0; i < p->pairs && !of->any && !of->only; i++)
		if (p->pair[i].unit == of->unit && p->pair[i].event == of->event &&
		    p->pair[i].any && p->pair[i].only)
			return true;
	return false;
}

/* Return the time of the pair at index @i; -1 is the time of class 0. */
static inline unsigned __int128 vpmu_pair_warp(const struct vpmu_phases *p, int i,
					       uint64_t tsc)
{
	if (i < 0)
		return vpmu_class_warp(p, 0, tsc);
	return vpmu_class_warp(p, p->pair[i].class, tsc) + p->pair[i].offset;
}

/**
 * vpmu_phases_warp() - the time that an event counts in
 * @p: the machine's phases
 * @unit: enum vpmu_unit, or one of those above
 * @event: event select
 * @umask: unit mask
 * @instance: the CPU's index, or the unit's, as rate.h has it
 * @tsc: guest time stamp counter
 *
 * Return: W of its class and its offset, TSC ticks in 2^-16.
 */
static inline unsigned __int128 vpmu_phases_warp(const struct vpmu_phases *p,
						 uint32_t unit, uint32_t event,
						 uint32_t umask, uint32_t instance,
						 uint64_t tsc)
{
	struct vpmu_pair of = {
		.unit = unit, .event = event, .umask = umask, .only = instance + 1,
	};

	return vpmu_pair_warp(p, vpmu_match_pair(p, &of), tsc);
}

/**
 * vpmu_warped_count() - count of an event since power on
 * @rate: by rate.h
 * @warp: the event's time, from vpmu_phases_warp()
 */
static inline uint64_t vpmu_warped_count(uint32_t rate, unsigned __int128 warp)
{
	return (uint64_t)((warp * rate) >> (2 * VPMU_RATE_SHIFT));
}

/* There is room for one more phase if the second oldest has started by @now. */
static inline bool vpmu_make_room(struct vpmu_class *c, uint64_t now)
{
	if (c->phases <= VPMU_PHASES)
		return true;
	if (c->phase[1].start > now)
		return false;
	c->phases--;
	memmove(&c->phase[0], &c->phase[1], c->phases * sizeof(c->phase[0]));
	return true;
}

/*
 * vpmu_phases_add() - add a phase to a class
 * @p: the machine's phases
 * @class: 1 to VPMU_CLASSES - 1
 * @start: its TSC, after that of the class's last phase
 * @multiplier: in 2^-16
 * @now: TSC; phases that have started by then may be forgotten if space is short
 *
 * Return: false if there is no room or @start is too early; then nothing has changed.
 */
static inline bool vpmu_phases_add(struct vpmu_phases *p, uint32_t class,
				   uint64_t start, uint32_t multiplier,
				   uint64_t now)
{
	struct vpmu_class *c = &p->class[class < VPMU_CLASSES ? class : 0];
	struct vpmu_phase next = { .start = start, .multiplier = multiplier };

	if (c == &p->class[0] || start <= c->phase[c->phases - 1].start ||
	    !vpmu_make_room(c, now))
		return false;
	next.warp = vpmu_class_warp(p, class, start);
	c->phase[c->phases++] = next;
	return true;
}

/*
 * vpmu_phases_assign() - assign a pair to a class from @now on
 * @p: the machine's phases
 * @request: as it is written to VPMU_ASSIGN_MSR
 * @now: TSC
 *
 * Return: false if the request is invalid; then nothing has changed.
 */
static inline bool vpmu_phases_assign(struct vpmu_phases *p, uint64_t request,
				      uint64_t now)
{
	struct vpmu_pair pair = {
		.unit = (request >> 48) & 0xff, .event = request & 0xffff,
		.umask = request >> 16, .any = request & VPMU_ANY_UMASK,
		.class = (request >> 56) & 0x7f, .only = p->only,
	};
	int i = vpmu_find_pair(p, &pair);

	if (pair.class >= VPMU_CLASSES || (pair.any && pair.umask))
		return false;
	if (i < 0 && (p->pairs == VPMU_PAIRS || vpmu_takes_away(p, &pair)))
		return false;
	p->only = 0;
	pair.offset = vpmu_pair_warp(p, vpmu_match_pair(p, &pair), now) -
		      vpmu_class_warp(p, pair.class, now);
	p->pair[i < 0 ? p->pairs++ : (uint32_t)i] = pair;
	return true;
}

/* Take a request of VPMU_INSTANCE_MSR. */
static inline bool vpmu_phases_only(struct vpmu_phases *p, uint64_t request)
{
	if (request > VPMU_INSTANCES)
		return false;
	p->only = request;
	return true;
}

/* Return the throughput by the curve, in parts of VPMU_ONE. */
static inline uint32_t vpmu_throughput(const struct vpmu_load *load, uint32_t level)
{
	uint32_t most = load->knee;

	if (load->curve == VPMU_CURVE_QUEUE)
		most -= load->knee / 64;
	return level < most ? level : most;
}

static inline uint32_t vpmu_occupancy(const struct vpmu_load *load, uint32_t level)
{
	if (load->curve == VPMU_CURVE_HARD)
		return level;
	return (uint64_t)level * load->knee /
	       (load->knee - vpmu_throughput(load, level));
}

/**
 * vpmu_load_multiplier() - the multiplier of a load class
 * @load: the kind's curve, knee and scale
 * @class: VPMU_CLASS_THROUGHPUT or VPMU_CLASS_OCCUPANCY
 * @level: 0 to VPMU_ONE
 */
static inline uint32_t vpmu_load_multiplier(const struct vpmu_load *load,
					    uint32_t class, uint32_t level)
{
	uint64_t part = class == VPMU_CLASS_THROUGHPUT ?
			vpmu_throughput(load, level) : vpmu_occupancy(load, level);

	return (part * load->scale) / VPMU_ONE;
}

/* Take a request of VPMU_LOAD_MSR, for both classes or for none. */
static inline bool vpmu_phases_load(struct vpmu_phases *p, uint64_t request,
				    uint64_t now)
{
	uint32_t level = request, kind = request >> 32, class;

	if (kind >= VPMU_KINDS || level > VPMU_ONE)
		return false;
	for (class = VPMU_CLASS_THROUGHPUT; class <= VPMU_CLASS_OCCUPANCY; class++)
		if (p->class[class].phase[p->class[class].phases - 1].start >= now)
			return false;
	for (class = VPMU_CLASS_THROUGHPUT; class <= VPMU_CLASS_OCCUPANCY; class++)
		vpmu_phases_add(p, class, now,
				vpmu_load_multiplier(&p->load[kind], class, level), now);
	return true;
}

/* Take a request of VPMU_KNEE_MSR. */
static inline bool vpmu_phases_knee(struct vpmu_phases *p, uint64_t request)
{
	uint32_t curve = request >> 48, kind = (request >> 32) & 0xffff;
	uint32_t knee = request;

	if (curve >= VPMU_CURVES || kind >= VPMU_KINDS || knee < VPMU_KNEE_MIN ||
	    knee > VPMU_ONE)
		return false;
	p->load[kind].curve = curve;
	p->load[kind].knee = knee;
	return true;
}

/* Take a request of VPMU_SCALE_MSR. */
static inline bool vpmu_phases_scale(struct vpmu_phases *p, uint64_t request)
{
	uint32_t kind = request >> 32, scale = request;

	if (kind >= VPMU_KINDS || !scale || scale > VPMU_SCALE_MAX)
		return false;
	p->load[kind].scale = scale;
	return true;
}

/* Drop the phases that start at @now or later. */
static inline void vpmu_phases_clear(struct vpmu_phases *p, uint64_t now)
{
	uint32_t class;

	for (class = 1; class < VPMU_CLASSES; class++) {
		struct vpmu_class *c = &p->class[class];

		while (c->phases > 1 && c->phase[c->phases - 1].start >= now)
			c->phases--;
		if (c->phase[c->phases - 1].multiplier != VPMU_ONE)
			vpmu_phases_add(p, class, now, VPMU_ONE, now);
	}
}

/**
 * vpmu_phases_take() - a request as the guest has written it
 * @p: the machine's phases
 * @msr: one of the registers above but VPMU_START_MSR
 * @request: the value written
 * @start: TSC from which it holds
 * @now: TSC; of all but a phase the same as @start
 *
 * A test that applies the requests of the guest to its own @p, with @start and @now as read from
 * one of the registers, can compute all counts.
 *
 * Return: false if the request is invalid; then nothing has changed.
 */
static inline bool vpmu_phases_take(struct vpmu_phases *p, uint32_t msr,
				    uint64_t request, uint64_t start, uint64_t now)
{
	switch (msr) {
	case VPMU_PHASE_MSR:
		return vpmu_phases_add(p, request >> 32, start, request, now);
	case VPMU_INSTANCE_MSR:
		return vpmu_phases_only(p, request);
	case VPMU_ASSIGN_MSR:
		return vpmu_phases_assign(p, request, start);
	case VPMU_LOAD_MSR:
		return vpmu_phases_load(p, request, start);
	case VPMU_KNEE_MSR:
		return vpmu_phases_knee(p, request);
	case VPMU_SCALE_MSR:
		return vpmu_phases_scale(p, request);
	case VPMU_CLEAR_MSR:
		if (!request)
			vpmu_phases_clear(p, start);
		return !request;
	}
	return false;
}

#endif
