// SPDX-License-Identifier: GPL-2.0-only
/*
 * rivals.c - the rules of CPI2, Intel PRM and Caladan; see rivals.h.
 */
#include <math.h>
#include <stdlib.h>

#include "rivals.h"

#define TASKS		512
#define CALADAN_BYTES	25e9
#define LINE		64

struct rival_task {
	struct moments cpi, misses, stalls;
};

static struct rival_task *task_of(const struct rivals *r, const struct window_process *p)
{
	return &r->task[p->tgid % TASKS];
}

static bool beyond(const struct moments *m, double value, double deviations)
{
	return m->n > 1 && value > m->mean + deviations * sqrt(moments_variance(m));
}

struct rival_values {
	double cpi, misses, stalls, usage;
};

static struct rival_values values_of(const struct window *w, const struct window_process *p)
{
	const struct window_node *n = &w->node[p->node];
	double each = p->sum[SIGNAL_REQUESTS] / p->sum[SIGNAL_INSTRUCTIONS];
	double miss = n->sum[SIGNAL_REQUESTS] > 0 ?
		      n->sum[SIGNAL_MISSES] / n->sum[SIGNAL_REQUESTS] : 0;
	double wait = n->sum[SIGNAL_WAITED] > 0 ?
		      n->sum[SIGNAL_WAITING] / n->sum[SIGNAL_WAITED] : 0;

	return (struct rival_values){
		.cpi = p->sum[SIGNAL_CYCLES] / p->sum[SIGNAL_INSTRUCTIONS],
		.misses = each * miss,
		.stalls = each * miss * wait,
		.usage = p->sum[SIGNAL_CYCLES] / (p->time > 0 ? p->time : 1),
	};
}

static void learn(const struct rivals *r, const struct window *w)
{
	unsigned int i;

	for (i = 0; i < w->processes; i++) {
		struct rival_task *t = task_of(r, &w->process[i]);
		struct rival_values v = values_of(w, &w->process[i]);

		moments_add(&t->cpi, v.cpi);
		moments_add(&t->misses, v.misses);
		moments_add(&t->stalls, v.stalls);
	}
}

/* Add @answer to the rule's answers after @enough consecutive windows in which it was @sure. */
static void follow(struct rivals *r, enum rival_rule rule, unsigned int which, bool sure,
		   unsigned int enough, unsigned int answer)
{
	r->streak[rule][which] = sure ? r->streak[rule][which] + 1 : 0;
	if (r->streak[rule][which] >= enough)
		r->said[rule] |= answer;
}

static void apply_to_tasks(struct rivals *r, const struct window *w)
{
	bool cpi = false, cache = false, memory = false;
	unsigned int i;

	for (i = 0; i < w->processes; i++) {
		const struct rival_task *t = task_of(r, &w->process[i]);
		struct rival_values v = values_of(w, &w->process[i]);
		bool slow = beyond(&t->cpi, v.cpi, 3);

		cpi |= v.usage >= 0.25 && beyond(&t->cpi, v.cpi, 2);
		cache |= slow && beyond(&t->misses, v.misses, 3);
		memory |= slow && beyond(&t->stalls, v.stalls, 3);
	}
	follow(r, RIVAL_CPI2, 0, cpi, 3, RIVAL_CONTENTION);
	follow(r, RIVAL_PRM, 0, cache, 2, RIVAL_CACHE);
	follow(r, RIVAL_PRM, 1, memory, 2, RIVAL_MEMORY);
}

static void apply_to_memory(struct rivals *r, const struct window *w)
{
	double lines, most = 0;
	unsigned int i;

	for (i = 0; i < r->machine->nodes; i++) {
		lines = w->node[i].sum[SIGNAL_READS] + w->node[i].sum[SIGNAL_WRITES];
		most = lines > most ? lines : most;
	}
	follow(r, RIVAL_CALADAN, 0, most * LINE / (w->length / 1e9) >= CALADAN_BYTES, 2,
	       RIVAL_MEMORY);
}

void rivals_window(void *to, const struct window *w)
{
	struct rivals *r = to;

	if (w->begin + w->length <= r->learn_until) {
		learn(r, w);
		return;
	}
	apply_to_tasks(r, w);
	apply_to_memory(r, w);
}

int rivals_open(struct rivals *r, const struct machine *machine, uint64_t learn_until)
{
	*r = (struct rivals){ .machine = machine, .learn_until = learn_until };
	r->task = calloc(TASKS, sizeof(*r->task));
	return r->task ? 0 : -1;
}

void rivals_close(struct rivals *r)
{
	free(r->task);
}
