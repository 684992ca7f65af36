// SPDX-License-Identifier: GPL-2.0-or-later
/* output_file.c - opens the file of option -o, and keeps its contents until output begins. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "output_file.h"

bool output_file_is(const char *path, const char *input)
{
	struct stat a, b;

	if (!input || stat(path, &a) || stat(input, &b) || !S_ISREG(a.st_mode) ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return false;
	fail("%s is the file that is read: name another one with -o", path);
	return true;
}

FILE *output_file_open(const char *path, const char *input)
{
	FILE *file;
	int fd;

	if (output_file_is(path, input))
		return NULL;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file)
		return file;
	fail("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return NULL;
}

int output_file_begin(FILE *file)
{
	struct stat st;

	/* Standard output may be a file that is appended to; devices and pipes have no contents. */
	if (file == stdout || file == stderr || fstat(fileno(file), &st) || !S_ISREG(st.st_mode))
		return 0;
	return ftruncate(fileno(file), 0);
}
