// SPDX-License-Identifier: GPL-2.0-or-later
/* why.c - prints the verdicts of rcrd: present and past contention. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon.h"
#include "message.h"
#include "verbs.h"

/* Exit statuses by the worst state. */
#define EXIT_CONTENTION	3
#define EXIT_BUSY	4

/**
 * struct span - the verdicts to print
 * @mark: only those since the newest mark with this text, unless NULL
 * @job: only those during the job with this id, unless NULL
 * @json: as JSON
 * @since_ns: CLOCK_MONOTONIC, ns
 * @until_ns: likewise
 */
struct span {
	const char *mark, *job;
	bool json;
	uint64_t since_ns, until_ns;
};

/**
 * struct output - state of the output
 * @json: print lines as elements of a JSON array
 * @status: exit status for the worst state so far
 * @any: a line was printed
 */
struct output {
	bool json;
	int status;
	bool any;
};

static int status_of_state(const char *worst)
{
	if (!strcmp(worst, "busy"))
		return EXIT_BUSY;
	return strcmp(worst, "contention") ? EXIT_SUCCESS : EXIT_CONTENTION;
}

/* Prints the lines of an answer, and keeps the worst status. */
static void print_answer(struct output *o, const struct daemon_verdicts *answer, char *lines)
{
	char *line, *rest = NULL;
	int status = status_of_state(answer->worst);

	if (status > o->status)
		o->status = status;
	for (line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (o->json)
			fputs(o->any ? ",\n" : "[\n", stdout);
		fputs(line, stdout);
		if (!o->json)
			putchar('\n');
		o->any = true;
	}
}

static int end_output(const struct output *o)
{
	if (o->json)
		puts(o->any ? "\n]" : "[\n]");
	return o->status;
}

/* Requests and prints verdicts: those of @s, or present contention if it is NULL. */
static int print_answers(struct output *o, const struct span *s)
{
	static char lines[DAEMON_ANSWER];
	struct daemon_verdicts answer = { 0 };
	int daemon = daemon_connect_or_fail(), ret;
	struct why why;

	if (daemon < 0)
		return EXIT_FAILURE;
	do {
		ret = s ? daemon_verdicts(daemon, o->json, s->since_ns, s->until_ns, &answer, lines,
					  &why) :
			  daemon_why(daemon, o->json, &answer, lines, &why);
		if (!ret)
			print_answer(o, &answer, lines);
	} while (!ret && answer.more && !ferror(stdout));
	close(daemon);
	return ret ? fail("%s", why.text) : EXIT_SUCCESS;
}

int check_why(struct call *c)
{
	struct call rest = *c;

	take_option(&rest, "--json");
	return rest.count ? wrong("why: unexpected argument '%s'", rest.args[0]) : EXIT_SUCCESS;
}

int do_why(struct call *c)
{
	struct output o = { .json = take_option(c, "--json") };

	return print_answers(&o, NULL) ? EXIT_FAILURE : end_output(&o);
}

static int read_span(struct call c, struct span *s)
{
	*s = (struct span){ .until_ns = UINT64_MAX };
	while (c.count) {
		const char *option = c.args[0];
		const char **value = NULL;

		if (take_option(&c, "--json")) {
			s->json = true;
			continue;
		}
		if (take_option(&c, "--since"))
			value = &s->mark;
		else if (take_option(&c, "--job"))
			value = &s->job;
		if (!value)
			return wrong("verdicts: unknown argument '%s': use --since MARK, --job ID or --json",
				     option);
		if (!c.count || !*c.args[0])
			return wrong("%s needs a value", option);
		*value = c.args[0];
		c.count--;
		c.args++;
	}
	return s->mark && s->job ? wrong("--since and --job are alternatives") : EXIT_SUCCESS;
}

/* A later mark that begins the span replaces an earlier one, and its end. */
static void take_mark(struct span *s, const struct rcr_mark *m, bool *found)
{
	const char *text = s->job ? s->job : s->mark;
	enum rcr_mark_kind begin = s->job ? RCR_MARK_BEGIN : RCR_MARK_TEXT;

	if (strcmp(m->text, text))
		return;
	if (m->kind == begin) {
		*found = true;
		s->since_ns = m->time;
		s->until_ns = UINT64_MAX;
	} else if (s->job && m->kind == RCR_MARK_END && *found) {
		s->until_ns = m->time;
	}
}

/* Finds the marks of a span in the stream. */
static int find_marks(struct span *s)
{
	struct rcr_reader *reader = rcr_open(NULL);
	char text[RCR_SENTENCE_LEN];
	const struct rcr_item *item;
	bool found = false;

	if (!reader)
		return fail("%s", rcr_open_error(NULL, errno, text, sizeof(text)));
	if (rcr_choose_items(reader, 1ull << RCR_ITEM_SET | 1ull << RCR_ITEM_MARK) ||
	    rcr_rewind(reader)) {
		rcr_close(reader);
		return fail("%s cannot be read: module and program have different versions: load the program's module",
			    RCR_DEVICE);
	}
	while (rcr_next(reader, &item, 0) == 1)
		if (item->type == RCR_ITEM_MARK)
			take_mark(s, (const struct rcr_mark *)item, &found);
	rcr_close(reader);
	if (found)
		return EXIT_SUCCESS;
	return fail("no mark %s'%s': only the newest %d marks since the last change of the set are kept",
		    s->job ? "begin " : "", s->job ? s->job : s->mark, RCR_MARKS);
}

int check_verdicts(struct call *c)
{
	struct span s;

	return read_span(*c, &s);
}

int do_verdicts(struct call *c)
{
	struct output o = { 0 };
	struct span s;

	read_span(*c, &s);
	o.json = s.json;
	if (((s.mark || s.job) && find_marks(&s)) || print_answers(&o, &s))
		return EXIT_FAILURE;
	if (!o.any && !o.json)
		puts("no verdicts: rcrd detected no contention");
	return end_output(&o);
}
