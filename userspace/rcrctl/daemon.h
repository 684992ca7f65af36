/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * daemon.h - asks rcrd for the flight recorder, and for the threads of blackboard 2.
 */
#ifndef RCRCTL_DAEMON_H
#define RCRCTL_DAEMON_H

#include <stdint.h>
#include <linux/rcrtool.h>

#include "why.h"

/* Bounds of one arming, and room for one with its place, as rcrd takes them. */
#define DAEMON_BOUNDS 8
#define DAEMON_BOUND_LEN 192

/**
 * struct recorder_state - how the recorder fares
 * @word: "off", "armed", "kept" or "failed"
 * @reason: why nothing is recorded, if so
 * @amiss: why some bound is not watched, if so
 * @window_ns: length of a window; 0: off
 * @triggers: mask of enum rcr_trigger
 * @bounds: places that are watched for a crossing
 * @window_bytes: memory that is locked
 * @kept: text of the trigger whose window is kept
 * @kept_bytes: size of that window; 0: none
 * @missed: triggers since
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
 * struct recorder_wish - what the recorder is to do
 * @window_ns: that it keeps
 * @triggers: mask of enum rcr_trigger
 * @bounds: how many
 * @bound: "KIND:NUMBER CONDITION"
 */
struct recorder_wish {
	uint64_t window_ns;
	uint32_t triggers;
	unsigned int bounds;
	char bound[DAEMON_BOUNDS][DAEMON_BOUND_LEN];
};

/* Connects to rcrd. Returns -1 and errno: ENOENT or ECONNREFUSED, none is running. */
int daemon_connect(void);

/*
 * The requests, on what daemon_connect() returned. Each waits for the answer, and returns
 * 0, or -1 with the reason.
 */

int daemon_arm(int fd, const struct recorder_wish *wish, struct why *why);

int daemon_disarm(int fd, struct why *why);

int daemon_look(int fd, struct recorder_state *state, struct why *why);

/* Opens the window that is kept, which has that number. */
int daemon_fetch(int fd, int *window, uint64_t *number, struct why *why);

/* It has been read: the next trigger is kept. Of another user than root a no-op. */
int daemon_fetched(int fd, uint64_t number, struct why *why);

/* Longest answer, with the terminating 0. */
#define DAEMON_ANSWER 33024

/*
 * Slots of clients from slot @slot of client @client on, of process @pid or (0) all, a line
 * each, into @lines. @client and @slot are where the next call goes on; returns 1, or 0:
 * there are no more, or -1 with the reason.
 */
int daemon_threads(int fd, uint64_t *client, uint64_t *slot, uint64_t pid,
		   char lines[DAEMON_ANSWER], struct why *why);

/* Has the posted meter computed from now on; @program is struct split's. 0, or -1. */
int daemon_formula(int fd, const char *meter, unsigned int digits, const char *program,
		   struct why *why);

#endif
