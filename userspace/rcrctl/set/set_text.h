/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_text.h - formats the set and its counters for the verbs "ls" and "show". */
#ifndef RCRCTL_SET_TEXT_H
#define RCRCTL_SET_TEXT_H

#include <stddef.h>

#include "rcr_control.h"

struct rates;

/* Prints generation, family, source, period and use of the core's counters, in one line. */
void print_set_line(const struct rcr_state *state);

/* Prints the set as JSON; with rates unless @r is NULL. */
void print_set_json(const struct rcr_state *state, const struct rates *r);

/* "staged", "removed", "held" or "waits for the end of a hold"; NULL if none applies. */
const char *set_change(const struct rcr_counter_state *c);

/* Formats the status as "ok" or "foreign:0-3"; "-" if the counter is not running. */
const char *set_status(const struct rcr_counter_state *c, char *text, size_t size);

/* Formats the event; with @defects, known defects follow in parentheses. */
const char *set_event(const char *family, const struct rcr_counter_state *c, bool defects,
		      char *text, size_t size);

#endif
