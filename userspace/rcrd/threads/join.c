// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * join.c - parse the first message of a client of blackboard 2, and answer it. A later librcr may
 * send additional members, which must be 0.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "join.h"

static bool is_zero(const unsigned char *at, size_t size)
{
	while (size && !at[size - 1])
		size--;
	return !size;
}

int join_parse(const void *bytes, size_t size, struct rcr_join *join)
{
	memset(join, 0, sizeof(*join));
	if (size < sizeof(*join) || size > JOIN_MAX)
		return -EINVAL;
	memcpy(join, bytes, sizeof(*join));
	if (join->size != size || join->pad)
		return -EINVAL;
	if (join->version < RCR_BOARD2_COMPAT_VERSION ||
	    join->compat_version > RCR_BOARD2_VERSION)
		return -EPROTO;
	return is_zero((const unsigned char *)bytes + sizeof(*join), size - sizeof(*join)) ?
	       0 : -EPROTO;
}

int join_answer(int socket, unsigned int error, int page)
{
	struct rcr_welcome w = {
		.size = sizeof(w), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .error = error,
	};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .head = {
		.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec part = { &w, sizeof(w) };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (!error) {
		memcpy(CMSG_DATA(&control.head), &page, sizeof(page));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
	}
	return sendmsg(socket, &m, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(w) ? 0 : -1;
}
