// SPDX-License-Identifier: GPL-2.0-only
/*
 * paper.c - the meter names of the RCRTool design document, with the module: a posted value can be
 * read back, and the set is still counted.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ksft.h"
#include "rcr_board.h"
#include "rcr_paper.h"

static bool post(int number, double value)
{
	RCRCounter c = { .id = number };

	c.value.floatValue = value;
	return RCRMeterUpdate(c);
}

static void test_posted(void)
{
	int sum = RCRMeter(3600000000u | RCR_SUM), now = RCRMeter(3600000000u | RCR_INSTANEOUS);
	RCRMeterValue *m;
	RCRCountValue *c;

	ksft_test_result(sum >= 0 && now >= 0 && sum != now, "paper: two meters are added, with numbers %d and %d\n", sum, now);
	ksft_test_result(!RCRGetMeter(sum) && errno == ENODATA, "paper: a posted meter has no value before the first post\n");
	ksft_test_result(post(sum, 1.5) && post(sum, 4) && post(sum, 2) && post(now, -0.25),
			 "paper: values can be posted\n");
	m = RCRGetMeter(sum);
	ksft_test_result(m && m->curMeter.floatValue == 7.5 && m->recentPeakMeter.floatValue == 4 &&
			 !m->sysMaxMeter.floatValue && RCRTTime(m->timeScale) == 3600000000u &&
			 RCRTType(m->timeScale) == RCR_SUM, "paper: sum and peak are those of the posted values\n");
	c = RCRGetCount(sum);
	ksft_test_result(c && c->curCount.intValue == 8, "paper: values are rounded to whole numbers\n");
	m = RCRGetMeter(now);
	ksft_test_result(m && m->curMeter.floatValue == -0.25, "paper: the current value is the latest one\n");
	ksft_test_result(RCRMeterReset(sum) && post(sum, 3) &&
			 RCRGetMeter(sum)->curMeter.floatValue == 3, "paper: a meter restarts after a reset\n");
	ksft_test_result(!RCRMeterReset(63) && errno == ENOENT && !post(63, 1) && errno == ENOENT &&
			 !RCRGetMeter(63) && errno == ENOENT, "paper: a number that no meter has is refused\n");
}

/* A child uses a connection of its own. */
static void test_child(void)
{
	int number = RCRMeter(1000000 | RCR_INSTANEOUS), status;
	pid_t child = fork();

	if (!child)
		_exit(!(post(number, 5) && RCRMeter(1000000) >= 0));
	waitpid(child, &status, 0);
	ksft_test_result(!status && RCRGetMeter(number) &&
			 RCRGetMeter(number)->curMeter.floatValue == 5, "paper: a child can post, too\n");
}

static void test_counted(void)
{
	struct rcr_blackboard *b = rcr_board_open(NULL);
	struct rcr_board_value first, then;
	struct rcr_meter m;
	int tries = 0;
	bool found;

	found = b && !rcr_board_find(b, "cpi", RCR_PLACE_CPU, 1, &m) &&
		!rcr_board_read(b, &m, &first);
	while (found && tries++ < 1000 && !rcr_board_read(b, &m, &then) &&
	       then.time == first.time)
		usleep(10000);
	ksft_test_result(found && then.time > first.time && rcr_board_get(b, &m) > 0,
			 "paper: a meter of a CPU still has new values\n");
	rcr_board_close(b);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(8 + 1 + 1);
	test_posted();
	test_child();
	test_counted();
	RCRClose();
	ksft_finished();
}
