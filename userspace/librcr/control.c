// SPDX-License-Identifier: GPL-2.0-only
/*
 * control.c - speaks the module's generic netlink family, through libnl.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "rcr_control.h"

/**
 * struct rcr_control - a connection to the module
 * @sock: the socket
 * @family: number of the family
 * @error: errno that the module gave besides its reason
 * @reason: of the last failure
 * @state: where the answer to RCR_CMD_LOOK goes
 */
struct rcr_control {
	struct nl_sock *sock;
	int family;
	int error;
	char reason[RCR_REASON_LEN];
	struct rcr_state *state;
};

static const struct nla_policy policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_PERIOD_NS] = { .type = NLA_U64 },
	[RCR_A_ERROR] = { .type = NLA_U32 },
	[RCR_A_REASON] = { .type = NLA_NUL_STRING },
	[RCR_A_STATE] = { .type = NLA_NUL_STRING },
	[RCR_A_SOURCE] = { .type = NLA_NUL_STRING },
	[RCR_A_FAMILY] = { .type = NLA_NUL_STRING },
	[RCR_A_RUNNING] = { .type = NLA_NESTED },
	[RCR_A_STAGED] = { .type = NLA_NESTED },
};

static const struct nla_policy counter_policy[RCR_COUNTER_A_MAX + 1] = {
	[RCR_COUNTER_A_NAME] = { .type = NLA_NUL_STRING },
	[RCR_COUNTER_A_SELECT] = { .type = NLA_U64 },
	[RCR_COUNTER_A_CONTROL] = { .type = NLA_U32 },
	[RCR_COUNTER_A_COUNTER] = { .type = NLA_U32 },
};

static void copy_text(char *to, size_t size, const struct nlattr *a)
{
	if (a)
		snprintf(to, size, "%s", nla_get_string((struct nlattr *)a));
}

static struct rcr_counter_state *find_counter(struct rcr_state *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->ncounters; i++)
		if (!strcmp(s->counter[i].name, name))
			return &s->counter[i];
	if (s->ncounters == sizeof(s->counter) / sizeof(s->counter[0]))
		return NULL;
	snprintf(s->counter[i].name, sizeof(s->counter[i].name), "%s", name);
	s->ncounters++;
	return &s->counter[i];
}

static void take_counter(struct rcr_state *s, struct nlattr *nest, bool running)
{
	struct nlattr *a[RCR_COUNTER_A_MAX + 1];
	struct rcr_counter_state *c;

	if (nla_parse_nested(a, RCR_COUNTER_A_MAX, nest,
			     (struct nla_policy *)counter_policy) ||
	    !a[RCR_COUNTER_A_NAME])
		return;
	c = find_counter(s, nla_get_string(a[RCR_COUNTER_A_NAME]));
	if (!c)
		return;
	c->running |= running;
	c->staged |= !running;
	if (a[RCR_COUNTER_A_SELECT])
		c->select = nla_get_u64(a[RCR_COUNTER_A_SELECT]);
	if (a[RCR_COUNTER_A_CONTROL])
		c->control = nla_get_u32(a[RCR_COUNTER_A_CONTROL]);
	if (a[RCR_COUNTER_A_COUNTER])
		c->counter = nla_get_u32(a[RCR_COUNTER_A_COUNTER]);
}

static void take_state(struct rcr_state *s, struct nlmsghdr *message,
		       struct nlattr **a)
{
	struct nlattr *each;
	int rest;

	if (a[RCR_A_GENERATION])
		s->generation = nla_get_u32(a[RCR_A_GENERATION]);
	if (a[RCR_A_PERIOD_NS])
		s->period_ns = nla_get_u64(a[RCR_A_PERIOD_NS]);
	if (a[RCR_A_ERROR])
		s->error = nla_get_u32(a[RCR_A_ERROR]);
	copy_text(s->reason, sizeof(s->reason), a[RCR_A_REASON]);
	copy_text(s->source, sizeof(s->source), a[RCR_A_SOURCE]);
	copy_text(s->family, sizeof(s->family), a[RCR_A_FAMILY]);
	nlmsg_for_each_attr(each, message, GENL_HDRLEN, rest) {
		if (nla_type(each) == RCR_A_RUNNING)
			take_counter(s, each, true);
		else if (nla_type(each) == RCR_A_STAGED)
			take_counter(s, each, false);
	}
}

static int take_answer(struct nl_msg *msg, void *arg)
{
	struct rcr_control *c = arg;
	struct nlmsghdr *message = nlmsg_hdr(msg);
	struct nlattr *a[RCR_A_MAX + 1];

	if (genlmsg_parse(message, 0, a, RCR_A_MAX, (struct nla_policy *)policy))
		return NL_SKIP;
	if (c->state) {
		take_state(c->state, message, a);
		return NL_OK;
	}
	if (a[RCR_A_ERROR])
		c->error = nla_get_u32(a[RCR_A_ERROR]);
	copy_text(c->reason, sizeof(c->reason), a[RCR_A_REASON]);
	return NL_OK;
}

/* The kernel's own errno of a request, which libnl would translate away. */
static int take_error(struct sockaddr_nl *from, struct nlmsgerr *e, void *arg)
{
	struct rcr_control *c = arg;

	(void)from;
	c->error = -e->error;
	return NL_STOP;
}

