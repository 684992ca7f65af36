// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_rights.c - checks which requests a caller may make, by capabilities and descriptors.
 */
#include "netlink.h"

/* Check that requests that program events are refused without CAP_SYS_RAWIO. */
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
		expect_refused(cmds[i], none, EPERM, "a change without CAP_SYS_RAWIO");
	expect_refused(RCR_CMD_METER_ADD, with_nest(name, RCR_A_FORM, rate_form()), EPERM,
		       "a meter with a form without CAP_SYS_RAWIO");
	expect_refused(RCR_CMD_METER_ADD, with_event(name, "A", 0xc2), EPERM,
		       "a meter with an event without CAP_SYS_RAWIO");
	expect_refused(RCR_CMD_METER_ADD, with_bytes(name, RCR_A_PUBLIC, "", 0), EPERM,
		       "a public meter without CAP_SYS_RAWIO");
}

static void check_posts(int wanted)
{
	struct attrs name = with_text(none, RCR_A_NAME, "rights.posted");
	struct attrs mark = with_number(none, RCR_A_KIND, RCR_MARK_TEXT);
	uint64_t value = 42;

	expect_refused(RCR_CMD_MARK, with_text(mark, RCR_A_TEXT, "rights"), wanted, "a mark");
	expect_refused(RCR_CMD_METER_ADD, name, wanted, "a posted meter");
	expect_refused(RCR_CMD_METER_POST, with_bytes(name, RCR_A_VALUE, &value, sizeof(value)), wanted,
		       "a post to a posted meter");
}

static void check_reads(struct attrs a, int wanted, const char *what)
{
	expect_refused(RCR_CMD_LOOK, a, wanted, what);
	expect_refused(RCR_CMD_METERS, a, wanted, what);
	expect_refused(RCR_CMD_COUNTERS, a, wanted, what);
	expect_refused(RCR_CMD_WHERE, with_event(a, "A", 0xc2), wanted, what);
}

void check_rights(const char *who)
{
	bool perfmon = !strcmp(who, "perfmon"), has_device;
	int device = open(DEVICE, O_RDONLY), null = open("/dev/null", O_RDONLY);
	int otherwise = perfmon ? 0 : EPERM;

	has_device = device >= 0;
	if (has_device == !strcmp(who, "nobody")) {
		printf("# %s %s /dev/rcrtool\n", who, has_device ? "opens" : "cannot open");
		deviations++;
	}
	programs_nothing();
	check_posts(otherwise);
	check_reads(none, otherwise, "a read request without a descriptor");
	check_reads(with_number(none, RCR_A_DEVICE, null), otherwise, "a read request with /dev/null");
	check_reads(with_number(none, RCR_A_DEVICE, netlink_fd), otherwise, "a read request with a socket");
	check_reads(with_number(none, RCR_A_DEVICE, 99999), otherwise, "a read request with a closed descriptor");
	check_reads(with_number(none, RCR_A_DEVICE, -1), otherwise, "a read request with descriptor -1");
	check_reads(with_bytes(none, RCR_A_DEVICE, "\0", 2), EINVAL, "a read request with a descriptor of two bytes");
	if (has_device)
		check_reads(with_number(none, RCR_A_DEVICE, device), 0, "a read request with the device");
	expect_refused(RCR_CMD_RESET, with_number(none, RCR_A_DEVICE, device), EINVAL,
		       "a reset with the device");
}
