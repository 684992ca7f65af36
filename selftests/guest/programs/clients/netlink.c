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
#include "netlink.h"

int main(int argc, char **argv)
{
	int device = open(DEVICE, O_RDONLY | O_NONBLOCK);

	if (argc == 2 && !strcmp(argv[1], "listen"))
		return listen_once();
	connect_family();
	if (argc == 2 && !strcmp(argv[1], "dumps")) {
		check_dumps();
		return deviations > 0;
	}
	if (argc > 2) {
		if (!strcmp(argv[1], "interleaved"))
			check_interleaved(atoi(argv[2]));
		else
			run_controllers(atoi(argv[2]));
		return deviations > 0;
	}
	if (argc > 1) {
		check_rights(argv[1]);
		return deviations > 0;
	}
	check_malformed(device);
	close(device);
	return deviations > 0;
}
