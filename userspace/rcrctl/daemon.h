/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.h - requests to rcrd: the flight recorder, the threads of blackboard 2,
 * verdicts, formulas.
 */
#ifndef RCRCTL_DAEMON_H
#define RCRCTL_DAEMON_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "why.h"

/* Limits of rcrd: bounds per request, and length of a bound with its place. */
#define DAEMON_BOUNDS 8
#define DAEMON_BOUND_LEN 192

/**
 * struct recorder_state - state of the flight recorder
 * @word: "off", "armed", "kept" or "failed"
 * @reason: why nothing is recorded, or empty
 * @amiss: why a bound is not watched, or empty
 * @window_ns: length of the window; 0: off
 * @triggers: mask of enum rcr_trigger
 * @bounds: number of bounds that are watched for a crossing
 * @window_bytes: size of the locked memory
 * @kept: text of the trigger whose window is kept
 * @kept_bytes: size of that window; 0: none
 * @missed: triggers since then whose window is not kept
 */
struct recorder_state {
	char word[16];
	char reason[512];
	char amiss[512];
	uint64_t window_ns;
	uint32_t triggers;
	uint32_t bounds;
	uint64_t window_bytes;
	char kept[RCR_MARK_LEN];
	uint64_t kept_bytes;
	uint64_t missed;
};

/**
 * struct recorder_wish - parameters of arming the recorder
 * @window_ns: length of the window
 * @triggers: mask of enum rcr_trigger
 * @bounds: entries of @bound
 * @bound: "KIND:NUMBER CONDITION"
 */
struct recorder_wish {
	uint64_t window_ns;
	uint32_t triggers;
	unsigned int bounds;
	char bound[DAEMON_BOUNDS][DAEMON_BOUND_LEN];
};

#define UNKNOWN_ANSWER \
	"unknown answer of rcrd: rcrctl and rcrd have different versions: restart rcrd"

/* Connects to rcrd. Returns -1 with errno ENOENT or ECONNREFUSED if it is not running. */
int daemon_connect(void);

/* Likewise, but reports an error before it returns -1. */
int daemon_connect_or_fail(void);

/*
 * Requests on the descriptor that daemon_connect() returned. Unless noted otherwise, each waits for
 * the answer and returns 0, or -1 with @why filled in.
 */

int daemon_arm(int fd, const struct recorder_wish *wish, struct why *why);

int daemon_disarm(int fd, struct why *why);

int daemon_look(int fd, struct recorder_state *state, struct why *why);

/* Opens the kept window and returns its number. */
int daemon_fetch(int fd, int *window, uint64_t *number, struct why *why);

/* Releases the window, so that the next trigger keeps one. A no-op for users other than root. */
int daemon_fetched(int fd, uint64_t number, struct why *why);

/* Longest answer, including the terminating 0. */
#define DAEMON_ANSWER 33024

/*
 * Reads threads into @lines, one per line, beginning at *@slot of *@client; those of process @pid
 * or, if it is 0, of all processes. Returns 1 with *@client and *@slot set for the next call, 0 if
 * there are no more, or -1 with @why filled in.
 */
int daemon_threads(int fd, uint64_t *client, uint64_t *slot, uint64_t pid,
		   char lines[DAEMON_ANSWER], struct why *why);

/**
 * struct daemon_verdicts - head of an answer about verdicts
 * @worst: worst state among its verdicts
 * @next: position of the next answer; 0 for the first request
 * @more: there is a next answer
 */
struct daemon_verdicts {
	char worst[16];
	uint64_t next;
	bool more;
};

/* Reads present contention into @lines, as text or JSON, beginning at @head->next. */
int daemon_why(int fd, bool json, struct daemon_verdicts *head, char lines[DAEMON_ANSWER],
	       struct why *why);

/* Likewise, the verdicts from @since_ns to @until_ns, CLOCK_MONOTONIC. */
int daemon_verdicts(int fd, bool json, uint64_t since_ns, uint64_t until_ns,
		    struct daemon_verdicts *head, char lines[DAEMON_ANSWER], struct why *why);

/*
 * Reads contentions of @model and their places into @lines, beginning at *@next. Returns 1 with
 * *@next set for the next call, 0 if there are no more, or -1 with @why filled in.
 */
int daemon_where(int fd, const char *model, uint64_t *next, char lines[DAEMON_ANSWER],
		 struct why *why);

/* Makes rcrd compute a posted meter; @program: see struct split. */
int daemon_formula(int fd, const char *meter, unsigned int digits, const char *program,
		   struct why *why);

#endif
