/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notify.h - notify systemd that the daemon has started, as sd_notify(3) does. */
#ifndef RCRD_NOTIFY_H
#define RCRD_NOTIFY_H

/*
 * Connects to the socket that NOTIFY_SOCKET names. Must be called before sandbox_enter(), which
 * forbids this. Returns the descriptor, or -1 if there is no such socket.
 */
int notify_connect(void);

/* Notifies systemd that the daemon is ready, and closes @fd. Does nothing if @fd is -1. */
void notify_ready(int fd);

#endif
