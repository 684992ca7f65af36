// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c [WHO] - messages that no honest client sends: each is exactly one error,
 * and the state stays the same. Prints each deviation, as "# ..."; its
 * status is a line of control.sh.
 *
 * With WHO: the requests that are allowed to a caller that is
 *
 *	perfmon		holder of CAP_PERFMON alone
 *	member		of the group of /dev/rcrtool
 *	nobody		neither
 *
 * With "generations N": four controllers make N changes each, at once; each change is
 * answered with a generation of its own, and announced to the multicast group.
 *
 * With "interleaved N": two controllers make N requests each, at once, that are based on the
 * answer before. The generations of their answers alone decide which are refused.
 *
 * With "dumps": lists of several parts, with a change and without one. It leaves events
 * staged.
 *
 * With "listen": joins the group, prints "joined" and the generation of the next change.
 * Status 1: it cannot join, 2: nothing comes within 10 s.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include <poll.h>
#include <linux/rcrboard.h>

#include "rcr_control.h"

#include "stream.h"

static struct nl_sock *sock;
static int family, fd;
static unsigned int bad;

/* No message follows an answer. */
static void expect_silence(void)
{
	char byte;

	if (recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN)
		return;
	puts("# more than one answer");
	bad++;
}

/* The last messages received, and their kind. */
struct answer {
	char bytes[16384] __attribute__((aligned(8)));
	unsigned int messages;	/* of the family */
	bool interrupted;	/* set by one of them, or by the end of the dump */
	bool over;
	int error;
};

/* Takes what one read gives. Return: errno of that, or 0. */
static int take_part(struct answer *answer, size_t size)
{
	int left = recv(fd, answer->bytes, size, 0);
	struct nlmsghdr *head;

	if (left < 0)
		return errno;
	for (head = (void *)answer->bytes; nlmsg_ok(head, left);
	     head = nlmsg_next(head, &left)) {
		answer->interrupted |= head->nlmsg_flags & NLM_F_DUMP_INTR;
		answer->messages += head->nlmsg_type == family;
		/* Both begin with an errno. */
		if (head->nlmsg_type == NLMSG_ERROR || head->nlmsg_type == NLMSG_DONE) {
			answer->error = -*(int *)nlmsg_data(head);
			answer->over = true;
		}
	}
	return 0;
}

/* Sends bytes as they are; the errno of the answer, 0 for success. */
static int send_raw(void *message, size_t size)
{
	static struct answer answer;
	int error = 0;

	answer.over = false;
	if (send(fd, message, size, 0) < 0)
		return errno;
	while (!error && !answer.over)
		error = take_part(&answer, sizeof(answer.bytes));
	if (error)
		return error;
	expect_silence();
	return answer.error;
}

struct request {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char attrs[8192];
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

	if (cmd == RCR_CMD_METERS || cmd == RCR_CMD_COUNTERS)
		r.head.nlmsg_flags |= NLM_F_DUMP;
	memcpy(r.attrs, attrs, size);
	return r;
}

static int call(int cmd, const void *attrs, size_t size)
{
	struct request r = request(cmd, attrs, size);

	return send_raw(&r, r.head.nlmsg_len);
}

/* An attribute that is too long is EINVAL in some kernels and ERANGE in others. */
static void expect(int got, int wanted, const char *what)
{
	if (got == wanted || (got == ERANGE && wanted == EINVAL))
		return;
	printf("# %s: %s, not %s\n", what, strerror(got), strerror(wanted));
	bad++;
}

