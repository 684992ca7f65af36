// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_answer.c - rcrd's answers to 'rcrctl why' and 'rcrctl verdicts': their first lines, their
 * continuation, JSON, and visibility to users. A fake engine has the states.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "ksft.h"
#include "live/live.h"

#define OWN	1000
#define OTHER	1001

struct engine {
	enum verdict_state state[MACHINE_NODES][FINDINGS];
	struct verdict verdict;
	uint32_t missing;
	bool stale;
};

static struct live live;
static struct engine engine;
static const struct caller root = { .uid = 0, .reads = true }, own = { .uid = OWN };
static struct answer answer;
static unsigned int beats;

enum verdict_state engine_state(const struct engine *e, enum finding which, unsigned int node)
{
	return e->state[node][which];
}

void engine_describe(struct engine *e, enum finding which, unsigned int node, struct verdict *v)
{
	*v = e->verdict;
	v->finding = which;
	v->node = node;
	v->state = e->state[node][which];
}

bool engine_is_stale(const struct engine *e, enum finding which, unsigned int node)
{
	return e->stale && which == FINDING_SUM && node == 1;
}

const char *engine_doubt(const struct engine *e, enum finding which)
{
	(void)e;
	(void)which;
	return NULL;
}

bool engine_is_judged(const struct engine *e, enum finding which, unsigned int node)
{
	(void)e;
	(void)which;
	(void)node;
	return false;
}

uint32_t engine_missing(const struct engine *e, enum finding which)
{
	return which == FINDING_LINES || which == FINDING_SHARING ? e->missing : 0;
}

uint64_t engine_unjudged(const struct engine *e, enum finding which, unsigned int node)
{
	(void)e;
	(void)which;
	(void)node;
	return 0;
}

/* The engine's state is queried only after the newest samples were judged. */
void live_beat(struct live *l)
{
	beats += l == &live;
}

/* Return the position after a JSON value, or NULL if it is malformed. */
static const char *skip_value(const char *at);

static const char *skip_text(const char *at)
{
	if (*at++ != '"')
		return NULL;
	for (; *at != '"'; at++) {
		if ((unsigned char)*at < ' ')
			return NULL;
		if (*at != '\\')
			continue;
		if (!*++at || !strchr("\"\\/bfnrtu", *at))
			return NULL;
		if (*at == 'u' && strspn(at + 1, "0123456789abcdef") < 4)
			return NULL;
	}
	return at + 1;
}

static const char *skip_members(const char *at, char end)
{
	if (*++at == end)
		return at + 1;
	for (;;) {
		at += strspn(at, " ");
		if (end == '}') {
			at = skip_text(at);
			if (!at || strncmp(at, ": ", 2))
				return NULL;
			at += 2;
		}
		at = skip_value(at);
		if (!at || (*at != ',' && *at != end))
			return NULL;
		if (*at++ == end)
			return at;
	}
}

static const char *skip_number(const char *at)
{
	size_t digits;

	at += *at == '-';
	digits = strspn(at, "0123456789");
	if (!digits || (digits > 1 && *at == '0'))
		return NULL;
	at += digits;
	if (*at != '.')
		return at;
	digits = strspn(++at, "0123456789");
	return digits ? at + digits : NULL;
}

static const char *skip_value(const char *at)
{
	if (*at == '{')
		return skip_members(at, '}');
	if (*at == '[')
		return skip_members(at, ']');
	if (*at == '"')
		return skip_text(at);
	return strncmp(at, "null", 4) ? skip_number(at) : at + 4;
}

/* Return the position after an object and its newline, or NULL. */
static const char *skip_line(const char *line)
{
	const char *end = *line == '{' ? skip_value(line) : NULL;

	if (!end || *end != '\n')
		ksft_print_msg("no object: %.300s\n", line);
	return end && *end == '\n' ? end + 1 : NULL;
}

static bool are_objects(const char *lines)
{
	while (lines && *lines)
		lines = skip_line(lines);
	return lines;
}

/**
 * struct head - a parsed answer
 * @worst: name of the worst state
 * @next: number to ask the next answer with
 * @more: there is a next answer
 * @body: the lines after the head; NULL if the head is malformed
 */
