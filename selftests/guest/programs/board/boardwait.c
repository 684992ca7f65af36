// SPDX-License-Identifier: GPL-2.0-only
/*
 * boardwait.c METER KIND NUMBER BOUND MILLISECONDS - waits with rcr_board_wait() until a meter
 * crosses a bound at the place of KIND (enum rcr_place_kind) and NUMBER. Prints "ready" before it
 * waits, and then the result: "1 VALUE COUNT", "0" or "-1 ERRNO". With BOUND "gone" it waits for a
 * meter that does not exist.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcr_board.h"

int main(int argc, char **argv)
{
	struct rcr_watch watch = { 0 };
	struct rcr_crossing c = { 0 };
	struct rcr_blackboard *b;
	struct rcr_meter meter;
	int got;

	if (argc != 6)
		return 2;
	b = rcr_board_open(NULL);
	if (!b || rcr_board_find(b, argv[1], atoi(argv[2]), atoi(argv[3]), &meter)) {
		printf("%s\n", strerror(errno));
		return 1;
	}
	if (!strcmp(argv[4], "gone"))
		meter.serial++;
	watch.bound = atoi(argv[4]);
	watch.back = watch.bound;
	puts("ready");
	fflush(stdout);
	got = rcr_board_wait(b, &watch, &meter, atoi(argv[5]), &c);
	if (got == 1)
		printf("1 %" PRId64 " %" PRIu64 "\n", (int64_t)c.value, (uint64_t)c.count);
	else if (got)
		printf("-1 %d\n", errno);
	else
		puts("0");
	rcr_board_close(b);
	return 0;
}
