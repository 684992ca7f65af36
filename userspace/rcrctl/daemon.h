/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * daemon.h - asks rcrd for the flight recorder.
 */
#ifndef RCRCTL_DAEMON_H
#define RCRCTL_DAEMON_H

#include <stdint.h>

#include "rcr_control.h"
#include "why.h"

/* Connects to rcrd. Returns -1 and errno: ENOENT or ECONNREFUSED, none is running. */
int daemon_connect(void);

/*
 * The requests, on what daemon_connect() returned. Each waits for the answer, and returns
 * 0, or -1 with the reason.
 */

/* Keeps the last @window_ns before one of @triggers; 0: its default ones. */
int daemon_arm(int fd, uint64_t window_ns, uint32_t triggers, struct why *why);

int daemon_disarm(int fd, struct why *why);

/* Of @state what is the recorder's. */
int daemon_look(int fd, struct rcr_state *state, struct why *why);

/* Opens the window that is kept, which has that number. */
int daemon_fetch(int fd, int *window, uint64_t *number, struct why *why);

/* It has been read: the next trigger is kept. Of another user than root a no-op. */
int daemon_fetched(int fd, uint64_t number, struct why *why);

#endif
