/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_judge.h - a slow implementation of the rules at the head of value.c: computes each value
 * from the log of all samples, in exact fractions.
 */
#ifndef VALUE_JUDGE_H
#define VALUE_JUDGE_H

#include "meter_bench.h"

/* Counts of a CPU in an interval. */
struct sum {
	u64 delta[ALL];
	u64 time[ALL];
	u64 whole;		/* TSC cycles of the parts, counted or not */
};

struct judged {
	bool has_average, has_current, has_peak;
	u32 current_status;
	s64 average, sum, current_value, peak;
	u64 time, begin, begin_id, complete, counted_ns, gone;
	u32 status;
};

/* A CPU of a place: its marks and newest samples in the log. */
struct seat {
	const struct cpu *cpu;
	unsigned int lane;
	const struct raw *mark[40];	/* marks in the ring, oldest first */
	unsigned int marks;
	const struct raw *last;
	const struct raw *before;
	unsigned int begin;		/* index of the first mark of the window; @marks: none */
};

static inline __int128 absolute(__int128 x)
{
	return x < 0 ? -x : x;
}

/* Divide, rounding to the nearest and halves away from 0. */
static inline s64 divide_nearest(__int128 a, __int128 b)
{
	__int128 q = (2 * absolute(a) + absolute(b)) / (2 * absolute(b));

	return (a < 0) != (b < 0) ? -q : q;
}

/* Return counts unchanged, other values in units of 2^-32. */
static inline __int128 judge_term(const struct row *r, unsigned int t, const struct sum *s, u64 hz)
{
	u64 d = s->delta[r->term[t].u], time = s->time[r->term[t].u];

	if (r->term[t].kind == RCR_TERM_COUNT || (r->term[t].kind == RCR_TERM_RATE && !hz))
		return d;
	if (r->term[t].kind == RCR_TERM_GAUGE)
		return ((__int128)d << 32) / time;
	/* The numbers of the bench stay below 2^127. */
	return (((__int128)d * hz / time) << 32) + ((((__int128)d * hz % time) << 32) / time);
}

/* Compute a side over CPUs in units of 2^@exponent; return false if it was not counted. */
static inline bool judge_side(const struct row *r, unsigned int side, const struct sum *s,
			      unsigned int n, u64 hz, __int128 *sum, u64 *divisor, int *exponent)
{
	unsigned int from = side ? r->terms[0] : 0, to = from + r->terms[side], t, i, counted = 0;
	u8 how = r->reduction[side];

	*sum = 1;
	*divisor = 1;
	*exponent = 0;
	if (from == to)
		return true;
	*sum = 0;
	if (r->term[from].kind == RCR_TERM_GAUGE || (r->term[from].kind == RCR_TERM_RATE && hz))
		*exponent = 32;
	if (how == RCR_REDUCE_SUM) {
		for (t = from; t < to; t++) {
			for (counted = 0, i = 0; i < n; i++)
				if (s[i].time[r->term[t].u]) {
					*sum += judge_term(r, t, &s[i], hz) * r->term[t].weight;
					counted++;
				}
			if (!counted)
				return false;
		}
		return true;
	}
	for (i = 0; i < n; i++) {
		__int128 one = 0;

		for (t = from; t < to && s[i].time[r->term[t].u]; t++)
			one += judge_term(r, t, &s[i], hz) * r->term[t].weight;
		if (t < to)
			continue;
		if (!counted || (how == RCR_REDUCE_MAX && one > *sum) ||
		    (how == RCR_REDUCE_MIN && one < *sum))
			*sum = how == RCR_REDUCE_MEAN ? *sum + one : one;
		else if (how == RCR_REDUCE_MEAN)
			*sum += one;
		counted++;
	}
	if (how == RCR_REDUCE_MEAN)
		*divisor = counted;
	return counted;
}

