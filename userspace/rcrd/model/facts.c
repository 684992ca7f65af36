// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * facts.c - compute the facts of a node from the counts of a window.
 *
 * Unless rcrcal has measured the latency without load, it is estimated as the 20th percentile of
 * the latencies at less than a fifth of the capacity. Each of these is averaged over MEAN_OF
 * windows, because the lowest latencies of single windows are mostly noise. Concurrency follows
 * from Little's law (RCRTool Design Document, section 6.2).
 */
#include <stdlib.h>
#include <string.h>

#include "model/facts.h"

#define FEW_LATENCIES	4
#define SLOWEST		0.1	/* fewest cycles per ns of a CPU that is busy; ours */
#define LEAST_PART	0.2	/* of the busiest process's cycles: ignore processes with less */

/* Sum of signal @a divided by that of @b; NOT_KNOWN if either is invalid, or @b is 0. */
static double ratio_of(const struct window_node *n, enum signal a, enum signal b)
{
	if (n->invalid & (SIGNAL_BIT(a) | SIGNAL_BIT(b)) || !(n->sum[b] > 0))
		return NOT_KNOWN;
	return n->sum[a] / n->sum[b];
}

/* Sum of signal @a as a fraction of both sums; NOT_KNOWN if either is invalid, or both are 0. */
static double fraction_of(const struct window_node *n, enum signal a, enum signal others)
{
	double all = n->sum[a] + n->sum[others];

	if (n->invalid & (SIGNAL_BIT(a) | SIGNAL_BIT(others)) || !(all > 0))
		return NOT_KNOWN;
	return n->sum[a] / all;
}

static int compare_latencies(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double unloaded_latency(const struct unloaded *u)
{
	double sorted[LATENCIES];

	if (u->count < FEW_LATENCIES)
		return NOT_KNOWN;
	memcpy(sorted, u->seen, u->count * sizeof(sorted[0]));
	qsort(sorted, u->count, sizeof(sorted[0]), compare_latencies);
	return sorted[u->count / 5];
}

/* Mean latency over the newest MEAN_OF windows. */
static double steady_latency(const struct unloaded *u)
{
	double waiting = 0, waited = 0;
	unsigned int i;

	for (i = 0; i < MEAN_OF; i++) {
		waiting += u->waiting[i];
		waited += u->waited[i];
	}
	return u->windows >= MEAN_OF && waited > 0 ? waiting / waited : NOT_KNOWN;
}

static void record_window(struct unloaded *u, const struct window_node *n)
{
	u->waiting[u->windows % MEAN_OF] = n->sum[SIGNAL_WAITING];
	u->waited[u->windows % MEAN_OF] = n->sum[SIGNAL_WAITED];
	u->windows++;
}

/* Only every MEAN_OF windows, so that no window enters two means. */
static void record_latency(struct unloaded *u)
{
	double latency = steady_latency(u);

	if (latency < 0 || u->windows % MEAN_OF)
		return;
	u->seen[u->next] = latency;
	u->next = (u->next + 1) % LATENCIES;
	if (u->count < LATENCIES)
		u->count++;
}

static bool has_lines(const struct window_node *n)
{
	return !(n->invalid & SIGNAL_BIT(SIGNAL_LINES));
}

/* Lines moved as a fraction of the capacity; if that is unknown, busy cycles of the channels. */
static double utilization_of(const struct window *w, unsigned int node, double capacity)
{
	const struct window_node *n = &w->node[node];

	if (!window_is_covered(w, node))
		return NOT_KNOWN;
	if (capacity > 0 && has_lines(n))
		return n->sum[SIGNAL_LINES] / (n->covered / 1e9) / capacity;
	return ratio_of(n, SIGNAL_BUSY, SIGNAL_CLOCKS);
}

static void take_memory(struct facts *f, const struct machine *m, unsigned int node,
			struct unloaded *seen, const struct window *w)
{
	const struct window_node *n = &w->node[node];
	double latency = ratio_of(n, SIGNAL_WAITING, SIGNAL_WAITED), least = m->latency[node];

	f->utilization = utilization_of(w, node, m->capacity[node]);
	if (latency > 0)
		record_window(seen, n);
	if (f->utilization >= 0 && f->utilization < UNLOADED && latency > 0)
		record_latency(seen);
	if (!(least > 0))
		least = unloaded_latency(seen);
	f->latency = least > 0 && latency > 0 ? latency / least : NOT_KNOWN;
	f->remote = fraction_of(n, SIGNAL_REMOTE, SIGNAL_LOCAL);
	f->conflicts = ratio_of(n, SIGNAL_CONFLICTS, SIGNAL_LINES);
	f->devices = ratio_of(n, SIGNAL_DEVICES, SIGNAL_LINES);
	f->concurrency = ratio_of(n, SIGNAL_UNDER_WAY, SIGNAL_CYCLES);
}

static double most_cycles(unsigned int node, const struct window *w)
{
	double most = 0;
	unsigned int i;

	for (i = 0; i < w->processes; i++)
		if (w->process[i].node == node && w->process[i].sum[SIGNAL_CYCLES] > most)
			most = w->process[i].sum[SIGNAL_CYCLES];
	return most;
}

/* Find the process with the most requests, and count those that get a fair share. */
static void take_top(struct facts *f, unsigned int node, const struct window *w)
{
	double most = 0, busiest = most_cycles(node, w);
	unsigned int i;

	f->top = -1;
	f->processes = 0;
	for (i = 0; i < w->processes; i++) {
		if (w->process[i].node != node)
			continue;
		/* A process that a tick hit by chance must not reduce the fair share. */
		f->processes += w->process[i].sum[SIGNAL_CYCLES] >= LEAST_PART * busiest;
		if (w->process[i].sum[SIGNAL_REQUESTS] <= most)
			continue;
		most = w->process[i].sum[SIGNAL_REQUESTS];
		f->top = i;
	}
	f->top_share = f->requests > 0 ? most / f->requests : NOT_KNOWN;
}

/* Cycles of the processes on a node: without those of ticks on idle CPUs. */
static double process_cycles(const struct window *w, unsigned int node)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < w->processes; i++)
		if (w->process[i].node == node)
			sum += w->process[i].sum[SIGNAL_CYCLES];
	return sum;
}

