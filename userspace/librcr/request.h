/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.h - a request to the module, inside librcr.
 */
#ifndef RCR_REQUEST_H
#define RCR_REQUEST_H

#include <netlink/genl/genl.h>
#include "rcr_control.h"

/**
 * struct rcr_control - a connection to the module
 * @sock: the socket
 * @family: number of the family
 * @error: errno that the module gave besides its reason
 * @answered: the last request has been answered
 * @reason: of the last failure
 * @state: where the answer to RCR_CMD_LOOK goes
 * @counters: where the answer to RCR_CMD_WHERE goes
 */
struct rcr_control {
	struct nl_sock *sock;
	int family;
	int error;
	bool answered;
	char reason[RCR_REASON_LEN];
	struct rcr_state *state;
	uint64_t *counters;
};

/* A new request, or NULL with the reason in @c. */
struct nl_msg *rcr_request_begin(struct rcr_control *c, enum rcr_cmd cmd,
				 uint32_t generation);

/* Sends @msg, frees it, and waits until it is answered: 0, or -1 and errno. */
int rcr_request_send(struct rcr_control *c, struct nl_msg *msg);

/* Sets errno, and the reason unless there is one: -1. */
int rcr_request_failed(struct rcr_control *c, int error);

/* Reads an answer to RCR_CMD_LOOK. */
void rcr_state_take(struct rcr_state *s, struct nlmsghdr *message,
		    struct nlattr **a);

#endif
