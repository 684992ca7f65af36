// SPDX-License-Identifier: GPL-2.0-only
/* verbs.c - the table of verbs, and the verbs that are a single request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "parse/period.h"
#include "verbs.h"

bool take_option(struct call *c, const char *name)
{
	if (!c->count || strcmp(c->args[0], name))
		return false;
	c->count--;
	c->args++;
	return true;
}

const char *without_key(const char *word, const char *key)
{
	size_t len = strlen(key);

	return !strncmp(word, key, len) && word[len] == '=' ? word + len + 1 : word;
}

static bool is_all(const char *word)
{
	return !strcmp(word, "all") || !strcmp(word, "ALL");
}

/* Name of a counter as the module spells it. */
static const char *counter_name(const char *word, const char *key,
				char name[RCR_EVENT_LEN])
{
	snprintf(name, RCR_EVENT_LEN, "%s", without_key(word, key));
	name_clean(name);
	return name;
}

/* Runs a verb for one counter or, with "all", for all. */
static int for_counter(struct call *c,
		       int (*verb)(struct rcr_control *control, uint32_t generation,
				   const char *name))
{
	const char *word = without_key(c->args[0], "metricname");
	struct session *s = c->session;
	char name[RCR_EVENT_LEN];

	if (is_all(word))
		return done(s, verb(s->control, s->generation, NULL));
	return done(s, verb(s->control, s->generation,
			    counter_name(word, "metricname", name)));
}

static int do_remove(struct call *c)
{
	return for_counter(c, rcr_control_remove);
}

static int do_halt(struct call *c)
{
	return for_counter(c, rcr_control_halt);
}

static int do_continue(struct call *c)
{
	return for_counter(c, rcr_control_continue);
}

static int do_rewrite(struct call *c)
{
	return for_counter(c, rcr_control_rewrite);
}

static int do_reassign(struct call *c)
{
	/* LDMS names its arguments, so that they may come in any order. */
	bool swapped = without_key(c->args[0], "newmetricname") != c->args[0];
	const char *old = c->args[swapped], *new = c->args[!swapped];
	char name[RCR_EVENT_LEN], event[RCR_EVENT_LEN];
	struct session *s = c->session;
	struct why why;

	if (names_resolve(session_names(s), without_key(new, "newmetricname"), event,
			  &why))
		return fail("%s", why.text);
	return done(s, rcr_control_reassign(s->control, s->generation,
					    counter_name(old, "oldmetricname", name),
					    event));
}

static int do_finalize(struct call *c)
{
	struct session *s = c->session;

	if (take_option(c, "--hold"))
		return do_hold(c);
	return done(s, rcr_control_finalize(s->control, s->generation, -1));
}

/* A command is allowed with --hold only. */
static int check_finalize(struct call *c)
{
	if (!c->count)
		return EXIT_SUCCESS;
	if (strcmp(c->args[0], "--hold"))
		return wrong("finalize takes at most 0 arguments, or --hold and a command");
	if (c->session->batch)
		return wrong("--hold is not possible in a batch: it lasts until rcrctl ends");
	return EXIT_SUCCESS;
}

static int do_reset(struct call *c)
{
	return done(c->session, rcr_control_reset(c->session->control,
						  c->session->generation));
}

static int check_period(struct call *c)
{
	uint64_t ns;

	if (period_parse(c->args[0], &ns))
		return EXIT_SUCCESS;
	return wrong("invalid period '%s': add a unit, for example 100us, 1ms or 2s", c->args[0]);
}

static int do_period(struct call *c)
{
	uint64_t ns;

	period_parse(c->args[0], &ns);
	return done(c->session, rcr_control_period(c->session->control,
						   c->session->generation, ns));
}

/* "begin JOB" or "end JOB"; a text that begins with such a word must be one argument. */
static enum rcr_mark_kind mark_kind(const struct call *c)
{
	if (!strcmp(c->args[0], "begin"))
		return RCR_MARK_BEGIN;
	return strcmp(c->args[0], "end") ? RCR_MARK_TEXT : RCR_MARK_END;
}

static int check_mark(struct call *c)
{
	if (mark_kind(c) == RCR_MARK_TEXT || c->count == 2)
		return EXIT_SUCCESS;
	return wrong("mark %s takes one argument, the job; quote a text that begins with this word",
		     c->args[0]);
}

static int do_mark(struct call *c)
{
	enum rcr_mark_kind kind = mark_kind(c);
	char text[2 * RCR_MARK_LEN] = "";
	int i;

	/* A text that is cut here is too long for the module as well. */
	for (i = kind == RCR_MARK_TEXT ? 0 : 1; i < c->count; i++) {
		if (*text)
			strncat(text, " ", sizeof(text) - strlen(text) - 1);
		strncat(text, c->args[i], sizeof(text) - strlen(text) - 1);
	}
	return done(c->session, rcr_control_mark(c->session->control, kind, text));
}

#define ANY_NUMBER 1000000

static const struct verb {
	const char *name;
	int least;
	int most;
	bool alone;			/* works without the module */
	int (*run)(struct call *c);
	int (*check)(struct call *c);	/* called before the module is opened */
} verbs[] = {
	{ "add", 1, RCR_MAX_COUNTERS, false, do_add, NULL },
	{ "set", 1, RCR_MAX_COUNTERS, false, do_set, NULL },
	{ "remove", 1, 1, false, do_remove, NULL },
	{ "finalize", 0, ANY_NUMBER, false, do_finalize, check_finalize },
	{ "halt", 1, 1, false, do_halt, NULL },
	{ "continue", 1, 1, false, do_continue, NULL },
	{ "rewrite", 1, 1, false, do_rewrite, NULL },
	{ "reassign", 2, 2, false, do_reassign, NULL },
	{ "mark", 1, ANY_NUMBER, false, do_mark, check_mark },
	{ "ls", 0, ANY_NUMBER, false, do_ls, check_ls },
	{ "list", 0, ANY_NUMBER, true, do_list, NULL },
	{ "initialize", 1, ANY_NUMBER, true, do_initialize, NULL },
	{ "save", 1, 1, false, do_save, NULL },
	{ "period", 1, 1, false, do_period, check_period },
	{ "reset", 0, 0, false, do_reset, NULL },
	{ "record", 0, ANY_NUMBER, true, do_record, check_record },
	{ "threads", 0, ANY_NUMBER, true, do_threads, check_threads },
	{ "meter", 0, ANY_NUMBER, true, do_meter, check_meter },
	{ "on", 1, ANY_NUMBER, true, do_on, check_on },
	{ "calibrate", 0, ANY_NUMBER, true, do_calibrate, check_calibrate },
};

static const struct verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

int verb_run(struct call *c, const char *name)
{
	const struct verb *verb = find_verb(name);
	int status;

	if (!verb)
		return wrong("unknown command '%s'", name);
	if (c->count < verb->least)
		return wrong(verb->least == 1 ? "%s needs an argument" :
			     "%s needs %d arguments", name, verb->least);
	if (c->count > verb->most)
		return wrong("%s takes at most %d argument%s", name, verb->most,
			     verb->most == 1 ? "" : "s");
	status = verb->check ? verb->check(c) : EXIT_SUCCESS;
	if (!status && !verb->alone)
		status = session_open(c->session);
	return status ? status : verb->run(c);
}