struct head {
	char worst[16];
	uint64_t next;
	unsigned int more;
	const char *body;
};

static struct head ask(const struct caller *caller, const struct request *q)
{
	unsigned int before = beats;
	struct head h = { .more = 0 };
	struct why why = { "" };
	int size = 0;

	memset(&answer, 'x', sizeof(answer));
	if (!live_answer(&live, caller, q, &answer, &why) && beats == before + 1 &&
	    memchr(answer.text, 0, sizeof(answer.text)) &&
	    sscanf(answer.text, "worst %15s\nnext %" SCNu64 "\nmore %u%n", h.worst, &h.next,
		   &h.more, &size) == 3 && answer.text[size] == '\n')
		h.body = answer.text + size + 1;
	if (!h.body)
		ksft_print_msg("no answer: %s\n", why.text);
	return h;
}

/* Names have the maximum length, and characters that JSON must escape. */
static void add_process(struct book_entry *e, uint32_t tgid, uid_t uid)
{
	struct named_process *p = &e->names.process[e->names.count];

	*p = (struct named_process){ .tgid = tgid };
	snprintf(p->name, sizeof(p->name), "\"\\{u%u", uid);
	e->uid[e->names.count++] = uid;
}

/* Add a verdict at @time whose cause and @victims belong to user @uid. */
static void add_verdict(uint64_t time, enum verdict_state state, unsigned int victims, uid_t uid)
{
	struct book_entry *e = &live.book.entry[live.book.count++ % BOOK_VERDICTS];
	unsigned int i;

	*e = (struct book_entry){ .verdict = {
		.finding = FINDING_ONE, .node = 1, .state = state, .time = time, .utilization = 0.5,
		.latency = -1, .cause = 500, .cause_share = 0.25, .victims = victims,
	} };
	add_process(e, 500, uid);
	for (i = 0; i < victims; i++) {
		e->verdict.victim[i] = (struct verdict_victim){ 1000 + i, { 2, 1.5, 2.5 } };
		add_process(e, 1000 + i, OTHER);
	}
}

static void begin_live(void)
{
	memset(&engine, 0, sizeof(engine));
	engine.verdict.latency = -1;
	live.machine.nodes = 2;
	live.engine = &engine;
	live.follow = (void *)&live;
	live.book.count = 0;
	strcpy(live.family, "AMD Fam15h");
}

static bool is_answer(const struct caller *caller, const struct request *q, const char *expected)
{
	ask(caller, q);
	if (strcmp(answer.text, expected))
		ksft_print_msg("got \"%s\"\n", answer.text);
	return !strcmp(answer.text, expected);
}

static const struct request why_text = { .kind = REQUEST_WHY };
static const struct request why_json = { .kind = REQUEST_WHY, .json = true };
static const struct request verdicts_text = { .kind = REQUEST_VERDICTS, .until_ns = ~0ull };
static const struct request verdicts_json = {
	.kind = REQUEST_VERDICTS, .until_ns = ~0ull, .json = true,
};

static void test_nothing(void)
{
	struct why why = { "" };
	bool ok;

	begin_live();
	live.follow = NULL;
	ksft_test_result(live_answer(&live, &root, &why_text, &answer, &why) && *why.text,
			 "answer: a request without rings is refused\n");
	begin_live();
	ok = is_answer(&root, &verdicts_text, "worst ok\nnext 0\nmore 0\n") &&
	     is_answer(&own, &verdicts_json, "worst ok\nnext 0\nmore 0\n");
	ask(&root, &why_text);
	ok &= !!strstr(answer.text, "\nno contention found\n");
	ask(&own, &why_text);
	ok &= !!strstr(answer.text,
		       "\nno contention found that involves your processes\n");
	ksft_test_result(ok && !*ask(&root, &why_json).body,
			 "answer: without contention there is the head, and a sentence\n");
}

