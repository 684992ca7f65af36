// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c [WHO] - sends malformed requests: each must return exactly one error and change
 * nothing. Prints deviations as "# ..."; control.sh checks the exit status.
 *
 * With WHO: checks which requests are allowed to a caller
 *
 *	perfmon		with CAP_PERFMON alone
 *	member		in the group of /dev/rcrtool
 *	nobody		with neither
 *
 * "generations N": four controllers make N changes each at the same time. Each answer has the
 * generation of its own change, and each change is announced to the multicast group.
 *
 * "interleaved N": two controllers make N requests each at the same time, each based on the
 * generation of the previous answer. Exactly those based on an old generation must be refused.
 *
 * "dumps": lists of several parts, with and without a change in between. Leaves events staged.
 *
 * "listen": joins the multicast group, prints "joined" and the generation of the next change.
 * Status 1 if it cannot join, 2 if no change comes within 10 s.
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