static void truncated(void)
{
	struct { struct nlattr a; char text[12]; } name = {
		{ sizeof(name), RCR_A_NAME }, "E=event:0xc2",
	};
	struct request r;

	expect(call(RCR_CMD_REMOVE, &name, sizeof(name)), EINVAL, "a text without its 0");
	name.a.nla_len = 400;
	expect(call(RCR_CMD_REMOVE, &name, sizeof(name)), EINVAL, "an attribute longer than the message");
	name.a.nla_len = 2;
	expect(call(RCR_CMD_REMOVE, &name, sizeof(name)), EINVAL, "an attribute shorter than its head");
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
	struct { struct nlattr a; char text[600]; } text = {
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
	expect(call(RCR_CMD_LOOK, &number, 8), EINVAL, "a generation where none is taken");
	expect(call(200, NULL, 0), EOPNOTSUPP, "an unknown command");
	memset(text.text, 'a', sizeof(text.text) - 1);
	expect(call(RCR_CMD_ADD, &text, sizeof(text)), EINVAL, "an event that is too long");
	r = request(RCR_CMD_RESET, NULL, 0);
	r.genl.reserved = 1;
	expect(send_raw(&r, r.head.nlmsg_len), EINVAL, "a reserved field that is not 0");
	r = request(RCR_CMD_RESET, NULL, 0);
	r.head.nlmsg_flags |= NLM_F_DUMP;
	expect(send_raw(&r, r.head.nlmsg_len), EOPNOTSUPP, "a dump of a request without a list");
	r = request(RCR_CMD_METERS, NULL, 0);
	r.head.nlmsg_flags &= ~NLM_F_DUMP;
	expect(send_raw(&r, r.head.nlmsg_len), EOPNOTSUPP, "a list without a dump");
	expect(call(RCR_CMD_CHANGED, NULL, 0), EOPNOTSUPP, "the notification of the group, as a request");
}

/**
 * struct attrs - attributes of a request, in a row
 * @size: bytes used
 * @bytes: they
 */
struct attrs {
	size_t size;
	char bytes[8192];
};

static const struct attrs none;

static struct attrs with(struct attrs a, int type, const void *data, size_t size)
{
	struct nlattr head = { NLA_HDRLEN + size, type };

	memcpy(a.bytes + a.size, &head, sizeof(head));
	memcpy(a.bytes + a.size + NLA_HDRLEN, data, size);
	a.size += NLA_ALIGN(head.nla_len);
	return a;
}

static struct attrs with_text(struct attrs a, int type, const char *text)
{
	return with(a, type, text, strlen(text) + 1);
}

static struct attrs with_number(struct attrs a, int type, uint32_t number)
{
	return with(a, type, &number, sizeof(number));
}

static struct attrs with_u64(struct attrs a, int type, uint64_t number)
{
	return with(a, type, &number, sizeof(number));
}

static struct attrs with_nest(struct attrs a, int type, struct attrs nest)
{
	return with(a, type | NLA_F_NESTED, nest.bytes, nest.size);
}

/* What an event needs at least. */
static struct attrs event(const char *name, uint32_t type, uint64_t config)
{
	struct attrs e = with_text(none, RCR_EVENT_A_NAME, name);

	return with_u64(with_number(e, RCR_EVENT_A_TYPE, type), RCR_EVENT_A_CONFIG, config);
}

static struct attrs with_event(struct attrs a, const char *name, uint64_t config)
{
	return with_nest(a, RCR_A_EVENT, event(name, RCR_EVENT_HARDWARE, config));
}

static void refused(int cmd, struct attrs a, int wanted, const char *what)
{
	expect(call(cmd, a.bytes, a.size), wanted, what);
}

/* A text of that many bytes. */
static const char *long_text(size_t size)
{
	static char text[512];

	memset(text, 'a', size);
	text[size] = 0;
	return text;
}

#define STALE 0xfffffff0

/* A text attribute of a request that lacks nothing but it. */
static void texts(int cmd, struct attrs a, int type, size_t longest, int unknown_text)
{
	refused(cmd, with_text(a, type, ""), unknown_text, "an empty text");
	refused(cmd, with_text(a, type, "\377\n;no such thing"), unknown_text, "an unknown text");
	refused(cmd, with_text(a, type, long_text(longest + 1)), EINVAL, "a text that is too long");
	refused(cmd, with(a, type, "abcd", 4), EINVAL, "a text without its 0");
	refused(cmd, with(a, type, "", 0), EINVAL, "a text without a byte");
}

/* An event of a request that lacks nothing but it, which cannot be. */
static void events(int cmd, struct attrs a)
{
	struct attrs name = with_text(none, RCR_EVENT_A_NAME, "A");
	struct attrs one = event("A", RCR_EVENT_HARDWARE, 1);
	struct {
		struct attrs event;
		const char *what;
	} cases[] = {
		{ none, "an event without anything" },
		{ name, "an event without a type" },
		{ with_number(none, RCR_EVENT_A_TYPE, 0), "an event without a name" },
		{ event("", 0, 1), "an event with an empty name" },
		{ event("../x", 0, 1), "an event with a name that is a path" },
		{ event("a b", 0, 1), "an event with a name of two words" },
		{ event(long_text(RCR_NAME_LEN), 0, 1), "an event with a name that is too long" },
		{ event("A", RCR_EVENT_REGISTER + 1, 1), "an event of an unknown type" },
		{ event("A", 0, 0x10000), "an event that is too large" },
		{ event("A", RCR_EVENT_SOFTWARE, 9), "a software event that does not count" },
		{ event("A", RCR_EVENT_SOFTWARE, 64), "an unknown software event" },
		{ event("A", RCR_EVENT_TRACEPOINT, 1), "every function of the kernel" },
		{ with_number(event("A", RCR_EVENT_PMU, 1), RCR_EVENT_A_PMU, 4),
		  "the kernel's own PMU of the cores" },
		{ with_number(event("A", RCR_EVENT_PMU, 1), RCR_EVENT_A_PMU, 0x10000),
		  "a PMU that cannot be" },
		{ with_number(event("A", RCR_EVENT_PMU, 1), RCR_EVENT_A_SCOPE, 5),
		  "a PMU that unknown CPUs share" },
		{ with_number(one, RCR_EVENT_A_PMU, 6), "an event of the cores with a PMU" },
		{ with_number(one, RCR_EVENT_A_FLAGS, 0x200), "an event with an unknown flag" },
		{ with_number(one, RCR_EVENT_A_FLAGS, RCR_EVENT_JOULES), "a core that counts joules" },
		{ with_number(event("A", RCR_EVENT_SOFTWARE, 1), RCR_EVENT_A_FLAGS, 1),
		  "a software event with flags" },
		{ with_number(event("A", RCR_EVENT_SOFTWARE, 1), RCR_EVENT_A_UMASK, 1),
		  "a software event with a unit mask" },
		{ with_text(one, RCR_EVENT_A_UNIT, "no such"), "an event of a unit that cannot be" },
		{ with_text(one, RCR_EVENT_A_UNIT, "a-unit-of-16-bytes"), "a unit that is too long" },
		{ with(one, RCR_EVENT_A_UMASK, "ab", 2), "a unit mask of two bytes" },
		{ with(one, RCR_EVENT_A_CMASK, "abcd", 4), "a counter mask of four bytes" },
		{ with_number(one, __RCR_EVENT_A_LAST, 1), "an event with an unknown attribute" },
		{ with(one, RCR_EVENT_A_NAME, "abcd", 4), "a name without its 0" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused(cmd, with_nest(a, RCR_A_EVENT, cases[i].event), EINVAL, cases[i].what);
	refused(cmd, with_text(a, RCR_A_EVENT, "A=event:1"), EINVAL, "an event that is a text");
	refused(cmd, with(a, RCR_A_EVENT, one.bytes, one.size), EINVAL,
		"an event that is not marked as a nest");
	refused(cmd, with(a, RCR_A_EVENT | NLA_F_NESTED, "\4\0\2", 3), EINVAL, "half a nest");
	refused(cmd, with(a, RCR_A_EVENT, "", 0), EINVAL, "an event without a byte");
}

static void named(void)
{
	static const int cmds[] = {
		RCR_CMD_REMOVE, RCR_CMD_HALT, RCR_CMD_CONTINUE, RCR_CMD_REWRITE,
	};
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		texts(cmds[i], none, RCR_A_NAME, RCR_NAME_LEN - 1, ENOENT);
		refused(cmds[i], with_number(none, RCR_A_GENERATION, STALE), ESTALE,
			"all counters of a generation to come");
		refused(cmds[i], with_event(none, "A", 1), EINVAL,
			"an event where a name is taken");
		refused(cmds[i], with_text(none, RCR_A_TEXT, "TOT_CYC"), EINVAL,
			"a mark's text where a name is taken");
	}
}

static void reassign(void)
{
	struct attrs name = with_text(none, RCR_A_NAME, "TOT_CYC");
	struct attrs some = with_event(none, "A", 1);

	refused(RCR_CMD_REASSIGN, none, EINVAL, "neither name nor event");
	refused(RCR_CMD_REASSIGN, name, EINVAL, "no event");
	refused(RCR_CMD_REASSIGN, some, EINVAL, "no name");
	texts(RCR_CMD_REASSIGN, some, RCR_A_NAME, RCR_NAME_LEN - 1, ENOENT);
	events(RCR_CMD_REASSIGN, name);
	refused(RCR_CMD_REASSIGN, with_event(with_event(name, "A", 1), "B", 2), EINVAL,
		"two events");
	refused(RCR_CMD_REASSIGN, with_event(name, "TOT_INS", 1),
		EEXIST, "the name of another counter");
	refused(RCR_CMD_REASSIGN,
		with_number(with_event(name, "A", 1), RCR_A_GENERATION, STALE),
		ESTALE, "a reassignment in a generation to come");
}

static void marks(void)
{
	static const char *const texts_of_marks[] = {
		"a\nb", "\tb", "a\033[2J", "a\177", "\n", "a\302\23331m",
	};
	struct attrs kind = with_number(none, RCR_A_KIND, RCR_MARK_TEXT);
	struct attrs text = with_text(none, RCR_A_TEXT, "x");
	static const uint32_t kinds[] = { 0, RCR_MARK_END + 1, 0x10001, ~0u };
	unsigned int i;

	refused(RCR_CMD_MARK, none, EINVAL, "neither kind nor text");
	refused(RCR_CMD_MARK, kind, EINVAL, "no text");
	refused(RCR_CMD_MARK, text, EINVAL, "no kind");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		refused(RCR_CMD_MARK, with_number(text, RCR_A_KIND, kinds[i]), EINVAL,
			"an unknown kind");
	refused(RCR_CMD_MARK, with(text, RCR_A_KIND, "\1", 2), EINVAL, "a kind of two bytes");
	texts(RCR_CMD_MARK, kind, RCR_A_TEXT, RCR_MARK_LEN - 1, EINVAL);
	for (i = 0; i < sizeof(texts_of_marks) / sizeof(texts_of_marks[0]); i++)
		refused(RCR_CMD_MARK, with_text(kind, RCR_A_TEXT, texts_of_marks[i]), EINVAL,
			"a control character");
	refused(RCR_CMD_MARK, with_number(with_text(kind, RCR_A_TEXT, "x"), RCR_A_GENERATION, 0),
		EINVAL, "a mark of a generation");
}

static struct attrs term(const char *name, uint32_t kind, int32_t weight)
{
	struct attrs t = *name ? with_text(none, RCR_TERM_A_NAME, name) : none;

	t = with_number(t, RCR_TERM_A_KIND, kind);
	return with_number(t, RCR_TERM_A_WEIGHT, weight);
}

static struct attrs with_term(struct attrs form, int side, const char *name, uint32_t kind,
			      int32_t weight)
{
	return with_nest(form, side, term(name, kind, weight));
}

/* The rate of TOT_CYC. */
static struct attrs rate_form(void)
{
	return with_term(none, RCR_FORM_A_TERM, "TOT_CYC", RCR_TERM_RATE, 1);
}

/* Forms that are none: no meter comes of them. */
static void forms(void)
{
	static const uint64_t zero;
	struct attrs name = with_text(none, RCR_A_NAME, "no.such"), rate = rate_form();
	struct attrs below = with_term(rate, RCR_FORM_A_TERM_BELOW, "TOT_INS", RCR_TERM_COUNT, 1);
	struct {
		struct attrs form;
		const char *what;
	} cases[] = {
		{ none, "a form of nothing" },
		{ with_term(none, RCR_FORM_A_TERM_BELOW, "TOT_CYC", 0, 1), "nothing above the line" },
		{ with(rate, RCR_FORM_A_DENOMINATOR, &zero, 8), "a denominator of 0" },
		{ with(rate, RCR_FORM_A_NUMERATOR, &zero, 4), "a numerator of four bytes" },
		{ with_number(rate, RCR_FORM_A_REDUCTION, 4), "an unknown reduction" },
		{ with_number(below, RCR_FORM_A_REDUCTION_BELOW, 4), "an unknown reduction below" },
		{ with(with_number(below, RCR_FORM_A_REDUCTION_BELOW, 1), RCR_FORM_A_PER_CPU, "", 0),
		  "a reduction below the line of quotients of the CPUs" },
		{ with_term(none, RCR_FORM_A_TERM, "TOT_CYC", 3, 1), "an unknown kind of term" },
		{ with_term(none, RCR_FORM_A_TERM, "TOT_CYC", 0, 0), "a weight of 0" },
		{ with_term(rate, RCR_FORM_A_TERM, "TOT_INS", RCR_TERM_COUNT, 1),
		  "a rate and a count in one sum" },
		{ with_term(none, RCR_FORM_A_TERM, "", RCR_TERM_GAUGE, 1), "a gauge without a name" },
		{ with_term(none, RCR_FORM_A_TERM, long_text(RCR_NAME_LEN), 0, 1),
		  "a counter's name that is too long" },
		{ with_text(rate, RCR_FORM_A_TERM, "TOT_CYC"), "a term that is a text" },
		{ with(rate, RCR_FORM_A_TERM | NLA_F_NESTED, "\4\0\2", 3), "half a term" },
		{ with_number(rate, RCR_FORM_A_TERM_BELOW + 1, 0), "an unknown attribute of a form" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused(RCR_CMD_METER_ADD, with_nest(name, RCR_A_FORM, cases[i].form), EINVAL,
			cases[i].what);
	refused(RCR_CMD_METER_ADD, with_text(name, RCR_A_FORM, "rate(TOT_CYC)"), EINVAL,
		"a form that is a text");
	refused(RCR_CMD_METER_ADD, with_event(name, "A", 0xc2), ENOENT,
		"counters for a meter that is not there");
}

/* One term more than a side has. */
static void long_form(void)
{
	struct attrs name = with_text(none, RCR_A_NAME, "no.such"), form = none;
	unsigned int i;

	for (i = 0; i <= RCR_FORM_TERMS; i++)
		form = with_term(form, RCR_FORM_A_TERM, "A", RCR_TERM_COUNT, 1);
	refused(RCR_CMD_METER_ADD, with_nest(name, RCR_A_FORM, form), E2BIG,
		"a form with too many terms");
}

/* Requests about meters change no set, and are refused when it has changed. */
static void meters(void)
{
	static const int cmds[] = {
		RCR_CMD_METER_REMOVE, RCR_CMD_METER_RESET, RCR_CMD_METER_MAXIMUM,
	};
	struct attrs name = with_text(none, RCR_A_NAME, "no.such");
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		refused(cmds[i], with_number(name, RCR_A_GENERATION, STALE), ESTALE,
			"a request about a meter in a generation to come");
	refused(RCR_CMD_METER_ADD, with_number(name, RCR_A_GENERATION, STALE), ESTALE,
		"a posted meter in a generation to come");
	refused(RCR_CMD_METER_ADD,
		with_number(with_nest(name, RCR_A_FORM, rate_form()), RCR_A_GENERATION, STALE),
		ESTALE, "a meter of a generation to come");
}

/* A program of another version is answered in no format, also where it asks for a list. */
static void versions(void)
{
	static const int cmds[] = { RCR_CMD_LOOK, RCR_CMD_COUNTERS, RCR_CMD_METERS };
	struct request r;
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		r = request(cmds[i], NULL, 0);
		r.genl.version = 1;
		expect(send_raw(&r, r.head.nlmsg_len), EPROTO, "a program of the first release");
	}
}

static void where(void)
{
	refused(RCR_CMD_WHERE, none, EINVAL, "where without an event");
	events(RCR_CMD_WHERE, none);
	refused(RCR_CMD_WHERE, with_event(none, "A", 0x10000), EINVAL,
		"where is an event that cannot be");
	refused(RCR_CMD_WHERE,
		with_nest(none, RCR_A_EVENT, with(event("A", RCR_EVENT_HARDWARE, 1),
						  RCR_EVENT_A_COUNTER, "c", 1)), EINVAL,
		"where is an event on a counter that is not there");
	refused(RCR_CMD_WHERE, with_event(with_event(none, "A", 1), "B", 2), EINVAL,
		"where are two events");
	refused(RCR_CMD_WHERE, with_text(none, RCR_A_NAME, "TOT_CYC"), EINVAL,
		"where is a name");
	refused(RCR_CMD_WHERE,
		with_number(with_event(none, "A", 1), RCR_A_GENERATION, 0),
		EINVAL, "where in a generation");
}

/* Each attribute there is, and some that are not, with each command: of a wrong length. */
static void lengths(void)
{
	struct { struct nlattr a; char bytes[12]; } cut = { .bytes = "abc" };
	int cmd, type;

	for (cmd = 1; cmd <= RCR_CMD_COUNTERS; cmd++) {
		if (cmd == RCR_CMD_CHANGED)
			continue;
		for (type = 1; type <= RCR_A_MAX + 3; type++) {
			refused(cmd, with(none, type, "abc", 3), EINVAL, "three bytes");
			refused(cmd, with(none, type, long_text(400), 400), EINVAL,
				"400 bytes");
			cut.a = (struct nlattr){ 2, type };
			expect(call(cmd, &cut, 8), EINVAL, "an attribute shorter than its head");
			cut.a.nla_len = 12;
			expect(call(cmd, &cut, 8), EINVAL, "an attribute cut in two");
		}
	}
}

#define BIT(n) (1ull << (n))
#define OF_A_CHANGE BIT(RCR_A_GENERATION)
#define OF_A_NAME (OF_A_CHANGE | BIT(RCR_A_NAME))
#define OF_A_METER (OF_A_NAME | BIT(RCR_A_FORM) | BIT(RCR_A_UNIT) | BIT(RCR_A_SCALE_NS) |	\
		    BIT(RCR_A_TYPE) | BIT(RCR_A_OVER) | BIT(RCR_A_DIGITS) |			\
		    BIT(RCR_A_PUBLIC) | BIT(RCR_A_EVENT))
#define OF_A_MAXIMUM (OF_A_NAME | BIT(RCR_A_OVER) | BIT(RCR_A_PLACE) | BIT(RCR_A_MAXIMUM) |	\
		      BIT(RCR_A_CONTENTION))
#define OF_A_VALUE (BIT(RCR_A_NAME) | BIT(RCR_A_VALUE) | BIT(RCR_A_PLACE) | BIT(RCR_A_STATUS))

/* A request that lacks nothing, with each attribute that its command does not know. */
static void each_unknown(int cmd, struct attrs whole, uint64_t takes)
{
	char what[64];
	int type;

	for (type = 0; type <= RCR_A_MAX + 3; type++) {
		if (takes & BIT(type))
			continue;
		snprintf(what, sizeof(what), "attribute %d of command %d", type, cmd);
		refused(cmd, with_number(whole, type, 1), EINVAL, what);
		refused(cmd, with_nest(whole, type, none), EINVAL, what);
	}
}

/* Every command, lists as well. Without the attribute it is another error, or none. */
static void unknown_attributes(void)
{
	struct attrs stale = with_number(none, RCR_A_GENERATION, STALE);
	struct attrs name = with_text(stale, RCR_A_NAME, "TOT_CYC");
	struct attrs some = with_event(stale, "A", 1);
	struct attrs mark = with_text(with_number(none, RCR_A_KIND, 1), RCR_A_TEXT, "x");
	struct attrs value = with_u64(with_text(none, RCR_A_NAME, "no.such"), RCR_A_VALUE, 1);
	struct {
		int cmd;
		struct attrs whole;
		uint64_t takes;
		int without;
	} rows[] = {
		{ RCR_CMD_LOOK, none, BIT(RCR_A_DEVICE), 0 },
		{ RCR_CMD_COUNTERS, none, BIT(RCR_A_DEVICE), 0 },
		{ RCR_CMD_METERS, none, BIT(RCR_A_DEVICE), 0 },
		{ RCR_CMD_WHERE, with_event(none, "A", 1), BIT(RCR_A_DEVICE) | BIT(RCR_A_EVENT), 0 },
		{ RCR_CMD_ADD, some, OF_A_CHANGE | BIT(RCR_A_EVENT), ESTALE },
		{ RCR_CMD_REMOVE, name, OF_A_NAME, ESTALE },
		{ RCR_CMD_HALT, name, OF_A_NAME, ESTALE },
		{ RCR_CMD_CONTINUE, name, OF_A_NAME, ESTALE },
		{ RCR_CMD_REWRITE, name, OF_A_NAME, ESTALE },
		{ RCR_CMD_REASSIGN, with_event(name, "A", 1), OF_A_NAME | BIT(RCR_A_EVENT), ESTALE },
		{ RCR_CMD_FINALIZE, stale, OF_A_CHANGE | BIT(RCR_A_HOLD), ESTALE },
		{ RCR_CMD_RESET, stale, OF_A_CHANGE, ESTALE },
		{ RCR_CMD_PERIOD, with_u64(stale, RCR_A_PERIOD_NS, 20000),
		  OF_A_CHANGE | BIT(RCR_A_PERIOD_NS), ESTALE },
		{ RCR_CMD_METER_ADD, name, OF_A_METER, ESTALE },
		{ RCR_CMD_METER_REMOVE, name, OF_A_NAME, ESTALE },
		{ RCR_CMD_METER_RESET, name, OF_A_NAME, ESTALE },
		{ RCR_CMD_METER_MAXIMUM, name, OF_A_MAXIMUM, ESTALE },
		{ RCR_CMD_METER_POST, value, OF_A_VALUE, ENOENT },
	};
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		refused(rows[i].cmd, rows[i].whole, rows[i].without, "a request that lacks nothing");
		each_unknown(rows[i].cmd, rows[i].whole, rows[i].takes);
	}
	/* It would succeed: no_marks() sees whether one has. */
	each_unknown(RCR_CMD_MARK, mark, BIT(RCR_A_KIND) | BIT(RCR_A_TEXT));
}

