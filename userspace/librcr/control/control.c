// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * control.c - the module's generic netlink family, through libnl: connections, requests and
 * answers. The requests themselves are in verbs.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/family.h>
#include <netlink/genl/genl.h>

#include "reason.h"
#include "request.h"
#include "rcr.h"

/* Attempts to read a list that changes meanwhile. */
#define TRIES_MAX 100

static const struct nla_policy policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_PERIOD_NS] = { .type = NLA_U64 },
	[RCR_A_ERROR] = { .type = NLA_U32 },
	[RCR_A_REASON] = { .type = NLA_NESTED },
	[RCR_A_STATE] = { .type = NLA_NUL_STRING },
	[RCR_A_SOURCE] = { .type = NLA_NUL_STRING },
	[RCR_A_FAMILY] = { .type = NLA_NUL_STRING },
	[RCR_A_RUNNING] = { .type = NLA_NESTED },
	[RCR_A_STAGED] = { .type = NLA_NESTED },
	[RCR_A_COUNTERS] = { .type = NLA_U64 },
	[RCR_A_POLICY] = { .type = NLA_NUL_STRING },
	[RCR_A_CORE_COUNTERS] = { .type = NLA_U32 },
	[RCR_A_CORE_USED] = { .type = NLA_U32 },
	[RCR_A_CORE_WATCHDOG] = { .type = NLA_U32 },
	[RCR_A_CORE_OTHERS] = { .type = NLA_U32 },
	[RCR_A_TSC_KHZ] = { .type = NLA_U32 },
	[RCR_A_METER] = { .type = NLA_NESTED },
	[RCR_A_NUMBER] = { .type = NLA_U32 },
};

static int receive_reply(struct nl_msg *msg, void *arg)
{
	struct rcr_control *c = arg;
	struct nlmsghdr *message = nlmsg_hdr(msg);
	struct nlattr *a[RCR_A_MAX + 1];

	if (genlmsg_parse(message, 0, a, RCR_A_MAX, (struct nla_policy *)policy))
		return NL_SKIP;
	if (a[RCR_A_GENERATION])
		c->generation = nla_get_u32(a[RCR_A_GENERATION]);
	if (genlmsg_hdr(message)->cmd == RCR_CMD_LOOK && c->state) {
		rcr_state_take(c->state, a);
		return NL_OK;
	}
	if (genlmsg_hdr(message)->cmd == RCR_CMD_COUNTERS && c->state) {
		/* The generation differs from that of the answer to LOOK. */
		c->interrupted |= c->generation != c->state->generation;
		rcr_state_take_counter(c->state, a);
	}
	if (a[RCR_A_METER] && c->meters)
		rcr_meters_take(c->meters, a[RCR_A_METER]);
	if (a[RCR_A_ERROR])
		c->error = nla_get_u32(a[RCR_A_ERROR]);
	if (a[RCR_A_REASON])
		rcr_reason_take(c->reason, sizeof(c->reason), a[RCR_A_REASON]);
	if (a[RCR_A_COUNTERS] && c->counters)
		*c->counters = nla_get_u64(a[RCR_A_COUNTERS]);
	if (a[RCR_A_NUMBER] && c->number)
		*c->number = nla_get_u32(a[RCR_A_NUMBER]);
	return NL_OK;
}

/* Stores the kernel's errno, which libnl would translate to its own codes. */
static int receive_error(struct sockaddr_nl *from, struct nlmsgerr *e, void *arg)
{
	struct rcr_control *c = arg;

	(void)from;
	c->error = -e->error;
	c->answered = true;
	return NL_STOP;
}

static int take_ack(struct nl_msg *msg, void *arg)
{
	struct rcr_control *c = arg;

	(void)msg;
	c->answered = true;
	return NL_STOP;
}

/* Handles the end of a dump, whose error is not 0 if the dump is incomplete. */
static int take_done(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *message = nlmsg_hdr(msg);
	struct rcr_control *c = arg;
	int error = 0;

	if (nlmsg_datalen(message) >= (int)sizeof(error))
		memcpy(&error, nlmsg_data(message), sizeof(error));
	c->error = -error;
	c->answered = true;
	return NL_STOP;
}

/* The list changed since the previous part: read it to the end, then again. */
static int take_interrupt(struct nl_msg *msg, void *arg)
{
	struct rcr_control *c = arg;

	(void)msg;
	c->interrupted = true;
	return NL_OK;
}

/* Names the privilege that a request needs, after EPERM. */
static const char *missing_right(enum rcr_cmd cmd)
{
	static const char reading[] =
		"Reading the set needs root or the group rcrtool, changing it needs CAP_SYS_RAWIO: become root, or join the group to read.";

	switch (cmd) {
	case RCR_CMD_LOOK:
	case RCR_CMD_COUNTERS:
	case RCR_CMD_METERS:
	case RCR_CMD_WHERE:
		return reading;
	case RCR_CMD_MARK:
	case RCR_CMD_METER_POST:
		return "Marks and posted values need CAP_PERFMON: become root.";
	default:
		return "Changing what is counted needs CAP_SYS_RAWIO: become root.";
	}
}

int rcr_request_failed(struct rcr_control *c, int error)
{
	if (!c->reason[0] && error == EPERM)
		snprintf(c->reason, sizeof(c->reason), "%s", missing_right(c->cmd));
	else if (!c->reason[0])
		snprintf(c->reason, sizeof(c->reason), "%s.", strerror(error));
	errno = error;
	return -1;
}

static void close_socket(struct rcr_control *c)
{
	nl_socket_free(c->sock);
	c->sock = NULL;
}

