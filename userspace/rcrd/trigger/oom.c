// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * oom.c - read OOM kills from the trace pipe of a trace instance. The instance remains when rcrd
 * exits, so that its buffer holds the kills until rcrd is started again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oom.h"

#define INSTANCE "instances/rcrd"
#define EVENT ": mark_victim: pid="

/* Parse the digits that precede @at, in a text that begins at @begin. */
static bool number_before(const char *begin, const char *at, uint64_t *number)
{
	const char *from = at;

	while (from > begin && from[-1] >= '0' && from[-1] <= '9')
		from--;
	if (from == at || at - from > 12)
		return false;
	*number = strtoull(from, NULL, 10);
	return true;
}

/*
 * "   COMM-PID   [CPU] FLAGS SECONDS.MICROSECONDS: mark_victim: pid=VICTIM ...". A user can choose
 * COMM, but it is too short to contain EVENT.
 */
bool oom_parse(const char *line, struct oom_kill *kill)
{
	const char *event = strstr(line, EVENT), *point;
	uint64_t seconds, micro;
	long pid;

	if (!event)
		return false;
	for (point = event; point > line && *point != '.'; point--)
		;
	if (event - point != 7 || !number_before(line, event, &micro) ||
	    !number_before(line, point, &seconds))
		return false;
	pid = strtol(event + strlen(EVENT), NULL, 10);
	if (pid <= 0 || pid > INT32_MAX)
		return false;
	kill->time = (seconds * 1000000 + micro) * 1000;
	kill->pid = pid;
	return true;
}

static int write_setting(int dir, const char *name, const char *value)
{
	int fd = openat(dir, name, O_WRONLY | O_CLOEXEC);
	ssize_t done;

	if (fd < 0)
		return -1;
	done = write(fd, value, strlen(value));
	close(fd);
	return done < 0 ? -1 : 0;
}

/*
 * Configure a new instance. For an existing one, writing the settings again would empty the buffer
 * and lose the kills since rcrd exited. The event must be enabled first: up to Linux 6.5, setting
 * the size of the first buffer leaves all other buffers at one page.
 */
static int configure_instance(int dir)
{
	char clock[256];
	ssize_t got = -1;
	int fd = openat(dir, "trace_clock", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	got = read(fd, clock, sizeof(clock) - 1);
	close(fd);
	clock[got > 0 ? got : 0] = 0;
	if (strstr(clock, "[mono]"))
		return 0;
	return write_setting(dir, "buffer_size_kb", "16") ||
	       write_setting(dir, "trace_clock", "mono") ? -1 : 0;
}

static int open_instance(void)
{
	static const char *const roots[] = {
		"/sys/kernel/tracing/", "/sys/kernel/debug/tracing/",
	};
	char path[64];
	size_t i;
	int dir;

	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(path, sizeof(path), "%s" INSTANCE, roots[i]);
		if (mkdir(path, 0700) && errno != EEXIST)
			continue;
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir >= 0)
			return dir;
	}
	return -1;
}

int oom_open(struct oom *oom, struct why *why)
{
	int dir = open_instance();

	oom->fd = -1;
	oom->used = 0;
	if (dir < 0)
		return because(why, "tracefs is not mounted, or has no instances: %s",
			       strerror(errno));
	/* Without buffer_percent 0, poll() waits until the buffer is half full. */
	if (!write_setting(dir, "events/oom/mark_victim/enable", "1") && !configure_instance(dir) &&
	    !write_setting(dir, "buffer_percent", "0") &&
	    !write_setting(dir, "tracing_on", "1"))
		oom->fd = openat(dir, "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (oom->fd < 0)
		because(why, "tracepoint oom:mark_victim: %s", strerror(errno));
	close(dir);
	return oom->fd < 0 ? -1 : 0;
}

/* Take a line from the buffer. A line that fills the buffer is not of this event: drop it. */
static bool read_trace_line(struct oom *oom, char *line, size_t size)
{
	char *end = memchr(oom->text, '\n', oom->used);
	size_t len;

	if (!end && oom->used < sizeof(oom->text))
		return false;
	len = end ? (size_t)(end - oom->text) : oom->used;
	snprintf(line, size, "%.*s", (int)len, oom->text);
	oom->used -= end ? len + 1 : len;
	memmove(oom->text, oom->text + (end ? len + 1 : len), oom->used);
	return true;
}

bool oom_next(struct oom *oom, struct oom_kill *kill)
{
	char line[sizeof(oom->text) + 1];
	ssize_t got;

	if (oom->fd < 0)
		return false;
	for (;;) {
		while (read_trace_line(oom, line, sizeof(line)))
			if (oom_parse(line, kill))
				return true;
		got = read(oom->fd, oom->text + oom->used, sizeof(oom->text) - oom->used);
		if (got <= 0)
			return false;
		oom->used += got;
	}
}
