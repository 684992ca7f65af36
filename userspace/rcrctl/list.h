/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - names that can be counted, collected from where they come from.
 */
#ifndef RCRCTL_LIST_H
#define RCRCTL_LIST_H

#include "session.h"

/**
 * struct listed - a name in the list
 * @name: as add takes it
 * @source: who knows it: rcrtool, imported, libpfm4, kernel
 * @registers: that can count it, as 0-2,5; of a shared unit behind its name
 * @description: one line
 * @deficiency: what is known to be wrong with it, or NULL
 */
struct listed {
	char *name;
	const char *source;
	char registers[64];
	char *description;
	const char *deficiency;
};

/**
 * struct list - a list that is being collected
 * @session: whose names they are
 * @glob: what is wanted, NULL for anything
 * @all: with what no counter can count
 * @listed: the names
 * @count: how many
 * @space: entries of @listed
 * @asked: why the module did not tell of registers was told
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

/* All of them, sorted within each source. */
void list_collect(struct list *l);
void list_free(struct list *l);

/* Counters of a unit, or of the core, by their bits: "0-2,5", "fixed 1", "nb 0-3". */
void registers_text(char *text, size_t size, const char *unit, uint64_t counters);

#endif
