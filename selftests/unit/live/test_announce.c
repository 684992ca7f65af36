// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_announce.c - tests the state of a model that rcrd posts for each node and for the machine.
 * The states of findings are made up.
 */
#include <errno.h>
#include <string.h>

#include "ksft.h"
#include "live/announce.h"
#include "post/posted.h"
#include "rcr_meters.h"

#define NODES	2
#define GAP	-1
#define NONE	-2

struct engine {
	enum verdict_state state[NODES][FINDINGS];
	bool stale[NODES][FINDINGS];
};

static struct engine engine;
static struct announce announce;
/* What was posted newest, by model and place. */
static int posted[MODELS][NODES + 1];
static unsigned int posts;
static bool is_removed;

enum verdict_state engine_state(const struct engine *e, enum finding which, unsigned int node)
{
	return e->state[node][which];
}

bool engine_is_stale(const struct engine *e, enum finding which, unsigned int node)
{
	return e->stale[node][which];
}

static int take_post(const char *name, unsigned int place, int value)
{
	posts++;
	if (is_removed) {
		errno = ENOENT;
		return -1;
	}
	posted[strcmp(name, "cache_verdict") ? MODEL_MEMORY : MODEL_CACHE][place] = value;
	return 0;
}

int rcr_control_meter_post(struct rcr_control *c, const char *name, int64_t value, uint32_t place)
{
	(void)c;
	return take_post(name, place, value);
}

int rcr_control_meter_post_status(struct rcr_control *c, const char *name, uint32_t status,
				  uint32_t place)
{
	(void)c;
	return take_post(name, place, status == RCR_STATUS_GAP ? GAP : NONE);
}

int rcr_control_meter_maximum(struct rcr_control *c, uint32_t generation, const char *name,
			      const struct rcr_meter_limits *limits)
{
	(void)c;
	(void)generation;
	(void)name;
	(void)limits;
	return 0;
}

int rcr_control_mark(struct rcr_control *c, enum rcr_mark_kind kind, const char *text)
{
	(void)c;
	(void)kind;
	(void)text;
	return 0;
}

const char *rcr_control_reason(const struct rcr_control *c)
{
	(void)c;
	return "removed";
}

int posted_make(struct rcr_control *c, const struct rcr_meter_request *r, unsigned int count,
		struct why *why)
{
	(void)c;
	(void)r;
	(void)count;
	(void)why;
	return 0;
}

/* All findings are ok, and nothing was posted yet. */
static void begin_quiet(void)
{
	static int connection;
	struct why why;
	unsigned int i, n;

	memset(&engine, 0, sizeof(engine));
	memset(&announce, 0, sizeof(announce));
	announce_open(&announce, (struct rcr_control *)&connection, NODES, &why);
	for (i = 0; i < MODELS; i++)
		for (n = 0; n <= NODES; n++)
			posted[i][n] = NONE;
	is_removed = false;
}

static bool is_posted(enum model model, int machine, int first, int second)
{
	announce_states(&announce, &engine);
	return posted[model][0] == machine && posted[model][1] == first &&
	       posted[model][2] == second;
}

static void test_worst(void)
{
	bool ok;

	begin_quiet();
	engine.state[1][FINDING_CHASE] = VERDICT_LOG;
	engine.state[1][FINDING_CONFLICTS] = VERDICT_CONTENTION;
	ok = is_posted(MODEL_MEMORY, VERDICT_CONTENTION, VERDICT_OK, VERDICT_CONTENTION);
	ksft_test_result(ok && is_posted(MODEL_CACHE, VERDICT_OK, VERDICT_OK, VERDICT_OK),
			 "announce: the state of a model is that of its worst finding, and of its worst node\n");
}

static void test_unknown(void)
{
	unsigned int i;
	bool ok;

	begin_quiet();
	engine.state[0][FINDING_BANDWIDTH] = VERDICT_UNKNOWN;
	ok = is_posted(MODEL_MEMORY, VERDICT_OK, VERDICT_OK, VERDICT_OK);
	for (i = 0; i < FINDINGS; i++)
		engine.state[0][i] = VERDICT_UNKNOWN;
	ok = ok && is_posted(MODEL_MEMORY, GAP, GAP, VERDICT_OK);
	engine.state[1][FINDING_DEVICE] = VERDICT_BUSY;
	ksft_test_result(ok && is_posted(MODEL_MEMORY, VERDICT_BUSY, GAP, VERDICT_BUSY),
			 "announce: a node of which nothing is known has a gap, and so has a machine that is ok elsewhere\n");
}

static void test_stale(void)
{
	bool ok;

	begin_quiet();
	engine.state[0][FINDING_SUM] = VERDICT_UNKNOWN;
	engine.stale[0][FINDING_SUM] = true;
	ok = is_posted(MODEL_CACHE, GAP, GAP, VERDICT_OK) &&
	     is_posted(MODEL_MEMORY, VERDICT_OK, VERDICT_OK, VERDICT_OK);
	engine.state[0][FINDING_LINES] = VERDICT_CONTENTION;
	ksft_test_result(ok && is_posted(MODEL_CACHE, VERDICT_CONTENTION, VERDICT_CONTENTION,
					 VERDICT_OK),
			 "announce: a contention that is not judged any more is a gap, not ok\n");
}

static void test_posts(void)
{
	unsigned int first;

	begin_quiet();
	posts = 0;
	announce_states(&announce, &engine);
	first = posts;
	announce_states(&announce, &engine);
	engine.state[1][FINDING_LINES] = VERDICT_BUSY;
	announce_states(&announce, &engine);
	ksft_test_result(first == MODELS * (NODES + 1) && posts == first + 2,
			 "announce: only states that have changed are posted again\n");
	is_removed = true;
	engine.state[1][FINDING_LINES] = VERDICT_OK;
	announce_states(&announce, &engine);
	first = posts;
	engine.state[1][FINDING_LINES] = VERDICT_BUSY;
	announce_states(&announce, &engine);
	ksft_test_result(posts == first, "announce: a meter that root has removed gets no posts\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	test_worst();
	test_unknown();
	test_stale();
	test_posts();
	ksft_finished();
}