/* It may still be there, so rcrd does not say that it is not. */
static void test_stale(void)
{
	struct head h;
	bool ok;

	begin_live();
	engine.stale = true;
	engine.state[1][FINDING_SUM] = VERDICT_UNKNOWN;
	h = ask(&root, &why_text);
	ok = h.body && !strncmp(h.body, "sum: unknown on node 1: ", 24);
	h = ask(&own, &why_text);
	ksft_test_result(ok && h.body &&
			 !strcmp(h.body, "no contention found that involves your processes\n"),
			 "answer: a contention that is not judged any more is unknown\n");
}

static void test_first_lines(void)
{
	bool ok;

	begin_live();
	add_verdict(10, VERDICT_LOG, 0, OTHER);
	add_verdict(20, VERDICT_CONTENTION, 0, OWN);
	add_verdict(30, VERDICT_OK, 0, OWN);
	ok = !strncmp(ask(&root, &verdicts_text).body, "0.000 s node 1 one: log", 23);
	ksft_test_result(ok && !strncmp(answer.text, "worst contention\nnext 3\nmore 0\n", 31),
			 "answer: the head has the worst state and the next number\n");
}

/* 'rcrctl why': the present state of each node. */
static void test_present(void)
{
	struct head h;
	bool ok;

	begin_live();
	engine.state[0][FINDING_CHASE] = VERDICT_LOG;
	engine.state[1][FINDING_BANDWIDTH] = VERDICT_CONTENTION;
	engine.state[1][FINDING_SUM] = VERDICT_UNKNOWN;
	engine.missing = SIGNAL_BIT(SIGNAL_MODIFIED);
	engine.state[0][FINDING_LINES] = VERDICT_UNKNOWN;
	engine.state[1][FINDING_LINES] = VERDICT_UNKNOWN;
	h = ask(&root, &why_text);
	ok = h.body && !strcmp(h.worst, "contention") && !h.more && strstr(h.body, "node 0 chase: log") &&
	     strstr(h.body, "node 1 bandwidth: contention") && !strstr(h.body, ": ok") &&
	     strstr(h.body, "\nsum: unknown on node 1: ") && strstr(h.body, "\nsharing, lines: unknown: the set");
	h = ask(&root, &why_json);
	ksft_test_result(ok && are_objects(h.body) && !strcmp(h.worst, "contention") &&
			 strstr(h.body, "\"finding\": \"bandwidth\", \"state\": \"contention\"") &&
			 strstr(h.body, "\"finding\": \"lines\", \"state\": \"unknown\""),
			 "answer: why lists the findings that are not ok, and the unknown ones\n");
	h = ask(&own, &why_text);
	ksft_test_result(h.body && !strcmp(h.worst, "ok") && !strstr(h.body, "bandwidth") &&
			 !strstr(h.body, "unknown"),
			 "answer: why hides findings without processes of the user, and the set\n");
}

/* Request all answers. Return their number if they list the times @from to @to once, in order. */
static unsigned int count_answers(const struct caller *caller, struct request q, uint64_t from,
				  uint64_t to)
{
	unsigned int answers = 0;
	struct head h;

	do {
		const char *line;

		h = ask(caller, &q);
		if (!h.body || (h.more && h.next <= q.number) || (q.json && !are_objects(h.body)))
			return 0;
		for (line = h.body; *line; line = strchr(line, '\n') + 1) {
			char expected[64];

			snprintf(expected, sizeof(expected),
				 q.json ? "{\"time_ns\": %" PRIu64 "000000000," :
				 "%" PRIu64 ".000 s node 1", from++);
			if (strncmp(line, expected, strlen(expected))) {
				ksft_print_msg("no %s: %.60s\n", expected, line);
				return 0;
			}
		}
		q.number = h.next;
		answers++;
	} while (h.more);
	return from == to + 1 && h.next == live.book.count ? answers : 0;
}

#define SECOND	1000000000ull

