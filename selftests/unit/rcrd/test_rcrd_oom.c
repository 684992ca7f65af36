// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_oom.c - finds OOM kills in the trace pipe, in the formats of Linux 6.1 and 6.12.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ksft.h"
#include "oom.h"
#include "stream_maker.h"

#define OLD "            tail-4711    [003] d..2.  1234.000567: mark_victim: pid=4711\n"
#define NEW "            tail-4711    [003] d..2.    34.100567: mark_victim: pid=99 comm=tail total-vm=1kB uid=0\n"

static bool is_kill(const char *line, uint64_t time, int pid)
{
	struct oom_kill kill;

	return oom_parse(line, &kill) && kill.time == time && kill.pid == pid;
}

static void test_lines(void)
{
	static const char *const none[] = {
		"", "\n", "CPU:1 [LOST 5 EVENTS]\n", ": mark_victim: pid=1\n",
		"a-1 [0] 1.5: mark_victim: pid=1", "a-1 [0] 1.123456: mark_victim: pid=",
		"a-1 [0] 1.123456: mark_victim: pid=-4", "a-1 [0] .123456: mark_victim: pid=4",
		"a-1 [0] 1.12345a: mark_victim: pid=4", "a-1 [0] 1.123456: mark_victim: pid=99999999999",
		"a-1 [0] 9999999999999.123456: mark_victim: pid=4",
	};
	struct oom_kill kill;
	unsigned int taken = 0, i;

	ksft_test_result(is_kill(OLD, 1234000567000ull, 4711) && is_kill(NEW, 34100567000ull, 99),
			 "oom: the formats of both kernels are parsed\n");
	/* A task's name has at most 15 bytes, too few for a fake event. */
	ksft_test_result(is_kill("  mark_victim: p-7 [000] d..2. 5.000001: mark_victim: pid=8 comm=: mark_victim: pid=9",
				 5000001000ull, 8), "oom: names of processes are not mistaken for events\n");
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		taken += oom_parse(none[i], &kill);
	ksft_test_result(!taken, "oom: other lines are ignored\n");
}

/* Lines arrive from the pipe in pieces. */
static void test_pipe(void)
{
	static char junk[3000];
	struct oom oom = { .fd = -1 };
	unsigned int kills = 0, i;
	struct oom_kill kill;
	int pair[2];

	ksft_test_result(!oom_next(&oom, &kill), "oom: there is no kill without a pipe\n");
	if (pipe(pair))
		ksft_exit_fail_msg("no pipe\n");
	oom.fd = pair[0];
	memset(junk, 'x', sizeof(junk) - 1);
	if (write(pair[1], junk, sizeof(junk)) < 0 || write(pair[1], "\n" OLD NEW, sizeof(OLD NEW)) < 0 ||
	    write(pair[1], OLD, 20) < 0)
		ksft_exit_fail_msg("no pipe\n");
	close(pair[1]);
	for (i = 0; i < 10; i++)
		kills += oom_next(&oom, &kill);
	ksft_test_result(kills == 2 && kill.pid == 99,
			 "oom: the lines after an overlong one are parsed\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	test_lines();
	test_pipe();
	ksft_finished();
}
