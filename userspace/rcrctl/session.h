/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.h - what the verbs of one command line or of one batch share: a
 * connection to the module, and what names mean on this machine.
 */
#ifndef RCRCTL_SESSION_H
#define RCRCTL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "names.h"
#include "rcr_control.h"

/**
 * struct session - what verbs share
 * @control: connection to the module, NULL until it is wanted
 * @generation: that the caller names, or 0
 * @batch: several verbs are done, one after the other
 * @has_names: @names is ready
 * @has_meters: those of the family have been looked for
 * @names: what names mean
 * @state: what the module was seen to count, by session_look()
 */
struct session {
	struct rcr_control *control;
	uint32_t generation;
	bool batch;
	bool has_names;
	bool has_meters;
	struct names names;
	struct rcr_state state;
};

/* Connects to the module; EXIT_SUCCESS, or EXIT_FAILURE after a sentence. */
int session_open(struct session *s);

/* The module is there and connected to. */
bool session_has_module(struct session *s);

/* Looks at the state; EXIT_SUCCESS, or EXIT_FAILURE after a sentence. */
int session_look(struct session *s);

/* Stages what session_look() saw staged, after a later change was refused. */
void session_restage(struct session *s);

/* What names mean on this machine, with the module or without. */
struct names *session_names(struct session *s);

/* The dictionary has changed. */
void session_forget_names(struct session *s);

void session_close(struct session *s);

/* The exit status of what librcr answered; says why it failed. */
int done(const struct session *s, int ret);

#endif