static void test_pages(void)
{
	const unsigned int most = BOOK_VERDICTS + 100;
	unsigned int i, answers[4];
	struct request q;

	begin_live();
	for (i = 0; i < most; i++)
		add_verdict(i * SECOND, VERDICT_BUSY, i % (VERDICT_VICTIMS + 1), i % 7 ? OTHER : OWN);
	answers[0] = count_answers(&root, verdicts_text, 100, most - 1);
	answers[1] = count_answers(&root, verdicts_json, 100, most - 1);
	ksft_test_result(answers[0] > 3 && answers[1] > answers[0],
			 "answer: %u and %u answers list each verdict once\n", answers[0], answers[1]);
	q = verdicts_text;
	q.since_ns = 200 * SECOND;
	q.until_ns = 600 * SECOND;
	answers[0] = count_answers(&root, q, 200, 600);
	q.json = true;
	answers[1] = count_answers(&root, q, 200, 600);
	q.since_ns = 300 * SECOND + 1;
	q.until_ns = 301 * SECOND - 1;
	answers[2] = count_answers(&root, q, 0, -1);
	q = verdicts_text;
	q.number = most - 1;
	answers[3] = count_answers(&root, q, most - 1, most - 1);
	ksft_test_result(answers[0] > 2 && answers[1] > answers[0] && answers[2] == 1 && answers[3] == 1,
			 "answer: verdicts can be limited to a time, and to a first number\n");
	q.number = most + 5;
	ksft_test_result(!*ask(&root, &q).body && !ask(&root, &q).more,
			 "answer: a number after the newest verdict gives an empty answer\n");
}

/* Verdicts that are hidden from the user must not cause further answers. */
static void test_own(void)
{
	struct request q = verdicts_text;
	unsigned int i, bad = 0;
	struct head h;

	begin_live();
	for (i = 0; i < 300; i++)
		add_verdict(i * SECOND, i % 100 ? VERDICT_BUSY : VERDICT_CONTENTION, 8,
			    i % 100 ? OTHER : OWN);
	for (; ; q.json = true) {
		h = ask(&own, &q);
		bad += !h.body || h.more || h.next != 300 || strcmp(h.worst, "contention");
		bad += strstr(h.body, "u1001") || strstr(h.body, q.json ? "\"pid\": 100" : "process 100");
		bad += !strstr(h.body, q.json ? "\"name\": \"\\\"\\\\{u1000\"" : "process 500 (\"\\{u1000)");
		bad += q.json && !are_objects(h.body);
		if (q.json)
			break;
	}
	ksft_test_result(!bad, "answer: a user sees verdicts of his processes, and their worst state\n");
}

/* More findings are contended than fit in one answer. */
static void test_crowded(void)
{
	struct request q = why_text;
	unsigned int n, i, seen, answers, bad = 0;
	const char *at;
	struct head h;

	begin_live();
	live.machine.nodes = MACHINE_NODES;
	for (n = 0; n < MACHINE_NODES; n++) {
		engine.state[n][FINDING_BANDWIDTH] = VERDICT_CONTENTION;
		engine.state[n][FINDING_ONE] = VERDICT_LOG;
		engine.state[n][FINDING_SUM] = VERDICT_UNKNOWN;
	}
	engine.state[MACHINE_NODES - 1][FINDING_LINES] = VERDICT_BUSY;
	engine.verdict.victims = VERDICT_VICTIMS;
	for (i = 0; i < VERDICT_VICTIMS; i++)
		engine.verdict.victim[i] = (struct verdict_victim){ 0x7fffff00 + i, { 2, 1.5, 2.5 } };
	for (; ; q = why_json) {
		bool busy = false;

		seen = 0;
		answers = 0;
		do {
			h = ask(&root, &q);
			for (at = h.body; at && *at; at = strchr(at, '\n') + 1)
				seen++;
			bad += !h.body || answers++ > 20 || (q.json && !are_objects(h.body));
			busy |= !strcmp(h.worst, "busy");
			q.number = h.next;
		} while (h.more && h.body && answers < 20);
		bad += seen != 3 * MACHINE_NODES + 1;
		bad += answers < 2 || !busy;
		if (q.json)
			break;
	}
	ksft_test_result(!bad, "answer: why lists each contended finding once, in %u answers\n", answers);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(11);
	test_nothing();
	test_stale();
	test_first_lines();
	test_present();
	test_pages();
	test_own();
	test_crowded();
	ksft_finished();
}