/* The same in nests: an event wherever one is taken, a form, and a term. */
static void unknown_nested(void)
{
	static const int of_event[] = { 0, RCR_EVENT_A_PAD, RCR_EVENT_A_MAX + 1, 1000 };
	static const int of_form[] = { 0, RCR_FORM_A_PAD, RCR_FORM_A_MAX + 1, 1000 };
	static const int of_term[] = { 0, RCR_TERM_A_MAX + 1, RCR_TERM_A_MAX + 2, 1000 };
	struct attrs stale = with_text(none, RCR_A_NAME, "TOT_CYC"), one;
	struct attrs cycles = term("TOT_CYC", RCR_TERM_RATE, 1);
	unsigned int i;

	for (i = 0; i < 4; i++) {
		one = with_number(event("A", RCR_EVENT_HARDWARE, 1), of_event[i], 1);
		refused(RCR_CMD_WHERE, with_nest(none, RCR_A_EVENT, one), EINVAL,
			"where is an event with an unknown attribute");
		refused(RCR_CMD_ADD, with_nest(none, RCR_A_EVENT, one), EINVAL,
			"an event is added with an unknown attribute");
		refused(RCR_CMD_REASSIGN, with_nest(stale, RCR_A_EVENT, one), EINVAL,
			"a counter is reassigned with an unknown attribute");
		one = with_nest(with_nest(stale, RCR_A_FORM, rate_form()), RCR_A_EVENT, one);
		refused(RCR_CMD_METER_ADD, one, EINVAL, "a meter's event with an unknown attribute");
		one = with_nest(stale, RCR_A_FORM, with_number(rate_form(), of_form[i], 1));
		refused(RCR_CMD_METER_ADD, one, EINVAL, "a form with an unknown attribute");
		one = with_nest(none, RCR_FORM_A_TERM, with_number(cycles, of_term[i], 1));
		refused(RCR_CMD_METER_ADD, with_nest(stale, RCR_A_FORM, one), EINVAL,
			"a term with an unknown attribute");
	}
}

