/* SPDX-License-Identifier: GPL-2.0-or-later */
/* join.h - the messages of board.sock. */
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
 * Returns 0; -EPROTO if the version is not compatible; -EINVAL if it is not such a message.
 */
int join_parse(const void *bytes, size_t size, struct rcr_join *join);

/*
 * Sends @error, or with 0 the page of verdicts @page. Does not wait: returns -1 if the client
 * cannot receive the answer at once, else 0.
 */
int join_answer(int socket, unsigned int error, int page);

#endif
