// SPDX-License-Identifier: GPL-2.0-or-later
/* past.c - history of processes in quiet and in contended windows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/past.h"

#define PROBES		8	/* entries searched for a process */
#define NORMAL_95	1.96	/* standard errors of a 95 % interval */
/* A process does the same work while its requests change by a factor between these. */
#define MORE		1.75
#define LESS		0.4
/* Range of the quiet CPI in a line. */
#define LEAST_CPI	(1 / 1e9)
#define MOST_CPI	1e18

void moments_add(struct moments *m, double value)
{
	double before = value - m->mean;

	m->n++;
	m->mean += before / m->n;
	m->squares += before * (value - m->mean);
}

double moments_variance(const struct moments *m)
{
	return m->n > 1 ? m->squares / (m->n - 1) : 0;
}

static unsigned int first_probe(uint32_t tgid, unsigned int node)
{
	return (tgid + (node << 22)) * 2654435761u >> 21;
}

struct past *pasts_find(struct pasts *p, uint32_t tgid, unsigned int node)
{
	unsigned int i;

	for (i = 0; i < PROBES; i++) {
		struct past *each = &p->process[(first_probe(tgid, node) + i) % PAST_PROCESSES];

		if (each->tgid == tgid && each->node == node)
			return each;
	}
	return NULL;
}

/* Free entries are oldest: a process from a line may have the same @seen of 0 as they do. */
static bool is_older(const struct past *a, const struct past *b)
{
	if (!a->tgid || !b->tgid)
		return b->tgid;
	return a->seen < b->seen;
}

static struct past *find_or_add_past(struct pasts *p, uint32_t tgid, unsigned int node)
{
	struct past *found = pasts_find(p, tgid, node), *oldest;
	unsigned int i;

	if (found)
		return found;
	oldest = &p->process[first_probe(tgid, node) % PAST_PROCESSES];
	for (i = 1; i < PROBES; i++) {
		struct past *each = &p->process[(first_probe(tgid, node) + i) % PAST_PROCESSES];

		if (is_older(each, oldest))
			oldest = each;
	}
	memset(oldest, 0, sizeof(*oldest));
	oldest->tgid = tgid;
	oldest->node = node;
	return oldest;
}

/* A window without a valid count of each of these is not added. */
#define PAST_NEEDS \
	(SIGNAL_BIT(SIGNAL_CYCLES) | SIGNAL_BIT(SIGNAL_INSTRUCTIONS) | SIGNAL_BIT(SIGNAL_REQUESTS))

/* Cycles per instruction; 0 if unknown. */
static double cpi_of(const struct window_process *w)
{
	return w->sum[SIGNAL_INSTRUCTIONS] > 0 ?
	       w->sum[SIGNAL_CYCLES] / w->sum[SIGNAL_INSTRUCTIONS] : 0;
}

static double own_requests(const struct window_process *w)
{
	double own = w->sum[SIGNAL_REQUESTS] - w->sum[SIGNAL_MODIFIED];

	return 1000 * (own > 0 ? own : 0) / w->sum[SIGNAL_INSTRUCTIONS];
}

static void remember_window(struct past *p, uint64_t number, double cpi, double rate)
{
	p->cpi[p->next] = cpi;
	p->rate[p->next] = rate;
	p->number[p->next] = number;
	p->next = (p->next + 1) % PAST_WINDOWS;
	if (p->count < PAST_WINDOWS)
		p->count++;
}

static void take_process(struct pasts *all, const struct window *w,
			 const struct window_process *each, double requests, enum past_kind kind)
{
	struct past *p = find_or_add_past(all, each->tgid, each->node);
	double cpi = cpi_of(each), share = each->sum[SIGNAL_REQUESTS] / requests;

	p->seen = all->number;
	remember_window(p, all->number, cpi, each->sum[SIGNAL_REQUESTS] / (w->length / 1e9));
	if (kind == PAST_QUIET && w->begin >= all->given) {
		moments_add(&p->quiet, cpi);
		moments_add(&p->quiet_own, own_requests(each));
		moments_add(&p->quiet_share, share);
	} else if (kind == PAST_CONTENDED) {
		all->contended[each->node] = true;
		moments_add(&p->now, cpi);
		moments_add(&p->now_own, own_requests(each));
		moments_add(&p->now_share, share);
		if (each->sum[SIGNAL_REQUESTS] > 0)
			moments_add(&p->now_modified, each->sum[SIGNAL_MODIFIED] /
						      each->sum[SIGNAL_REQUESTS]);
	}
}

