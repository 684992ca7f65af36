// SPDX-License-Identifier: LGPL-2.1-or-later
/* board_subscribe.c - subscribes to entries of the board, so that the module evaluates them. */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "board.h"

bool rcr_board_has_device(const struct rcr_blackboard *b)
{
	struct stat st;

	return b->fd >= 0 && !fstat(b->fd, &st) && S_ISCHR(st.st_mode) &&
	       st.st_rdev == b->device;
}

static int request_subscription(const struct rcr_blackboard *b, uint32_t entry, uint32_t serial,
				uint64_t interval_ns, uint32_t flags)
{
	const struct rcr_subscription s = {
		.size = sizeof(s), .flags = flags, .entry = entry, .serial = serial,
		.interval_ns = interval_ns,
	};

	if (!rcr_board_has_device(b))
		return rcr_board_fail(EBADF);
	return ioctl(b->fd, RCR_BOARD_SUBSCRIBE, &s);
}

/* The interval requested for an entry; 0: the default. */
static uint64_t wished_interval(const struct rcr_wish *w, uint32_t serial)
{
	if (__atomic_load_n(&w->serial, __ATOMIC_ACQUIRE) != serial)
		return 0;
	return __atomic_load_n(&w->interval_ns, __ATOMIC_RELAXED);
}

int rcr_board_subscribe_again(const struct rcr_blackboard *b, const struct rcr_meter *meter)
{
	const struct rcr_wish *w;
	uint64_t interval;

	if (b->fd < 0)
		return 0;
	w = &b->wish[meter->entry];
	/* Another thread may request another interval meanwhile; the last request must win. */
	do {
		interval = wished_interval(w, meter->serial);
		if (request_subscription(b, meter->entry, meter->serial, interval, 0))
			return -1;
	} while (wished_interval(w, meter->serial) != interval);
	return 0;
}

int rcr_board_subscribe(const struct rcr_blackboard *b, const struct rcr_meter *meter,
			uint64_t interval_ns)
{
	struct rcr_wish *w;

	if (!b || !meter)
		return rcr_board_fail(EINVAL);
	if (b->fd < 0)
		return 0;
	if (!meter->serial || meter->entry >= b->entries.count)
		return rcr_board_fail(ESTALE);
	w = &b->wish[meter->entry];
	__atomic_store_n(&w->interval_ns, interval_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&w->serial, meter->serial, __ATOMIC_RELEASE);
	if (!request_subscription(b, meter->entry, meter->serial, interval_ns, 0))
		return 0;
	return errno == ENOENT ? rcr_board_fail(ESTALE) : -1;
}

int rcr_board_subscribe_meter(const struct rcr_blackboard *b,
			      const struct rcr_board_meter *meter, uint64_t interval_ns)
{
	if (!b || !meter)
		return rcr_board_fail(EINVAL);
	if (b->fd < 0 || !meter->entries)
		return 0;
	if (!request_subscription(b, meter->first, meter->serial, interval_ns, RCR_SUBSCRIBE_METER))
		return 0;
	return errno == ENOENT ? rcr_board_fail(ESTALE) : -1;
}
