// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c - messages that no honest client sends: each is one error, and the
 * state stays what it was. Prints one line of TAP, as a part of control.sh.
 */
#include <stdio.h>
#include <unistd.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "stream.h"

static struct nl_sock *sock;
static int family, fd;

/* Sends bytes as they are; the errno of the answer, 0 for success. */
static int send_raw(void *message, size_t size)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char more[16384];
	} answer;

	if (send(fd, message, size, 0) < 0)
		return errno;
	for (;;) {
		ssize_t got = recv(fd, &answer, sizeof(answer), 0);

		if (got < 0)
			return errno;
		if (answer.head.nlmsg_type == NLMSG_ERROR)
			return -answer.error.error;
	}
}

struct request {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char attrs[4096];
};

static struct request request(int cmd, const void *attrs, size_t size)
{
	struct request r = {
		.head = {
			.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN + size,
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.genl = { .cmd = cmd, .version = RCR_GENL_VERSION },
	};

	memcpy(r.attrs, attrs, size);
	return r;
}

static int call(int cmd, const void *attrs, size_t size)
{
	struct request r = request(cmd, attrs, size);

	return send_raw(&r, r.head.nlmsg_len);
}

static unsigned int bad;

/* What is too long is EINVAL in some kernels and ERANGE in others. */
static void expect(int got, int wanted, const char *what)
{
	if (got == wanted || (got == ERANGE && wanted == EINVAL))
		return;
	printf("# %s: %s, not %s\n", what, strerror(got), strerror(wanted));
	bad++;
}

static void truncated(void)
{
	struct { struct nlattr a; char text[12]; } event = {
		{ sizeof(event), RCR_A_EVENT }, "E=event:0xc2",
	};
	struct request r;

	expect(call(RCR_CMD_ADD, &event, sizeof(event)), EINVAL, "a text without its 0");
	event.a.nla_len = 400;
	expect(call(RCR_CMD_ADD, &event, sizeof(event)), EINVAL, "an attribute longer than the message");
	event.a.nla_len = 2;
	expect(call(RCR_CMD_ADD, &event, sizeof(event)), EINVAL, "an attribute shorter than its head");
	expect(call(RCR_CMD_ADD, NULL, 0), EINVAL, "no attribute at all");
	expect(call(RCR_CMD_PERIOD, NULL, 0), EINVAL, "no period");
	r = request(RCR_CMD_RESET, NULL, 0);
	r.head.nlmsg_len = NLMSG_HDRLEN + 2;
	expect(send_raw(&r, r.head.nlmsg_len), EINVAL, "a head cut in two");
}

static void unknown(void)
{
	struct { struct nlattr a; uint32_t val; } number = {
		{ 8, __RCR_A_LAST + 5 }, 1,
	};
	struct { struct nlattr a; char text[RCR_EVENT_LEN + 8]; } text = {
		{ sizeof(text), RCR_A_EVENT }, "",
	};
	struct request r;

	expect(call(RCR_CMD_RESET, &number, 8), EINVAL, "an unknown attribute");
	number.a.nla_type = RCR_A_PERIOD_NS;
	expect(call(RCR_CMD_RESET, &number, 8), EINVAL, "an attribute of another command");
	expect(call(RCR_CMD_PERIOD, &number, 8), EINVAL, "a period of four bytes");
	number.a.nla_type = RCR_A_GENERATION;
	number.a.nla_len = 6;
	expect(call(RCR_CMD_RESET, &number, 8), EINVAL, "a generation of two bytes");
	number.a.nla_len = 8;
	number.val = 0xfffffff0;
	expect(call(RCR_CMD_RESET, &number, 8), ESTALE, "a generation to come");
	expect(call(RCR_CMD_LOOK, &number, 8), EINVAL, "an attribute where none is taken");
	expect(call(200, NULL, 0), EOPNOTSUPP, "an unknown command");
	memset(text.text, 'a', sizeof(text.text) - 1);
	expect(call(RCR_CMD_ADD, &text, sizeof(text)), EINVAL, "an event that is too long");
	r = request(RCR_CMD_RESET, NULL, 0);
	r.genl.reserved = 1;
	expect(send_raw(&r, r.head.nlmsg_len), EINVAL, "a reserved field that is not 0");
	r = request(RCR_CMD_RESET, NULL, 0);
	r.head.nlmsg_flags |= NLM_F_DUMP;
	expect(send_raw(&r, r.head.nlmsg_len), EOPNOTSUPP, "a dump of what is no list");
}

/* Anything, a thousand times: no request of these changes the state. */
static void noise(void)
{
	unsigned int i, k;
	char attrs[256];

	srand(3);
	for (i = 0; i < 1000; i++) {
		size_t size = rand() % sizeof(attrs) & ~3;

		for (k = 0; k < size; k++)
			attrs[k] = rand() % 3 ? 0 : rand();
		call(1 + rand() % 2, attrs, size);
	}
}

int main(void)
{
	struct timeval wait = { .tv_sec = 5 };

	sock = nl_socket_alloc();
	if (!sock || genl_connect(sock))
		return 1;
	family = genl_ctrl_resolve(sock, RCR_GENL_NAME);
	fd = nl_socket_get_fd(sock);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	truncated();
	unknown();
	noise();
	return bad > 0;
}
