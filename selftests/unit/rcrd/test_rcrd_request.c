// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_request.c - parses requests on rcrd's control socket: valid and malformed ones, and
 * random bytes.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/rcrtool.h>

#include "ksft.h"
#include "model/finding.h"
#include "request.h"
#include "stream_maker.h"
#include "parse/trigger.h"

#define BOUND "machine:0 mem_bw > 80% over 100ms below 3e9B/s"
#define OTHER "cpu:12 ipc < 0.5"
#define BOTH (RCR_TRIGGER_MARK | RCR_TRIGGER_OOM)
#define ARM(ns, mask) { .kind = REQUEST_ARM, .window_ns = (ns), .triggers = (mask) }

static const struct good {
	const char *text;
	struct request request;
} good[] = {
	{ "record ls", { .kind = REQUEST_LS } },
	{ "record off", { .kind = REQUEST_OFF } },
	{ " record   fetch ", { .kind = REQUEST_FETCH } },
	{ "record fetched 1", { .kind = REQUEST_FETCHED, .number = 1 } },
	{ "record fetched 18446744073709551615", { .kind = REQUEST_FETCHED, .number = ~0ull } },
	{ "record arm 1 mark", ARM(1, RCR_TRIGGER_MARK) },
	{ "record arm 86400000000000 mark,oom", ARM(REQUEST_WINDOW_MAX, BOTH) },
	{ "record arm 2000000000 oom,mark,oom", ARM(2000000000, BOTH) },
	{ "record arm 5 crossing", ARM(5, RCR_TRIGGER_CROSSING) },
	{ "record arm 5 crossing\n" BOUND "\n" OTHER,
	  { .kind = REQUEST_ARM, .window_ns = 5, .triggers = RCR_TRIGGER_CROSSING,
	    .lines = { 2, { BOUND, OTHER } } } },
	{ "threads 0 0 0", { .kind = REQUEST_THREADS } },
	{ "threads 18446744073709551615 4294967295 2147483647", { .kind = REQUEST_THREADS,
	  .number = ~0ull, .slot = ~0u, .pid = INT32_MAX } },
	{ "why text 0", { .kind = REQUEST_WHY } },
	{ " why  json 18446744073709551615 ", { .kind = REQUEST_WHY, .json = true, .number = ~0ull } },
	{ "verdicts text 0 0 18446744073709551615", { .kind = REQUEST_VERDICTS, .until_ns = ~0ull } },
	{ "verdicts json 7 5000000000 6000000000", { .kind = REQUEST_VERDICTS, .json = true,
	  .number = 7, .since_ns = 5000000000, .until_ns = 6000000000 } },
	{ "where any 0", { .kind = REQUEST_WHERE, .model = MODELS } },
	{ "where  cache 18446744073709551615", { .kind = REQUEST_WHERE, .model = MODEL_CACHE,
	  .number = ~0ull } },
	{ "where memory 1", { .kind = REQUEST_WHERE, .model = MODEL_MEMORY, .number = 1 } },
	{ "formula big 6 @big.part1,2,max2",
	  { .kind = REQUEST_FORMULA, .digits = 6, .meter = "big", .expression = "@big.part1,2,max2" } },
};

