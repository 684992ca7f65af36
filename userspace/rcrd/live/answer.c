// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * answer.c - answer 'rcrctl why' and 'rcrctl verdicts'. An answer begins with lines for rcrctl: the
 * worst state, and the number at which the next answer must begin. Sentences or JSON objects
 * follow, one per line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/live.h"

/**
 * struct page - an answer that is being written
 * @answer: the answer
 * @caller: the client
 * @json: write lines of JSON
 * @worst: worst state of the entries so far
 * @body: the lines
 * @used: bytes used in @body
 */
struct page {
	struct answer *answer;
	const struct caller *caller;
	bool json;
	enum verdict_state worst;
	char body[ANSWER_MAX - 128];
	size_t used;
};

/* Append @text and free it. Returns false if it is NULL or does not fit. */
static bool append_lines(struct page *p, char *text, size_t size)
{
	bool fits = text && size < sizeof(p->body) - p->used;

	if (fits) {
		memcpy(p->body + p->used, text, size + 1);
		p->used += size;
	}
	free(text);
	return fits;
}

static bool append_entry(struct page *p, const struct book_entry *e)
{
	struct json j = { .in_line = true };
	struct verdict_names own;
	size_t size = 0;
	char *text = NULL;

	if (!p->caller->reads && !book_show_own(e, p->caller->uid, &own))
		return true;
	j.out = open_memstream(&text, &size);
	if (!j.out)
		return false;
	if (p->json)
		verdict_write(&j, &e->verdict, p->caller->reads ? &e->names : &own);
	else
		verdict_print(j.out, &e->verdict, p->caller->reads ? &e->names : &own);
	if (p->json)
		fputc('\n', j.out);
	fclose(j.out);
	if (e->verdict.state > p->worst)
		p->worst = e->verdict.state;
	return append_lines(p, text, size);
}

/*
 * Append the findings that hold now, from @number on. Each finding on each node has a number.
 * Returns the number of the first one that does not fit.
 */
static uint64_t append_present(struct page *p, struct live *l, uint64_t number)
{
	uint64_t end = l->machine.nodes * FINDINGS;
	static struct book_entry now;
	struct verdict v = { 0 };

	for (; number < end; number++) {
		unsigned int which = number % FINDINGS, n = number / FINDINGS;

		if (!verdict_is_raised(engine_state(l->engine, which, n)))
			continue;
		engine_describe(l->engine, which, n, &v);
		book_name(&now, &v);
		book_keep_names(&l->book, &now);
		if (!append_entry(p, &now))
			break;
	}
	return number;
}

/*
 * Append the findings that are not judged on @node or, if @node is the number of nodes, those that
 * lack events. Only for callers that may read the set. Returns false if they do not fit.
 */
static bool append_unknown(struct page *p, const struct live *l, unsigned int node)
{
	struct json j = { .in_line = true };
	size_t size = 0;
	char *text = NULL;

	j.out = open_memstream(&text, &size);
	if (!j.out)
		return false;
	if (node < l->machine.nodes && p->json)
		unjudged_now_write(&j, l->engine, node);
	else if (node < l->machine.nodes)
		unjudged_now_print(j.out, l->engine, node);
	else if (p->json)
		unknown_write(&j, l->engine, l->family, false);
	else
		unknown_print(j.out, l->engine, l->family);
	fclose(j.out);
	return append_lines(p, text, size);
}

/* A finding that is not judged any more may still be true. */
static bool is_any_stale(const struct live *l)
{
	unsigned int which, n;

	for (n = 0; n < l->machine.nodes; n++)
		for (which = 0; which < FINDINGS; which++)
			if (engine_is_stale(l->engine, which, n))
				return true;
	return false;
}

/* A number per finding and node, one per node for its unjudged findings, and one for the rest. */
static uint64_t count_why(const struct live *l)
{
	return l->machine.nodes * FINDINGS + l->machine.nodes + 1;
}

/* Append entries from @number on, as many as fit. Returns the number of the next entry. */
static uint64_t answer_why(struct page *p, struct live *l, uint64_t number)
{
	uint64_t first = l->machine.nodes * FINDINGS, end = count_why(l), next = number;

	if (number < first)
		next = append_present(p, l, number);
	if (next < first)
		return next;
	/* Only readers of the set are told which findings are unknown. */
	if (!p->json && !p->used && !number && !(p->caller->reads && is_any_stale(l)))
		p->used = snprintf(p->body, sizeof(p->body), "%s\n", p->caller->reads ?
				   "no contention found" :
				   "no contention found that involves your processes");
	if (!p->caller->reads)
		return end;
	while (next < end && append_unknown(p, l, next - first))
		next++;
	return next;
}

/* Append verdicts from @q->number on, as many as fit. Returns the number of the next verdict. */
static uint64_t answer_verdicts(struct page *p, struct live *l, const struct request *q)
{
	uint64_t number = book_oldest(&l->book);

	if (q->number > number)
		number = q->number;
	for (; number < l->book.count; number++) {
		const struct book_entry *e = book_entry(&l->book, number);

		if (e->verdict.time < q->since_ns || e->verdict.time > q->until_ns)
			continue;
		if (!append_entry(p, e))
			break;
	}
	return number;
}

int live_answer(struct live *l, const struct caller *caller, const struct request *q,
		struct answer *answer, struct why *why)
{
	static struct page p;
	uint64_t next, end;

	p = (struct page){ .answer = answer, .caller = caller, .json = q->json };
	if (!l->follow)
		return because(why, "cannot judge: the rings could not be mapped: restart rcrd");
	live_beat(l);
	end = q->kind == REQUEST_WHY ? count_why(l) : l->book.count;
	if (q->kind == REQUEST_WHY)
		next = answer_why(&p, l, q->number);
	else
		next = answer_verdicts(&p, l, q);
	snprintf(answer->text, sizeof(answer->text), "worst %s\nnext %llu\nmore %d\n%.*s",
		 verdict_state_name(p.worst), (unsigned long long)next,
		 next < end, (int)p.used, p.body);
	return 0;
}
