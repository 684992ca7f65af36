/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sentence.h - verdicts as sentences for people, and as JSON for programs. */
#ifndef RCRD_SENTENCE_H
#define RCRD_SENTENCE_H

#include <stdio.h>

#include "model/engine.h"
#include "print/json.h"

/**
 * struct named_process - what a reader may know of a process
 * @tgid: its id
 * @name: its name; empty: not known
 * @hidden: neither: it is another user's
 */
struct named_process {
	uint32_t tgid;
	char name[16];
	bool hidden;
};

/* A verdict's cause, parties and victims. */
#define VERDICT_PROCESSES	(1 + 2 * VERDICT_VICTIMS)

/**
 * struct verdict_names - the processes of a verdict
 * @count: entries of @process
 * @process: each of them once
 */
struct verdict_names {
	unsigned int count;
	struct named_process process[VERDICT_PROCESSES];
};

/* The processes of a verdict, without names. */
void verdict_processes(struct verdict_names *names, const struct verdict *v);

/*
 * Prints one line: time, place, finding, severity, cause and victims. Processes have no names if
 * @names is NULL.
 */
void verdict_print(FILE *out, const struct verdict *v, const struct verdict_names *names);

/* Writes one object. A hidden process has no id. */
void verdict_write(struct json *j, const struct verdict *v, const struct verdict_names *names);

/*
 * Prints which findings were not judged on a node for @least ns or more, though the set has their
 * events.
 */
void unjudged_print(FILE *out, const struct engine *e, unsigned int node, uint64_t least);

/* Writes an object of the state unknown. */
void unjudged_write(struct json *j, enum finding which, unsigned int node, uint64_t ns);

/* Prints which findings are not judged now, though the set has their events. */
void unjudged_now_print(FILE *out, const struct engine *e, unsigned int node);

/* Likewise, an object for each. */
void unjudged_now_write(struct json *j, const struct engine *e, unsigned int node);

/*
 * Writes an object for each finding that is unknown on every node, with the events it lacks or what
 * makes it doubtful: in a list that is open, or in a line for each.
 */
void unknown_write(struct json *j, const struct engine *e, const char *family, bool is_list);

/* Prints which findings are unknown, and the events of @family that the set would need for them. */
void unknown_print(FILE *out, const struct engine *e, const char *family);

#endif
