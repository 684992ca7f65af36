// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * engine.c - judge a stream, window by window.
 */
#include <stdlib.h>

#include "model/engine.h"
#include "model/judge.h"

#define EASE		0.8	/* factor of the thresholds that a clean window stays below */
#define NEWEST		0x1f	/* bits in @judged of the newest five windows */
#define SELDOM		0.2	/* least fraction of the most frequent process's windows */
#define STANDS_OUT	0.05	/* least increase of a cause's fraction of the requests */

/**
 * struct engine_node - state of a node
 * @seen: unloaded latencies of its memory
 * @state: by finding: its state
 * @cause: by finding: process that caused it when it left ok; 0: unknown
 * @unjudged: by finding: time in which it was not judged, ns
 * @judged: by finding: bit n is set if the n-th newest window was judged
 * @alert: the newest window reached a threshold, or nearly did
 */
struct engine_node {
	struct unloaded seen;
	struct finding_state state[FINDINGS];
	uint32_t cause[FINDINGS];
	uint64_t unjudged[FINDINGS];
	uint8_t judged[FINDINGS];
	bool alert;
};

/**
 * struct engine - models running on a stream
 * @machine: the machine
 * @bounds: thresholds
 * @windows: windows of the stream
 * @take: called for each change of a state
 * @to: first argument of @take
 * @facts: by node: facts in the newest window
 * @end: end of the newest window, ns
 * @length: length of the newest window, ns
 * @pasts: history of the processes
 * @node: state of each node
 * @overflows: by node: overflows of its L3
 */
struct engine {
	const struct machine *machine;
	const struct bounds *bounds;
	struct windows *windows;
	engine_take take;
	void *to;
	struct facts facts[MACHINE_NODES];
	uint64_t end, length;
	struct pasts pasts;
	struct engine_node node[MACHINE_NODES];
	struct overflows overflows[MACHINE_NODES];
};

uint32_t engine_missing(const struct engine *e, enum finding which)
{
	return finding_needs(which) & ~windows_signals(e->windows)->has;
}

/* Is the finding that of a cache, by the sums of all caches of a node? */
static bool mixes_caches(const struct engine *e, enum finding which)
{
	return which >= FINDING_ONE && which <= FINDING_SHARING && e->machine->caches > 1;
}

const char *engine_doubt(const struct engine *e, enum finding which)
{
	const struct signals *s = windows_signals(e->windows);
	unsigned int i;

	if (mixes_caches(e, which))
		return "the L3 caches of a node are judged together (rcrtool, limits.md)";
	for (i = 0; i < SIGNALS; i++)
		if (finding_needs(which) & SIGNAL_BIT(i) && s->doubt[i])
			return s->doubt[i];
	return NULL;
}

/* Is it not ok, as far as the set shows? */
static bool is_raised(const struct engine *e, enum finding which, unsigned int node)
{
	return e->node[node].state[which].state && !engine_missing(e, which);
}

bool engine_is_judged(const struct engine *e, enum finding which, unsigned int node)
{
	return !engine_missing(e, which) && e->node[node].judged[which] & NEWEST;
}

enum verdict_state engine_state(const struct engine *e, enum finding which, unsigned int node)
{
	enum verdict_state state = e->node[node].state[which].state;

	if (!engine_is_judged(e, which, node) || (!state && engine_doubt(e, which)))
		return VERDICT_UNKNOWN;
	return state;
}

bool engine_is_stale(const struct engine *e, enum finding which, unsigned int node)
{
	return e->node[node].state[which].state && !engine_is_judged(e, which, node);
}

uint64_t engine_unjudged(const struct engine *e, enum finding which, unsigned int node)
{
	return e->node[node].unjudged[which];
}

static struct judgement judgement_of(struct engine *e, unsigned int node, const struct window *w,
				     double ease)
{
	return (struct judgement){
		.machine = e->machine, .facts = e->facts, .node = node, .window = w,
		.pasts = &e->pasts, .slope = &e->overflows[node].now.slope,
		.bounds = e->bounds, .ease = ease,
	};
}

static void judge_node(struct engine *e, unsigned int node, const struct window *w, double ease,
		       uint8_t *level)
{
	const struct judgement j = judgement_of(e, node, w, ease);

	judge_memory(&j, level);
	judge_cache(&j, level);
}

/* Find the process whose share of the requests rose most, and at least twice as much as others. */
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

	/* Insert in descending order; if the array is full, the last entry is dropped. */
	if (i == VERDICT_VICTIMS && v->victim[--i].slowdown.value >= new->slowdown.value)
		return;
	for (; i && v->victim[i - 1].slowdown.value < new->slowdown.value; i--)
		v->victim[i] = v->victim[i - 1];
	v->victim[i] = *new;
}

