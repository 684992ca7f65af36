// SPDX-License-Identifier: GPL-2.0-or-later
/* verbs.c - the table of verbs, and the verbs that are a single request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help/help.h"
#include "message.h"
#include "parse/period.h"
#include "set/staged.h"
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

static bool is_counter_name(const struct rcr_state *state, const char *name)
{
	unsigned int i;

	for (i = 0; i < state->ncounters; i++)
		if (!strcmp(state->counter[i].name, name))
			return true;
	return false;
}

/* Name of a counter as the module spells it; that of "cycles" is TOT_CYC. */
static const char *counter_name(struct session *s, const char *word, const char *key,
				char name[RCR_EVENT_LEN])
{
	struct names *names = session_names(s);

	word = without_key(word, key);
	snprintf(name, RCR_EVENT_LEN, "%s", word);
	name_clean(name);
	if (!rcr_control_look(s->control, &s->state) && !is_counter_name(&s->state, name))
		snprintf(name, RCR_EVENT_LEN, "%s", names_canonical(names, word));
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
			    counter_name(s, word, "metricname", name)));
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
					    counter_name(s, old, "oldmetricname", name),
					    event));
}

static int do_apply(struct call *c)
{
	struct session *s = c->session;

	return done(s, rcr_control_finalize(s->control, s->generation, -1));
}

static int do_finalize(struct call *c)
{
	return take_option(c, "--hold") ? do_hold(c) : do_apply(c);
}

/* A command is allowed with --hold only. */
static int check_finalize(struct call *c)
{
	if (!c->count)
		return EXIT_SUCCESS;
	if (strcmp(c->args[0], "--hold"))
		return wrong("finalize takes no argument, or --hold and a command");
	if (c->session->batch)
		return wrong("--hold cannot be used in a batch: it lasts until rcrctl ends");
	return EXIT_SUCCESS;
}

static int do_reset(struct call *c)
{
	return done(c->session, rcr_control_reset(c->session->control,
						  c->session->generation));
}

static int check_period_verb(struct call *c)
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

/* "begin" and "end" are keywords unless they are part of a longer first argument. */
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

	/* The module refuses a text that is truncated here: it is still too long. */
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
	bool stages;			/* changes what is staged: report that */
	int (*run)(struct call *c);
	int (*check)(struct call *c);	/* called before the module is opened */
} verbs[] = {
	{ "show", 0, ANY_NUMBER, .run = do_show, .check = check_show },
	{ "events", 0, ANY_NUMBER, .alone = true, .run = do_events },
	{ "set", 1, RCR_MAX_COUNTERS, .run = do_set },
	{ "add", 1, RCR_MAX_COUNTERS, .stages = true, .run = do_add },
	{ "remove", 1, 1, .stages = true, .run = do_remove },
	{ "apply", 0, 0, .run = do_apply },
	{ "discard", 0, 0, .run = do_discard },
	{ "load", 1, ANY_NUMBER, .alone = true, .run = do_load },
	{ "save", 1, 1, .run = do_save },
	{ "run", 0, ANY_NUMBER, .alone = true, .run = do_run, .check = check_run },
	{ "replace", 2, 2, .run = do_reassign },
	{ "pause", 1, 1, .run = do_halt },
	{ "resume", 1, 1, .run = do_continue },
	{ "repair", 1, 1, .run = do_rewrite },
	{ "period", 1, 1, .run = do_period, .check = check_period_verb },
	{ "reset", 0, 0, .run = do_reset },
	{ "mark", 1, ANY_NUMBER, .run = do_mark, .check = check_mark },
	{ "meter", 0, ANY_NUMBER, .alone = true, .run = do_meter, .check = check_meter },
	{ "on", 1, ANY_NUMBER, .alone = true, .run = do_on, .check = check_on },
	{ "record", 0, ANY_NUMBER, .alone = true, .run = do_record, .check = check_record },
	{ "threads", 0, ANY_NUMBER, .alone = true, .run = do_threads, .check = check_threads },
	{ "why", 0, 1, .alone = true, .run = do_why, .check = check_why },
	{ "verdicts", 0, 4, .alone = true, .run = do_verdicts, .check = check_verdicts },
	{ "where", 0, 3, .alone = true, .run = do_where, .check = check_where },
	{ "calibrate", 0, ANY_NUMBER, .alone = true, .run = do_calibrate },
	{ "check", 0, 1, .alone = true, .run = do_check },
	{ "configure", 0, 1, .alone = true, .run = do_configure },
	{ "doctor", 0, ANY_NUMBER, .alone = true, .run = do_doctor, .check = check_doctor },
	{ "help", 0, 1, .alone = true, .run = do_help },
	/* Verbs of the LDMS sampler, and older names of the verbs above. */
	{ "initialize", 1, ANY_NUMBER, .alone = true, .run = do_initialize },
	{ "finalize", 0, ANY_NUMBER, .run = do_finalize, .check = check_finalize },
	{ "ls", 0, ANY_NUMBER, .run = do_ls, .check = check_ls },
	{ "halt", 1, 1, .run = do_halt },
	{ "continue", 1, 1, .run = do_continue },
	{ "rewrite", 1, 1, .run = do_rewrite },
	{ "reassign", 2, 2, .run = do_reassign },
	{ "list", 0, ANY_NUMBER, .alone = true, .run = do_list },
};

static const struct verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

int verb_run(struct call *c, const char *name)
{
	const struct verb *verb = find_verb(name);
	int status;

	/* help_print_page() also reports an unknown verb. */
	if (!verb || (c->count && is_help(c->args[0])))
		return help_print_page(name);
	if (c->count < verb->least)
		return wrong(verb->least == 1 ? "%s needs an argument" :
			     "%s needs %d arguments", name, verb->least);
	if (c->count && !verb->most)
		return wrong("%s takes no argument", name);
	if (c->count > verb->most)
		return wrong("%s takes at most %d argument%s", name, verb->most,
			     verb->most == 1 ? "" : "s");
	status = verb->check ? verb->check(c) : EXIT_SUCCESS;
	if (!status && !verb->alone)
		status = session_open(c->session);
	if (!status)
		status = verb->run(c);
	if (!status && verb->stages)
		staged_report(c->session);
	return status;
}
