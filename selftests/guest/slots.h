/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slots.h - /dev/rcrboard's second blackboard by its contract alone, and what root
 * sees of it.
 */
#ifndef RCR_GUEST_SLOTS_H
#define RCR_GUEST_SLOTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/rcrboard.h>

#define BOARD "/dev/rcrboard"
#define SEEN "/sys/kernel/debug/rcrtool/threads"
#define PAGE 4096ul

/* Maps @count pages from @page on, of which 0 is the head. */
static inline void *map_pages(int fd, unsigned long page, unsigned long count, int protection)
{
	return mmap(NULL, count * PAGE, protection, MAP_SHARED, fd,
		    (off_t)(RCR_BOARD_THREADS + page * PAGE));
}

/* A child that the C library knows nothing of. */
static inline pid_t plain_fork(void)
{
	return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

/* How many lines root sees that begin so. */
static inline unsigned int seen(const char *beginning)
{
	FILE *f = fopen(SEEN, "r");
	unsigned int n = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		n += !strncmp(line, beginning, strlen(beginning));
	if (f)
		fclose(f);
	return n;
}

/* How many slots root sees that are taken at this process' client. */
static inline unsigned int seen_of(pid_t tgid)
{
	char text[32];

	snprintf(text, sizeof(text), "tgid %d ", tgid);
	return seen(text);
}

#endif
