/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sentence.h - print verdicts as text and as JSON. */
#ifndef RCRD_SENTENCE_H
#define RCRD_SENTENCE_H

#include <stdio.h>

#include "model/engine.h"
#include "print/json.h"

/**
 * struct named_process - what a reader may learn about a process
 * @tgid: process id
 * @name: name of the process; empty: unknown
 * @hidden: show neither id nor name, as the process belongs to another user
 */
struct named_process {
	uint32_t tgid;
	char name[16];
	bool hidden;
};

/* The most processes that a verdict names: its cause, parties and victims. */
#define VERDICT_PROCESSES	(1 + 2 * VERDICT_VICTIMS)

/**
 * struct verdict_names - the processes that a verdict names
 * @count: number of entries in @process
 * @process: each process once
 */
struct verdict_names {
	unsigned int count;
	struct named_process process[VERDICT_PROCESSES];
};

/* Fills in the ids of a verdict's processes; the names stay empty. */
void verdict_processes(struct verdict_names *names, const struct verdict *v);

/*
 * Prints a verdict as one line: time, node, finding, state, cause and victims. If @names is NULL,
 * processes are printed without names.
 */
void verdict_print(FILE *out, const struct verdict *v, const struct verdict_names *names);

/* Writes a verdict as one JSON object. A hidden process has neither id nor name. */
void verdict_write(struct json *j, const struct verdict *v, const struct verdict_names *names);

/*
 * Prints the findings that were not judged on a node for at least @least ns, although the set
 * counts their events.
 */
void unjudged_print(FILE *out, const struct engine *e, unsigned int node, uint64_t least);

/* Writes a JSON object: finding @which was unknown on @node for @ns. */
void unjudged_write(struct json *j, enum finding which, unsigned int node, uint64_t ns);

/* Prints the findings that are not judged on a node now, although the set counts their events. */
void unjudged_now_print(FILE *out, const struct engine *e, unsigned int node);

/* Writes a line with a JSON object for each finding of unjudged_now_print(). */
void unjudged_now_write(struct json *j, const struct engine *e, unsigned int node);

/*
 * Writes a JSON object for each finding that is unknown on every node, with the events that the set
 * lacks or the reason why the finding is doubtful. @is_list: into an open list, not as lines.
 */
void unknown_write(struct json *j, const struct engine *e, const char *family, bool is_list);

/* Prints the findings that are unknown on every node, and the events that they need on @family. */
void unknown_print(FILE *out, const struct engine *e, const char *family);

#endif