/* Returns the version of the module's interface; 0 without a module. */
static unsigned int family_version(struct rcr_control *c)
{
	unsigned int version = 0;
	struct nl_cache *families;
	struct genl_family *f;

	if (genl_ctrl_alloc_cache(c->sock, &families))
		return 0;
	f = genl_ctrl_search_by_name(families, RCR_GENL_NAME);
	if (f) {
		c->family = genl_family_get_id(f);
		version = genl_family_get_version(f);
		genl_family_put(f);
	}
	nl_cache_free(families);
	return version;
}

/* Returns 0, or -1 with errno ENOENT (no module) or EPROTO (module of another version). */
static int connect_to_module(struct rcr_control *c)
{
	unsigned int version = 0;

	c->sock = nl_socket_alloc();
	if (c->sock && !genl_connect(c->sock))
		version = family_version(c);
	if (version != RCR_GENL_VERSION) {
		errno = version ? EPROTO : ENOENT;
		return -1;
	}
	nl_socket_modify_cb(c->sock, NL_CB_VALID, NL_CB_CUSTOM, receive_reply, c);
	nl_socket_modify_cb(c->sock, NL_CB_ACK, NL_CB_CUSTOM, take_ack, c);
	nl_socket_modify_cb(c->sock, NL_CB_FINISH, NL_CB_CUSTOM, take_done, c);
	nl_socket_modify_cb(c->sock, NL_CB_DUMP_INTR, NL_CB_CUSTOM, take_interrupt, c);
	nl_socket_modify_err_cb(c->sock, NL_CB_CUSTOM, receive_error, c);
	return 0;
}

/* Reconnects, so that a late answer is not mistaken for the answer to the next request. */
static int answer_lost(struct rcr_control *c, int error)
{
	close_socket(c);
	if (connect_to_module(c))
		close_socket(c);
	return rcr_request_failed(c, error);
}

int rcr_request_invalid(void)
{
	errno = EINVAL;
	return -1;
}

int rcr_request_send(struct rcr_control *c, struct nl_msg *msg)
{
	int ret = -NLE_BAD_SOCK;

	if (!msg)
		return -1;
	c->error = 0;
	c->answered = false;
	c->interrupted = false;
	c->reason[0] = 0;
	if (c->sock)
		ret = nl_send_auto(c->sock, msg);
	nlmsg_free(msg);
	/* All messages before the acknowledgment or the error belong to the answer. */
	while (ret >= 0 && !c->answered)
		ret = nl_recvmsgs_default(c->sock);
	if (c->error)
		return rcr_request_failed(c, c->error);
	if (ret < 0)
		return answer_lost(c, ret == -NLE_NOMEM ? ENOBUFS : EIO);
	if (!c->interrupted)
		return 0;
	snprintf(c->reason, sizeof(c->reason), "The counter set keeps changing: try again.");
	return rcr_request_failed(c, EAGAIN);
}

struct nl_msg *rcr_request_begin(struct rcr_control *c, enum rcr_cmd cmd,
				 uint32_t generation)
{
	struct nl_msg *msg = nlmsg_alloc_size(32768);

	c->cmd = cmd;
	if (msg && genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, c->family, 0,
			       NLM_F_REQUEST | NLM_F_ACK, cmd, RCR_GENL_VERSION) &&
	    (!generation || !nla_put_u32(msg, RCR_A_GENERATION, generation)))
		return msg;
	nlmsg_free(msg);
	c->reason[0] = 0;
	rcr_request_failed(c, ENOMEM);
	return NULL;
}

struct nl_msg *rcr_request_begin_read(struct rcr_control *c, enum rcr_cmd cmd)
{
	struct nl_msg *msg = rcr_request_begin(c, cmd, 0);

	if (msg && (cmd == RCR_CMD_COUNTERS || cmd == RCR_CMD_METERS))
		nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_DUMP;
	if (msg && c->device >= 0)
		nla_put_u32(msg, RCR_A_DEVICE, c->device);
	return msg;
}

bool rcr_request_again(struct rcr_control *c, unsigned int *tries)
{
	int error = errno;

	if (error == EAGAIN && c->interrupted)
		return ++*tries < TRIES_MAX;
	if (error != EPERM || c->device >= 0)
		return false;
	c->device = open(RCR_DEVICE, O_RDONLY | O_CLOEXEC);
	errno = error;
	return c->device >= 0;
}

int rcr_request_put(struct rcr_control *c, struct nl_msg *msg, enum rcr_attr attr,
		    const char *text, size_t size, const char *what)
{
	if (strlen(text) < size && !nla_put_string(msg, attr, text))
		return 0;
	nlmsg_free(msg);
	snprintf(c->reason, sizeof(c->reason),
		 "'%.40s...' is too long for %s: the maximum is %zu bytes.", text, what, size - 1);
	return rcr_request_failed(c, EINVAL);
}

struct rcr_control *rcr_control_open(void)
{
	struct rcr_control *c = calloc(1, sizeof(*c));
	int error;

	if (!c)
		return NULL;
	c->device = -1;
	if (!connect_to_module(c))
		return c;
	error = errno;
	rcr_control_close(c);
	errno = error;
	return NULL;
}

void rcr_control_close(struct rcr_control *c)
{
	if (!c)
		return;
	nl_socket_free(c->sock);
	if (c->device >= 0)
		close(c->device);
	free(c);
}

uint32_t rcr_control_generation(const struct rcr_control *c)
{
	return c ? c->generation : 0;
}

const char *rcr_control_reason(const struct rcr_control *c)
{
	return c ? c->reason : rcr_control_open_error(ENOENT);
}

const char *rcr_control_open_error(int error)
{
	switch (error) {
	case ENOENT:
		return "rcrtool is not loaded: load it with 'modprobe rcrtool'.";
	case EPROTO:
		return "Module and program have different versions: load the program's module.";
	default:
		return strerror(error);
	}
}
