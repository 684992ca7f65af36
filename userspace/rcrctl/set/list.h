/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - collects the names of countable events from all sources. */
#ifndef RCRCTL_LIST_H
#define RCRCTL_LIST_H

#include "session.h"

/**
 * struct listed - a name in the list
 * @name: in the form that "add" accepts
 * @source: rcrtool, imported, libpfm4 or kernel
 * @registers: registers that can count it, such as "0-2,5", or "nb 0-3" of a shared unit
 * @description: one line
 * @deficiency: known defect of the event, or NULL
 */
struct listed {
	char *name;
	const char *source;
	char registers[64];
	char *description;
	const char *deficiency;
};

/**
 * struct list - a list being collected
 * @session: the session
 * @glob: pattern of wanted names, NULL for all
 * @all: include names that no counter can count
 * @listed: the names
 * @count: used entries of @listed
 * @space: allocated entries of @listed
 * @asked: the reason why registers are not known was reported
 */
struct list {
	struct session *session;
	const char *glob;
	bool all;
	struct listed *listed;
	unsigned int count;
	unsigned int space;
	bool asked;
};

/* Collects all names, sorted within each source. */
void list_collect(struct list *l);
void list_free(struct list *l);

/* Formats a mask of counters of a unit or of the core: "0-2,5", "fixed 1", "nb 0-3". */
void registers_text(char *text, size_t size, const char *unit, uint64_t counters);

#endif
