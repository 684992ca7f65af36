/* SPDX-License-Identifier: GPL-2.0-or-later */
/* source.h - sources of values: the module's counters, file systems, networks, and PCP. */
#ifndef JOBS_SOURCE_H
#define JOBS_SOURCE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_MISSING_LEN	192
#define SOURCE_NAME_LEN		256
#define SOURCE_VALUE_LEN	128

/**
 * struct source_value - a value that has been read
 * @instance: mount, device or port; empty if there is only one
 * @name: name of the value
 * @unit: unit of @value; "1" if it is a plain count
 * @value: the total, counted from an unknown time
 */
struct source_value {
	char instance[SOURCE_NAME_LEN];
	char name[SOURCE_VALUE_LEN];
	char unit[SOURCE_VALUE_LEN];
	uint64_t value;
};

typedef void source_add_fn(void *to, const struct source_value *value);

/**
 * struct rcr_source - a source of values
 * @name: its name in Table I of TACC Stats
 * @what: description
 * @of: selects one of several sources that have the same functions
 * @find: returns true if the machine has the source; otherwise fills in @missing
 * @open: returns the state of the source, or NULL with @missing filled in
 * @read: passes each value to @add; leaves out values that cannot be read
 * @close: frees the state
 *
 * Paths are those under @root, which is "" for this system.
 */
struct rcr_source {
	const char *name;
	const char *what;
	const char *of;
	bool (*find)(const struct rcr_source *s, const char *root,
		     char missing[SOURCE_MISSING_LEN]);
	void *(*open)(const struct rcr_source *s, const char *root,
		      char missing[SOURCE_MISSING_LEN]);
	void (*read)(const struct rcr_source *s, void *state, source_add_fn *add, void *to);
	void (*close)(void *state);
};

/* table.c: all of them; the last one has no name. */
extern const struct rcr_source rcr_sources[];

/* lustre.c: llite, mdc, osc, and lnet. */
bool lustre_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void lustre_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to);
void lnet_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to);

/* fabric.c: InfiniBand, Omni-Path and Slingshot. */
bool fabric_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void fabric_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to);

/* local.c: counters of the module's set. */
bool local_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void *local_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void local_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to);
void local_close(void *state);

/* pcp.c: metrics of the operating system, by their names in PCP. */
bool pcp_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void *pcp_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void pcp_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to);
void pcp_close(void *state);

/* files.c: helpers of the sources that read files; their state is the path of the root. */
void *files_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void files_close(void *state);

/**
 * files_each() - call a function for each name in a directory, in order
 * @folder: the directory
 * @prefix: of the names
 * @visit: the function
 * @to: first argument of @visit
 *
 * Returns the number of names.
 */
unsigned int files_each(const char *folder, const char *prefix,
			void (*visit)(void *to, const char *folder, const char *name), void *to);

/* True for a readable regular file: opening a FIFO would block until it has a writer. */
bool files_can_read(const char *path);

/* Returns the contents of a regular file, which the caller frees, or NULL. */
char *files_text(const char *path, size_t *size);

#endif
