/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lingering.h - a socket whose close() takes long, for tests of processes that receive descriptors.
 */
#ifndef RCR_LINGERING_H
#define RCR_LINGERING_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/**
 * make_lingering() - make a connected socket with unsent bytes, whose peer reads nothing
 * @seconds: time that the last close() of the socket takes
 * @peer: filled in with the peer; closing it ends that close()
 *
 * Return: the socket, -1 on failure.
 */
static inline int make_lingering(int seconds, int *peer)
{
	struct sockaddr_in at = { AF_INET, 0, { htonl(INADDR_LOOPBACK) }, { 0 } };
	struct linger linger = { 1, seconds };
	socklen_t size = sizeof(at);
	char bytes[65536] = "";
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
	int small = 4096, turn;

	setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&at, &size) ||
	    connect(fd, (struct sockaddr *)&at, size) ||
	    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)))
		return -1;
	*peer = accept(listener, NULL, NULL);
	if (*peer < 0)
		return -1;
	/* Wait until the socket's buffers are full and nothing is in transit any more. */
	for (turn = 0; turn < 10; turn++) {
		while (send(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
			turn = 0;
		usleep(20000);
	}
	return fd;
}

#endif