static inline bool judge_form(const struct row *r, const struct sum *s, unsigned int n, u64 hz,
			      u64 parts, s64 *val)
{
	__int128 above, below;
	u64 by, over;
	int e, f;

	if (r->per_cpu) {
		struct row one = *r;
		unsigned int i, counted = 0;
		s64 here;

		one.per_cpu = false;
		one.reduction[0] = RCR_REDUCE_SUM;
		one.reduction[1] = RCR_REDUCE_SUM;
		for (i = 0; i < n; i++)
			if (judge_form(&one, &s[i], 1, hz, parts, &here))
				*val = !counted++ || here > *val ? here : *val;
		return counted;
	}
	if (!judge_side(r, 0, s, n, hz, &above, &by, &e) ||
	    !judge_side(r, 1, s, n, hz, &below, &over, &f) || !below)
		return false;
	above *= r->numerator * over;
	below *= r->denominator * by * parts;
	if (e && !f)
		below <<= 32;
	if (f && !e)
		above <<= 32;
	*val = divide_nearest(above, below);
	return true;
}

/* Return whether each CPU has its own counter, which is read with every sample. */
static inline bool is_alike(unsigned int u)
{
	return u == SPENT || (!is_gauge(u) && !is_shared(u) && u != SLOW);
}

/* Return whether the row's per-CPU counters were all ok from @a to @b. */
static inline bool are_alike(const struct machine *m, const struct row *r, const struct raw *a,
			     const struct raw *b)
{
	unsigned int t;

	for (t = 0; t < (unsigned int)r->terms[0] + r->terms[1]; t++)
		if (is_alike(r->term[t].u) && !part_counts(m, a, b, r->term[t].u))
			return false;
	return true;
}

static inline void add_interval(const struct machine *m, const struct row *r, struct sum *s,
				const struct raw *a, const struct raw *b)
{
	bool alike = a && are_alike(m, r, a, b);
	unsigned int u;

	if (a)
		s->whole += time_of_count(b, SPENT) - time_of_count(a, SPENT);
	for (u = 0; u < ALL; u++) {
		if (is_alike(u) && !alike)
			continue;
		if (u != SPENT && is_gauge(u)) {
			if (!is_ok(m, b, u))
				continue;
			s->delta[u] += b->value[u];
			s->time[u]++;
		} else if (a && part_counts(m, a, b, u)) {
			s->delta[u] += b->value[u] - a->value[u];
			s->time[u] += time_of_count(b, u) - time_of_count(a, u);
		}
	}
}

/* Merge the CPUs that share a counter into one. */
static inline void share_sums(struct seat *seat, unsigned int n, struct sum *s)
{
	unsigned int i, k, u;

	for (u = 0; u < ALL && n > 1; u++)
		for (i = 0; i < n && u != SPENT && is_shared(u); i++)
			for (k = i + 1; k < n; k++)
				if (u == PTEMP || seat[i].lane / 2 == seat[k].lane / 2) {
					s[i].delta[u] += s[k].delta[u];
					s[i].time[u] += s[k].time[u];
					s[k].delta[u] = 0;
					s[k].time[u] = 0;
				}
}

static inline void sit(const struct machine *m, struct seat *s, const struct cpu *c,
		       unsigned int lane)
{
	unsigned int n = min_t(u32, c->ring_marks, RCR_HISTORY_MARKS), at = c->samples, i = n;

	*s = (struct seat){ .cpu = c, .lane = lane, .marks = n };
	while (i)
		if (c->log[--at].is_mark)
			s->mark[--i] = &c->log[at];
	s->last = n ? s->mark[n - 1] : NULL;
	if (c->samples > c->first)
		s->last = &c->log[c->samples - 1];
	if (c->samples > c->first + 1)
		s->before = s->last - 1;
	(void)m;
}

static inline u64 judge_periods(const struct machine *m, u64 ns)
{
	u64 n = ns / m->period + (ns % m->period * 2 >= m->period);

	return n ? n : 1;
}

static inline bool is_count_row(const struct row *r)
{
	return r->term[0].kind == RCR_TERM_COUNT && !r->terms[1] && !r->reduction[0];
}

static inline bool is_rate_row(const struct row *r)
{
	return r->term[0].kind == RCR_TERM_RATE &&
	       (!r->terms[1] || r->term[r->terms[0]].kind == RCR_TERM_COUNT);
}

