// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_malformed.c - requests with one malformed part each, and random requests.
 */
#include "netlink.h"

static void check_truncated(void)
{
	struct { struct nlattr a; char text[12]; } name = {
		{ sizeof(name), RCR_A_NAME }, "E=event:0xc2",
	};
	struct request r;

	expect_error(call_family(RCR_CMD_REMOVE, &name, sizeof(name)), EINVAL, "a text without its terminating 0");
	name.a.nla_len = 400;
	expect_error(call_family(RCR_CMD_REMOVE, &name, sizeof(name)), EINVAL, "an attribute longer than the message");
	name.a.nla_len = 2;
	expect_error(call_family(RCR_CMD_REMOVE, &name, sizeof(name)), EINVAL, "an attribute shorter than its header");
	expect_error(call_family(RCR_CMD_ADD, NULL, 0), EINVAL, "no attribute at all");
	expect_error(call_family(RCR_CMD_PERIOD, NULL, 0), EINVAL, "no period");
	r = make_request(RCR_CMD_RESET, NULL, 0);
	r.head.nlmsg_len = NLMSG_HDRLEN + 2;
	expect_error(send_raw(&r, r.head.nlmsg_len), EINVAL, "a truncated netlink header");
}

static void check_unknown(void)
{
	struct { struct nlattr a; uint32_t val; } number = {
		{ 8, __RCR_A_LAST + 5 }, 1,
	};
	struct { struct nlattr a; char text[600]; } text = {
		{ sizeof(text), RCR_A_EVENT }, "",
	};
	struct request r;

	expect_error(call_family(RCR_CMD_RESET, &number, 8), EINVAL, "an unknown attribute");
	number.a.nla_type = RCR_A_PERIOD_NS;
	expect_error(call_family(RCR_CMD_RESET, &number, 8), EINVAL, "an attribute of another command");
	expect_error(call_family(RCR_CMD_PERIOD, &number, 8), EINVAL, "a period attribute of four bytes");
	number.a.nla_type = RCR_A_GENERATION;
	number.a.nla_len = 6;
	expect_error(call_family(RCR_CMD_RESET, &number, 8), EINVAL, "a generation of two bytes");
	number.a.nla_len = 8;
	number.val = 0xfffffff0;
	expect_error(call_family(RCR_CMD_RESET, &number, 8), ESTALE, "a future generation");
	expect_error(call_family(RCR_CMD_LOOK, &number, 8), EINVAL, "a generation in a request that takes none");
	expect_error(call_family(200, NULL, 0), EOPNOTSUPP, "an unknown command");
	memset(text.text, 'a', sizeof(text.text) - 1);
	expect_error(call_family(RCR_CMD_ADD, &text, sizeof(text)), EINVAL, "an event that is too long");
	r = make_request(RCR_CMD_RESET, NULL, 0);
	r.genl.reserved = 1;
	expect_error(send_raw(&r, r.head.nlmsg_len), EINVAL, "a reserved field that is not 0");
	r = make_request(RCR_CMD_RESET, NULL, 0);
	r.head.nlmsg_flags |= NLM_F_DUMP;
	expect_error(send_raw(&r, r.head.nlmsg_len), EOPNOTSUPP, "a dump of a command that has no list");
	r = make_request(RCR_CMD_METERS, NULL, 0);
	r.head.nlmsg_flags &= ~NLM_F_DUMP;
	expect_error(send_raw(&r, r.head.nlmsg_len), EOPNOTSUPP, "a request for a list without NLM_F_DUMP");
	expect_error(call_family(RCR_CMD_CHANGED, NULL, 0), EOPNOTSUPP, "RCR_CMD_CHANGED as a request");
}

/* Return a string of @size characters. */
static const char *long_text(size_t size)
{
	static char text[512];

	memset(text, 'a', size);
	text[size] = 0;
	return text;
}

#define STALE 0xfffffff0

