/* SPDX-License-Identifier: GPL-2.0-or-later */
/* join.h - messages on board.sock. */
#ifndef RCRD_JOIN_H
#define RCRD_JOIN_H

#include <stddef.h>

#include "rcr_board2.h"

/* Longest message that a later librcr may send, bytes. */
#define JOIN_MAX 256

/**
 * join_parse() - check the first message of a client
 * @bytes: the message
 * @size: its length, which may exceed JOIN_MAX
 * @join: filled in
 *
 * Return: 0, -EPROTO if the version is not compatible, or -EINVAL if the message is malformed.
 */
int join_parse(const void *bytes, size_t size, struct rcr_join *join);

/*
 * Sends @error or, if it is 0, the page of verdicts @page. Does not block. Returns 0, or -1 if the
 * client cannot receive the answer at once.
 */
int join_answer(int socket, unsigned int error, int page);

#endif