/*
 * CPUs that ticks found busy, but no more than the cycles show: a tick may find a process by chance
 * on a CPU that is nearly idle.
 */
static double busy_cpus(const struct window *w, unsigned int node)
{
	double sum = 0, possible = process_cycles(w, node) / w->length / SLOWEST;
	unsigned int i;

	if (!w->slices)
		return NOT_KNOWN;
	for (i = 0; i < w->slices; i++)
		sum += w->node[node].slice[i].busy;
	sum /= w->slices;
	return sum < possible ? sum : possible;
}

static void take_cache(struct facts *f, unsigned int node, const struct window *w)
{
	const struct window_node *n = &w->node[node];
	double others, misses = n->sum[SIGNAL_MISSES];

	f->busy = busy_cpus(w, node);
	f->requests = n->sum[SIGNAL_REQUESTS];
	if (n->invalid & SIGNAL_BIT(SIGNAL_REQUESTS))
		f->requests = NOT_KNOWN;
	f->misses = 1000 * ratio_of(n, SIGNAL_MISSES, SIGNAL_INSTRUCTIONS);
	f->miss_ratio = ratio_of(n, SIGNAL_MISSES, SIGNAL_REQUESTS);
	if (!window_is_covered(w, node)) {
		f->misses = NOT_KNOWN;
		f->miss_ratio = NOT_KNOWN;
	}
	take_top(f, node, w);
	/* At most all requests of the top process missed; the other misses are not its own. */
	others = f->requests * (1 - f->top_share);
	misses -= f->requests * f->top_share;
	misses = misses > 0 ? misses : 0;
	f->others_ratio = f->top >= 0 && others > 0 ? misses / others : NOT_KNOWN;
}

void facts_take(struct facts *f, const struct machine *m, unsigned int node,
		struct unloaded *seen, const struct window *w)
{
	take_memory(f, m, node, seen, w);
	take_cache(f, node, w);
}
