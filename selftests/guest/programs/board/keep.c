// SPDX-License-Identifier: GPL-2.0-only
/*
 * keep.c INTERVAL_US [METER]... - subscribes to all places of the named meters, or of all meters,
 * until it is killed, so that the module keeps them up to date. Prints the number of subscriptions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rcr_board.h"

static int is_wanted(const struct rcr_board_meter *m, char **names, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(m->name, names[i]))
			return 1;
	return !count;
}

int main(int argc, char **argv)
{
	struct rcr_board_meter meters[RCR_METERS_MAX];
	struct rcr_blackboard *b = rcr_board_open(NULL);
	int count = b ? rcr_board_meters(b, meters, RCR_METERS_MAX) : -1, kept = 0, i;

	if (argc < 2) {
		fprintf(stderr, "usage: keep INTERVAL_US [METER]...\n");
		return 1;
	}
	if (count < 0) {
		perror("keep: /dev/rcrboard");
		return 1;
	}
	for (i = 0; i < count; i++)
		if (is_wanted(&meters[i], argv + 2, argc - 2) && meters[i].entries)
			kept += !rcr_board_subscribe_meter(b, &meters[i],
							   strtoull(argv[1], NULL, 10) * 1000);
	printf("%d\n", kept);
	fflush(stdout);
	pause();
	return 0;
}