/* Requests about meters that lack an attribute, or have a malformed one. */
static void malformed_meters(void)
{
	static const int cmds[] = {
		RCR_CMD_METER_REMOVE, RCR_CMD_METER_RESET, RCR_CMD_METER_MAXIMUM,
	};
	static const uint32_t statuses[] = { 0, RCR_STATUS_OK, RCR_STATUS_MISPLACED + 1, ~0u };
	struct attrs value = with_u64(none, RCR_A_VALUE, 1);
	struct attrs post = with_text(value, RCR_A_NAME, "no.such");
	struct attrs name = with_text(none, RCR_A_NAME, "no.such");
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		texts(cmds[i], none, RCR_A_NAME, RCR_METER_NAME_LEN - 1, ENOENT);
	texts(RCR_CMD_METER_ADD, none, RCR_A_NAME, RCR_METER_NAME_LEN - 1, EINVAL);
	texts(RCR_CMD_METER_POST, value, RCR_A_NAME, RCR_METER_NAME_LEN - 1, ENOENT);
	refused(RCR_CMD_METER_ADD, none, EINVAL, "a meter without a name");
	refused(RCR_CMD_METER_REMOVE, none, EINVAL, "no meter is removed");
	refused(RCR_CMD_METER_MAXIMUM, none, EINVAL, "the maximum of no meter");
	refused(RCR_CMD_METER_POST, name, EINVAL, "no value is posted");
	refused(RCR_CMD_METER_POST, value, EINVAL, "a value is posted to no meter");
	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		refused(RCR_CMD_METER_POST, with_number(post, RCR_A_STATUS, statuses[i]), EINVAL,
			"a status that is none, or OK");
	refused(RCR_CMD_METER_ADD, with_text(name, RCR_A_UNIT, long_text(RCR_METER_UNIT_LEN)),
		EINVAL, "a unit that is too long");
	refused(RCR_CMD_METER_ADD, with(name, RCR_A_PUBLIC, "\1", 1), EINVAL, "a flag of a byte");
	refused(RCR_CMD_METER_ADD, with(name, RCR_A_FORM | NLA_F_NESTED, "\4\0\2", 3), EINVAL,
		"half a form");
}

