/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - run the models on a stream, and report changes of state with cause and victims.
 */
#ifndef RCRD_ENGINE_H
#define RCRD_ENGINE_H

#include "model/bounds.h"
#include "model/finding.h"
#include "model/machine.h"
#include "model/past.h"

#define VERDICT_VICTIMS	8

/**
 * struct verdict_victim - a process that suffers from contention
 * @tgid: process id
 * @slowdown: its slowdown
 */
struct verdict_victim {
	uint32_t tgid;
	struct slowdown slowdown;
};

/**
 * struct verdict - new state of a finding on a node
 * @finding: the finding
 * @node: the node
 * @state: its new state
 * @since: begin of the first window in which it held, ns
 * @until: end of the last window in which it held, ns
 * @time: end of the newest window, ns
 * @utilization: utilization of the node's memory; negative: unknown
 * @latency: memory latency as a multiple of that without load; negative: unknown
 * @doubt: as returned by engine_doubt()
 * @cause: process that causes it; 0: unknown, or no single process
 * @cause_share: fraction of the L3 requests that @cause makes
 * @parties: number of entries in @party
 * @party: FINDING_LINES: processes that find lines modified by other cores
 * @victims: number of entries in @victim
 * @no_history: number of processes without quiet windows of the same work to compare with
 * @victim: processes with the largest slowdowns, in descending order
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
 * engine_open() - allocate an engine
 * @machine: the machine; used until the engine is closed
 * @bounds: thresholds; used until the engine is closed
 * @window_ns: length of a window, ns; usually 20 ms
 * @take: called for each change of a state
 * @to: first argument of @take
 *
 * Return: NULL without memory.
 */
struct engine *engine_open(const struct machine *machine, const struct bounds *bounds,
			   uint64_t window_ns, engine_take take, void *to);

/* Judges the next item of the stream. */
void engine_item(struct engine *e, const struct rcr_set *set, const struct rcr_item *item);

/* Judges the incomplete windows at the end of a stream. */
void engine_flush(struct engine *e);

/*
 * The state of a finding. VERDICT_UNKNOWN if the set lacks a signal that it needs or the newest
 * windows were not judged, and instead of VERDICT_OK if a count is doubtful.
 */
enum verdict_state engine_state(const struct engine *e, enum finding which, unsigned int node);

/*
 * True if a finding was above ok before the newest windows, none of which was judged. Its state is
 * kept for ten seconds: until then it neither ends nor begins again while it is unknown.
 */
bool engine_is_stale(const struct engine *e, enum finding which, unsigned int node);

/* Bits of the signals that @which needs and the set does not provide. */
uint32_t engine_missing(const struct engine *e, enum finding which);

/*
 * Why a count that @which depends on may be wrong, with the source of this information: a known
 * defect, or several L3 caches per node. NULL if nothing is known.
 */
const char *engine_doubt(const struct engine *e, enum finding which);

/* True if a finding was judged in one of the newest windows. */
bool engine_is_judged(const struct engine *e, enum finding which, unsigned int node);

/*
 * Time in which a finding could not be judged, ns: the set lacks an event, a count is invalid,
 * records are missing, or capacity or latency without load of the node's memory are unknown.
 */
uint64_t engine_unjudged(const struct engine *e, enum finding which, unsigned int node);

/* True if a state is above ok, or the newest window reached a threshold, or nearly did. */
bool engine_is_alert(const struct engine *e);

/* True if the set provides neither the signals of any finding nor the utilization of memory. */
bool engine_is_blind(const struct engine *e);

/* True if the latency without load of an unloaded memory is unknown and can be estimated now. */
bool engine_may_learn(const struct engine *e);

/* Latency without load that a node's memory is compared with, cycles; negative: unknown. */
double engine_unloaded(const struct engine *e, unsigned int node);

/* Highest utilization of any node's memory in the newest window; negative: unknown. */
double engine_utilization(const struct engine *e);

/* Fills in a verdict with the current state, cause and victims of a finding. */
void engine_describe(struct engine *e, enum finding which, unsigned int node, struct verdict *v);

/* Slowdown of a process by the current contention on its node. Returns false if it is unknown. */
bool engine_slowdown(struct engine *e, uint32_t tgid, struct slowdown *s);

/**
 * engine_write() - write history for a recording: the sums of an overflow that began before @time,
 * and the quiet windows of processes
 * @e: the engine
 * @time: begin of the recording, ns
 * @take: called for each line, see overflows_write() and past_write()
 * @to: first argument of @take
 */
void engine_write(const struct engine *e, uint64_t time, fact_take take, void *to);

/* Parses a line of engine_write(), before the first sample. Returns false if it is not one. */
bool engine_parse(struct engine *e, const char *line);

/* Frees the engine; @e may be NULL. */
void engine_close(struct engine *e);

#endif
