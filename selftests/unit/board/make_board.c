// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_board.c - writes a blackboard to standard output, for the bats files. With the argument
 * "stopped" sampling is stopped.
 */
#include <string.h>

#include "board_maker.h"

int main(int argc, char **argv)
{
	static struct made_board b;

	make_board(&b);
	if (argc > 1 && !strcmp(argv[1], "stopped"))
		b.head.state = RCR_BOARD_STOPPED;
	return fwrite(&b, sizeof(b), 1, stdout) != 1 || fflush(stdout);
}
