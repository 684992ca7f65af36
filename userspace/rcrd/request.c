// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * request.c - parse requests on the control socket. Input that is not a valid request is refused
 * with a reason.
 */
#include <stdbool.h>
#include <string.h>

#include "model/finding.h"
#include "parse/number.h"
#include "parse/trigger.h"
#include "request.h"

/* Parse a number from @least to @most. Returns false if the word is missing or invalid. */
static bool parse_request_number(const char *word, uint64_t least, uint64_t most, uint64_t *number)
{
	return word && number_parse_range(word, least, most, number);
}

static int parse_arm(char **words, struct request *r, struct why *why)
{
	r->kind = REQUEST_ARM;
	if (!parse_request_number(words[2], 1, REQUEST_WINDOW_MAX, &r->window_ns))
		return because(why, "invalid window: use 1 to %llu ns", REQUEST_WINDOW_MAX);
	r->triggers = words[3] ? triggers_parse(words[3]) : 0;
	if (!r->triggers)
		return because(why, "invalid triggers: use mark, oom, crossing, or several separated by commas");
	return words[4] ? because(why, "record arm takes a window and triggers") : 0;
}

static int parse_threads(char **words, struct request *r, struct why *why)
{
	r->kind = REQUEST_THREADS;
	if (parse_request_number(words[1], 0, UINT64_MAX, &r->number) &&
	    parse_request_number(words[2], 0, UINT32_MAX, &r->slot) &&
	    parse_request_number(words[3], 0, INT32_MAX, &r->pid) && !words[4])
		return 0;
	return because(why, "threads takes a client, a slot and a process id");
}

static bool parse_form(const char *word, bool *json)
{
	*json = word && !strcmp(word, "json");
	return *json || (word && !strcmp(word, "text"));
}

static int parse_why(char **words, struct request *r, struct why *why)
{
	r->kind = REQUEST_WHY;
	if (parse_form(words[1], &r->json) &&
	    parse_request_number(words[2], 0, UINT64_MAX, &r->number) && !words[3])
		return 0;
	return because(why, "why takes text or json, and a number");
}

static int parse_verdicts(char **words, struct request *r, struct why *why)
{
	r->kind = REQUEST_VERDICTS;
	if (parse_form(words[1], &r->json) &&
	    parse_request_number(words[2], 0, UINT64_MAX, &r->number) &&
	    parse_request_number(words[3], 0, UINT64_MAX, &r->since_ns) &&
	    parse_request_number(words[4], 0, UINT64_MAX, &r->until_ns) && !words[5])
		return 0;
	return because(why, "verdicts takes text or json, a number and two times");
}

static int parse_where(char **words, struct request *r, struct why *why)
{
	static const char *const models[] = {
		[MODEL_MEMORY] = "memory", [MODEL_CACHE] = "cache", [MODELS] = "any",
	};

	r->kind = REQUEST_WHERE;
	for (r->model = 0; words[1] && r->model <= MODELS; r->model++)
		if (!strcmp(words[1], models[r->model]))
			break;
	if (words[1] && r->model <= MODELS &&
	    parse_request_number(words[2], 0, UINT64_MAX, &r->number) && !words[3])
		return 0;
	return because(why, "where takes memory, cache or any, and a number");
}

static int parse_formula(char **words, struct request *r, struct why *why)
{
	if (!words[1] || !words[2] || !words[3] || words[4])
		return because(why, "formula takes a meter, its digits and an expression");
	if (strlen(words[1]) >= sizeof(r->meter) || *words[2] < '0' || *words[2] > '9' ||
	    words[2][1])
		return because(why, "invalid meter '%.80s' or digits '%.20s'", words[1],
			       words[2]);
	if (strlen(words[3]) >= sizeof(r->expression))
		return because(why, "the formula is too long");
	r->kind = REQUEST_FORMULA;
	r->digits = *words[2] - '0';
	strcpy(r->meter, words[1]);
	strcpy(r->expression, words[3]);
	return 0;
}

static int parse_words(char **words, struct request *r, struct why *why)
{
	static const struct {
		const char *word;
		enum request_kind kind;
	} bare[] = {
		{ "off", REQUEST_OFF }, { "ls", REQUEST_LS }, { "fetch", REQUEST_FETCH },
	};
	size_t i;

	if (words[0] && !strcmp(words[0], "threads"))
		return parse_threads(words, r, why);
	if (words[0] && !strcmp(words[0], "formula"))
		return parse_formula(words, r, why);
	if (words[0] && !strcmp(words[0], "why"))
		return parse_why(words, r, why);
	if (words[0] && !strcmp(words[0], "verdicts"))
		return parse_verdicts(words, r, why);
	if (words[0] && !strcmp(words[0], "where"))
		return parse_where(words, r, why);
	if (!words[0] || strcmp(words[0], "record") || !words[1])
		return because(why, "unknown request: rcrctl and rcrd have different versions");
	if (!strcmp(words[1], "arm"))
		return parse_arm(words, r, why);
	if (!strcmp(words[1], "fetched")) {
		r->kind = REQUEST_FETCHED;
		if (parse_request_number(words[2], 1, UINT64_MAX, &r->number) && !words[3])
			return 0;
		return because(why, "record fetched takes the number of a window");
	}
	for (i = 0; i < sizeof(bare) / sizeof(bare[0]); i++) {
		if (strcmp(words[1], bare[i].word))
			continue;
		r->kind = bare[i].kind;
		return words[2] ? because(why, "record %s takes no argument", words[1]) : 0;
	}
	return because(why, "unknown request: rcrctl and rcrd have different versions");
}

/* Parse the bounds, one per line. */
static int parse_lines(const char *at, struct request *r, struct why *why)
{
	size_t size;

	if (!(r->triggers & RCR_TRIGGER_CROSSING))
		return because(why, "bounds need the trigger 'crossing'");
	for (;;) {
		size = strcspn(at, "\n");
		if (rule_lines_add(&r->lines, at, size, why))
			return -1;
		if (!at[size])
			return 0;
		at += size + 1;
	}
}

/* Accept only printable ASCII and newlines, because words of a request may be logged. */
static bool is_text(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if ((text[i] < ' ' || text[i] > '~') && text[i] != '\n')
			return false;
	return true;
}

int request_parse(const char *text, size_t size, struct request *r, struct why *why)
{
	char copy[REQUEST_MAX + 1], *words[7] = { NULL }, *rest = NULL, *lines;
	size_t i;

	memset(r, 0, sizeof(*r));
	if (size > REQUEST_MAX)
		return because(why, "request of %zu bytes: the maximum is %d", size, REQUEST_MAX);
	if (!is_text(text, size))
		return because(why, "invalid request: use only printable ASCII");
	memcpy(copy, text, size);
	copy[size] = 0;
	lines = strchr(copy, '\n');
	if (lines)
		*lines++ = 0;
	for (i = 0; i < 6; i++) {
		words[i] = strtok_r(i ? NULL : copy, " ", &rest);
		if (!words[i])
			break;
	}
	if (parse_words(words, r, why))
		return -1;
	return lines ? parse_lines(lines, r, why) : 0;
}
