// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_message.c - builds requests with arbitrary attributes, sends them and reads the answers.
 */
#include "netlink.h"

static struct nl_sock *sock;
int netlink_family, netlink_fd;
unsigned int deviations;

/* Check that no message follows an answer. */
static void expect_silence(void)
{
	char byte;

	if (recv(netlink_fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN)
		return;
	puts("# more than one answer");
	deviations++;
}

/* Read and parse messages into @answer once; return the errno of the read, or 0. */
int take_part(struct answer *answer, size_t size)
{
	int left = recv(netlink_fd, answer->bytes, size, 0);
	struct nlmsghdr *head;

	if (left < 0)
		return errno;
	for (head = (void *)answer->bytes; nlmsg_ok(head, left);
	     head = nlmsg_next(head, &left)) {
		answer->interrupted |= head->nlmsg_flags & NLM_F_DUMP_INTR;
		answer->messages += head->nlmsg_type == netlink_family;
		/* The payload of both types begins with a negative errno. */
		if (head->nlmsg_type == NLMSG_ERROR || head->nlmsg_type == NLMSG_DONE) {
			answer->error = -*(int *)nlmsg_data(head);
			answer->over = true;
		}
	}
	return 0;
}

/* Send a message as is; return the errno of the answer, or 0. */
int send_raw(void *message, size_t size)
{
	static struct answer answer;
	int error = 0;

	answer.over = false;
	if (send(netlink_fd, message, size, 0) < 0)
		return errno;
	while (!error && !answer.over)
		error = take_part(&answer, sizeof(answer.bytes));
	if (error)
		return error;
	expect_silence();
	return answer.error;
}

struct request make_request(int cmd, const void *attrs, size_t size)
{
	struct request r = {
		.head = {
			.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN + size,
			.nlmsg_type = netlink_family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.genl = { .cmd = cmd, .version = RCR_GENL_VERSION },
	};

	if (cmd == RCR_CMD_METERS || cmd == RCR_CMD_COUNTERS)
		r.head.nlmsg_flags |= NLM_F_DUMP;
	memcpy(r.attrs, attrs, size);
	return r;
}

int call_family(int cmd, const void *attrs, size_t size)
{
	struct request r = make_request(cmd, attrs, size);

	return send_raw(&r, r.head.nlmsg_len);
}

/* Some kernels return EINVAL for an attribute that is too long, others ERANGE. */
void expect_error(int got, int wanted, const char *what)
{
	if (got == wanted || (got == ERANGE && wanted == EINVAL))
		return;
	printf("# %s: %s, not %s\n", what, strerror(got), strerror(wanted));
	deviations++;
}

struct attrs with_bytes(struct attrs a, int type, const void *data, size_t size)
{
	struct nlattr head = { NLA_HDRLEN + size, type };

	memcpy(a.bytes + a.size, &head, sizeof(head));
	memcpy(a.bytes + a.size + NLA_HDRLEN, data, size);
	a.size += NLA_ALIGN(head.nla_len);
	return a;
}

struct attrs with_text(struct attrs a, int type, const char *text)
{
	return with_bytes(a, type, text, strlen(text) + 1);
}

struct attrs with_number(struct attrs a, int type, uint32_t number)
{
	return with_bytes(a, type, &number, sizeof(number));
}

struct attrs with_u64(struct attrs a, int type, uint64_t number)
{
	return with_bytes(a, type, &number, sizeof(number));
}

struct attrs with_nest(struct attrs a, int type, struct attrs nest)
{
	return with_bytes(a, type | NLA_F_NESTED, nest.bytes, nest.size);
}

/* Return the attributes that an event must have. */
struct attrs make_event(const char *name, uint32_t type, uint64_t config)
{
	struct attrs e = with_text(none, RCR_EVENT_A_NAME, name);

	return with_u64(with_number(e, RCR_EVENT_A_TYPE, type), RCR_EVENT_A_CONFIG, config);
}

struct attrs with_event(struct attrs a, const char *name, uint64_t config)
{
	return with_nest(a, RCR_A_EVENT, make_event(name, RCR_EVENT_HARDWARE, config));
}

void expect_refused(int cmd, struct attrs a, int wanted, const char *what)
{
	expect_error(call_family(cmd, a.bytes, a.size), wanted, what);
}

struct attrs make_term(const char *name, uint32_t kind, int32_t weight)
{
	struct attrs t = *name ? with_text(none, RCR_TERM_A_NAME, name) : none;

	t = with_number(t, RCR_TERM_A_KIND, kind);
	return with_number(t, RCR_TERM_A_WEIGHT, weight);
}

struct attrs with_term(struct attrs form, int side, const char *name, uint32_t kind,
		       int32_t weight)
{
	return with_nest(form, side, make_term(name, kind, weight));
}

/* Return the form of rate(TOT_CYC). */
struct attrs rate_form(void)
{
	return with_term(none, RCR_FORM_A_TERM, "TOT_CYC", RCR_TERM_RATE, 1);
}

void connect_family(void)
{
	struct timeval wait = { .tv_sec = 5 };

	sock = nl_socket_alloc();
	if (!sock || genl_connect(sock))
		exit(1);
	netlink_family = genl_ctrl_resolve(sock, RCR_GENL_NAME);
	netlink_fd = nl_socket_get_fd(sock);
	setsockopt(netlink_fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
}

/* Send a request; return the generation in the answer or 0, and set @error to its errno. */
uint32_t ask_with(int cmd, struct attrs a, int *error)
{
	struct request r = make_request(cmd, a.bytes, a.size);
	struct {
		struct nlmsghdr head;
		char more[16384];
	} answer;
	struct nlattr *found;
	uint32_t generation = 0;

	*error = EIO;
	if (send(netlink_fd, &r, r.head.nlmsg_len, 0) < 0)
		return 0;
	while (recv(netlink_fd, &answer, sizeof(answer), 0) > 0) {
		if (answer.head.nlmsg_type == NLMSG_ERROR) {
			*error = -*(int *)nlmsg_data(&answer.head);
			break;
		}
		found = nlmsg_find_attr(&answer.head, GENL_HDRLEN, RCR_A_GENERATION);
		if (found)
			generation = nla_get_u32(found);
	}
	return generation;
}

uint32_t ask_generation(int cmd)
{
	int error;

	return ask_with(cmd, none, &error);
}

void report_wrong(const char *what)
{
	printf("# %s\n", what);
	deviations++;
}
