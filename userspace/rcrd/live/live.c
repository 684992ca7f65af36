// SPDX-License-Identifier: GPL-2.0-or-later
/* live.c - run the models on the rings of this machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "file.h"
#include "live/live.h"
#include "live/nodes.h"
#include "message.h"

#define BOUNDS_PATH	"/etc/rcrtool/bounds.conf"
#define WINDOW_NS	20000000ull

/* Time between two reads of the rings while the engine is alert, ns. */
#define SOON_NS		100000000ull

/* Read the thresholds; a missing file gives the defaults. On failure @b is unchanged. */
static int read_bounds(struct bounds *b, struct why *why)
{
	struct bounds new;
	struct stat st;
	char *text;
	size_t size;
	int ret;

	bounds_init(&new);
	if (stat(BOUNDS_PATH, &st) && errno == ENOENT)
		goto out;
	text = file_read(BOUNDS_PATH, &size, why);
	if (!text)
		return -1;
	ret = bounds_parse(&new, BOUNDS_PATH, text, size, why);
	free(text);
	if (ret)
		return -1;
out:
	*b = new;
	return 0;
}

void live_reload(void *live)
{
	struct live *l = live;
	struct why why;

	if (read_bounds(&l->bounds, &why))
		note("keeping the old thresholds: %s", why.text);
	else
		note("thresholds reloaded");
}

/* A failure to create the meters, as by a name in use, must not prevent recording. */
int live_open(struct live *l, struct rcr_control *control, bool observes, struct why *why)
{
	struct rcr_blackboard *board;
	char text[RCR_SENTENCE_LEN];

	if (read_bounds(&l->bounds, why))
		return -1;
	l->control = control;
	board = rcr_board_open(NULL);
	if (!board)
		return because(why, "%s",
			       rcr_board_open_error(NULL, errno, text, sizeof(text)));
	nodes_read(&l->machine, board);
	rcr_board_close(board);
	if (!observes && announce_open(&l->announce, control, l->machine.nodes, why))
		note("cannot post verdicts: %s", why->text);
	return 0;
}

/* A replay begins too late to estimate the latency without load: give it this estimate. */
static const struct machine *learned_machine(const struct live *l)
{
	static struct machine m;
	unsigned int n;

	m = l->machine;
	for (n = 0; n < m.nodes; n++)
		m.latency[n] = engine_unloaded(l->engine, n);
	return &m;
}

/* Write one file per contention, even if it gets worse. */
static void keep_evidence(struct live *l, const struct verdict *v)
{
	uint64_t *kept = &l->kept[v->finding][v->node];
	struct evidence has;
	struct why why;

	if (v->state != VERDICT_CONTENTION && v->state != VERDICT_BUSY) {
		*kept = 0;
		return;
	}
	if (*kept == v->since || !l->evidence || !l->run)
		return;
	*kept = v->since;
	has = (struct evidence){
		.machine = learned_machine(l), .bounds = &l->bounds, .engine = l->engine,
		.first = l->first,
	};
	if (evidence_keep(l->dir, l->evidence, l->run, &has, v, &why))
		note("cannot save evidence of '%s' on node %u: %s", finding_name(v->finding),
		     v->node, why.text);
}

static void take_verdict(void *to, const struct verdict *v)
{
	struct live *l = to;

	book_take(&l->book, v);
	announce_mark(&l->announce, v);
	keep_evidence(l, v);
}

static void judge_item(void *to, const struct rcr_set *set, const struct rcr_item *item)
{
	struct live *l = to;

	engine_item(l->engine, set, item);
	where_item(&l->where, set, item);
}

/* True if a finding of the model holds or may hold, or if a latency can be estimated for it. */
static bool is_suspected(const struct live *l, enum model model)
{
	unsigned int i, n;

	for (i = 0; i < FINDINGS; i++)
		for (n = 0; n < l->machine.nodes && finding_model(i) == model; n++)
			if (verdict_is_raised(engine_state(l->engine, i, n)) ||
			    engine_is_stale(l->engine, i, n))
				return true;
	return model == MODEL_MEMORY &&
	       (engine_may_learn(l->engine) ||
		engine_utilization(l->engine) >= l->bounds.value[BOUND_UTILIZATION]);
}

static void request_focus(struct live *l)
{
	enum model m;

	for (m = 0; m < MODELS; m++)
		if (is_suspected(l, m))
			focus_want(&l->focus, m);
	focus_step(&l->focus);
}

