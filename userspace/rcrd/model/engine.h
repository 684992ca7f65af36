/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - runs the models over a stream: windows, facts, levels, states, causes and victims.
 */
#ifndef RCRD_ENGINE_H
#define RCRD_ENGINE_H

#include "model/bounds.h"
#include "model/finding.h"
#include "model/machine.h"
#include "model/past.h"

#define VERDICT_VICTIMS	8

/**
 * struct verdict_victim - a process that suffers
 * @tgid: its id
 * @slowdown: how much
 */
struct verdict_victim {
	uint32_t tgid;
	struct slowdown slowdown;
};

/**
 * struct verdict - a finding on a node whose state has changed
 * @finding: the finding
 * @node: where
 * @state: its new state
 * @since: begin of the first window of it, ns
 * @until: end of the last one so far, ns
 * @time: end of the newest window, ns
 * @utilization: of the node's memory; negative: not known
 * @latency: divided by that without load; likewise
 * @doubt: see engine_doubt()
 * @cause: process that causes it; 0: none of them, all alike, or not known
 * @cause_share: its part of the requests
 * @parties: of lines: entries of @party
 * @party: processes that write lines of others
 * @victims: entries of @victim, those with the greatest slowdown
 * @no_history: processes that were not seen in quiet time, or do something else now
 * @victim: those processes
 */
struct verdict {
	enum finding finding;
	unsigned int node;
	enum verdict_state state;
	uint64_t since, until, time;
	double utilization, latency;
	const char *doubt;
	uint32_t cause;
	double cause_share;
	unsigned int parties;
	uint32_t party[VERDICT_VICTIMS];
	unsigned int victims, no_history;
	struct verdict_victim victim[VERDICT_VICTIMS];
};

struct engine;

/* Called for each change of a state. */
typedef void (*engine_take)(void *to, const struct verdict *v);

/**
 * engine_open() - begin to judge
 * @machine: the machine; used until the engine is closed
 * @bounds: thresholds, likewise
 * @window_ns: length of a window, ns; 20 ms is usual
 * @take: called for each change of a state
 * @to: first argument of @take
 *
 * Return: NULL without memory.
 */
struct engine *engine_open(const struct machine *machine, const struct bounds *bounds,
			   uint64_t window_ns, engine_take take, void *to);

/* Takes the next item of the stream. */
void engine_item(struct engine *e, const struct rcr_set *set, const struct rcr_item *item);

/* Judges the windows that are open: the stream has ended. */
void engine_flush(struct engine *e);

/*
 * The state of a finding; VERDICT_UNKNOWN if the set lacks a signal that it needs, if the newest
 * windows were not judged, or if it is ok and a count is doubtful.
 */
enum verdict_state engine_state(const struct engine *e, enum finding which, unsigned int node);

/*
 * Was a finding above ok before the newest windows, none of which was judged? Its state is kept:
 * it neither ends nor begins again while it is unknown.
 */
bool engine_is_stale(const struct engine *e, enum finding which, unsigned int node);

/* Signals that @which needs and the set has not, as bits. */
uint32_t engine_missing(const struct engine *e, enum finding which);

/*
 * Why a count that @which is judged by may not show it, with the source: a known defect, or a node
 * with several L3 caches; NULL: nothing is known.
 */
const char *engine_doubt(const struct engine *e, enum finding which);

/* Was a finding judged in one of the newest windows? */
bool engine_is_judged(const struct engine *e, enum finding which, unsigned int node);

/*
 * ns in which a finding was not judged: the set lacks a counter, one was not ok, records are
 * missing, or the capacity or the latency without load of the node's memory is not known.
 */
uint64_t engine_unjudged(const struct engine *e, enum finding which, unsigned int node);

/* Was anything above its bounds, or near them, in the newest window, or is a state above ok? */
bool engine_is_alert(const struct engine *e);

/* True if the set has the signals of no finding, nor of a memory's utilization. */
bool engine_is_blind(const struct engine *e);

/* Is a memory's capacity known, but not its latency without load, and it has hardly any load? */
bool engine_may_learn(const struct engine *e);

/* Latency of a node's memory without load, as it is judged by, cycles; negative: not known. */
double engine_unloaded(const struct engine *e, unsigned int node);

/* The highest utilization of a memory in the newest window; negative: not known. */
double engine_utilization(const struct engine *e);

/* Fills in the cause and the victims of a finding until now, as for the callback. */
void engine_describe(struct engine *e, enum finding which, unsigned int node, struct verdict *v);

/* How much slower a process is since something is contended on its node; false: not known. */
bool engine_slowdown(struct engine *e, uint32_t tgid, struct slowdown *s);

/**
 * engine_write() - write what a recording from @time until now lacks: the sums of an overflow that
 * began before, and the quiet time of processes
 * @e: the engine
 * @time: begin of the recording, ns
 * @take: called for each line, see overflows_write() and past_write()
 * @to: first argument of @take
 */
void engine_write(const struct engine *e, uint64_t time, fact_take take, void *to);

/* Takes such a line before the first sample; false if it is another one, or invalid. */
bool engine_parse(struct engine *e, const char *line);

/* Frees the engine; @e may be NULL. */
void engine_close(struct engine *e);

#endif