/* Number of windows of the current contention that the most frequent process of a node ran in. */
static double most_windows(const struct engine *e, unsigned int node)
{
	double most = 0;
	unsigned int i;

	for (i = 0; i < PAST_PROCESSES; i++) {
		const struct past *p = &e->pasts.process[i];

		if (p->tgid && p->node == node && p->now.n > most)
			most = p->now.n;
	}
	return most;
}

/* Ignore processes that only a few ticks hit by chance: most of their counts are of others. */
static bool takes_part(const struct past *p, unsigned int node, double most)
{
	return p->tgid && p->node == node && p->now.n > 1 && p->now.n >= SELDOM * most;
}

static void find_victims(struct engine *e, unsigned int node, struct verdict *v)
{
	double least = e->bounds->value[BOUND_SLOWDOWN], most = most_windows(e, node);
	unsigned int i;

	for (i = 0; i < PAST_PROCESSES; i++) {
		const struct past *p = &e->pasts.process[i];
		struct verdict_victim new = { .tgid = p->tgid };

		if (!takes_part(p, node, most) || p->tgid == v->cause)
			continue;
		if (!past_slowdown(p, &new.slowdown))
			v->no_history++;
		else if (new.slowdown.low >= least)
			keep_victim(v, &new);
	}
}

/* Find the processes that often access lines modified by another core. */
static void find_parties(struct engine *e, unsigned int node, struct verdict *v)
{
	double most = most_windows(e, node);
	unsigned int i;

	v->parties = 0;
	for (i = 0; i < PAST_PROCESSES && v->parties < VERDICT_VICTIMS; i++) {
		const struct past *p = &e->pasts.process[i];

		if (takes_part(p, node, most) &&
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
	v->doubt = engine_doubt(e, which);
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

/* Name a cause only if its requests correlate with the CPI of the victim since the onset. */
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

/* True if counts are missing in a window, so that it may not be as quiet as it seems. */
static bool lacks_counts(const struct engine *e, const struct window *w, unsigned int node)
{
	uint32_t has = windows_signals(e->windows)->has;

	return w->node[node].invalid & has ||
	       (has >> SIGNALS_OF_CPU && !window_is_covered(w, node));
}

/*
 * True if the window has the facts of a node that a finding is judged by. An idle memory may have
 * neither a latency nor a fraction of remote accesses; a loaded one must have them.
 */
static bool has_facts(const struct engine *e, enum finding which, unsigned int node,
		      const struct window *w)
{
	const struct window_node *n = &w->node[node];
	const struct facts *f = &e->facts[node];
	uint32_t needs = finding_needs(which);
	bool is_loaded = f->utilization >= UNLOADED;

	if (!n->has_samples || needs & n->invalid ||
	    (needs >> SIGNALS_OF_CPU && !window_is_covered(w, node)))
		return false;
	if (needs & SIGNAL_BIT(SIGNAL_LOAD) && f->utilization < 0)
		return false;
	if (needs & SIGNAL_BIT(SIGNAL_REMOTE) && f->remote < 0 && is_loaded)
		return false;
	return !(needs & SIGNAL_BIT(SIGNAL_WAITING)) || f->latency >= 0 ||
	       (!(n->sum[SIGNAL_WAITED] > 0) && !is_loaded);
}

/*
 * Track the slope with eased thresholds, so that it includes the onset of an overflow. Without
 * requests there is no miss ratio, and no overflow.
 */
static void follow_slope(struct engine *e, unsigned int node, const struct window *w)
{
	const struct judgement j = judgement_of(e, node, w, EASE);

	overflows_prepare(&e->overflows[node], w);
	if (has_facts(e, FINDING_SUM, node, w))
		overflows_take(&e->overflows[node], w, node, judge_overflows(&j));
}

/* Findings on remote accesses depend on the facts of all nodes. */
static bool is_judged(const struct engine *e, enum finding which, unsigned int node,
		      const struct window *w)
{
	unsigned int n;

	if (!(finding_needs(which) & SIGNAL_BIT(SIGNAL_REMOTE)))
		return has_facts(e, which, node, w);
	for (n = 0; n < e->machine->nodes; n++)
		if (!has_facts(e, which, n, w))
			return false;
	return true;
}

static void step_finding(struct engine *e, enum finding which, unsigned int node,
			 const struct window *w, enum verdict_state level,
			 enum verdict_state eased)
{
	struct finding_state *s = &e->node[node].state[which];
	bool judged = !engine_missing(e, which) && is_judged(e, which, node, w);
	uint64_t end = w->begin + w->length;
	enum verdict_state before = s->state;
	struct verdict v = { };

	if (!judged)
		e->node[node].unjudged[which] += w->length;
	e->node[node].judged[which] = e->node[node].judged[which] << 1 | judged;
	if (judged) {
		s->judged = end;
	} else if (end > s->judged + FORGET_NS) {
		*s = (struct finding_state){ .judged = s->judged };
		e->node[node].judged[which] = 0;
	}
	if (engine_missing(e, which))
		return;
	/* Whether it held in a window that was not judged is unknown. */
	if (judged && (level || eased))
		s->until = end;
	if (!finding_step(s, w->begin, end, judged ? level : VERDICT_OK,
			  judged && !level && !eased))
		return;
	if (before == VERDICT_OK) {
		if (which >= FINDING_SUM && which <= FINDING_SHARING)
			s->since = e->overflows[node].now.begin;
		name_cause(e, which, node);
	}
	engine_describe(e, which, node, &v);
	v.state = s->state;
	e->take(e->to, &v);
}

/* Unsure windows are those near a threshold, and those before a state has fallen back to ok. */
static enum past_kind kind_of(const struct engine *e, unsigned int node, const uint8_t *level,
			      const uint8_t *eased)
{
	enum past_kind kind = e->overflows[node].now.slope.n > 0 ? PAST_UNSURE : PAST_QUIET;
	unsigned int i;

	for (i = 0; i < FINDINGS; i++) {
		if (level[i])
			return PAST_CONTENDED;
		if (eased[i] || is_raised(e, i, node))
			kind = PAST_UNSURE;
	}
	return kind;
}

static void take_window(void *to, const struct window *w)
{
	uint8_t level[MACHINE_NODES][FINDINGS] = { }, eased[MACHINE_NODES][FINDINGS] = { };
	enum past_kind kind[MACHINE_NODES];
	double requests[MACHINE_NODES];
	bool quiet[MACHINE_NODES];
	struct engine *e = to;
	unsigned int i, n;

	e->length = w->length;
	e->end = w->begin + w->length;
	for (n = 0; n < e->machine->nodes; n++)
		facts_take(&e->facts[n], e->machine, n, &e->node[n].seen, w);
	for (n = 0; n < e->machine->nodes; n++) {
		follow_slope(e, n, w);
		judge_node(e, n, w, 1, level[n]);
		judge_node(e, n, w, EASE, eased[n]);
		requests[n] = e->facts[n].requests;
		kind[n] = kind_of(e, n, level[n], eased[n]);
		quiet[n] = kind[n] == PAST_QUIET;
		e->node[n].alert = !quiet[n];
		if (quiet[n] && lacks_counts(e, w, n))
			kind[n] = PAST_UNSURE;
	}
	pasts_take(&e->pasts, w, requests, kind);
	for (n = 0; n < e->machine->nodes; n++) {
		for (i = 0; i < FINDINGS; i++)
			step_finding(e, i, n, w, level[n][i], eased[n][i]);
		if (quiet[n])
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
			if (is_raised(e, i, n))
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

	if (windows_signals(e->windows)->has & SIGNAL_BIT(SIGNAL_LOAD))
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

/* Write only processes that ran since @time: the recording has no samples of others. */
static void write_pasts(const struct engine *e, uint64_t time, fact_take take, void *to)
{
	uint64_t windows = e->end > time && e->length ? (e->end - time) / e->length + 1 : 0;
	char line[FACT_LINE];
	unsigned int i;

	for (i = 0; i < PAST_PROCESSES; i++) {
		const struct past *p = &e->pasts.process[i];

		if (!p->tgid || !(p->quiet.n > 0) || p->seen + windows < e->pasts.number)
			continue;
		past_write(p, e->end, line);
		take(to, line);
	}
}

void engine_write(const struct engine *e, uint64_t time, fact_take take, void *to)
{
	char line[FACT_LINE];
	unsigned int n;

	for (n = 0; n < e->machine->nodes; n++)
		if (overflows_write(&e->overflows[n], n, time, line))
			take(to, line);
	write_pasts(e, time, take, to);
}

bool engine_parse(struct engine *e, const char *line)
{
	return overflows_parse(e->overflows, e->machine->nodes, line) ||
	       pasts_parse(&e->pasts, e->machine->nodes, line);
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
