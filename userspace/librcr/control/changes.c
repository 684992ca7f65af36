// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * changes.c - receives notifications of changes from the module's multicast group; see section 5 of
 * <linux/rcrtool.h>.
 */
#include <errno.h>
#include <stdlib.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "rcr_control.h"

/* @generation: of the latest message; 0: it had none. */
struct rcr_changes {
	struct nl_sock *sock;
	uint32_t generation;
};

static int take_change(struct nl_msg *msg, void *arg)
{
	struct rcr_changes *c = arg;
	struct nlattr *a = nlmsg_find_attr(nlmsg_hdr(msg), GENL_HDRLEN, RCR_A_GENERATION);

	if (a && nla_len(a) == sizeof(uint32_t))
		c->generation = nla_get_u32(a);
	return NL_OK;
}

static int join_group(struct rcr_changes *c)
{
	int group;

	c->sock = nl_socket_alloc();
	if (!c->sock || genl_connect(c->sock))
		return -1;
	group = genl_ctrl_resolve_grp(c->sock, RCR_GENL_NAME, RCR_GENL_CHANGES);
	if (group < 0 || nl_socket_add_membership(c->sock, group))
		return -1;
	nl_socket_disable_seq_check(c->sock);
	nl_socket_modify_cb(c->sock, NL_CB_VALID, NL_CB_CUSTOM, take_change, c);
	return nl_socket_set_nonblocking(c->sock);
}

struct rcr_changes *rcr_changes_open(void)
{
	struct rcr_changes *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	if (!join_group(c))
		return c;
	rcr_changes_close(c);
	errno = ENOENT;
	return NULL;
}

void rcr_changes_close(struct rcr_changes *changes)
{
	if (!changes)
		return;
	nl_socket_free(changes->sock);
	free(changes);
}

int rcr_changes_fd(const struct rcr_changes *changes)
{
	return changes ? nl_socket_get_fd(changes->sock) : -1;
}

int rcr_changes_next(struct rcr_changes *changes, uint32_t *generation)
{
	int ret = 0;

	if (!changes || !generation) {
		errno = EINVAL;
		return -1;
	}
	changes->generation = 0;
	while (!ret && !changes->generation)
		ret = nl_recvmsgs_default(changes->sock);
	if (changes->generation) {
		*generation = changes->generation;
		return 0;
	}
	errno = ret == -NLE_AGAIN ? EAGAIN : ret == -NLE_NOMEM ? ENOBUFS : EIO;
	return -1;
}
