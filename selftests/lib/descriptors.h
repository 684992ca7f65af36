/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptors.h - sends a message with descriptors over a local socket.
 */
#ifndef RCR_LIB_DESCRIPTORS_H
#define RCR_LIB_DESCRIPTORS_H

#include <string.h>
#include <sys/socket.h>

#define DESCRIPTORS_MAX	250

/**
 * send_with_descriptors() - send a message with descriptors
 * @to: the socket
 * @bytes: content of the message
 * @size: its size
 * @fds: descriptors
 * @count: number of these, at most DESCRIPTORS_MAX
 *
 * Return: same as sendmsg(). Does not raise SIGPIPE.
 */
static inline ssize_t send_with_descriptors(int to, const void *bytes, size_t size, const int *fds,
					    size_t count)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
	} control = { .head = {
		.cmsg_len = CMSG_LEN(count * sizeof(int)), .cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec part = { (void *)bytes, size };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count) {
		memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(count * sizeof(int));
	}
	return sendmsg(to, &m, MSG_NOSIGNAL);
}

#endif