/* Return how much of @ns was counted, by the least counted operand. */
static inline u64 judge_share(const struct row *r, const struct sum *s, unsigned int n, u64 ns)
{
	u64 least = ns;
	unsigned int t, i;

	for (t = 0; t < (unsigned int)r->terms[0] + r->terms[1]; t++) {
		unsigned int u = r->term[t].u;
		__uint128_t counted = 0, whole = 0;

		for (i = 0; i < n && u != SLOW; i++) {
			counted += s[i].time[u];
			whole += s[i].time[u] ? s[i].whole : 0;
		}
		if (counted < whole)
			least = min_t(u64, least, ns * counted / whole);
	}
	return least;
}

static inline bool judge_interval(const struct machine *m, const struct row *r, struct seat *seat,
				  unsigned int n, struct sum *s, u64 ns, s64 *val)
{
	u64 parts = 1;

	share_sums(seat, n, s);
	if (is_count_row(r))
		parts = judge_periods(m, judge_share(r, s, n, ns));
	return judge_form(r, s, n, HZ, parts, val);
}

/* Return whether a sum over CPUs is complete: each CPU, or its pair, has counted for @least ns. */
static inline bool judge_whole(const struct row *r, const struct seat *seat, unsigned int n,
			       const struct sum *s, u64 least)
{
	unsigned int t, i, k;

	if (n == 1 || r->terms[1] || r->reduction[0] || (!is_count_row(r) && !is_rate_row(r)))
		return true;
	for (t = 0; t < r->terms[0]; t++) {
		unsigned int u = r->term[t].u;

		for (i = 0; i < n && u != SLOW; i++) {
			__uint128_t time = 0;

			for (k = 0; k < n; k++)
				if (k == i || (u == NODE && seat[k].lane / 2 == seat[i].lane / 2))
					time += s[k].time[u];
			if (!seat[i].cpu->away && (!time || time * 1000000000 / HZ < least))
				return false;
		}
	}
	return true;
}

static inline bool has_slow(const struct row *r)
{
	unsigned int t;

	for (t = 0; t < (unsigned int)r->terms[0] + r->terms[1]; t++)
		if (r->term[t].u == SLOW)
			return true;
	return false;
}

static inline bool judge_counted_all(const struct row *r, const struct sum *s, unsigned int n)
{
	unsigned int t, i;

	for (t = 0; t < (unsigned int)r->terms[0] + r->terms[1]; t++) {
		for (i = 0; i < n && !s[i].time[r->term[t].u]; i++)
			;
		if (i == n)
			return false;
	}
	return true;
}

/* Judge the value of a complete part. */
static inline bool judge_part(const struct machine *m, const struct row *r, struct seat *seat,
			      unsigned int n, u64 id, s64 *val)
{
	struct sum s[LANES] = { };
	u64 least = U64_MAX;
	unsigned int i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < seat[i].marks; k++) {
			const struct raw *to = seat[i].mark[k], *from = k ? to : NULL;

			if (to->time / m->part != id)
				continue;
			if (k) {
				from = seat[i].mark[k - 1];
				if (to->time - from->time > max(m->scale, 2 * m->period))
					break;
				least = min(least, to->time - from->time);
			}
			add_interval(m, r, &s[i], from, to);
			break;		/* a later mark with this id begins another run */
		}
	return judge_interval(m, r, seat, n, s, least == U64_MAX ? 0 : least, val);
}

static inline bool judge_running(const struct machine *m, const struct row *r, struct seat *seat,
				 unsigned int n, u64 since, u64 complete, s64 *val)
{
	struct sum s[LANES] = { };
	u64 least = U64_MAX;
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		const struct raw *from = NULL;

		if (seat[i].cpu->away || !seat[i].last || seat[i].last->time < since ||
		    seat[i].last->time / m->part < complete)
			continue;
		for (k = 0; k < seat[i].marks; k++) {
			if (seat[i].mark[k]->time / m->part > complete)
				add_interval(m, r, &s[i], from, seat[i].mark[k]);
			if (seat[i].mark[k]->time / m->part <= complete || from)
				from = seat[i].mark[k];
			if (!from)
				from = seat[i].mark[k];
		}
		if (!seat[i].marks || seat[i].mark[k - 1] != seat[i].last)
			add_interval(m, r, &s[i], from, seat[i].last);
		for (k = seat[i].marks; k && seat[i].mark[k - 1]->time / m->part > complete; k--)
			;
		if (seat[i].marks && seat[i].last->time > seat[i].mark[k ? k - 1 : 0]->time)
			least = min(least, seat[i].last->time - seat[i].mark[k ? k - 1 : 0]->time);
	}
	return judge_interval(m, r, seat, n, s, least == U64_MAX ? 0 : least, val);
}

