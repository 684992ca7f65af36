// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_dumps.c - dumps of several parts while the set or the meters change.
 */
#include "netlink.h"

/*
 * Make @change after the first part of a dump. netlink makes parts as large as the largest read of
 * the socket so far, so use a new socket to get several parts.
 */
static void check_dump(int cmd, int change, struct attrs a, const char *what)
{
	struct request r = make_request(cmd, NULL, 0);
	int other = netlink_fd, dumping = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	struct answer answer = { };
	unsigned int parts = 0, before = 0;

	if (send(dumping, &r, r.head.nlmsg_len, 0) < 0)
		report_wrong("the request for a dump cannot be sent");
	if (change)
		expect_refused(change, a, 0, what);
	netlink_fd = dumping;
	while (!answer.over && !take_part(&answer, 8192)) {
		parts += answer.messages > before;
		before = answer.messages;
	}
	if (parts < 2 || answer.error || !answer.messages) {
		printf("# %s: %u parts, %u messages, %s\n", what, parts, answer.messages,
		       strerror(answer.error));
		deviations++;
	}
	if (answer.interrupted != !!change) {
		printf("# %s: the dump is %sinterrupted\n", what, change ? "not " : "");
		deviations++;
	}
	close(dumping);
	netlink_fd = other;
}

/* Return the attributes of a meter with the most terms and the longest names. */
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

void check_dumps(void)
{
	struct attrs added = with_event(none, "CHANGE", 0xc2);
	struct attrs name = with_text(none, RCR_A_NAME, "CHANGE");
	char text[RCR_NAME_LEN];
	struct attrs long_event;
	unsigned int i;

	for (i = 0; i < 24; i++) {
		snprintf(text, sizeof(text),
			 "AN_EVENT_WITH_A_NAME_THAT_IS_AS_LONG_AS_NAMES_MAY_BE_%02u", i);
		long_event = with_number(make_event(text, RCR_EVENT_HARDWARE, 0x76),
					 RCR_EVENT_A_UMASK, i + 1);
		long_event = with_bytes(long_event, RCR_EVENT_A_CMASK, "\1", 1);
		long_event = with_number(long_event, RCR_EVENT_A_FLAGS,
					 RCR_EVENT_INV | RCR_EVENT_EDGE);
		expect_refused(RCR_CMD_ADD, with_nest(none, RCR_A_EVENT, long_event), 0,
			       "the addition of an event with a long name");
	}
	check_dump(RCR_CMD_COUNTERS, 0, none, "a dump of counters");
	check_dump(RCR_CMD_COUNTERS, RCR_CMD_ADD, added, "a dump of counters while one is added");
	check_dump(RCR_CMD_COUNTERS, RCR_CMD_REMOVE, name, "a dump of counters while one is removed");
	expect_refused(RCR_CMD_METER_ADD, longest_meter("longest"), 0, "the addition of the longest meter");
	check_dump(RCR_CMD_METERS, 0, none, "a dump of meters, the longest included");
	check_dump(RCR_CMD_METERS, RCR_CMD_METER_ADD, name, "a dump of meters while one is added");
	check_dump(RCR_CMD_METERS, RCR_CMD_METER_REMOVE, name, "a dump of meters while one is removed");
	expect_refused(RCR_CMD_METER_REMOVE, with_text(none, RCR_A_NAME, "longest"), 0,
		       "the removal of the longest meter");
}