static void read_rings(struct live *l)
{
	if (!l->follow)
		return;
	follow_read(l->follow, judge_item, l);
	request_focus(l);
	where_step(&l->where, l->engine);
	announce_states(&l->announce, l->engine);
	if (engine_is_alert(l->engine))
		loop_set_timer(&l->soon, SOON_NS);
}

/* Disarm the timer first: once it has expired, it stays readable. */
static void read_soon(void *arg, uint32_t events)
{
	struct live *l = arg;

	(void)events;
	loop_set_timer(&l->soon, 0);
	read_rings(l);
}

/* A meter has crossed a level: suspect the model that its name belongs to, and read the rings. */
static void handle_crossings(void *arg, uint32_t events)
{
	struct crossing crossing;
	struct live *l = arg;

	(void)events;
	while (crossings_next(&l->crossings, &crossing)) {
		if (strstr(crossing.text, " mem_"))
			focus_want(&l->focus, MODEL_MEMORY);
		else if (strstr(crossing.text, " l2_") || strstr(crossing.text, " l3_"))
			focus_want(&l->focus, MODEL_CACHE);
	}
	read_rings(l);
}

static void take_limits(struct live *l)
{
	struct rcr_blackboard *board;
	uint32_t changes;

	if (!l->crossings.board)
		return;
	changes = __atomic_load_n(&rcr_board_head(l->crossings.board)->changes, __ATOMIC_ACQUIRE);
	if (changes == l->limits_of)
		return;
	/* A separate mapping: closing that of the crossings would end their subscriptions. */
	board = rcr_board_open(NULL);
	if (!board)
		return;
	/* A CPU has a place on the board only after it has been online. */
	nodes_read(&l->machine, board);
	nodes_take_limits(&l->machine, board, l->control);
	rcr_board_close(board);
	l->limits_of = changes;
}

int live_begin(struct live *l, struct loop *loop, int groups, struct why *why)
{
	const struct rule_lines levels = { 0 };
	struct why none;

	l->loop = loop;
	l->soon = (struct loop_source){ -1, read_soon, l };
	l->engine = engine_open(&l->machine, &l->bounds, WINDOW_NS, take_verdict, l);
	if (!l->engine)
		return because(why, "%s", strerror(ENOMEM));
	if (loop_add_timer(loop, &l->soon) || focus_begin(&l->focus, loop, groups))
		return because(why, "timer: %s", strerror(errno));
	evidence_begin(l->dir);
	crossings_begin(&l->crossings, loop, handle_crossings, l);
	l->crossings.of_models = true;
	crossings_watch(&l->crossings, &levels, false, &none);
	take_limits(l);
	return 0;
}

/* Older records in the rings of the first set may have been judged by an earlier rcrd. */
void live_change(void *live, struct run *run)
{
	struct live *l = live;

	if (l->follow && !engine_is_blind(l->engine))
		follow_drain(l->follow, judge_item, l);
	/* The last windows may yield a verdict: its evidence needs the rings of the old run. */
	if (l->follow)
		engine_flush(l->engine);
	follow_end(l->follow);
	where_change(&l->where);
	l->run = run;
	l->follow = run ? follow_begin(run, l->first) : NULL;
	if (run && !l->follow)
		note("cannot judge the new set: %s", strerror(ENOMEM));
	if (!l->follow) {
		announce_unknown(&l->announce);
		return;
	}
	if (!l->first)
		l->first = now_ns();
	snprintf(l->family, sizeof(l->family), "%s", run->merge.set->family);
	engine_item(l->engine, run->merge.set, &run->merge.set->item);
	announce_states(&l->announce, l->engine);
}

/* Do not read the rings of a set without the events of any finding. */
void live_beat(struct live *l)
{
	crossings_renew(&l->crossings);
	take_limits(l);
	where_beat(&l->where);
	if (!l->follow || engine_is_blind(l->engine))
		where_step(&l->where, NULL);
	if (l->follow && !engine_is_blind(l->engine)) {
		read_rings(l);
		return;
	}
	/* Nothing is suspected, but a group may still be held. */
	focus_step(&l->focus);
	if (l->follow)
		announce_states(&l->announce, l->engine);
}

void live_end(struct live *l)
{
	announce_unknown(&l->announce);
}
