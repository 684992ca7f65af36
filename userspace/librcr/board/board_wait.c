// SPDX-License-Identifier: LGPL-2.1-or-later
/* board_wait.c - waits until a meter crosses a bound. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "board.h"

/* Closes a descriptor without changing errno. */
static void close_quietly(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
}

int rcr_board_watch(const struct rcr_blackboard *b, const struct rcr_watch *watch,
		    const struct rcr_meter *meter)
{
	struct rcr_watch w;
	int fd;

	if (!b || !watch || !meter)
		return rcr_board_fail(EINVAL);
	w = *watch;
	w.size = sizeof(w);
	w.entry = meter->entry;
	w.serial = meter->serial;
	fd = open(b->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT ? rcr_board_fail(ESTALE) : -1;
	if (!ioctl(fd, RCR_BOARD_WATCH, &w))
		return fd;
	if (errno == ENOENT)
		errno = ESTALE;
	close_quietly(fd);
	return -1;
}

int rcr_board_crossing(int fd, int timeout_ms, struct rcr_crossing *crossing)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct rcr_crossing unwanted;
	ssize_t got;
	int ready;

	if (!crossing)
		crossing = &unwanted;
	ready = poll(&p, 1, timeout_ms);
	if (ready <= 0)
		return ready;
	got = read(fd, crossing, sizeof(*crossing));
	if (got < 0)
		return errno == EAGAIN ? 0 : -1;
	return got == sizeof(*crossing) ? 1 : rcr_board_fail(ESTALE);
}

int rcr_board_wait(struct rcr_blackboard *b, const struct rcr_watch *watch,
		   const struct rcr_meter *meter, int timeout_ms,
		   struct rcr_crossing *crossing)
{
	int fd = rcr_board_watch(b, watch, meter), ret;

	if (fd < 0)
		return -1;
	ret = rcr_board_crossing(fd, timeout_ms, crossing);
	close_quietly(fd);
	return ret;
}