/* Numbers that are never right, each in a request that lacks nothing else. */
static void ranges(void)
{
	static const struct {
		int cmd, type;
		size_t size;
		uint64_t bad[2];
	} rows[] = {
		{ RCR_CMD_PERIOD, RCR_A_PERIOD_NS, 8, { 19999, 3600000000001 } },
		{ RCR_CMD_MARK, RCR_A_KIND, 4, { 0, RCR_MARK_END + 1 } },
		{ RCR_CMD_METER_ADD, RCR_A_OVER, 4, { RCR_PLACE_CPU + 1, ~0u } },
		{ RCR_CMD_METER_ADD, RCR_A_DIGITS, 4, { 10, ~0u } },
		{ RCR_CMD_METER_ADD, RCR_A_SCALE_NS, 8, { 0, RCR_SCALE_MAX_NS + 1 } },
		{ RCR_CMD_METER_ADD, RCR_A_TYPE, 4, { RCR_TIME_PEAK + 1, ~0u } },
		{ RCR_CMD_METER_MAXIMUM, RCR_A_OVER, 4, { RCR_PLACE_CPU + 1, ~0u } },
		{ RCR_CMD_METER_MAXIMUM, RCR_A_MAXIMUM, 8, { 1ull << 63, ~0ull } },
		{ RCR_CMD_METER_MAXIMUM, RCR_A_CONTENTION, 8, { 1ull << 63, ~0ull } },
	};
	struct attrs rest;
	unsigned int i;

	for (i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		rest = none;
		if (rows[i / 2].cmd == RCR_CMD_MARK)
			rest = with_text(rest, RCR_A_TEXT, "x");
		else if (rows[i / 2].cmd != RCR_CMD_PERIOD)
			rest = with_text(rest, RCR_A_NAME, "ranges");
		refused(rows[i / 2].cmd,
			with(rest, rows[i / 2].type, &rows[i / 2].bad[i % 2], rows[i / 2].size),
			EINVAL, "a number out of range");
	}
}

