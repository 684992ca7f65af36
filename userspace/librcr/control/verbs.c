// SPDX-License-Identifier: LGPL-2.1-or-later
/* verbs.c - requests to the module, one function for each. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "request.h"

/*
 * Reads the state, then its counters. Without any counters, their generation is not known, so the
 * state is read again to compare it.
 */
static int read_state(struct rcr_control *c, struct rcr_state *state)
{
	uint32_t generation;

	memset(state, 0, sizeof(*state));
	if (rcr_request_send(c, rcr_request_begin_read(c, RCR_CMD_LOOK)))
		return -1;
	generation = state->generation;
	if (rcr_request_send(c, rcr_request_begin_read(c, RCR_CMD_COUNTERS)))
		return -1;
	if (state->ncounters)
		return 0;
	if (rcr_request_send(c, rcr_request_begin_read(c, RCR_CMD_LOOK)))
		return -1;
	c->interrupted = state->generation != generation;
	return c->interrupted ? rcr_request_failed(c, EAGAIN) : 0;
}

int rcr_control_look(struct rcr_control *c, struct rcr_state *state)
{
	unsigned int tries = 0;
	int ret;

	if (!c || !state)
		return rcr_request_invalid();
	c->state = state;
	do
		ret = read_state(c, state);
	while (ret && rcr_request_again(c, &tries));
	c->state = NULL;
	return ret;
}

/* Fails a request whose text is too long. */
static int fail_too_long(struct rcr_control *c, struct nl_msg *msg, const char *text,
			 const char *what, int error)
{
	nlmsg_free(msg);
	snprintf(c->reason, sizeof(c->reason), "'%.40s...' is too long for %s.",
		 text, what);
	return rcr_request_failed(c, error);
}

static bool put_attr_text(struct nl_msg *msg, enum rcr_attr attr, const char *text,
			  size_t size)
{
	return strlen(text) < size && !nla_put_string(msg, attr, text);
}

int rcr_request_put_events(struct rcr_control *c, struct nl_msg *msg, const char *text,
			   unsigned int most)
{
	struct rcr_event_spec event[RCR_MAX_COUNTERS];
	int count, i;

	c->reason[0] = 0;
	count = rcr_event_parse(text, event, RCR_MAX_COUNTERS, c->reason, sizeof(c->reason));
	if (count > (int)most) {
		snprintf(c->reason, sizeof(c->reason), "'%.40s...' is more than one event.",
			 text);
		count = -EINVAL;
	}
	for (i = 0; i < count; i++)
		if (rcr_event_put(msg, RCR_A_EVENT, &event[i]))
			count = -ENOMEM;
	if (count >= 0)
		return 0;
	nlmsg_free(msg);
	return rcr_request_failed(c, -count);
}

static int send_event(struct rcr_control *c, struct nl_msg *msg, const char *event)
{
	if (!msg || rcr_request_put_events(c, msg, event, 1))
		return -1;
	return rcr_request_send(c, msg);
}

int rcr_control_add(struct rcr_control *c, uint32_t generation,
		    const char *const *events, unsigned int count)
{
	struct nl_msg *msg;
	unsigned int i;

	if (!c || (count && !events))
		return rcr_request_invalid();
	msg = rcr_request_begin(c, RCR_CMD_ADD, generation);
	for (i = 0; msg && i < count; i++)
		if (rcr_request_put_events(c, msg, events[i], RCR_MAX_COUNTERS))
			return -1;
	return rcr_request_send(c, msg);
}

/* Sends a request for one counter of the set, or for all. */
static int send_name(struct rcr_control *c, enum rcr_cmd cmd, uint32_t generation,
		     const char *name)
{
	struct nl_msg *msg;

	if (!c)
		return rcr_request_invalid();
	msg = rcr_request_begin(c, cmd, generation);
	if (msg && name && !put_attr_text(msg, RCR_A_NAME, name, RCR_NAME_LEN))
		return fail_too_long(c, msg, name, "a name", ENOENT);
	return rcr_request_send(c, msg);
}

int rcr_control_remove(struct rcr_control *c, uint32_t generation, const char *name)
{
	return send_name(c, RCR_CMD_REMOVE, generation, name);
}

int rcr_control_halt(struct rcr_control *c, uint32_t generation, const char *name)
{
	return send_name(c, RCR_CMD_HALT, generation, name);
}

int rcr_control_continue(struct rcr_control *c, uint32_t generation, const char *name)
{
	return send_name(c, RCR_CMD_CONTINUE, generation, name);
}

int rcr_control_rewrite(struct rcr_control *c, uint32_t generation, const char *name)
{
	return send_name(c, RCR_CMD_REWRITE, generation, name);
}

int rcr_control_reassign(struct rcr_control *c, uint32_t generation,
			 const char *name, const char *event)
{
	struct nl_msg *msg;

	if (!c || !name || !event)
		return rcr_request_invalid();
	msg = rcr_request_begin(c, RCR_CMD_REASSIGN, generation);
	if (msg && !put_attr_text(msg, RCR_A_NAME, name, RCR_NAME_LEN))
		return fail_too_long(c, msg, name, "a name", ENOENT);
	return send_event(c, msg, event);
}

int rcr_control_finalize(struct rcr_control *c, uint32_t generation, int hold)
{
	struct nl_msg *msg;

	if (!c)
		return rcr_request_invalid();
	msg = rcr_request_begin(c, RCR_CMD_FINALIZE, generation);
	if (msg && hold >= 0)
		nla_put_u32(msg, RCR_A_HOLD, hold);
	return rcr_request_send(c, msg);
}

int rcr_control_reset(struct rcr_control *c, uint32_t generation)
{
	return c ? rcr_request_send(c, rcr_request_begin(c, RCR_CMD_RESET, generation)) :
		   rcr_request_invalid();
}

int rcr_control_period(struct rcr_control *c, uint32_t generation, uint64_t period_ns)
{
	struct nl_msg *msg;

	if (!c)
		return rcr_request_invalid();
	msg = rcr_request_begin(c, RCR_CMD_PERIOD, generation);
	if (msg)
		nla_put_u64(msg, RCR_A_PERIOD_NS, period_ns);
	if (!rcr_request_send(c, msg))
		return 0;
	if (errno != ERANGE)
		return -1;
	snprintf(c->reason, sizeof(c->reason),
		 "The period must be from 20 microseconds to an hour.");
	return rcr_request_failed(c, EINVAL);
}

int rcr_control_mark(struct rcr_control *c, enum rcr_mark_kind kind, const char *text)
{
	struct nl_msg *msg;

	if (!c || !text)
		return rcr_request_invalid();
	msg = rcr_request_begin(c, RCR_CMD_MARK, 0);
	if (msg)
		nla_put_u32(msg, RCR_A_KIND, kind);
	if (msg && !put_attr_text(msg, RCR_A_TEXT, text, RCR_MARK_LEN))
		return fail_too_long(c, msg, text, "a mark (127 bytes)", EINVAL);
	return rcr_request_send(c, msg);
}

int rcr_control_where(struct rcr_control *c, const char *event, uint64_t *counters)
{
	unsigned int tries = 0;
	int ret;

	if (!c || !event || !counters)
		return rcr_request_invalid();
	*counters = 0;
	c->counters = counters;
	do
		ret = send_event(c, rcr_request_begin_read(c, RCR_CMD_WHERE), event);
	while (ret && rcr_request_again(c, &tries));
	c->counters = NULL;
	return ret;
}