/* Send complete requests with a malformed text attribute. */
static void check_texts(int cmd, struct attrs a, int type, size_t longest, int unknown_text)
{
	expect_refused(cmd, with_text(a, type, ""), unknown_text, "an empty text");
	expect_refused(cmd, with_text(a, type, "\377\n;no such thing"), unknown_text, "an unknown text");
	expect_refused(cmd, with_text(a, type, long_text(longest + 1)), EINVAL, "a text that is too long");
	expect_refused(cmd, with_bytes(a, type, "abcd", 4), EINVAL, "a text without its terminating 0");
	expect_refused(cmd, with_bytes(a, type, "", 0), EINVAL, "a text of no bytes");
}

/* Send complete requests with an impossible event. */
static void check_events(int cmd, struct attrs a)
{
	struct attrs name = with_text(none, RCR_EVENT_A_NAME, "A");
	struct attrs one = make_event("A", RCR_EVENT_HARDWARE, 1);
	struct {
		struct attrs event;
		const char *what;
	} cases[] = {
		{ none, "an event without attributes" },
		{ name, "an event without a type" },
		{ with_number(none, RCR_EVENT_A_TYPE, 0), "an event without a name" },
		{ make_event("", 0, 1), "an event whose name is empty" },
		{ make_event("../x", 0, 1), "an event with a name that is a path" },
		{ make_event("a b", 0, 1), "an event with a name of two words" },
		{ make_event(long_text(RCR_NAME_LEN), 0, 1), "an event with a name that is too long" },
		{ make_event("A", RCR_EVENT_REGISTER + 1, 1), "an event of an unknown type" },
		{ make_event("A", 0, 0x10000), "an event number that is too large" },
		{ make_event("A", RCR_EVENT_SOFTWARE, 9), "the dummy software event" },
		{ make_event("A", RCR_EVENT_SOFTWARE, 64), "an unknown software event" },
		{ make_event("A", RCR_EVENT_TRACEPOINT, 1), "the tracepoint of every kernel function" },
		{ with_number(make_event("A", RCR_EVENT_PMU, 1), RCR_EVENT_A_PMU, 4),
		  "a PMU event of the kernel's raw core PMU" },
		{ with_number(make_event("A", RCR_EVENT_PMU, 1), RCR_EVENT_A_PMU, 0x10000),
		  "a PMU type that is too large" },
		{ with_number(make_event("A", RCR_EVENT_PMU, 1), RCR_EVENT_A_SCOPE, 5),
		  "a PMU event with an unknown scope" },
		{ with_number(one, RCR_EVENT_A_PMU, 6), "a hardware event with a PMU type" },
		{ with_number(one, RCR_EVENT_A_FLAGS, 0x200), "an event with an unknown flag" },
		{ with_number(one, RCR_EVENT_A_FLAGS, RCR_EVENT_JOULES), "a hardware event with the flag for joules" },
		{ with_number(make_event("A", RCR_EVENT_SOFTWARE, 1), RCR_EVENT_A_FLAGS, 1),
		  "a software event with flags" },
		{ with_number(make_event("A", RCR_EVENT_SOFTWARE, 1), RCR_EVENT_A_UMASK, 1),
		  "a software event with a unit mask" },
		{ with_text(one, RCR_EVENT_A_UNIT, "no such"), "an event with an invalid unit name" },
		{ with_text(one, RCR_EVENT_A_UNIT, "a-unit-of-16-bytes"), "a unit name that is too long" },
		{ with_bytes(one, RCR_EVENT_A_UMASK, "ab", 2), "a unit mask of two bytes" },
		{ with_bytes(one, RCR_EVENT_A_CMASK, "abcd", 4), "a counter mask of four bytes" },
		{ with_number(one, __RCR_EVENT_A_LAST, 1), "an event with an unknown attribute" },
		{ with_bytes(one, RCR_EVENT_A_NAME, "abcd", 4), "an event name without its terminating 0" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refused(cmd, with_nest(a, RCR_A_EVENT, cases[i].event), EINVAL, cases[i].what);
	expect_refused(cmd, with_text(a, RCR_A_EVENT, "A=event:1"), EINVAL, "an event that is a text");
	expect_refused(cmd, with_bytes(a, RCR_A_EVENT, one.bytes, one.size), EINVAL,
		       "an event that is not marked as a nest");
	expect_refused(cmd, with_bytes(a, RCR_A_EVENT | NLA_F_NESTED, "\4\0\2", 3), EINVAL, "a truncated nest");
	expect_refused(cmd, with_bytes(a, RCR_A_EVENT, "", 0), EINVAL, "an event of no bytes");
}

static void check_named(void)
{
	static const int cmds[] = {
		RCR_CMD_REMOVE, RCR_CMD_HALT, RCR_CMD_CONTINUE, RCR_CMD_REWRITE,
	};
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		check_texts(cmds[i], none, RCR_A_NAME, RCR_NAME_LEN - 1, ENOENT);
		expect_refused(cmds[i], with_number(none, RCR_A_GENERATION, STALE), ESTALE,
			       "all counters, with a future generation");
		expect_refused(cmds[i], with_event(none, "A", 1), EINVAL,
			       "an event in a request that takes a name");
		expect_refused(cmds[i], with_text(none, RCR_A_TEXT, "TOT_CYC"), EINVAL,
			       "a mark's text in a request that takes a name");
	}
}

static void check_reassign(void)
{
	struct attrs name = with_text(none, RCR_A_NAME, "TOT_CYC");
	struct attrs some = with_event(none, "A", 1);

	expect_refused(RCR_CMD_REASSIGN, none, EINVAL, "a reassignment with neither name nor event");
	expect_refused(RCR_CMD_REASSIGN, name, EINVAL, "a reassignment without an event");
	expect_refused(RCR_CMD_REASSIGN, some, EINVAL, "a reassignment without a name");
	check_texts(RCR_CMD_REASSIGN, some, RCR_A_NAME, RCR_NAME_LEN - 1, ENOENT);
	check_events(RCR_CMD_REASSIGN, name);
	expect_refused(RCR_CMD_REASSIGN, with_event(with_event(name, "A", 1), "B", 2), EINVAL,
		       "a reassignment to two events");
	expect_refused(RCR_CMD_REASSIGN, with_event(name, "TOT_INS", 1),
		       EEXIST, "a reassignment to the name of another counter");
	expect_refused(RCR_CMD_REASSIGN,
		       with_number(with_event(name, "A", 1), RCR_A_GENERATION, STALE),
		ESTALE, "a reassignment with a future generation");
}

static void check_marks(void)
{
	static const char *const texts_of_marks[] = {
		"a\nb", "\tb", "a\033[2J", "a\177", "\n", "a\302\23331m",
	};
	struct attrs kind = with_number(none, RCR_A_KIND, RCR_MARK_TEXT);
	struct attrs text = with_text(none, RCR_A_TEXT, "x");
	static const uint32_t kinds[] = { 0, RCR_MARK_VERDICT + 1, 0x10001, ~0u };
	unsigned int i;

	expect_refused(RCR_CMD_MARK, none, EINVAL, "a mark with neither kind nor text");
	expect_refused(RCR_CMD_MARK, kind, EINVAL, "a mark without a text");
	expect_refused(RCR_CMD_MARK, text, EINVAL, "a mark without a kind");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		expect_refused(RCR_CMD_MARK, with_number(text, RCR_A_KIND, kinds[i]), EINVAL,
			       "a mark of an unknown kind");
	expect_refused(RCR_CMD_MARK, with_bytes(text, RCR_A_KIND, "\1", 2), EINVAL, "a mark whose kind has two bytes");
	check_texts(RCR_CMD_MARK, kind, RCR_A_TEXT, RCR_MARK_LEN - 1, EINVAL);
	for (i = 0; i < sizeof(texts_of_marks) / sizeof(texts_of_marks[0]); i++)
		expect_refused(RCR_CMD_MARK, with_text(kind, RCR_A_TEXT, texts_of_marks[i]), EINVAL,
			       "a mark with a control character");
	expect_refused(RCR_CMD_MARK, with_number(with_text(kind, RCR_A_TEXT, "x"), RCR_A_GENERATION, 0),
		       EINVAL, "a mark with a generation");
}

/* Malformed forms must not add a meter. */
static void check_forms(void)
{
	static const uint64_t zero;
	struct attrs name = with_text(none, RCR_A_NAME, "no.such"), rate = rate_form();
	struct attrs below = with_term(rate, RCR_FORM_A_TERM_BELOW, "TOT_INS", RCR_TERM_COUNT, 1);
	struct {
		struct attrs form;
		const char *what;
	} cases[] = {
		{ none, "a form without attributes" },
		{ with_term(none, RCR_FORM_A_TERM_BELOW, "TOT_CYC", 0, 1), "a form without terms above the line" },
		{ with_bytes(rate, RCR_FORM_A_DENOMINATOR, &zero, 8), "a form with a denominator of 0" },
		{ with_bytes(rate, RCR_FORM_A_NUMERATOR, &zero, 4), "a form with a numerator of four bytes" },
		{ with_number(rate, RCR_FORM_A_REDUCTION, 4), "a form with an unknown reduction" },
		{ with_number(below, RCR_FORM_A_REDUCTION_BELOW, 4), "a form with an unknown reduction of the divisor" },
		{ with_bytes(with_number(below, RCR_FORM_A_REDUCTION_BELOW, 1), RCR_FORM_A_PER_CPU, "", 0),
		  "a form per CPU with a reduction of the divisor" },
		{ with_term(none, RCR_FORM_A_TERM, "TOT_CYC", 3, 1), "a term of an unknown kind" },
		{ with_term(none, RCR_FORM_A_TERM, "TOT_CYC", 0, 0), "a term with a weight of 0" },
		{ with_term(rate, RCR_FORM_A_TERM, "TOT_INS", RCR_TERM_COUNT, 1),
		  "a rate and a count in one sum" },
		{ with_term(none, RCR_FORM_A_TERM, "", RCR_TERM_GAUGE, 1), "a gauge without a name" },
		{ with_term(none, RCR_FORM_A_TERM, long_text(RCR_NAME_LEN), 0, 1),
		  "a counter's name that is too long" },
		{ with_text(rate, RCR_FORM_A_TERM, "TOT_CYC"), "a term that is a text" },
		{ with_bytes(rate, RCR_FORM_A_TERM | NLA_F_NESTED, "\4\0\2", 3), "a truncated term" },
		{ with_number(rate, RCR_FORM_A_TERM_BELOW + 1, 0), "an unknown attribute of a form" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refused(RCR_CMD_METER_ADD, with_nest(name, RCR_A_FORM, cases[i].form), EINVAL,
			       cases[i].what);
	expect_refused(RCR_CMD_METER_ADD, with_text(name, RCR_A_FORM, "rate(TOT_CYC)"), EINVAL,
		       "a form that is a text");
	expect_refused(RCR_CMD_METER_ADD, with_event(name, "A", 0xc2), ENOENT,
		       "an event for a meter that does not exist");
}

/* Send a form with one term more than a side may have. */
static void long_form(void)
{
	struct attrs name = with_text(none, RCR_A_NAME, "no.such"), form = none;
	unsigned int i;

	for (i = 0; i <= RCR_FORM_TERMS; i++)
		form = with_term(form, RCR_FORM_A_TERM, "A", RCR_TERM_COUNT, 1);
	expect_refused(RCR_CMD_METER_ADD, with_nest(name, RCR_A_FORM, form), E2BIG,
		       "a form with too many terms");
}

/* Requests about meters do not change the set, and are refused if the set has changed. */
static void check_meters(void)
{
	static const int cmds[] = {
		RCR_CMD_METER_REMOVE, RCR_CMD_METER_RESET, RCR_CMD_METER_MAXIMUM,
	};
	struct attrs name = with_text(none, RCR_A_NAME, "no.such");
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		expect_refused(cmds[i], with_number(name, RCR_A_GENERATION, STALE), ESTALE,
			       "a meter request with a future generation");
	expect_refused(RCR_CMD_METER_ADD, with_number(name, RCR_A_GENERATION, STALE), ESTALE,
		       "a posted meter with a future generation");
	expect_refused(RCR_CMD_METER_ADD,
		       with_number(with_nest(name, RCR_A_FORM, rate_form()), RCR_A_GENERATION, STALE),
		ESTALE, "a meter with a form and a future generation");
}

/* A request of another protocol version gets only an error, even if it asks for a list. */
static void check_versions(void)
{
	static const int cmds[] = { RCR_CMD_LOOK, RCR_CMD_COUNTERS, RCR_CMD_METERS };
	struct request r;
	unsigned int i;

	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		r = make_request(cmds[i], NULL, 0);
		r.genl.version = 1;
		expect_error(send_raw(&r, r.head.nlmsg_len), EPROTO, "a request of protocol version 1");
	}
}

static void check_where(void)
{
	expect_refused(RCR_CMD_WHERE, none, EINVAL, "a where request without an event");
	check_events(RCR_CMD_WHERE, none);
	expect_refused(RCR_CMD_WHERE, with_event(none, "A", 0x10000), EINVAL,
		       "a where request for an event number that is too large");
	expect_refused(RCR_CMD_WHERE,
		       with_nest(none, RCR_A_EVENT, with_bytes(make_event("A", RCR_EVENT_HARDWARE, 1),
							       RCR_EVENT_A_COUNTER, "c", 1)), EINVAL,
		"a where request for a counter that does not exist");
	expect_refused(RCR_CMD_WHERE, with_event(with_event(none, "A", 1), "B", 2), EINVAL,
		       "a where request for two events");
	expect_refused(RCR_CMD_WHERE, with_text(none, RCR_A_NAME, "TOT_CYC"), EINVAL,
		       "a where request with a name");
	expect_refused(RCR_CMD_WHERE,
		       with_number(with_event(none, "A", 1), RCR_A_GENERATION, 0),
		EINVAL, "a where request with a generation");
}

/* Send each attribute, and some unknown ones, with a wrong length to each command. */
static void check_lengths(void)
{
	struct { struct nlattr a; char bytes[12]; } cut = { .bytes = "abc" };
	int cmd, type;

	for (cmd = 1; cmd <= RCR_CMD_COUNTERS; cmd++) {
		if (cmd == RCR_CMD_CHANGED)
			continue;
		for (type = 1; type <= RCR_A_MAX + 3; type++) {
			expect_refused(cmd, with_bytes(none, type, "abc", 3), EINVAL, "an attribute of three bytes");
			expect_refused(cmd, with_bytes(none, type, long_text(400), 400), EINVAL,
				       "an attribute of 400 bytes");
			cut.a = (struct nlattr){ 2, type };
			expect_error(call_family(cmd, &cut, 8), EINVAL, "an attribute shorter than its header");
			cut.a.nla_len = 12;
			expect_error(call_family(cmd, &cut, 8), EINVAL, "a truncated attribute");
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

/* Add each attribute that the command does not know to a complete request. */
static void each_unknown(int cmd, struct attrs whole, uint64_t takes)
{
	char what[64];
	int type;

	for (type = 0; type <= RCR_A_MAX + 3; type++) {
		if (takes & BIT(type))
			continue;
		snprintf(what, sizeof(what), "unknown attribute %d of command %d", type, cmd);
		expect_refused(cmd, with_number(whole, type, 1), EINVAL, what);
		expect_refused(cmd, with_nest(whole, type, none), EINVAL, what);
	}
}

/* Send each command, dumps included, with unknown attributes in an otherwise valid request. */
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
		expect_refused(rows[i].cmd, rows[i].whole, rows[i].without, "a complete request");
		each_unknown(rows[i].cmd, rows[i].whole, rows[i].takes);
	}
	/* The mark itself is valid and current, so no_marks() checks that none was written. */
	each_unknown(RCR_CMD_MARK, mark, BIT(RCR_A_KIND) | BIT(RCR_A_TEXT));
}

/*
 * Add unknown attributes to nests: to events in each command that takes one, to forms and to terms.
 */
static void unknown_nested(void)
{
	static const int of_event[] = { 0, RCR_EVENT_A_PAD, RCR_EVENT_A_MAX + 1, 1000 };
	static const int of_form[] = { 0, RCR_FORM_A_PAD, RCR_FORM_A_MAX + 1, 1000 };
	static const int of_term[] = { 0, RCR_TERM_A_MAX + 1, RCR_TERM_A_MAX + 2, 1000 };
	struct attrs stale = with_text(none, RCR_A_NAME, "TOT_CYC"), one;
	struct attrs cycles = make_term("TOT_CYC", RCR_TERM_RATE, 1);
	unsigned int i;

	for (i = 0; i < 4; i++) {
		one = with_number(make_event("A", RCR_EVENT_HARDWARE, 1), of_event[i], 1);
		expect_refused(RCR_CMD_WHERE, with_nest(none, RCR_A_EVENT, one), EINVAL,
			       "a where request for an event with an unknown attribute");
		expect_refused(RCR_CMD_ADD, with_nest(none, RCR_A_EVENT, one), EINVAL,
			       "an added event with an unknown attribute");
		expect_refused(RCR_CMD_REASSIGN, with_nest(stale, RCR_A_EVENT, one), EINVAL,
			       "a reassignment to an event with an unknown attribute");
		one = with_nest(with_nest(stale, RCR_A_FORM, rate_form()), RCR_A_EVENT, one);
		expect_refused(RCR_CMD_METER_ADD, one, EINVAL, "a meter's event with an unknown attribute");
		one = with_nest(stale, RCR_A_FORM, with_number(rate_form(), of_form[i], 1));
		expect_refused(RCR_CMD_METER_ADD, one, EINVAL, "a form with an unknown attribute");
		one = with_nest(none, RCR_FORM_A_TERM, with_number(cycles, of_term[i], 1));
		expect_refused(RCR_CMD_METER_ADD, with_nest(stale, RCR_A_FORM, one), EINVAL,
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
		check_texts(cmds[i], none, RCR_A_NAME, RCR_METER_NAME_LEN - 1, ENOENT);
	check_texts(RCR_CMD_METER_ADD, none, RCR_A_NAME, RCR_METER_NAME_LEN - 1, EINVAL);
	check_texts(RCR_CMD_METER_POST, value, RCR_A_NAME, RCR_METER_NAME_LEN - 1, ENOENT);
	expect_refused(RCR_CMD_METER_ADD, none, EINVAL, "a meter without a name");
	expect_refused(RCR_CMD_METER_REMOVE, none, EINVAL, "the removal of a meter without its name");
	expect_refused(RCR_CMD_METER_MAXIMUM, none, EINVAL, "a maximum without the name of a meter");
	expect_refused(RCR_CMD_METER_POST, name, EINVAL, "a post without a value");
	expect_refused(RCR_CMD_METER_POST, value, EINVAL, "a post without the name of a meter");
	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		expect_refused(RCR_CMD_METER_POST, with_number(post, RCR_A_STATUS, statuses[i]), EINVAL,
			       "a post with status OK or an unknown status");
	expect_refused(RCR_CMD_METER_ADD, with_text(name, RCR_A_UNIT, long_text(RCR_METER_UNIT_LEN)),
		       EINVAL, "a unit name that is too long");
	expect_refused(RCR_CMD_METER_ADD, with_bytes(name, RCR_A_PUBLIC, "\1", 1), EINVAL, "a flag with a byte of data");
	expect_refused(RCR_CMD_METER_ADD, with_bytes(name, RCR_A_FORM | NLA_F_NESTED, "\4\0\2", 3), EINVAL,
		       "a truncated form");
}

/* Send numbers that are out of range in otherwise complete requests. */
static void check_ranges(void)
{
	static const struct {
		int cmd, type;
		size_t size;
		uint64_t bad[2];
	} rows[] = {
		{ RCR_CMD_PERIOD, RCR_A_PERIOD_NS, 8, { 19999, 3600000000001 } },
		{ RCR_CMD_MARK, RCR_A_KIND, 4, { 0, RCR_MARK_VERDICT + 1 } },
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
		expect_refused(rows[i / 2].cmd,
			       with_bytes(rest, rows[i / 2].type, &rows[i / 2].bad[i % 2], rows[i / 2].size),
			EINVAL, "a number out of range");
	}
}

/* Send holds with descriptors that are closed or not of /dev/rcrtool; @device is a valid one. */
static void check_holds(int device)
{
	struct attrs stale = with_number(none, RCR_A_GENERATION, STALE);
	int null = open("/dev/null", O_RDONLY), closed = dup(device);

	close(closed);
	expect_refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, null), EBADF, "a hold by /dev/null");
	expect_refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, netlink_fd), EBADF, "a hold by a socket");
	expect_refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, closed), EBADF,
		       "a hold by a closed descriptor");
	expect_refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, 99999), EBADF,
		       "a hold by a descriptor that was never open");
	expect_refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, -1), EBADF, "a hold by descriptor -1");
	expect_refused(RCR_CMD_FINALIZE, with_number(none, RCR_A_HOLD, 0x80000000), EBADF,
		       "a hold by a negative descriptor");
	expect_refused(RCR_CMD_FINALIZE, with_bytes(none, RCR_A_HOLD, "\0", 2), EINVAL, "a hold attribute of two bytes");
	expect_refused(RCR_CMD_FINALIZE, with_number(stale, RCR_A_HOLD, device), ESTALE,
		       "a hold with a future generation");
	expect_refused(RCR_CMD_HALT, with_number(none, RCR_A_HOLD, device), EINVAL, "a halt with a hold");
	expect_refused(RCR_CMD_RESET, with_number(none, RCR_A_HELD, 0), EINVAL, "a reset with RCR_A_HELD");
	close(null);
}

