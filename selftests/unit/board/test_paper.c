// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_paper.c - meters with the names of the RCRTool design document (rcr_paper.h), on a board in
 * a file, and the errors without the module.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "board_maker.h"
#include "ksft.h"
#include "rcr_board.h"

static char folder[] = "/tmp/rcr-paper-XXXXXX", board_file[64];

#undef RCR_BOARD_DEVICE
#define RCR_BOARD_DEVICE board_file
#include "board/board.c"
#include "board/paper.c"

static struct made_board stuff;
static int file;

static void write_board(void)
{
	if (pwrite(file, &stuff, sizeof(stuff), 0) != sizeof(stuff))
		ksft_exit_fail_msg("cannot write %s\n", board_file);
}

static bool update(uint64_t id, double value)
{
	RCRCounter c = { .id = id };

	c.value.floatValue = value;
	return RCRMeterUpdate(c);
}

static void test_macros(void)
{
	RCRTTimeScale t = 1000000 | RCR_PEAK;

	ksft_test_result(RCRTType(t) == RCR_PEAK && RCRTTime(t) == 1000000 &&
			 RCRTType(~0u) == RCR_PEAK && RCRTTime(~0u) == 0xfffffffc &&
			 RCRTType(4) == RCR_INSTANEOUS && RCRTTime(3) == 0,
			 "a time scale is parsed into its parts\n");
	ksft_test_result(scale_from_paper(t) == 1000000000 &&
			 scale_to_paper(1000000000, RCR_TIME_PEAK) == t &&
			 scale_to_paper(100000, RCR_TIME_SUM) == (100 | RCR_SUM) &&
			 scale_to_paper(RCRTTime(~0u) * 1000ull, RCR_TIME_AVERAGE) == (0xfffffffc | RCR_AVE) &&
			 scale_to_paper(4294967296000ull, RCR_TIME_SUM) == (0xfffffffc | RCR_SUM) &&
			 scale_to_paper(RCR_SCALE_MAX_NS, RCR_TIME_CURRENT) == 0xfffffffc,
			 "paper: a time scale beyond 32 bits of microseconds saturates\n");
}

static void test_no_module(void)
{
	ksft_test_result(RCRMeter(1000000) == -1 && errno == ENOENT,
			 "without the module no meter can be made\n");
	ksft_test_result(RCRMeter(RCR_SUM) == -1 && errno == EINVAL,
			 "a meter needs a time scale\n");
	ksft_test_result(!RCRMeterReset(0) && errno == ENOENT,
			 "without the module no meter is reset\n");
	ksft_test_result(!update(0, 1) && errno == ENOENT && !update(~0ull, 1) && errno == ENOENT,
			 "without the module nothing is posted\n");
	ksft_test_result(!RCRGetMeter(0) && errno == ENOENT && !RCRGetCount(0) && errno == ENOENT,
			 "without the module nothing is read\n");
	RCRClose();
	RCRClose();
}

static void test_board(void)
{
	RCRMeterValue *m;
	RCRCountValue *c;

	make_board(&stuff);
	file = open(board_file, O_RDWR | O_CREAT | O_EXCL, 0600);
	write_board();
	m = RCRGetMeter(1);
	ksft_test_result(m && m->curMeter.floatValue == 1.499 && m->recentPeakMeter.floatValue == 1.501 &&
			 m->sysMaxMeter.floatValue == 3 && RCRTTime(m->timeScale) == 1000000 &&
			 RCRTType(m->timeScale) == RCR_AVE,
			 "RCRGetMeter() returns the values of a meter\n");
	c = RCRGetCount(1);
	ksft_test_result(c && c->curCount.intValue == 15, "RCRGetCount() returns a count\n");
	ksft_test_result(RCRGetMeter(0) == m && m->curMeter.floatValue == 19999999999.0,
			 "the next call in the thread reuses the returned value\n");
	ksft_test_result(!RCRGetMeter(2) && errno == ENODATA && !RCRGetMeter(3) && errno == ENOENT &&
			 !RCRGetMeter(-1) && errno == ENOENT && !RCRGetCount(64) && errno == ENOENT,
			 "a missing value and a missing meter are errors\n");
	ksft_test_result(!update(1, NAN) && errno == EINVAL && !update(1, 1e300) && errno == ERANGE &&
			 !update(1, -INFINITY) && errno == ERANGE && !update(1, 1) && errno == ENOENT,
			 "an invalid value is not posted; without the module, none is\n");
	stuff.head.state = RCR_BOARD_STOPPED;
	write_board();
	ksft_test_result(!RCRGetMeter(1) && errno == ESTALE,
			 "a meter on a board that is not sampled is stale\n");
	make_board(&stuff);
	stuff.meter[1].digits = ~0u;
	stuff.entry[0].slot[1].sum = -1;
	write_board();
	ksft_test_result(!RCRGetMeter(1) && errno == EPROTO && !RCRGetCount(0) && errno == ERANGE,
			 "impossible values on a board are errors\n");
	RCRClose();
}

int main(void)
{
	if (!mkdtemp(folder))
		ksft_exit_fail_msg("cannot make a directory: %s\n", folder);
	snprintf(board_file, sizeof(board_file), "%s/board", folder);
	ksft_print_header();
	ksft_set_plan(2 + 5 + 7);
	test_macros();
	test_no_module();
	test_board();
	unlink(board_file);
	rmdir(folder);
	ksft_finished();
}