static inline u64 judge_counted(const struct row *r, struct seat *seat, unsigned int n,
				const struct sum *s, u64 window)
{
	u64 least = window, sampled = 0, values = 0, groups, ns;
	unsigned int t, i;

	for (i = 0; i < n; i++)
		if (!seat[i].cpu->away) {
			sampled++;
			values += seat[i].marks - seat[i].begin;
			values += !seat[i].marks || seat[i].mark[seat[i].marks - 1] != seat[i].last;
		}
	for (t = 0; t < r->terms[0] + r->terms[1]; t++) {
		unsigned int u = r->term[t].u;
		__uint128_t time = 0;
		bool pair[2] = { };

		groups = sampled;
		for (i = 0; i < n; i++) {
			time += s[i].time[u];
			pair[seat[i].lane / 2 % 2] |= !seat[i].cpu->away;
		}
		if (n > 1 && u == NODE)
			groups = pair[0] + pair[1];
		if (n > 1 && u == PTEMP)
			groups = pair[0] || pair[1];
		if (!groups)
			return 0;
		if (u != SPENT && is_gauge(u))
			ns = values ? time * window * sampled / (values * groups) : 0;
		else
			ns = time * 1000000000 / HZ / groups;
		least = min(least, ns);
	}
	return least;
}

static inline u32 judge_status(const struct row *r, struct seat *seat, unsigned int n)
{
	bool ok = false, offline = false, sampled = false;
	unsigned int i, t;

	for (i = 0; i < n; i++)
		sampled |= !seat[i].cpu->away;
	if (!sampled)
		return RCR_STATUS_OFFLINE;
	for (i = 0; i < n; i++) {
		offline |= seat[i].cpu->away;
		for (t = 0; t < r->terms[0] + r->terms[1] && !seat[i].cpu->away; t++) {
			unsigned int u = r->term[t].u;
			u8 status = u == SPENT ? RCR_STATUS_OK : seat[i].last->status[u];

			if (status != RCR_STATUS_OK && status != RCR_STATUS_ELSEWHERE)
				return status ?: RCR_STATUS_GAP;
			ok |= status == RCR_STATUS_OK;
		}
	}
	return ok ? RCR_STATUS_GAP : offline ? RCR_STATUS_OFFLINE : RCR_STATUS_ELSEWHERE;
}

/* List the latest parts that are still available, as many as a view lists. */
static inline void judge_list(const struct machine *m, struct seat *seat, unsigned int n,
			      struct judged *j)
{
	u64 below = j->complete + 1, latest = 0;
	unsigned int i, k, listed;

	for (listed = 0; listed <= RCR_VIEW_PARTS; listed++) {
		for (latest = 0, i = 0; i < n; i++)
			for (k = 0; k < seat[i].marks; k++)
				if (seat[i].mark[k]->time / m->part < below)
					latest = max(latest, seat[i].mark[k]->time / m->part);
		below = latest;
	}
	j->gone = max(j->gone, latest);
}

/* Find the latest complete part, and the last part that is no longer available. */
static inline void judge_horizon(const struct machine *m, struct seat *seat, unsigned int n,
				 struct judged *j)
{
	u64 newest = 0, horizon = U64_MAX, here, patience = max(2 * m->part, 10000000ull);
	unsigned int i;

	for (i = 0; i < n; i++) {
		struct seat *s = &seat[i];

		here = s->marks ? s->mark[s->marks - 1]->time / m->part : 0;
		newest = max(newest, here);
		if (s->cpu->away) {
			u64 age = j->time - (s->last ? s->last->time : 0);

			/* The CPU may come back online in the part of the newest sample. */
			if (age <= max(m->scale, 2 * m->period))
				horizon = min(horizon, max(here, j->time / m->part - 1));
			continue;
		}
		if (s->cpu->next / m->part > here)
			here = s->cpu->next / m->part - 1;
		if (s->cpu->ring_marks > RCR_HISTORY_MARKS)
			j->gone = max(j->gone, s->mark[0]->time / m->part);
		if (s->cpu->next + patience < time_of_tick(m))
			continue;
		horizon = min(horizon, here);
	}
	j->complete = min(newest, horizon);
	judge_list(m, seat, n, j);
}

