/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.h - the verbs of rcrctl. */
#ifndef RCRCTL_VERBS_H
#define RCRCTL_VERBS_H

#include "session.h"

/**
 * struct call - a verb with its arguments
 * @session: the session
 * @count: entries of @args
 * @args: words after the verb, its options first
 */
struct call {
	struct session *session;
	int count;
	char **args;
};

/* Runs the verb @name; returns the exit status, after reporting an error. */
int verb_run(struct call *c, const char *name);

/* Removes option @name if it is the first argument; true if it was. */
bool take_option(struct call *c, const char *name);

/* @word without a prefix "KEY=", as in LDMS's configuration. */
const char *without_key(const char *word, const char *key);

/* set.c */
int do_add(struct call *c);
int do_set(struct call *c);
/* Checks the events of "set" without the module; all of them if the processor's family is known. */
int check_set_words(struct call *c);

/* Verbs in files of their own. */
int check_show(struct call *c);
int do_show(struct call *c);
int check_where(struct call *c);
int do_where(struct call *c);
int do_events(struct call *c);
int do_check(struct call *c);
int do_configure(struct call *c);
int check_doctor(struct call *c);
int do_doctor(struct call *c);
int do_help(struct call *c);
int do_discard(struct call *c);
int do_load(struct call *c);
int do_load_default(struct call *c);
int check_run(struct call *c);
int do_run(struct call *c);
int check_ls(struct call *c);
int do_ls(struct call *c);
int do_list(struct call *c);
int do_initialize(struct call *c);
int do_save(struct call *c);
int do_hold(struct call *c);
int check_record(struct call *c);
int do_record(struct call *c);
int check_why(struct call *c);
int do_why(struct call *c);
int check_verdicts(struct call *c);
int do_verdicts(struct call *c);
int check_threads(struct call *c);
int do_threads(struct call *c);
int check_meter(struct call *c);
int do_meter(struct call *c);
int check_on(struct call *c);
int do_on(struct call *c);
int do_calibrate(struct call *c);

#endif
