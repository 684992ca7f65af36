/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notify.h - reports to systemd that the daemon has started: sd_notify(3). */
#ifndef RCRD_NOTIFY_H
#define RCRD_NOTIFY_H

/*
 * Connects to the socket that NOTIFY_SOCKET names. To be called before the sandbox, which allows no
 * such socket. Returns -1 if there is none.
 */
int notify_connect(void);

/* Reports that requests are answered from now on, and closes @fd; a no-op for -1. */
void notify_ready(int fd);

#endif