static inline void judge_window(const struct machine *m, const struct row *r, struct seat *seat,
				unsigned int n, u64 since, struct judged *j)
{
	struct sum s[LANES] = { };
	unsigned int i, k;
	u64 window;

	for (i = 0; i < n; i++) {
		const struct raw *from = NULL;

		for (k = 0; k < seat[i].marks; k++) {
			if (seat[i].mark[k]->time < since)
				continue;
			add_interval(m, r, &s[i], from, seat[i].mark[k]);
			from = seat[i].mark[k];
		}
		if (seat[i].last && seat[i].last->time >= since && seat[i].last != from)
			add_interval(m, r, &s[i], from, seat[i].last);
	}
	window = j->time - j->begin;
	j->counted_ns = judge_counted(r, seat, n, s, window);
	j->has_average = judge_interval(m, r, seat, n, s, window, &j->average);
	j->sum = j->average;
	if (j->has_average && (is_count_row(r) || is_rate_row(r)))
		judge_form(r, s, n, 0, 1, &j->sum);
	j->status = j->has_average ? RCR_STATUS_OK : 0;
	for (k = 0, i = 0; i < n; i++)
		k += !seat[i].cpu->away;
	if (!k || 2 * j->counted_ns < window || (!window && !j->has_average) ||
	    !judge_whole(r, seat, n, s, window - window / 2))
		j->status = judge_status(r, seat, n);
}

static inline void judge_value(const struct machine *m, const struct row *r, struct seat *seat,
			       unsigned int n, struct judged *j)
{
	struct sum s[LANES] = { };
	u64 since, id, least = U64_MAX;
	unsigned int i, k;
	s64 val;

	memset(j, 0, sizeof(*j));
	for (i = 0; i < n; i++)
		j->time = max(j->time, seat[i].last ? seat[i].last->time : 0);
	since = j->time > m->scale ? j->time - m->scale : 0;
	j->begin = j->time;
	j->begin_id = U64_MAX;
	for (i = 0; i < n; i++) {
		for (k = 0; k < seat[i].marks && seat[i].mark[k]->time < since; k++)
			;
		seat[i].begin = k;
		if (k < seat[i].marks && seat[i].mark[k]->time <= j->begin) {
			j->begin = seat[i].mark[k]->time;
			j->begin_id = j->begin / m->part;
		}
	}
	judge_horizon(m, seat, n, j);
	judge_window(m, r, seat, n, since, j);
	for (i = 0; i < n; i++) {
		if (seat[i].cpu->away || !seat[i].last || seat[i].last->time < since)
			continue;
		add_interval(m, r, &s[i], seat[i].before, seat[i].last);
		if (seat[i].before)
			least = min(least, seat[i].last->time - seat[i].before->time);
	}
	j->has_current = judge_interval(m, r, seat, n, s, least == U64_MAX ? 0 : least,
					&j->current_value);
	j->current_status = RCR_STATUS_OK;
	if (!j->has_current && judge_counted_all(r, s, n)) {
		j->current_status = 0;
	} else if (!j->has_current || !judge_whole(r, seat, n, s, 1)) {
		j->current_status = judge_status(r, seat, n);
		if (j->current_status == RCR_STATUS_GAP && has_slow(r))
			j->current_status = RCR_STATUS_OK;
	}
	for (i = 0; i < n && j->begin_id != U64_MAX; i++)
		for (k = 0; k < seat[i].marks; k++) {
			id = seat[i].mark[k]->time / m->part;
			if (id <= j->begin_id || id > j->complete ||
			    !judge_part(m, r, seat, n, id, &val))
				continue;
			j->peak = j->has_peak ? max(j->peak, val) : val;
			j->has_peak = true;
		}
	if (judge_running(m, r, seat, n, since, j->complete, &val)) {
		j->peak = j->has_peak ? max(j->peak, val) : val;
		j->has_peak = true;
	}
}

#endif
