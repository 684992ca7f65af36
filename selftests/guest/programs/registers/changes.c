// SPDX-License-Identifier: GPL-2.0-only
/*
 * changes.c - reads the register log of a CPU (vpmu/register_log.h) and prints a line per change:
 *
 *	changes CPU
 *	TSC counter N event 0x.. umask 0x.. enabled|disabled [counts]
 */
#define _GNU_SOURCE
#include <inttypes.h>

#include "changes.h"

int main(int argc, char **argv)
{
	struct changes log = log_take(argc > 1 ? atoi(argv[1]) : 0);
	size_t i;

	if (!log.all) {
		perror("changes");
		return 1;
	}
	for (i = 0; i < log.n; i++)
		printf("%" PRIu64 " counter %u event %#x umask %#x %s%s\n", log.all[i].tsc,
		       log.all[i].counter, log.all[i].event, log.all[i].umask,
		       log.all[i].enabled ? "enabled" : "disabled",
		       log.all[i].counts ? " counts" : "");
	if (log.lost)
		printf("lost %" PRIu64 "\n", log.lost);
	free(log.all);
	return 0;
}
