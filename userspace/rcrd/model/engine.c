// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * engine.c - judges a stream, window by window.
 */
#include <stdlib.h>

#include "model/engine.h"
#include "model/judge.h"

#define EASE		0.8	/* of the bounds, below which a window is clean */
#define KEEP_SLOPE_NS	1000000000ull	/* after the newest window with many misses */
#define NEWEST		0x1f	/* windows of which one must have been judged */
#define STANDS_OUT	0.05	/* least rise of a cause's part of the requests */

/**
 * struct engine_node - a node
 * @seen: latencies of its memory without load
 * @slope: of its misses, since its cache overflows
 * @overflows: begin of the first window of @slope, ns
 * @overflowed: begin of the newest one with many misses, ns
 * @state: of each finding
 * @cause: by finding: the process that was named when its state rose
 * @unjudged: by finding, see engine_unjudged()
 * @judged: by finding: bit n: window n was judged, of which 0 is the newest one
 * @alert: see engine_is_alert()
 */
struct engine_node {
	struct unloaded seen;
	struct slope slope;
	uint64_t overflows, overflowed;
	struct finding_state state[FINDINGS];
	uint32_t cause[FINDINGS];
	uint64_t unjudged[FINDINGS];
	uint8_t judged[FINDINGS];
	bool alert;
};

/**
 * struct engine - the engine
 * @machine: the machine
 * @bounds: thresholds
 * @windows: adds up
 * @take: called for each change
 * @to: its first argument
 * @facts: of the newest window
 * @end: of the newest window, ns
 * @pasts: of the processes
 * @node: the nodes
 */
struct engine {
	const struct machine *machine;
	const struct bounds *bounds;
	struct windows *windows;
	engine_take take;
	void *to;
	struct facts facts[MACHINE_NODES];
	uint64_t end;
	struct pasts pasts;
	struct engine_node node[MACHINE_NODES];
};

uint32_t engine_missing(const struct engine *e, enum finding which)
{
	return finding_needs(which) & ~windows_signals(e->windows)->has;
}

enum verdict_state engine_state(const struct engine *e, enum finding which, unsigned int node)
{
	const struct engine_node *n = &e->node[node];
	enum verdict_state state = n->state[which].state;

	if (engine_missing(e, which) || (!state && !(n->judged[which] & NEWEST)))
		return VERDICT_UNKNOWN;
	return state;
}

uint64_t engine_unjudged(const struct engine *e, enum finding which, unsigned int node)
{
	return e->node[node].unjudged[which];
}

/* Windows in which an overflow may be: its slope is followed from the first on. */
static bool may_overflow(const struct engine *e, unsigned int node)
{
	const struct facts *f = &e->facts[node];

	return f->misses >= EASE * e->bounds->value[BOUND_MISSES] &&
	       f->miss_ratio >= EASE * e->bounds->value[BOUND_MISS_RATIO];
}

static void follow_slope(struct engine *e, unsigned int node, const struct window *w)
{
	struct engine_node *n = &e->node[node];

	if (e->facts[node].miss_ratio < 0)
		return;
	/* Windows of fewer misses are a part of the variation, for a while. */
	if (may_overflow(e, node)) {
		if (!(n->slope.n > 0))
			n->overflows = w->begin;
		n->overflowed = w->begin;
	} else if (!(n->slope.n > 0) || w->begin - n->overflowed >= KEEP_SLOPE_NS) {
		n->slope = (struct slope){ };
		return;
	}
	slope_take(&n->slope, w, &w->node[node]);
}

static void judge_node(struct engine *e, unsigned int node, const struct window *w, double ease,
		       uint8_t *level)
{
	const struct judgement j = {
		.machine = e->machine, .facts = e->facts, .node = node, .window = w,
		.pasts = &e->pasts, .slope = &e->node[node].slope, .bounds = e->bounds,
		.ease = ease,
	};

	judge_memory(&j, level);
	judge_cache(&j, level);
}

/* The process whose part of the requests rose most, if it rose much more than the others. */
static struct past *find_cause(struct engine *e, unsigned int node)
{
	double rise, most = 0, second = 0;
	struct past *cause = NULL;
	unsigned int i;

	for (i = 0; i < PAST_PROCESSES; i++) {
		struct past *p = &e->pasts.process[i];

		if (!p->tgid || p->node != node || !(p->now_share.n > 0))
			continue;
		rise = p->now_share.mean - p->quiet_share.mean;
		if (rise > most) {
			second = most;
			most = rise;
			cause = p;
		} else if (rise > second) {
			second = rise;
		}
	}
	return most >= STANDS_OUT && most > 2 * second ? cause : NULL;
}

