// SPDX-License-Identifier: GPL-2.0-only
/*
 * board.c METER FILE COUNT - measures the cost of reading a meter from the blackboard, and from a
 * file that is kept open.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "measure.h"
#include "rcr_board.h"

#define BATCH 100

/* The value, read both ways. */
static struct board {
	struct rcr_blackboard *board;
	struct rcr_meter meter;
	int file;
} on;

static void read_board(void *unused)
{
	struct rcr_board_value value;

	(void)unused;
	if (rcr_board_read(on.board, &on.meter, &value))
		err(1, "the board");
}

static void read_file(void *unused)
{
	char text[4096];

	(void)unused;
	if (pread(on.file, text, sizeof(text), 0) <= 0)
		err(1, "the file");
}

int main(int argc, char **argv)
{
	if (argc != 4)
		errx(1, "usage: board METER FILE COUNT");
	pin(1);
	on.board = rcr_board_open(NULL);
	if (!on.board || rcr_board_find(on.board, argv[1], RCR_PLACE_MACHINE, 0, &on.meter))
		err(1, "%s", argv[1]);
	on.file = open(argv[2], O_RDONLY);
	if (on.file < 0)
		err(1, "%s", argv[2]);
	measure("board_read", atoi(argv[3]), BATCH, 0, read_board, NULL);
	measure("file_read", atoi(argv[3]), 1, 0, read_file, NULL);
	return 0;
}