void pasts_take(struct pasts *p, const struct window *w, const double *requests,
		const enum past_kind *kind)
{
	unsigned int i;

	p->number++;
	for (i = 0; i < w->processes; i++) {
		const struct window_process *each = &w->process[i];

		/* Cycles without the matching instructions would look like a slowdown. */
		if (!(each->invalid & PAST_NEEDS) && cpi_of(each) > 0 && requests[each->node] > 0)
			take_process(p, w, each, requests[each->node], kind[each->node]);
	}
}

void pasts_end(struct pasts *p, unsigned int node)
{
	unsigned int i;

	if (!p->contended[node])
		return;
	p->contended[node] = false;
	for (i = 0; i < PAST_PROCESSES; i++)
		if (p->process[i].node == node) {
			p->process[i].now = (struct moments){ };
			p->process[i].now_own = (struct moments){ };
			p->process[i].now_share = (struct moments){ };
			p->process[i].now_modified = (struct moments){ };
		}
}

void past_write(const struct past *p, uint64_t time, char line[FACT_LINE])
{
	const struct moments *q = &p->quiet, *o = &p->quiet_own, *s = &p->quiet_share;

	snprintf(line, FACT_LINE,
		 "past.%u.%u=%llu %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", p->node,
		 p->tgid, (unsigned long long)time, q->n, q->mean, q->squares, o->n, o->mean,
		 o->squares, s->n, s->mean, s->squares);
}

static bool are_moments(const struct moments *m)
{
	return isfinite(m->n) && m->n >= 0 && isfinite(m->mean) && m->mean >= 0 &&
	       isfinite(m->squares) && m->squares >= 0;
}

bool pasts_parse(struct pasts *p, unsigned int nodes, const char *line)
{
	struct moments quiet, own, share;
	unsigned int node, tgid;
	unsigned long long time;
	struct past *past;
	int end = 0;

	if (sscanf(line, "past.%2u.%10u=%llu %lf %lf %lf %lf %lf %lf %lf %lf %lf%n", &node, &tgid,
		   &time, &quiet.n, &quiet.mean, &quiet.squares, &own.n, &own.mean,
		   &own.squares, &share.n, &share.mean, &share.squares, &end) != 12 ||
	    !end || line[end] || node >= nodes || !tgid)
		return false;
	if (!are_moments(&quiet) || !are_moments(&own) || !are_moments(&share) ||
	    !(quiet.mean >= LEAST_CPI && quiet.mean < MOST_CPI))
		return false;
	past = find_or_add_past(p, tgid, node);
	past->seen = p->number;
	past->quiet = quiet;
	past->quiet_own = own;
	past->quiet_share = share;
	p->given = time;
	return true;
}

bool past_suffers(const struct past *p, const struct window_process *w, double deviations)
{
	if (!p || p->quiet.n < PAST_LEAST)
		return false;
	return cpi_of(w) > p->quiet.mean + deviations * sqrt(moments_variance(&p->quiet));
}

static bool does_the_same(const struct past *p)
{
	return p->now_own.mean <= MORE * p->quiet_own.mean &&
	       p->now_own.mean >= LESS * p->quiet_own.mean;
}

/* Variance of the mean, relative to the square of the mean. */
static double relative_variance(const struct moments *m)
{
	return moments_variance(m) / m->n / (m->mean * m->mean);
}

bool past_slowdown(const struct past *p, struct slowdown *s)
{
	double error;

	if (p->quiet.n < PAST_LEAST || p->now.n < 2 || !does_the_same(p))
		return false;
	s->value = p->now.mean / p->quiet.mean;
	error = s->value * sqrt(relative_variance(&p->now) + relative_variance(&p->quiet));
	s->low = s->value - NORMAL_95 * error;
	s->high = s->value + NORMAL_95 * error;
	return true;
}

/* Read the request rate of a process in window @number; false if it did not run in it. */
static bool rate_in(const struct past *p, uint64_t number, double *rate)
{
	unsigned int i;

	for (i = 0; i < p->count; i++)
		if (p->number[i] == number) {
			*rate = p->rate[i];
			return true;
		}
	return false;
}

double past_correlation(const struct past *cause, const struct past *victim)
{
	double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, rate;
	unsigned int i;

	for (i = 0; i < victim->count; i++) {
		if (!rate_in(cause, victim->number[i], &rate))
			continue;
		n++;
		x += rate;
		y += victim->cpi[i];
		xx += rate * rate;
		yy += victim->cpi[i] * victim->cpi[i];
		xy += rate * victim->cpi[i];
	}
	xx -= x * x / n;
	yy -= y * y / n;
	xy -= x * y / n;
	return n > 2 && xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}