static void keep_victim(struct verdict *v, const struct verdict_victim *new)
{
	unsigned int i = v->victims < VERDICT_VICTIMS ? v->victims++ : VERDICT_VICTIMS;

	/* Sorted by insertion; the last one may fall out. */
	if (i == VERDICT_VICTIMS && v->victim[--i].slowdown.value >= new->slowdown.value)
		return;
	for (; i && v->victim[i - 1].slowdown.value < new->slowdown.value; i--)
		v->victim[i] = v->victim[i - 1];
	v->victim[i] = *new;
}

static void find_victims(struct engine *e, unsigned int node, struct verdict *v)
{
	double least = e->bounds->value[BOUND_SLOWDOWN];
	unsigned int i;

	for (i = 0; i < PAST_PROCESSES; i++) {
		const struct past *p = &e->pasts.process[i];
		struct verdict_victim new = { .tgid = p->tgid };

		if (!p->tgid || p->node != node || p->tgid == v->cause || !(p->now.n > 1))
			continue;
		if (!past_slowdown(p, &new.slowdown))
			v->no_history++;
		else if (new.slowdown.low >= least)
			keep_victim(v, &new);
	}
}

/* Those that write lines of each other. */
static void find_parties(struct engine *e, unsigned int node, struct verdict *v)
{
	unsigned int i;

	v->parties = 0;
	for (i = 0; i < PAST_PROCESSES && v->parties < VERDICT_VICTIMS; i++) {
		const struct past *p = &e->pasts.process[i];

		if (p->tgid && p->node == node && p->now_modified.n > 1 &&
		    p->now_modified.mean >= e->bounds->value[BOUND_MODIFIED])
			v->party[v->parties++] = p->tgid;
	}
}

void engine_describe(struct engine *e, enum finding which, unsigned int node, struct verdict *v)
{
	struct past *cause;

	v->finding = which;
	v->node = node;
	v->state = engine_state(e, which, node);
	v->since = e->node[node].state[which].since;
	v->until = e->node[node].state[which].until;
	v->time = e->end;
	v->utilization = e->facts[node].utilization;
	v->latency = e->facts[node].latency;
	v->cause = e->node[node].cause[which];
	v->victims = 0;
	v->no_history = 0;
	v->parties = 0;
	if (which == FINDING_LINES)
		find_parties(e, node, v);
	cause = v->cause ? pasts_find(&e->pasts, v->cause, node) : NULL;
	v->cause_share = cause ? cause->now_share.mean : 0;
	find_victims(e, node, v);
}

/* A cause must move with what its victim suffers; the newest windows have the onset. */
static void name_cause(struct engine *e, enum finding which, unsigned int node)
{
	struct past *cause = find_cause(e, node), *victim;
	struct verdict v = { };

	e->node[node].cause[which] = 0;
	if (!cause || which == FINDING_LINES)
		return;
	v.cause = cause->tgid;
	find_victims(e, node, &v);
	victim = v.victims ? pasts_find(&e->pasts, v.victim[0].tgid, node) : NULL;
	if (!victim || past_correlation(cause, victim) >= e->bounds->value[BOUND_CORRELATION])
		e->node[node].cause[which] = cause->tgid;
}

/* A counter of the set was not counted all the time: then a window is not known to be quiet. */
static bool lacks_counts(const struct engine *e, const struct window *w, unsigned int node)
{
	uint32_t has = windows_signals(e->windows)->has;

	return w->node[node].invalid & has ||
	       (has >> SIGNALS_OF_CPU && !window_is_covered(w, node));
}

/* Has the window all facts that a finding is judged by? */
static bool is_judged(const struct engine *e, enum finding which, unsigned int node,
		      const struct window *w)
{
	const struct window_node *n = &w->node[node];
	const struct facts *f = &e->facts[node];
	uint32_t needs = finding_needs(which);

	if (needs & n->invalid || (needs >> SIGNALS_OF_CPU && !window_is_covered(w, node)))
		return false;
	if (needs & SIGNAL_BIT(SIGNAL_LINES) && f->utilization < 0)
		return false;
	return !(needs & SIGNAL_BIT(SIGNAL_WAITING)) || f->latency >= 0 ||
	       !(n->sum[SIGNAL_WAITED] > 0);
}

static void step_finding(struct engine *e, enum finding which, unsigned int node,
			 const struct window *w, enum verdict_state level,
			 enum verdict_state eased)
{
	struct finding_state *s = &e->node[node].state[which];
	bool judged = !engine_missing(e, which) && is_judged(e, which, node, w);
	enum verdict_state before = s->state;
	struct verdict v = { };