/* Descriptors of other files than /dev/rcrtool, or closed ones; @device is a valid one. */
static void holds(int device)
{
	struct attrs stale = with_number(none, RCR_A_GENERATION, STALE);
	int null = open("/dev/null", O_RDONLY), closed = dup(device);

	close(closed);
	refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, null), EBADF, "/dev/null holds");
	refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, fd), EBADF, "a socket holds");
	refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, closed), EBADF,
		"a closed descriptor holds");
	refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, 99999), EBADF,
		"what never was open holds");
	refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, -1), EBADF, "-1 holds");
	refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, 0x80000000), EBADF,
		"a negative number holds");
	refused(RCR_CMD_FINALIZE, with(none, RCR_A_HOLD, "\0", 2), EINVAL, "two bytes hold");
	refused(RCR_CMD_FINALIZE, with_number(stale, RCR_A_HOLD, device), ESTALE,
		"a hold in a generation to come");
	refused(RCR_CMD_HALT, with_number(none, RCR_A_HOLD, device), EINVAL, "a halt that holds");
	refused(RCR_CMD_RESET, with_number(none, RCR_A_HELD, 0), EINVAL, "a reset that is held");
	close(null);
}

/* Whatever was refused has marked nothing. */
static void no_marks(int device)
{
	static char buffer[1 << 16] __attribute__((aligned(8)));
	ssize_t got, at;

	while ((got = read(device, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size)
			if (((struct rcr_item *)(buffer + at))->type == RCR_ITEM_MARK) {
				puts("# a refused mark is in the stream");
				bad++;
			}
}

static struct attrs random_bytes(void)
{
	struct attrs a = { .size = rand() % 256 & ~3 };
	unsigned int k;

	for (k = 0; k < a.size; k++)
		a.bytes[k] = rand() % 3 ? 0 : rand();
	return a;
}

/* Attributes that are sound by themselves, known and unknown, below @last; nests at times. */
static struct attrs random_attrs(int last, unsigned int depth)
{
	struct attrs a = none;
	unsigned int n = rand() % 6;

	while (n--) {
		struct attrs data = random_bytes();
		int type = rand() % (last + 2);

		if (depth && rand() % 3 == 0)
			a = with_nest(a, type, random_attrs(RCR_EVENT_A_MAX + 1, depth - 1));
		else
			a = with(a, type, data.bytes, rand() % 2 ? 4 : data.size % 80);
	}
	return a;
}

/* Nests of nests below the attributes that are some. */
static struct attrs random_nests(void)
{
	struct attrs a = with_text(none, RCR_A_NAME, rand() % 2 ? "TOT_CYC" : "no.such");
	int type = rand() % 2 ? RCR_A_EVENT : RCR_A_FORM;

	return with_nest(a, type, random_attrs(RCR_EVENT_A_MAX + 1, 2));
}

/* Takes a command a generation? Those that do not change nothing. */
static bool changes(int cmd)
{
	return cmd != RCR_CMD_LOOK && cmd != RCR_CMD_WHERE && cmd != RCR_CMD_MARK &&
	       cmd != RCR_CMD_METERS && cmd != RCR_CMD_METER_POST &&
	       cmd != RCR_CMD_COUNTERS && cmd != RCR_CMD_CHANGED;
}

static struct attrs random_request(void)
{
	switch (rand() % 3) {
	case 0:
		return random_bytes();
	case 1:
		return random_attrs(__RCR_A_LAST, 1);
	default:
		return random_nests();
	}
}

/* Anything, a hundred times for each command. What could be right is for a generation to come. */
static void noise(void)
{
	unsigned int i;

	srand(3);
	for (i = 0; i < 100 * RCR_CMD_COUNTERS; i++) {
		struct attrs a = random_request();
		int cmd = 1 + i % RCR_CMD_COUNTERS;

		if (changes(cmd))
			a = with_number(a, RCR_A_GENERATION, STALE);
		call(cmd, a.bytes, a.size);
	}
}

/* No caller can program an event without CAP_SYS_RAWIO. */
static void programs_nothing(void)
{
	static const int cmds[] = {
		RCR_CMD_ADD, RCR_CMD_REMOVE, RCR_CMD_FINALIZE, RCR_CMD_RESET, RCR_CMD_PERIOD,
		RCR_CMD_HALT, RCR_CMD_CONTINUE, RCR_CMD_REWRITE, RCR_CMD_REASSIGN,
		RCR_CMD_METER_REMOVE, RCR_CMD_METER_RESET, RCR_CMD_METER_MAXIMUM,
	};
	struct attrs name = with_text(none, RCR_A_NAME, "rights.other");
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		refused(cmds[i], none, EPERM, "a change without CAP_SYS_RAWIO");
	refused(RCR_CMD_METER_ADD, with_nest(name, RCR_A_FORM, rate_form()), EPERM,
		"a meter with a form without CAP_SYS_RAWIO");
	refused(RCR_CMD_METER_ADD, with_event(name, "A", 0xc2), EPERM,
		"a meter that counts without CAP_SYS_RAWIO");
	refused(RCR_CMD_METER_ADD, with(name, RCR_A_PUBLIC, "", 0), EPERM,
		"a public meter without CAP_SYS_RAWIO");
}

static void posts(int wanted)
{
	struct attrs name = with_text(none, RCR_A_NAME, "rights.posted");
	struct attrs mark = with_number(none, RCR_A_KIND, RCR_MARK_TEXT);
	uint64_t value = 42;

	refused(RCR_CMD_MARK, with_text(mark, RCR_A_TEXT, "rights"), wanted, "a mark");
	refused(RCR_CMD_METER_ADD, name, wanted, "a posted meter");
	refused(RCR_CMD_METER_POST, with(name, RCR_A_VALUE, &value, sizeof(value)), wanted,
		"a value of a posted meter");
}

static void reads(struct attrs a, int wanted, const char *what)
{
	refused(RCR_CMD_LOOK, a, wanted, what);
	refused(RCR_CMD_METERS, a, wanted, what);
	refused(RCR_CMD_COUNTERS, a, wanted, what);
	refused(RCR_CMD_WHERE, with_event(a, "A", 0xc2), wanted, what);
}

static void rights(const char *who)
{
	bool perfmon = !strcmp(who, "perfmon"), has_device;
	int device = open(DEVICE, O_RDONLY), null = open("/dev/null", O_RDONLY);
	int otherwise = perfmon ? 0 : EPERM;

	has_device = device >= 0;
	if (has_device == !strcmp(who, "nobody")) {
		printf("# %s %s /dev/rcrtool\n", who, has_device ? "opens" : "cannot open");
		bad++;
	}
	programs_nothing();
	posts(otherwise);
	reads(none, otherwise, "reads with nothing");
	reads(with_number(none, RCR_A_DEVICE, null), otherwise, "reads with /dev/null");
	reads(with_number(none, RCR_A_DEVICE, fd), otherwise, "reads with a socket");
	reads(with_number(none, RCR_A_DEVICE, 99999), otherwise, "reads with a descriptor that is not open");
	reads(with_number(none, RCR_A_DEVICE, -1), otherwise, "reads with -1");
	reads(with(none, RCR_A_DEVICE, "\0", 2), EINVAL, "reads with two bytes");
	if (has_device)
		reads(with_number(none, RCR_A_DEVICE, device), 0, "reads with the device");
	refused(RCR_CMD_RESET, with_number(none, RCR_A_DEVICE, device), EINVAL,
		"a reset with the device");
}

static void connect_family(void)
{
	struct timeval wait = { .tv_sec = 5 };

	sock = nl_socket_alloc();
	if (!sock || genl_connect(sock))
		exit(1);
	family = genl_ctrl_resolve(sock, RCR_GENL_NAME);
	fd = nl_socket_get_fd(sock);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
}

/* The generation that the answer to a request has, 0: there is none; and its errno. */
static uint32_t ask_with(int cmd, struct attrs a, int *error)
{
	struct request r = request(cmd, a.bytes, a.size);
	struct {
		struct nlmsghdr head;
		char more[16384];
	} answer;
	struct nlattr *found;
	uint32_t generation = 0;

	*error = EIO;
	if (send(fd, &r, r.head.nlmsg_len, 0) < 0)
		return 0;
	while (recv(fd, &answer, sizeof(answer), 0) > 0) {
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

static uint32_t ask_generation(int cmd)
{
	int error;

	return ask_with(cmd, none, &error);
}

/**
 * struct contest - what one of two controllers has seen
 * @changes: that it has made
 * @stale: requests that were refused
 * @wrong: answers with another generation than that of the request's own change
 */
struct contest {
	unsigned int changes;
	unsigned int stale;
	unsigned int wrong;
};

/*
 * Each request is based on the generation of the answer before, a refused one's included.
 * Every second one changes no set: it is carried out in the generation that it is based on.
 */
static void contend(struct contest *c, unsigned int requests)
{
	uint32_t seen = ask_generation(RCR_CMD_LOOK), answered;
	unsigned int i;
	int error;

	for (i = 0; i < requests; i++) {
		bool changing = i % 2;

		answered = ask_with(changing ? RCR_CMD_CONTINUE : RCR_CMD_METER_RESET,
				    with_number(none, RCR_A_GENERATION, seen), &error);
		if (error == ESTALE)
			c->stale++;
		else if (!error)
			c->changes += changing;
		c->wrong += error == ESTALE ? answered == seen :
			    error || answered != seen + changing;
		seen = answered;
	}
}

/* Two controllers at once: of all requests those based on the current generation are carried out. */
static void interleaved(unsigned int requests)
{
	struct contest *c = mmap(NULL, 2 * sizeof(*c), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t before = ask_generation(RCR_CMD_LOOK), after;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (fork())
			continue;
		connect_family();
		contend(&c[i], requests);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	after = ask_generation(RCR_CMD_LOOK);
	printf("# changes %u and %u, refused %u and %u, wrong %u and %u, generations %u\n",
	       c[0].changes, c[1].changes, c[0].stale, c[1].stale, c[0].wrong, c[1].wrong,
	       after - before);
	bad += !c[0].changes || !c[1].changes || !(c[0].stale + c[1].stale) || c[0].wrong ||
	       c[1].wrong || after - before != c[0].changes + c[1].changes;
}

#define CONTROLLERS 4

/* Each of the generations that were made is in one answer. */
static void check_generations(const uint32_t *answered, unsigned int count, uint32_t first)
{
	unsigned int *times = calloc(count, sizeof(*times)), i, odd = 0;

	for (i = 0; i < count; i++)
		if (answered[i] - first < count)
			times[answered[i] - first]++;
	for (i = 0; i < count; i++)
		odd += times[i] != 1;
	free(times);
	if (!odd)
		return;
	printf("# of %u generations %u are not in one answer\n", count, odd);
	bad++;
}

static void wrong(const char *what)
{
	printf("# %s\n", what);
	bad++;
}

static bool is_readable(int descriptor, int ms)
{
	struct pollfd p = { .fd = descriptor, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

static void expect_no_change(struct rcr_changes *changes)
{
	uint32_t generation;

	if (!changes)
		return wrong("the group cannot be joined");
	if (is_readable(rcr_changes_fd(changes), 0))
		wrong("there is something to read before any change");
	if (rcr_changes_next(changes, &generation) != -1 || errno != EAGAIN)
		wrong("there is a change before any");
}

/* Each is announced once, in order, and can be seen by then. */
static void check_changes(struct rcr_changes *changes, unsigned int count, uint32_t first)
{
	uint32_t generation, i;

	if (!changes)
		return;
	for (i = 0; i < count; i++)
		if (!is_readable(rcr_changes_fd(changes), 1000) ||
		    rcr_changes_next(changes, &generation) || generation != first + i) {
			printf("# change %u of %u is not announced in its place\n", i, count);
			bad++;
			return;
		}
	if (rcr_changes_next(changes, &generation) != -1 || errno != EAGAIN)
		wrong("more changes are announced than were made");
}

/* A socket of its own in the group, whose messages are seen as they are. */
static struct nl_sock *group;

static void join_group(void)
{
	struct timeval wait = { .tv_sec = 5 };

	group = nl_socket_alloc();
	if (!group || genl_connect(group) ||
	    nl_socket_add_membership(group, genl_ctrl_resolve_grp(group, RCR_GENL_NAME,
								  RCR_GENL_CHANGES)))
		wrong("the group cannot be joined");
	setsockopt(nl_socket_get_fd(group), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
}

/* The first message is a generation, and nothing else. */
static void check_messages(uint32_t first)
{
	struct request r;
	uint32_t generation;

	if (recv(nl_socket_get_fd(group), &r, sizeof(r), 0) !=
	    NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN + (ssize_t)sizeof(generation))
		wrong("a message of the group has more in it than a generation");
	memcpy(&generation, r.attrs + NLA_HDRLEN, sizeof(generation));
	if (r.head.nlmsg_type != family || r.genl.cmd != RCR_CMD_CHANGED ||
	    ((struct nlattr *)r.attrs)->nla_type != RCR_A_GENERATION || generation != first)
		wrong("a message of the group is something else");
	nl_socket_free(group);
}

/* A socket that is not read learns that messages were lost. */
static void overrun(struct rcr_changes *changes)
{
	uint32_t generation;
	int least = 1, i;
	bool lost = false;

	if (!changes)
		return;
	setsockopt(rcr_changes_fd(changes), SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
	for (i = 0; i < 200; i++)
		ask_generation(RCR_CMD_CONTINUE);
	while (!rcr_changes_next(changes, &generation) || errno == ENOBUFS)
		lost = lost || errno == ENOBUFS;
	if (!lost)
		wrong("changes were lost, and no error reports it");
}

static int listen_once(void)
{
	struct rcr_changes *changes = rcr_changes_open();
	uint32_t generation;

	if (!changes)
		return 1;
	puts("joined");
	fflush(stdout);
	if (!is_readable(rcr_changes_fd(changes), 10000) ||
	    rcr_changes_next(changes, &generation))
		return 2;
	printf("%u\n", generation);
	return 0;
}

static void generations(unsigned int number)
{
	unsigned int i, k, count = CONTROLLERS * number;
	uint32_t *answered = mmap(NULL, count * sizeof(*answered), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t first = ask_generation(RCR_CMD_LOOK) + 1;
	struct rcr_changes *changes = rcr_changes_open();

	join_group();
	expect_no_change(changes);
	for (i = 0; i < CONTROLLERS; i++) {
		if (fork())
			continue;
		connect_family();
		for (k = 0; k < number; k++)
			answered[i * number + k] = ask_generation(RCR_CMD_CONTINUE);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	check_generations(answered, count, first);
	check_changes(changes, count, first);
	check_messages(first);
	overrun(changes);
	rcr_changes_close(changes);
}

/*
 * A list of more than one part, whose first has been made when the change comes. Parts are as
 * large as the largest read of a socket so far, so that it has one of its own.
 */
static void dump(int cmd, int change, struct attrs a, const char *what)
{
	struct request r = request(cmd, NULL, 0);
	int other = fd, dumping = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	struct answer answer = { };
	unsigned int parts = 0, before = 0;

	if (send(dumping, &r, r.head.nlmsg_len, 0) < 0)
		wrong("a dump cannot be asked for");
	if (change)
		refused(change, a, 0, what);
	fd = dumping;
	while (!answer.over && !take_part(&answer, 8192)) {
		parts += answer.messages > before;
		before = answer.messages;
	}
	if (parts < 2 || answer.error || !answer.messages) {
		printf("# %s: %u parts, %u messages, %s\n", what, parts, answer.messages,
		       strerror(answer.error));
		bad++;
	}
	if (answer.interrupted != !!change) {
		printf("# %s: the dump is %sinterrupted\n", what, change ? "not " : "");
		bad++;
	}
	close(dumping);
	fd = other;
}

/* A meter with all the terms of a form, and the longest names. */
static struct attrs longest_meter(const char *name)
{
	char counter[RCR_NAME_LEN];
	struct attrs form = none;
	unsigned int i;

	for (i = 0; i < 2 * RCR_FORM_TERMS; i++) {
		memset(counter, 'a', sizeof(counter));
		snprintf(counter + RCR_NAME_LEN - 3, 3, "%02u", i % RCR_FORM_TERMS);
		form = with_term(form, i < RCR_FORM_TERMS ? RCR_FORM_A_TERM : RCR_FORM_A_TERM_BELOW,
				 counter, RCR_TERM_COUNT, 1);
	}
	return with_nest(with_text(none, RCR_A_NAME, name), RCR_A_FORM, form);
}

static void dumps(void)
{
	struct attrs added = with_event(none, "CHANGE", 0xc2);
	struct attrs name = with_text(none, RCR_A_NAME, "CHANGE");
	char text[RCR_NAME_LEN];
	struct attrs long_event;
	unsigned int i;

	for (i = 0; i < 24; i++) {
		snprintf(text, sizeof(text),
			 "AN_EVENT_WITH_A_NAME_THAT_IS_AS_LONG_AS_NAMES_MAY_BE_%02u", i);
		long_event = with_number(event(text, RCR_EVENT_HARDWARE, 0x76),
					 RCR_EVENT_A_UMASK, i + 1);
		long_event = with(long_event, RCR_EVENT_A_CMASK, "\1", 1);
		long_event = with_number(long_event, RCR_EVENT_A_FLAGS,
					 RCR_EVENT_INV | RCR_EVENT_EDGE);
		refused(RCR_CMD_ADD, with_nest(none, RCR_A_EVENT, long_event), 0,
			"one of many events");
	}
	dump(RCR_CMD_COUNTERS, 0, none, "counters");
	dump(RCR_CMD_COUNTERS, RCR_CMD_ADD, added, "counters, and one is added");
	dump(RCR_CMD_COUNTERS, RCR_CMD_REMOVE, name, "counters, and one is removed");
	refused(RCR_CMD_METER_ADD, longest_meter("longest"), 0, "the longest meter");
	dump(RCR_CMD_METERS, 0, none, "meters, and the longest");
	dump(RCR_CMD_METERS, RCR_CMD_METER_ADD, name, "meters, and one is added");
	dump(RCR_CMD_METERS, RCR_CMD_METER_REMOVE, name, "meters, and one is removed");
	refused(RCR_CMD_METER_REMOVE, with_text(none, RCR_A_NAME, "longest"), 0,
		"the longest meter goes");
}

int main(int argc, char **argv)
{
	int device = open(DEVICE, O_RDONLY | O_NONBLOCK);

	if (argc == 2 && !strcmp(argv[1], "listen"))
		return listen_once();
	connect_family();
	if (argc == 2 && !strcmp(argv[1], "dumps")) {
		dumps();
		return bad > 0;
	}
	if (argc > 2) {
		if (!strcmp(argv[1], "interleaved"))
			interleaved(atoi(argv[2]));
		else
			generations(atoi(argv[2]));
		return bad > 0;
	}
	if (argc > 1) {
		rights(argv[1]);
		return bad > 0;
	}
	truncated();
	unknown();
	named();
	reassign();
	marks();
	forms();
	long_form();
	meters();
	versions();
	where();
	lengths();
	unknown_attributes();
	unknown_nested();
	malformed_meters();
	ranges();
	holds(device);
	no_marks(device);
	noise();
	no_marks(device);
	close(device);
	return bad > 0;
}