static int failed(struct rcr_control *c, int error)
{
	if (!c->reason[0] && error == EPERM)
		snprintf(c->reason, sizeof(c->reason),
			 "Changing what is counted needs CAP_SYS_RAWIO, looking CAP_PERFMON: become root.");
	else if (!c->reason[0])
		snprintf(c->reason, sizeof(c->reason), "%s.", strerror(error));
	errno = error;
	return -1;
}

/* Sends the request, frees it, and waits until it is answered. */
static int call(struct rcr_control *c, struct nl_msg *msg)
{
	int ret;

	c->error = 0;
	c->reason[0] = 0;
	ret = nl_send_auto(c->sock, msg);
	nlmsg_free(msg);
	while (ret >= 0 && !c->error) {
		ret = nl_recvmsgs_default(c->sock);
		/* The acknowledgment ends it, and libnl tells it by 0. */
		if (ret == 0)
			break;
	}
	if (c->error)
		return failed(c, c->error);
	return ret < 0 ? failed(c, EIO) : 0;
}

static struct nl_msg *begin(struct rcr_control *c, enum rcr_cmd cmd,
			    uint32_t generation)
{
	struct nl_msg *msg = nlmsg_alloc_size(32768);

	if (msg && genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, c->family, 0,
			       NLM_F_REQUEST | NLM_F_ACK, cmd, RCR_GENL_VERSION) &&
	    (!generation || !nla_put_u32(msg, RCR_A_GENERATION, generation)))
		return msg;
	nlmsg_free(msg);
	c->reason[0] = 0;
	failed(c, ENOMEM);
	return NULL;
}

struct rcr_control *rcr_control_open(void)
{
	struct rcr_control *c = calloc(1, sizeof(*c));
	int ret;

	if (!c)
		return NULL;
	c->sock = nl_socket_alloc();
	if (c->sock && !genl_connect(c->sock)) {
		ret = genl_ctrl_resolve(c->sock, RCR_GENL_NAME);
		if (ret >= 0) {
			c->family = ret;
			nl_socket_modify_cb(c->sock, NL_CB_VALID, NL_CB_CUSTOM,
					    take_answer, c);
			nl_socket_modify_err_cb(c->sock, NL_CB_CUSTOM, take_error, c);
			return c;
		}
	}
	rcr_control_close(c);
	errno = ENOENT;
	return NULL;
}

void rcr_control_close(struct rcr_control *c)
{
	if (!c)
		return;
	nl_socket_free(c->sock);
	free(c);
}

const char *rcr_control_reason(const struct rcr_control *c)
{
	return c ? c->reason :
	       "rcrtool is not loaded: load it with 'modprobe rcrtool'.";
}

static int no_control(void)
{
	errno = EINVAL;
	return -1;
}

int rcr_control_look(struct rcr_control *c, struct rcr_state *state)
{
	struct nl_msg *msg;
	int ret;

	if (!c || !state)
		return no_control();
	msg = begin(c, RCR_CMD_LOOK, 0);
	if (!msg)
		return -1;
	memset(state, 0, sizeof(*state));
	c->state = state;
	ret = call(c, msg);
	c->state = NULL;
	return ret;
}

int rcr_control_add(struct rcr_control *c, uint32_t generation,
		    const char *const *events, unsigned int count)
{
	struct nl_msg *msg;
	unsigned int i;

	if (!c || (count && !events))
		return no_control();
	msg = begin(c, RCR_CMD_ADD, generation);
	if (!msg)
		return -1;
	for (i = 0; i < count; i++) {
		if (strlen(events[i]) < RCR_EVENT_LEN &&
		    !nla_put_string(msg, RCR_A_EVENT, events[i]))
			continue;
		nlmsg_free(msg);
		snprintf(c->reason, sizeof(c->reason),
			 "\"%.40s...\" is too long for an event.", events[i]);
		return failed(c, EINVAL);
	}
	return call(c, msg);
}

int rcr_control_remove(struct rcr_control *c, uint32_t generation, const char *name)
{
	struct nl_msg *msg;

	if (!c)
		return no_control();
	msg = begin(c, RCR_CMD_REMOVE, generation);
	if (!msg)
		return -1;
	if (name && (strlen(name) >= RCR_NAME_LEN ||
		     nla_put_string(msg, RCR_A_NAME, name))) {
		nlmsg_free(msg);
		snprintf(c->reason, sizeof(c->reason),
			 "\"%.40s...\" is too long for a name.", name);
		return failed(c, ENOENT);
	}
	return call(c, msg);
}

int rcr_control_finalize(struct rcr_control *c, uint32_t generation)
{
	struct nl_msg *msg = c ? begin(c, RCR_CMD_FINALIZE, generation) : NULL;

	if (!c)
		return no_control();
	return msg ? call(c, msg) : -1;
}

int rcr_control_reset(struct rcr_control *c, uint32_t generation)
{
	struct nl_msg *msg = c ? begin(c, RCR_CMD_RESET, generation) : NULL;

	if (!c)
		return no_control();
	return msg ? call(c, msg) : -1;
}

int rcr_control_period(struct rcr_control *c, uint32_t generation, uint64_t period_ns)
{
	struct nl_msg *msg;

	if (!c)
		return no_control();
	msg = begin(c, RCR_CMD_PERIOD, generation);
	if (!msg)
		return -1;
	nla_put_u64(msg, RCR_A_PERIOD_NS, period_ns);
	return call(c, msg);
}
