// SPDX-License-Identifier: GPL-2.0-or-later
/* recording.c - finds out and reports why a file with a saved stream cannot be read. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "rcr.h"
#include "recording.h"

/**
 * recording_is_cut() - check whether a file ends within an item
 * @fd: descriptor of the file
 * @offset: where the item begins
 *
 * Returns false if the item would be invalid even in a longer file.
 */
bool recording_is_cut(int fd, uint64_t offset)
{
	struct rcr_item item;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size <= offset)
		return false;
	if (st.st_size - offset < sizeof(item))
		return true;
	if (pread(fd, &item, sizeof(item), offset) != sizeof(item))
		return false;
	return item.size >= sizeof(item) && item.size % 8 == 0 && item.size <= RCR_READ_MIN &&
	       item.size > st.st_size - offset;
}

/* Reports why a file cannot be read; returns EXIT_FAILURE. */
int recording_refuse(const char *path, int error)
{
	if (error == EPROTO)
		return fail("%s: offset 0: not a recording: read a file that 'rcrstat -f raw' or a recorder has written",
			    path);
	return fail("%s: %s", path, strerror(error));
}