	if (!judged)
		e->node[node].unjudged[which] += w->length;
	e->node[node].judged[which] = e->node[node].judged[which] << 1 | judged;
	if (engine_missing(e, which) ||
	    !finding_step(s, w->begin, w->begin + w->length, level, judged && !level && !eased))
		return;
	if (before == VERDICT_OK) {
		if (which >= FINDING_SUM && which <= FINDING_SHARING)
			s->since = e->node[node].overflows;
		name_cause(e, which, node);
	}
	engine_describe(e, which, node, &v);
	e->take(e->to, &v);
}

/* Is something on the node not ok, or on its way there or back? */
static enum past_kind kind_of(const struct engine_node *n, const uint8_t *level,
			      const uint8_t *eased)
{
	enum past_kind kind = n->slope.n > 0 ? PAST_UNSURE : PAST_QUIET;
	unsigned int i;

	for (i = 0; i < FINDINGS; i++) {
		if (level[i])
			return PAST_CONTENDED;
		if (eased[i] || n->state[i].state)
			kind = PAST_UNSURE;
	}
	return kind;
}

static void take_window(void *to, const struct window *w)
{
	uint8_t level[MACHINE_NODES][FINDINGS] = { }, eased[MACHINE_NODES][FINDINGS] = { };
	enum past_kind kind[MACHINE_NODES];
	double requests[MACHINE_NODES];
	struct engine *e = to;
	unsigned int i, n;

	e->end = w->begin + w->length;
	for (n = 0; n < e->machine->nodes; n++)
		facts_take(&e->facts[n], e->machine, n, &e->node[n].seen, w);
	for (n = 0; n < e->machine->nodes; n++) {
		follow_slope(e, n, w);
		judge_node(e, n, w, 1, level[n]);
		judge_node(e, n, w, EASE, eased[n]);
		requests[n] = e->facts[n].requests;
		kind[n] = kind_of(&e->node[n], level[n], eased[n]);
		e->node[n].alert = kind[n] != PAST_QUIET;
		if (kind[n] == PAST_QUIET && lacks_counts(e, w, n))
			kind[n] = PAST_UNSURE;
	}
	pasts_take(&e->pasts, w, requests, kind);
	for (n = 0; n < e->machine->nodes; n++) {
		for (i = 0; i < FINDINGS; i++)
			step_finding(e, i, n, w, level[n][i], eased[n][i]);
		if (kind[n] == PAST_QUIET)
			pasts_end(&e->pasts, n);
	}
}

bool engine_is_alert(const struct engine *e)
{
	unsigned int i, n;

	for (n = 0; n < e->machine->nodes; n++) {
		if (e->node[n].alert)
			return true;
		for (i = 0; i < FINDINGS; i++)
			if (e->node[n].state[i].state)
				return true;
	}
	return false;
}

bool engine_may_learn(const struct engine *e)
{
	unsigned int n;

	for (n = 0; n < e->machine->nodes; n++)
		if (e->facts[n].utilization >= 0 && e->facts[n].utilization < UNLOADED &&
		    !(e->machine->latency[n] > 0) && !e->node[n].seen.count)
			return true;
	return false;
}

double engine_unloaded(const struct engine *e, unsigned int node)
{
	double latency = e->machine->latency[node];

	return latency > 0 ? latency : unloaded_latency(&e->node[node].seen);
}

double engine_utilization(const struct engine *e)
{
	double most = NOT_KNOWN;
	unsigned int n;

	for (n = 0; n < e->machine->nodes; n++)
		if (e->facts[n].utilization > most)
			most = e->facts[n].utilization;
	return most;
}

bool engine_is_blind(const struct engine *e)
{
	unsigned int i;

	if (windows_signals(e->windows)->has & SIGNAL_BIT(SIGNAL_LINES))
		return false;
	for (i = 0; i < FINDINGS; i++)
		if (!engine_missing(e, i))
			return false;
	return true;
}

bool engine_slowdown(struct engine *e, uint32_t tgid, struct slowdown *s)
{
	unsigned int n;

	for (n = 0; n < e->machine->nodes; n++) {
		const struct past *p = pasts_find(&e->pasts, tgid, n);

		if (p && past_slowdown(p, s))
			return true;
	}
	return false;
}

struct engine *engine_open(const struct machine *machine, const struct bounds *bounds,
			   uint64_t window_ns, engine_take take, void *to)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->machine = machine;
	e->bounds = bounds;
	e->take = take;
	e->to = to;
	e->windows = windows_open(machine, window_ns, take_window, e);
	if (e->windows)
		return e;
	free(e);
	return NULL;
}

void engine_item(struct engine *e, const struct rcr_set *set, const struct rcr_item *item)
{
	windows_take(e->windows, set, item);
}

void engine_flush(struct engine *e)
{
	windows_flush(e->windows);
}

void engine_close(struct engine *e)
{
	if (!e)
		return;
	windows_close(e->windows);
	free(e);
}