static const char *const bad[] = {
	"", " ", "record", "recor ls", "records ls", "Record ls", "record LS", "ls",
	"record ls -a", "record off now", "record fetch 1", "record fetched", "record fetched 0",
	"record fetched -1", "record fetched 1 2", "record fetched 18446744073709551616",
	"record arm", "record arm 5", "record arm mark", "record arm 0 mark", "record arm -5 mark",
	"record arm +5 mark", "record arm 5s mark", "record arm 0x5 mark",
	"record arm 86400000000001 mark", "record arm 99999999999999999999 mark",
	"record arm 5 mark,", "record arm 5 ,mark", "record arm 5 marks", "record arm 5 mar",
	"record arm 5 mark\n" BOUND, "record ls\n" BOUND, "record arm 5 crossing\n",
	"record arm 5 crossing\n" BOUND "\n", "record arm 5 crossing\nmachine:0 mem_bw >",
	"record arm 5 crossing\nmem_bw > 5", "record arm 5 crossing\nroom:0 mem_bw > 5",
	"record arm 5 crossing\ncpu: mem_bw > 5", "record arm 5 crossing\ncpu:1",
	"record arm 5 crossing\ncpu:12345678901 mem_bw > 5",
	"record arm 5 crossing\n" BOUND "\n" BOUND "\n" BOUND "\n" BOUND "\n" BOUND "\n" BOUND
	"\n" BOUND "\n" BOUND "\n" BOUND,
	"formula", "formula big", "formula big 6", "formula big 6 1 2", "formula big 10 1",
	"formula big -1 1", "formula big x 1", "formulas big 6 1",
	"record arm 5 mark oom", "record arm 5 mark,thunder", "record\tls", "record ls\n",
	"record arm 5 mark a b c d e f g", "threads", "threads 0", "threads 0 0", "threads 0 0 0 0",
	"threads -1 0 0", "threads 0 4294967296 0", "threads 0 0 2147483648", "threads 0 0 x",
	"why", "why Text", "why jso", "why jsons", "why text json", "why 0", "whys text 0",
	"why text", "why text 0 0", "why text -1", "why text 0\n" BOUND, "verdicts", "verdicts text", "verdicts text 0", "verdicts text 0 0",
	"verdicts 0 0 0", "verdicts 0 0 0 text", "verdicts xml 0 0 0", "verdicts text -1 0 0",
	"verdicts text 0 x 0", "verdicts text 0 0 18446744073709551616", "verdicts text 0 0 1s",
	"where", "where any", "where disk 0", "where any -1", "where any 0 0", "where 0", "where any 0\n" BOUND,
	"wheres any 0", "where ANY 0", "verdicts text 0 0 0 0", "verdicts text 0 0 0 0 0", "verdicts text 0 0 0\n" BOUND,
};

static bool is_same(const struct request *a, const struct request *b)
{
	unsigned int i;

	for (i = 0; i < RULES_MAX; i++)
		if (strcmp(a->lines.text[i], b->lines.text[i]))
			return false;
	return a->kind == b->kind && a->lines.count == b->lines.count && a->window_ns == b->window_ns &&
	       a->triggers == b->triggers && a->number == b->number && a->slot == b->slot && a->pid == b->pid &&
	       a->since_ns == b->since_ns && a->until_ns == b->until_ns && a->json == b->json &&
	       a->model == b->model;
}

static void test_words(void)
{
	unsigned int wrong = 0, i;
	struct request r;
	struct why why;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		wrong += request_parse(good[i].text, strlen(good[i].text), &r, &why) ||
			 !is_same(&r, &good[i].request);
	ksft_test_result(!wrong, "request: each kind is parsed with its arguments\n");
	for (wrong = 0, i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		*why.text = 0;
		if (request_parse(bad[i], strlen(bad[i]), &r, &why) && *why.text)
			continue;
		wrong++;
		ksft_print_msg("\"%s\" is taken\n", bad[i]);
	}
	ksft_test_result(!wrong, "request: malformed requests are refused with a reason\n");
}

/* Parse each request in heap memory, so that the sanitizer catches reads far beyond it. */
static void test_bytes(void)
{
	static const char valid[] = "record arm 2000000000 mark,crossing\n" BOUND "\n" OTHER;
	static char full[REQUEST_MAX + 1];
	unsigned int wrong = 0, i, k;
	struct request r;
	struct why why;
	size_t size;
	char *bytes;

	for (i = 0; i < 200000; i++) {
		size = random_number() % (REQUEST_MAX + 20);
		bytes = malloc(size + 1);
		for (k = 0; k < size; k++)
			bytes[k] = i % 2 ? (char)random_number() :
				   valid[(k + random_number() % 2) % (sizeof(valid) - 1)];
		if (!request_parse(bytes, size, &r, &why))
			wrong += r.kind == REQUEST_ARM && (!r.window_ns || !r.triggers);
		bytes = realloc(bytes, size + 1);
		free(bytes);
	}
	ksft_test_result(!wrong, "request: random bytes are parsed without invalid accesses\n");
	memset(full, ' ', sizeof(full));
	memcpy(full, "record ls", 9);
	ksft_test_result(!request_parse(full, REQUEST_MAX, &r, &why) &&
			 request_parse(full, REQUEST_MAX + 1, &r, &why) &&
			 strstr(why.text, "the maximum is"),
			 "request: a request that is too long is refused\n");
}

static void test_names(void)
{
	char text[TRIGGERS_LEN];
	uint32_t mask;
	bool same = true;

	for (mask = 1; mask < 8; mask++)
		same &= triggers_parse(triggers_text(mask, text)) == mask;
	ksft_test_result(same && !*triggers_text(0, text),
			 "triggers: every mask is formatted so that it can be parsed\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	test_words();
	test_bytes();
	test_names();
	ksft_finished();
}
