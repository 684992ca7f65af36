/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verbs.h - what rcrctl can do.
 */
#ifndef RCRCTL_VERBS_H
#define RCRCTL_VERBS_H

#include "session.h"

/**
 * struct call - a verb with its arguments
 * @session: that it belongs to
 * @count: entries of @args
 * @args: what follows the verb, the verb's options first
 */
struct call {
	struct session *session;
	int count;
	char **args;
};

/* Does the verb @name; the exit status, after a sentence if it is not 0. */
int verb_run(struct call *c, const char *name);

/* Takes option @name off the front of the arguments. */
bool take_option(struct call *c, const char *name);

/* @word without the "KEY=" that LDMS's configuration writes. */
const char *without_key(const char *word, const char *key);

/* set.c */
int do_add(struct call *c);
int do_set(struct call *c);

/* Each has a file of its own. */
int check_ls(struct call *c);
int do_ls(struct call *c);
int do_list(struct call *c);
int do_initialize(struct call *c);
int do_save(struct call *c);
int do_hold(struct call *c);
int check_record(struct call *c);
int do_record(struct call *c);
int check_threads(struct call *c);
int do_threads(struct call *c);
int check_meter(struct call *c);
int do_meter(struct call *c);
int check_on(struct call *c);
int do_on(struct call *c);
int check_calibrate(struct call *c);
int do_calibrate(struct call *c);

#endif
