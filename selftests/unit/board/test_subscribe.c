// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_subscribe.c - the requests that librcr sends to the module when an entry is found,
 * subscribed to, or found again. The device is /dev/null, and this file replaces ioctl().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "board_maker.h"
#include "ksft.h"

static struct rcr_subscription asked;
static unsigned int calls, failures;
static int error;

/* Fail @failures times with @error, then succeed. */
static int fake_ioctl(int fd, unsigned long request, const struct rcr_subscription *s)
{
	if (fd < 0 || request != RCR_BOARD_SUBSCRIBE)
		ksft_exit_fail_msg("unexpected request: %#lx\n", request);
	asked = *s;
	calls++;
	if (!failures)
		return 0;
	failures--;
	errno = error;
	return -1;
}

#define ioctl fake_ioctl
#include "board/board_subscribe.c"

static char path[32];
static struct made_board made;

static bool was_asked(unsigned int count, uint32_t entry, uint32_t serial, uint64_t interval_ns,
		      uint32_t flags)
{
	bool right = calls == count && asked.size == sizeof(asked) && asked.entry == entry &&
		     asked.serial == serial && asked.interval_ns == interval_ns &&
		     asked.flags == flags;

	if (!right)
		ksft_print_msg("%u calls, the last of entry %u, serial %u, %llu ns, flags %u\n",
			       calls, asked.entry, asked.serial,
			       (unsigned long long)asked.interval_ns, asked.flags);
	calls = 0;
	return right;
}

static void fail_next(unsigned int count, int with)
{
	failures = count;
	error = with;
}

/* Open the board of a file as if /dev/null had been mapped. */
static struct rcr_blackboard *open_device(void)
{
	struct rcr_blackboard *b;
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/tmp/rcr-subscribe-XXXXXX");
	fd = mkstemp(path);
	make_board(&made);
	if (write(fd, &made, sizeof(made)) != sizeof(made))
		ksft_exit_fail_msg("cannot write %s\n", path);
	close(fd);
	b = rcr_board_open(path);
	unlink(path);
	if (!b)
		ksft_exit_fail_msg("cannot open the board\n");
	b->wish = calloc(MADE_ENTRIES, sizeof(*b->wish));
	b->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	fstat(b->fd, &st);
	b->device = st.st_rdev;
	return b;
}

static void test_find(struct rcr_blackboard *b)
{
	struct rcr_meter m;

	ksft_test_result(!rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 1, &m) &&
			 was_asked(1, 2, 100, 0, 0),
			 "subscribe: an entry that is found has the default interval\n");
	ksft_test_result(!rcr_board_subscribe(b, &m, 5000000) && was_asked(1, 2, 100, 5000000, 0),
			 "subscribe: the interval of an entry can be changed\n");
	ksft_test_result(!rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 1, &m) &&
			 was_asked(1, 2, 100, 5000000, 0),
			 "subscribe: finding an entry again keeps its interval\n");
	ksft_test_result(!rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 0, &m) &&
			 was_asked(1, 1, 100, 0, 0),
			 "subscribe: other entries keep their intervals\n");
	b->wish[2].serial = 99;
	ksft_test_result(!rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 1, &m) &&
			 was_asked(1, 2, 100, 0, 0),
			 "subscribe: an entry does not inherit the interval of another meter\n");
}

static void test_meter(struct rcr_blackboard *b)
{
	ksft_test_result(!rcr_board_subscribe_meter(b, &made.meter[1], 1000000000) &&
			 was_asked(1, 3, 101, 1000000000, RCR_SUBSCRIBE_METER),
			 "subscribe: one request subscribes to all places of a meter\n");
	ksft_test_result(!rcr_board_subscribe_meter(b, &made.meter[2], 0) && !calls,
			 "subscribe: a meter without entries makes no request\n");
}

static void test_errors(struct rcr_blackboard *b)
{
	struct rcr_meter m;

	fail_next(2, ESTALE);
	ksft_test_result(!rcr_board_find(b, "ipc", RCR_PLACE_CPU, 1, &m) &&
			 was_asked(3, 5, 101, 0, 0),
			 "subscribe: a search is repeated if the meter was replaced meanwhile\n");
	fail_next(~0u, ENOENT);
	ksft_test_result(rcr_board_find(b, "ipc", RCR_PLACE_CPU, 1, &m) && errno == EAGAIN,
			 "subscribe: a search fails if the meter is replaced again and again\n");
	fail_next(1, ENOSPC);
	ksft_test_result(rcr_board_find(b, "ipc", RCR_PLACE_CPU, 1, &m) && errno == ENOSPC,
			 "subscribe: a search fails if there are too many subscriptions\n");
	fail_next(2, ENOENT);
	ksft_test_result(rcr_board_subscribe(b, &m, 0) && errno == ESTALE &&
			 rcr_board_subscribe_meter(b, &made.meter[1], 0) && errno == ESTALE,
			 "subscribe: the error for a removed meter is ESTALE\n");
	calls = 0;
	m.entry = MADE_ENTRIES;
	ksft_test_result(rcr_board_subscribe(b, &m, 0) && errno == ESTALE &&
			 rcr_board_subscribe(NULL, &m, 0) && errno == EINVAL &&
			 rcr_board_subscribe(b, NULL, 0) && errno == EINVAL &&
			 rcr_board_subscribe_meter(b, NULL, 0) && errno == EINVAL && !calls,
			 "subscribe: an invalid entry, board or meter is refused\n");
}

/* The program may have closed the library's descriptor and reused its number for a file. */
static void test_descriptor(struct rcr_blackboard *b)
{
	struct rcr_meter m = { .entry = 0, .serial = 100 };
	int fd = b->fd, other = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	dup2(other, fd);
	close(other);
	ksft_test_result(rcr_board_subscribe(b, &m, 0) && errno == EBADF && !calls,
			 "subscribe: another file's descriptor is left alone\n");
	rcr_board_close(b);
	ksft_test_result(!close(fd),
			 "subscribe: closing the board leaves another file's descriptor alone\n");
}

static void test_file(void)
{
	struct rcr_blackboard *b = open_device();
	struct rcr_meter m;

	close(b->fd);
	b->fd = -1;
	ksft_test_result(!rcr_board_find(b, "ipc", RCR_PLACE_CPU, 1, &m) &&
			 !rcr_board_subscribe(b, &m, 1) &&
			 !rcr_board_subscribe_meter(b, &made.meter[1], 1) && !calls,
			 "subscribe: no requests are sent for a board in a file\n");
	rcr_board_close(b);
}

int main(void)
{
	struct rcr_blackboard *b;

	ksft_print_header();
	ksft_set_plan(5 + 2 + 5 + 2 + 1);
	b = open_device();
	test_find(b);
	test_meter(b);
	test_errors(b);
	calls = 0;
	test_descriptor(b);
	test_file();
	ksft_finished();
}