/* Check that no refused request has written a mark. */
static void no_marks(int device)
{
	static char buffer[1 << 16] __attribute__((aligned(8)));
	ssize_t got, at;

	while ((got = read(device, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size)
			if (((struct rcr_item *)(buffer + at))->type == RCR_ITEM_MARK) {
				puts("# a refused mark is in the stream");
				deviations++;
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

/* Return well-formed random attributes, some of them nests, of types up to @last + 1. */
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
			a = with_bytes(a, type, data.bytes, rand() % 2 ? 4 : data.size % 80);
	}
	return a;
}

/* Return a name, and an event or a form with random attributes. */
static struct attrs random_nests(void)
{
	struct attrs a = with_text(none, RCR_A_NAME, rand() % 2 ? "TOT_CYC" : "no.such");
	int type = rand() % 2 ? RCR_A_EVENT : RCR_A_FORM;

	return with_nest(a, type, random_attrs(RCR_EVENT_A_MAX + 1, 2));
}

/* Return whether a command takes a generation; other commands change nothing. */
static bool is_change(int cmd)
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

/*
 * Send a hundred random messages for each command. Messages that might be valid have a future
 * generation, so they are refused as well.
 */
static void send_noise(void)
{
	unsigned int i;

	srand(3);
	for (i = 0; i < 100 * RCR_CMD_COUNTERS; i++) {
		struct attrs a = random_request();
		int cmd = 1 + i % RCR_CMD_COUNTERS;

		if (is_change(cmd))
			a = with_number(a, RCR_A_GENERATION, STALE);
		call_family(cmd, a.bytes, a.size);
	}
}

void check_malformed(int device)
{
	check_truncated();
	check_unknown();
	check_named();
	check_reassign();
	check_marks();
	check_forms();
	long_form();
	check_meters();
	check_versions();
	check_where();
	check_lengths();
	unknown_attributes();
	unknown_nested();
	malformed_meters();
	check_ranges();
	check_holds(device);
	no_marks(device);
	send_noise();
	no_marks(device);
}
