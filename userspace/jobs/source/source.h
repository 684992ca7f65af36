/* SPDX-License-Identifier: GPL-2.0-or-later */
/* source.h - where values of a node other than counts of the CPU come from. */
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
 * @instance: mount, device or port; empty: there is one only
 * @name: of the value
 * @unit: of the value; "1" if it is a plain count
 * @value: the total since an unknown time
 */
struct source_value {
	char instance[SOURCE_NAME_LEN];
	char name[SOURCE_VALUE_LEN];
	char unit[SOURCE_VALUE_LEN];
	uint64_t value;
};

typedef void source_add_fn(void *to, const struct source_value *value);

/**
 * struct rcr_source - where values come from
 * @name: as Table I of TACC Stats names it
 * @what: description
 * @of: which part of the source, for functions that serve several
 * @find: returns true if the machine has it; otherwise fills in @missing
 * @open: returns its state, or NULL with @missing filled in
 * @read: passes each value that can be read to @add; what cannot be read is absent
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

/* files.c: what the readers of files share; their state is the root. */
void *files_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN]);
void files_close(void *state);

/**
 * files_each() - call a function for each name in a directory, in order
 * @folder: the directory
 * @prefix: of the names
 * @visit: the function
 * @to: its first argument
 *
 * Returns the number of names.
 */
unsigned int files_each(const char *folder, const char *prefix,
			void (*visit)(void *to, const char *folder, const char *name), void *to);

/* True if it is a regular file that can be read: to open a pipe would wait for its writer. */
bool files_can_read(const char *path);

/* Returns the contents of a regular file, to be freed; NULL if it cannot be read. */
char *files_text(const char *path, size_t *size);

#endif
