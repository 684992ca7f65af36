/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_text.h - texts about the set and its counters, of the verbs "ls" and "show". */
#ifndef RCRCTL_SET_TEXT_H
#define RCRCTL_SET_TEXT_H

#include <stddef.h>

#include "rcr_control.h"

struct rates;

/* Prints generation, family, source, period and use of the core's counters, in one line. */
void print_set_line(const struct rcr_state *state);

/* Prints the set as JSON; with rates unless @r is NULL. */
void print_set_json(const struct rcr_state *state, const struct rates *r);

/* The change of a counter that waits for apply, or that it is held; NULL if there is none. */
const char *set_change(const struct rcr_counter_state *c);

/* "ok", "foreign:0-3", "-" if the counter is not running. */
const char *set_status(const struct rcr_counter_state *c, char *text, size_t size);

/* The event, with its known defects in parentheses if @defects. */
const char *set_event(const char *family, const struct rcr_counter_state *c, bool defects,
		      char *text, size_t size);

#endif
