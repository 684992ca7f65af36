/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code.h - an event of the core or of a shared unit: its fields, the raw form, and the value of
 * its control register.
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
 * @unit: name of the unit in the module; empty: the core
 * @event: event select
 * @umask: unit mask
 * @cmask: counter mask
 * @pinned: only @counter may count it
 * @counter: number of a counter; valid if @pinned
 * @filter: values of the unit's filters; 0: any
 * @inv: the counter mask is an upper bound
 * @edge: count rising edges
 * @os: count in kernel mode; without @os and @user, count in both modes
 * @user: count in user mode
 * @host: count on the host only
 * @guest: count in guests only
 * @per_node: the unit mask selects nodes: the bit of the counting node is inverted
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

/* Writes "NAME=event:..." or "NAME=nb:event:..."; returns false if it does not fit. */
bool code_text(char *text, size_t size, const char *name, const struct code *c);

/* Parses the text of code_text() without "NAME="; returns false if it is not such an event. */
bool code_parse(const char *text, struct code *c);

/*
 * Decodes a control register of AMD or Intel, except for its interrupt and enable bits; returns -1
 * with the reason in @why if other fields are set.
 */
int code_from_select(uint64_t select, bool amd, struct code *c, struct why *why);

/* Encodes event select and unit mask as in a control register. */
uint64_t code_select(const struct code *c);

/*
 * True if an AMD control register counts exactly this event, in both modes. Bits that do not change
 * the event, such as bit 36 of a northbridge's control, may be set.
 */
bool code_is_counted(const struct code *c, uint64_t select);

/* Finds "event:" at the beginning of a text or after a unit; NULL if there is none. */
const char *code_begin(const char *text);

/* Replaces each character that is not valid in a counter's name by "-". */
void name_clean(char *name);

/* True if the module accepts the name for a counter. */
bool name_is_valid(const char *name);

#endif
