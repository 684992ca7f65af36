// SPDX-License-Identifier: GPL-2.0-or-later
/* notify.c - notify systemd that the daemon has started. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "message.h"
#include "notify.h"

int notify_connect(void)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = path ? strlen(path) : 0;
	int fd;

	if (len < 2 || len >= sizeof(to.sun_path))
		return -1;
	memcpy(to.sun_path, path, len);
	/* '@' stands for the leading 0 of an abstract socket address. */
	if (*path == '@')
		to.sun_path[0] = 0;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	len += offsetof(struct sockaddr_un, sun_path);
	if (fd < 0 || !connect(fd, (struct sockaddr *)&to, len))
		return fd;
	close(fd);
	return -1;
}

void notify_ready(int fd)
{
	static const char ready[] = "READY=1";

	if (fd < 0)
		return;
	if (write(fd, ready, strlen(ready)) < 0)
		note("systemd: %s", strerror(errno));
	close(fd);
}
