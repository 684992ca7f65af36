/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code.h - an event of the core's or of a shared unit's counters: its fields, the
 * text of them that the module reads, and the control register that they make.
 */
#ifndef NAMES_CODE_H
#define NAMES_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

#define CODE_UNIT_LEN	16	/* with the terminating 0, as in the module */
#define CODE_FILTERS	2	/* of a unit, as in the module */

/**
 * struct code - an event
 * @unit: whose it is, as the module calls it; empty: the core's
 * @event: number of the event
 * @umask: unit mask
 * @cmask: counter mask
 * @pinned: counter @counter shall count it and no other
 * @counter: see @pinned
 * @filter: what the filters of its unit hold; 0: anything
 * @inv: the counter mask is an upper bound
 * @edge: counts beginnings
 * @os: counts in the kernel; without @os and @user both are counted
 * @user: counts in user mode
 * @host: counts in the host only
 * @guest: counts in guests only
 * @per_node: its unit mask is of nodes, of which that of the node where it counts
 *	is turned over
 */
struct code {
	char unit[CODE_UNIT_LEN];
	unsigned int event;
	unsigned int umask;
	unsigned int cmask;
	unsigned int counter;
	unsigned int filter[CODE_FILTERS];
	bool pinned;
	bool inv;
	bool edge;
	bool os;
	bool user;
	bool host;
	bool guest;
	bool per_node;
	bool slow;
};

/* Writes "NAME=event:..." or "NAME=nb:event:..."; returns false when it does not fit. */
bool code_text(char *text, size_t size, const char *name, const struct code *c);

/* Reads that without "NAME="; returns false when it is something else. */
bool code_parse(const char *text, struct code *c);

/*
 * The fields of a control register as AMD or as Intel has it, without its
 * interrupt and enable bits; -1 with the reason for one that has other fields.
 */
int code_from_select(uint64_t select, bool amd, struct code *c, struct why *why);

/* Event and unit mask at their places in a control register. */
uint64_t code_select(const struct code *c);

/* Where "event:" is in a text that begins with it or with a unit, or NULL. */
const char *code_begin(const char *text);

/* A word may stand for a counter: what may not becomes "-". */
void name_clean(char *name);

/* What the module takes as a counter's name. */
bool name_is_valid(const char *name);

#endif
