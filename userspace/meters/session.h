/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - state shared by the verbs of a command line or a batch: a connection to the module,
 * and the dictionary of this machine.
 */
#ifndef METERS_SESSION_H
#define METERS_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "names.h"
#include "rcr_control.h"

/**
 * struct session - state shared by verbs
 * @control: connection to the module, NULL until needed
 * @generation: expected generation, or 0
 * @batch: the verb is part of a batch
 * @has_names: @names is initialised
 * @has_meters: meters_load_first() has run
 * @names: dictionary
 * @state: state of the module, read by session_look()
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

/* Connects to the module; returns EXIT_SUCCESS, or EXIT_FAILURE after reporting an error. */
int session_open(struct session *s);

/* Connects to the module; returns false if it is not loaded or not accessible. */
bool session_has_module(struct session *s);

/* Reads the module's state; returns EXIT_SUCCESS, or EXIT_FAILURE after reporting an error. */
int session_look(struct session *s);

/* Restores the staged set in @state, after a later change was refused. */
void session_restage(struct session *s);

/* Returns the dictionary of this machine, with or without the module. */
struct names *session_names(struct session *s);

/* Frees the dictionary after its file has changed. */
void session_forget_names(struct session *s);

void session_close(struct session *s);

/* Converts the result of a librcr function to an exit status; reports the error. */
int done(const struct session *s, int ret);

#endif
