// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_live.c - which samples are kept as evidence of a verdict when the set changes. The test
 * replaces all that live.c calls; its engine gives a verdict about the old set when it is flushed
 * or given a new set.
 */
#include "ksft.h"
#include "live/live.h"

static struct live live;
static struct rcr_set sets[2];
static struct run runs[2];

/* The engine. */
static engine_take take;
static void *take_to;
static enum verdict_state pending;
static const struct rcr_set *judged;

static void deliver_pending(void)
{
	const struct verdict v = { .finding = FINDING_BANDWIDTH, .state = pending, .since = 1 };

	pending = VERDICT_OK;
	if (v.state)
		take(take_to, &v);
}

struct engine *engine_open(const struct machine *machine, const struct bounds *bounds,
			   uint64_t window_ns, engine_take taker, void *to)
{
	static char engine;

	(void)machine;
	(void)bounds;
	(void)window_ns;
	take = taker;
	take_to = to;
	return (struct engine *)&engine;
}

void engine_item(struct engine *e, const struct rcr_set *set, const struct rcr_item *item)
{
	(void)e;
	if (item->type != RCR_ITEM_SET)
		return;
	deliver_pending();
	judged = set;
}

void engine_flush(struct engine *e)
{
	(void)e;
	deliver_pending();
}

enum verdict_state engine_state(const struct engine *e, enum finding which, unsigned int node)
{
	(void)e;
	(void)which;
	(void)node;
	return VERDICT_OK;
}

bool engine_is_stale(const struct engine *e, enum finding which, unsigned int node)
{
	(void)e;
	(void)which;
	(void)node;
	return false;
}

bool engine_is_alert(const struct engine *e)
{
	return !e;
}

bool engine_is_blind(const struct engine *e)
{
	return !e;
}

bool engine_may_learn(const struct engine *e)
{
	return !e;
}

double engine_unloaded(const struct engine *e, unsigned int node)
{
	(void)e;
	(void)node;
	return 0;
}

double engine_utilization(const struct engine *e)
{
	(void)e;
	return 0;
}

/* Evidence. */
static const struct run *kept_of;
static unsigned int kept;

void evidence_begin(int dir)
{
	(void)dir;
}

int evidence_keep(int dir, uint64_t budget, struct run *run, const struct evidence *has,
		  const struct verdict *v, struct why *why)
{
	(void)dir;
	(void)budget;
	(void)has;
	(void)v;
	(void)why;
	kept_of = run;
	kept++;
	return 0;
}

/* Empty rings. */
struct follow *follow_begin(struct run *run, bool whole)
{
	(void)whole;
	return (struct follow *)run;
}

void follow_read(struct follow *f, follow_take taker, void *to)
{
	(void)f;
	(void)taker;
	(void)to;
}

void follow_drain(struct follow *f, follow_take taker, void *to)
{
	(void)f;
	(void)taker;
	(void)to;
}

void follow_end(struct follow *f)
{
	(void)f;
}

/* Functions that the tests link but do not call. */
void note(const char *format, ...)
{
	(void)format;
}

char *file_read(const char *path, size_t *size, struct why *why)
{
	(void)path;
	(void)size;
	(void)why;
	return NULL;
}

struct rcr_blackboard *rcr_board_open(const char *path)
{
	(void)path;
	return NULL;
}

char *rcr_board_open_error(const char *path, int error, char *text, size_t size)
{
	(void)path;
	(void)error;
	(void)size;
	return text;
}

void rcr_board_close(struct rcr_blackboard *b)
{
	(void)b;
}

const struct rcr_board *rcr_board_head(const struct rcr_blackboard *b)
{
	(void)b;
	return NULL;
}

void nodes_read(struct machine *m, const struct rcr_blackboard *board)
{
	(void)m;
	(void)board;
}

void nodes_take_limits(struct machine *m, const struct rcr_blackboard *board,
		       struct rcr_control *control)
{
	(void)m;
	(void)board;
	(void)control;
}

int announce_open(struct announce *a, struct rcr_control *control, unsigned int nodes,
		  struct why *why)
{
	(void)a;
	(void)control;
	(void)nodes;
	(void)why;
	return 0;
}

void announce_states(struct announce *a, const struct engine *e)
{
	(void)a;
	(void)e;
}

void announce_mark(struct announce *a, const struct verdict *v)
{
	(void)a;
	(void)v;
}

void announce_unknown(struct announce *a)
{
	(void)a;
}

const struct book_entry *book_take(struct book *b, const struct verdict *v)
{
	(void)b;
	(void)v;
	return NULL;
}

int focus_begin(struct focus *f, struct loop *loop, int fd)
{
	(void)f;
	(void)loop;
	(void)fd;
	return 0;
}

void focus_want(struct focus *f, enum model model)
{
	(void)f;
	(void)model;
}

void focus_step(struct focus *f)
{
	(void)f;
}

void where_item(struct where *w, const struct rcr_set *set, const struct rcr_item *item)
{
	(void)w;
	(void)set;
	(void)item;
}

void where_step(struct where *w, struct engine *e)
{
	(void)w;
	(void)e;
}

void where_change(struct where *w)
{
	(void)w;
}

void where_beat(struct where *w)
{
	(void)w;
}

int loop_add_timer(struct loop *l, struct loop_source *s)
{
	(void)l;
	(void)s;
	return 0;
}

void loop_set_timer(struct loop_source *s, uint64_t ns)
{
	(void)s;
	(void)ns;
}

void crossings_begin(struct crossings *c, struct loop *loop,
		     void (*ready)(void *arg, uint32_t events), void *arg)
{
	(void)c;
	(void)loop;
	(void)ready;
	(void)arg;
}

void crossings_renew(struct crossings *c)
{
	(void)c;
}

int crossings_watch(struct crossings *c, const struct rule_lines *lines, bool strict,
		    struct why *why)
{
	(void)c;
	(void)lines;
	(void)strict;
	(void)why;
	return 0;
}

bool crossings_next(struct crossings *c, struct crossing *crossing)
{
	(void)c;
	(void)crossing;
	return false;
}

/* Begin with the first set. */
static bool begin_live(void)
{
	struct why why;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		sets[i].item.type = RCR_ITEM_SET;
		runs[i].merge.set = &sets[i];
	}
	live = (struct live){ .evidence = 1 << 20, .machine = { .cpus = 1, .nodes = 1 } };
	if (live_begin(&live, NULL, -1, &why))
		return false;
	live_change(&live, &runs[0]);
	kept = 0;
	kept_of = NULL;
	return judged == &sets[0];
}

/* The verdict is about windows of the old set; the new rings do not have its samples. */
static void test_change(void)
{
	bool ok = begin_live();

	pending = VERDICT_CONTENTION;
	live_change(&live, &runs[1]);
	ksft_test_result(ok && kept == 1 && kept_of == &runs[0] && judged == &sets[1],
			 "live: evidence about the last windows of a set has the samples of that set\n");
	ok = begin_live();
	pending = VERDICT_BUSY;
	live_change(&live, NULL);
	ksft_test_result(ok && kept == 1 && kept_of == &runs[0],
			 "live: evidence about the last windows is kept even without a new set\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(2);
	test_change();
	ksft_finished();
}
