/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sentence.h - verdicts as sentences for people, and as JSON for programs. */
#ifndef RCRD_SENTENCE_H
#define RCRD_SENTENCE_H

#include <stdio.h>

#include "model/engine.h"
#include "print/json.h"

/* Prints one line: time, place, finding, severity, cause and victims. */
void verdict_print(FILE *out, const struct verdict *v);

/* Writes one object. */
void verdict_write(struct json *j, const struct verdict *v);

/*
 * Prints which findings were not judged on a node for @least ns or more, though the set has their
 * events.
 */
void unjudged_print(FILE *out, const struct engine *e, unsigned int node, uint64_t least);

/* Writes an object of the state unknown. */
void unjudged_write(struct json *j, enum finding which, unsigned int node, uint64_t ns);

/* Prints which findings are unknown, and the events of @family that the set would need for them. */
void unknown_print(FILE *out, const struct engine *e, const char *family);

#endif
