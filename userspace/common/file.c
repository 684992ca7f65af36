// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file.c - reads a whole text file or its first line, and writes files atomically: to a temporary
 * file in the same directory, which is then renamed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

static char *read_whole_stream(FILE *in, const char *path, size_t *size, struct why *why)
{
	char *text = malloc(FILE_MAX + 1);

	if (!text) {
		because(why, "%s: %s", path, strerror(errno));
		return NULL;
	}
	*size = fread(text, 1, FILE_MAX + 1, in);
	if (!ferror(in) && *size <= FILE_MAX) {
		text[*size] = 0;
		return text;
	}
	if (ferror(in))
		because(why, "%s: %s", path, strerror(errno));
	else
		because(why, "%s is too long: the maximum is %d bytes", path, FILE_MAX);
	free(text);
	return NULL;
}

char *file_read(const char *path, size_t *size, struct why *why)
{
	FILE *in = fopen(path, "re");
	char *text;

	if (!in) {
		because(why, "%s: %s", path, strerror(errno));
		return NULL;
	}
	text = read_whole_stream(in, path, size, why);
	fclose(in);
	return text;
}

bool file_line(const char *path, char *line, int size)
{
	FILE *in = fopen(path, "re");
	bool got;

	if (!in)
		return false;
	got = fgets(line, size, in);
	fclose(in);
	if (got)
		line[strcspn(line, "\n")] = 0;
	return got;
}

static int fail_new_file(struct file_new *f, int error, struct why *why)
{
	because(why, "%s: %s", f->path ? f->path : "file", strerror(error));
	file_abandon(f);
	return -1;
}

/* Regular or missing files are replaced. Devices and pipes are written directly. */
static bool is_replaceable(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISREG(st.st_mode);
}

static int open_temporary(struct file_new *f)
{
	int fd;

	if (asprintf(&f->temporary, "%s.XXXXXX", f->path) < 0) {
		f->temporary = NULL;
		return -1;
	}
	fd = mkostemp(f->temporary, O_CLOEXEC);
	if (fd < 0) {
		free(f->temporary);
		f->temporary = NULL;
		return -1;
	}
	f->stream = fdopen(fd, "w");
	if (!f->stream)
		close(fd);
	return f->stream && !fchmod(fd, 0644) ? 0 : -1;
}

int file_begin(struct file_new *f, const char *path, struct why *why)
{
	memset(f, 0, sizeof(*f));
	if (!strcmp(path, "-")) {
		f->path = strdup("standard output");
		f->stream = stdout;
		return 0;
	}
	/* Replace the target of a symbolic link, not the link. */
	f->path = realpath(path, NULL);
	if (!f->path)
		f->path = strdup(path);
	if (!f->path)
		return fail_new_file(f, ENOMEM, why);
	if (is_replaceable(f->path))
		return open_temporary(f) ? fail_new_file(f, errno, why) : 0;
	f->stream = fopen(f->path, "we");
	return f->stream ? 0 : fail_new_file(f, errno, why);
}

static void free_new_file(struct file_new *f)
{
	free(f->path);
	free(f->temporary);
	memset(f, 0, sizeof(*f));
}

int file_commit(struct file_new *f, struct why *why)
{
	FILE *stream = f->stream;

	if (fflush(stream) || ferror(stream))
		return fail_new_file(f, errno, why);
	if (f->temporary && fsync(fileno(stream)))
		return fail_new_file(f, errno, why);
	f->stream = NULL;
	if (stream != stdout && fclose(stream))
		return fail_new_file(f, errno, why);
	if (f->temporary && rename(f->temporary, f->path))
		return fail_new_file(f, errno, why);
	free_new_file(f);
	return 0;
}

void file_abandon(struct file_new *f)
{
	if (f->stream && f->stream != stdout)
		fclose(f->stream);
	if (f->temporary)
		unlink(f->temporary);
	free_new_file(f);
}

int file_make_folders(const char *path, struct why *why)
{
	char folder[PATH_MAX];
	char *slash;

	if (strlen(path) >= sizeof(folder))
		return because(why, "%.40s...: %s", path, strerror(ENAMETOOLONG));
	strcpy(folder, path);
	for (slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(folder, 0755) && errno != EEXIST)
			return because(why, "%s: %s", folder, strerror(errno));
		*slash = '/';
	}
	return 0;
}
