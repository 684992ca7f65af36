/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doctor.h - the verb "doctor": findings about the machine, with a remedy for each problem. */
#ifndef RCRCTL_DOCTOR_H
#define RCRCTL_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "verbs.h"

#define FINDINGS_MAX 64
#define FINDING_LEN 256

enum finding_kind {
	FINDING_OK,		/* as it should be */
	FINDING_NOTE,		/* worth knowing, but not a problem */
	FINDING_FIX,		/* a problem, with its remedy */
};

/**
 * struct finding - a finding
 * @kind: enum finding_kind
 * @subject: part of the machine
 * @text: one sentence
 * @is_private: it names processes or users; not in a report
 */
struct finding {
	enum finding_kind kind;
	const char *subject;
	char text[FINDING_LEN];
	bool is_private;
};

/**
 * struct doctor - an examination
 * @session: the session
 * @root: path that precedes paths in /proc, /sys and others
 * @has_state: the module is loaded, and @session has its state
 * @count: entries of @finding
 * @finding: the findings
 */
struct doctor {
	struct session *session;
	const char *root;
	bool has_state;
	unsigned int count;
	struct finding finding[FINDINGS_MAX];
};

/* Adds a finding. */
void doctor_add(struct doctor *d, enum finding_kind kind, const char *subject,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

/* doctor_add() for a finding that names processes or users. */
void doctor_add_private(struct doctor *d, enum finding_kind kind, const char *subject,
			const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds a note that @subject is not known because @path could not be read, by errno. */
void doctor_add_unknown(struct doctor *d, const char *subject, const char *path);

/* "ok", "note" or "fix" */
const char *finding_kind_name(enum finding_kind kind);

/* Reads the first line of @path under the root; false with errno if there is none. */
bool doctor_line(const struct doctor *d, const char *path, char *line, int size);

/* True if @path exists under the root; else errno is set. */
bool doctor_exists(const struct doctor *d, const char *path);

/* Reads the value after "KEY : " in /proc/cpuinfo; an empty text if there is none. */
void doctor_cpuinfo(const struct doctor *d, const char *key, char *value, size_t size);

/* True if the processor reports a hypervisor. */
bool doctor_is_virtual(const struct doctor *d);

/* system.c: kernel, headers, module, Secure Boot, lockdown, PMU, watchdog, permissions. */
void doctor_check_system(struct doctor *d);

/* counters.c: other processes that hold counters, and the state of the set. */
void doctor_check_counters(struct doctor *d);

/* selftest.c: compares counts of a known loop by perf and by the module. */
void doctor_check_counting(struct doctor *d);

/* agent.c: PCP's agent. */
void doctor_check_agent(struct doctor *d);

/* report.c: writes a file for the authors; EXIT_SUCCESS, or EXIT_FAILURE after an error. */
int doctor_report(const struct doctor *d, const char *path);

#endif
