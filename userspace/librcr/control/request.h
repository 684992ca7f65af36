/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* request.h - requests to the module, internal to librcr. */
#ifndef RCR_REQUEST_H
#define RCR_REQUEST_H

#include <netlink/genl/genl.h>
#include "rcr_control.h"

struct rcr_meters;

/**
 * struct rcr_control - a connection to the module
 * @sock: the socket
 * @family: id of the netlink family
 * @device: descriptor of /dev/rcrtool for a caller without capabilities, or -1
 * @cmd: the last request
 * @error: errno of the answer
 * @answered: the last request was answered
 * @interrupted: its answer, a list, changed while it was read
 * @reason: one sentence about the last failure
 * @generation: generation of the last answer
 * @state: output buffer for RCR_CMD_LOOK
 * @counters: output buffer for RCR_CMD_WHERE
 * @meters: output buffer for RCR_CMD_METERS
 * @number: output buffer for the number of a new meter
 */
struct rcr_control {
	struct nl_sock *sock;
	int family;
	int device;
	enum rcr_cmd cmd;
	int error;
	bool answered;
	bool interrupted;
	char reason[RCR_SENTENCE_LEN];
	uint32_t generation;
	struct rcr_state *state;
	uint64_t *counters;
	struct rcr_meters *meters;
	uint32_t *number;
};

/* Starts a request; returns NULL with the reason in @c on failure. */
struct nl_msg *rcr_request_begin(struct rcr_control *c, enum rcr_cmd cmd,
				 uint32_t generation);

/*
 * The same for a command that reads, with the descriptor of the device if there is one, and as a
 * dump if the command lists.
 */
struct nl_msg *rcr_request_begin_read(struct rcr_control *c, enum rcr_cmd cmd);

/*
 * After a failed read request, returns whether to repeat it: after EPERM if an unprivileged caller
 * could open the device; after a list that changed while it was read, for a limited number of
 * @tries, which must be 0 at first.
 */
bool rcr_request_again(struct rcr_control *c, unsigned int *tries);

/* Fails a call because the connection or another required argument is NULL: -1 with EINVAL. */
int rcr_request_invalid(void);

/*
 * Sends @msg, frees it, and waits for the answer; returns 0, or -1 with errno. A NULL @msg, which
 * could not be allocated, fails with the errno of that.
 */
int rcr_request_send(struct rcr_control *c, struct nl_msg *msg);

/*
 * Adds a text of less than @size bytes to @msg. If it is too long for @what: frees @msg and returns
 * -1 with the reason in @c.
 */
int rcr_request_put(struct rcr_control *c, struct nl_msg *msg, enum rcr_attr attr,
		    const char *text, size_t size, const char *what);

/*
 * Adds the events of a text to @msg, at most @most. If the text is invalid: frees @msg and returns
 * -1 with the reason in @c.
 */
int rcr_request_put_events(struct rcr_control *c, struct nl_msg *msg, const char *text,
			   unsigned int most);

/* Sets errno, and the reason if there is none yet; returns -1. */
int rcr_request_failed(struct rcr_control *c, int error);

/* Reads the answer to RCR_CMD_LOOK. */
void rcr_state_take(struct rcr_state *s, struct nlattr **a);

/* Reads a message of the answer to RCR_CMD_COUNTERS. */
void rcr_state_take_counter(struct rcr_state *s, struct nlattr **a);

/* Reads a message of the answer to RCR_CMD_METERS. */
void rcr_meters_take(struct rcr_meters *meters, struct nlattr *nest);

#endif
