/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.h - a request to the module, inside librcr.
 */
#ifndef RCR_REQUEST_H
#define RCR_REQUEST_H

#include <netlink/genl/genl.h>
#include "rcr_control.h"

struct rcr_meters;

/**
 * struct rcr_control - a connection to the module
 * @sock: the socket
 * @family: number of the family
 * @device: descriptor of /dev/rcrtool for a caller without capabilities, or -1
 * @error: errno that the module gave besides its reason
 * @answered: the last request has been answered
 * @interrupted: its answer, a list, has changed while it was read
 * @reason: of the last failure
 * @generation: of the last answer
 * @state: where the answer to RCR_CMD_LOOK goes
 * @counters: where the answer to RCR_CMD_WHERE goes
 * @meters: where the answer to RCR_CMD_METERS goes
 * @number: where the number of a new meter goes
 */
struct rcr_control {
	struct nl_sock *sock;
	int family;
	int device;
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

/* A new request, or NULL with the reason in @c. */
struct nl_msg *rcr_request_begin(struct rcr_control *c, enum rcr_cmd cmd,
				 uint32_t generation);

/*
 * The same for a command that reads, with the descriptor of the device if there is one; a
 * dump for one that lists.
 */
struct nl_msg *rcr_request_begin_read(struct rcr_control *c, enum rcr_cmd cmd);

/*
 * After a request that reads has failed, is it worth another one? After EPERM if the
 * caller, who lacks capabilities, could open the device; after a list that changed while
 * it was read, a limited number of @tries, which begins at 0.
 */
bool rcr_request_again(struct rcr_control *c, unsigned int *tries);

/* Sends @msg, frees it, and waits until it is answered: 0, or -1 and errno. */
int rcr_request_send(struct rcr_control *c, struct nl_msg *msg);

/*
 * Puts a text of less than @size bytes into @msg. Where that is too long for @what:
 * frees @msg, the reason is in @c, -1.
 */
int rcr_request_put(struct rcr_control *c, struct nl_msg *msg, enum rcr_attr attr,
		    const char *text, size_t size, const char *what);

/*
 * Puts the events of a text into @msg, at most @most. Where the text is none: frees @msg, the
 * reason is in @c, -1.
 */
int rcr_request_put_events(struct rcr_control *c, struct nl_msg *msg, const char *text,
			   unsigned int most);

/* Sets errno, and the reason unless there is one: -1. */
int rcr_request_failed(struct rcr_control *c, int error);

/* Reads the answer to RCR_CMD_LOOK. */
void rcr_state_take(struct rcr_state *s, struct nlattr **a);

/* Reads a message of the answer to RCR_CMD_COUNTERS. */
void rcr_state_take_counter(struct rcr_state *s, struct nlattr **a);

/* Reads a message of the answer to RCR_CMD_METERS. */
void rcr_meters_take(struct rcr_meters *meters, struct nlattr *nest);

#endif
