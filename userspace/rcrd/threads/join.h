/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * join.h - the messages of board.sock.
 */
#ifndef RCRD_JOIN_H
#define RCRD_JOIN_H

#include <stddef.h>

#include "rcr_board2.h"

/* Longest message that a later librcr may send, bytes. */
#define JOIN_MAX 256

/**
 * join_parse() - checks the first message of a client
 * @bytes: it
 * @size: of it, which may be more than JOIN_MAX
 * @join: filled in
 *
 * Returns 0; -EPROTO: it is of a version that does not fit; -EINVAL: it is no such message.
 */
int join_parse(const void *bytes, size_t size, struct rcr_join *join);

/*
 * Answers it: with @error, or with 0 and the page of verdicts @page. Returns 0, or -1 if the client
 * does not take its answer at once, which is not waited for.
 */
int join_answer(int socket, unsigned int error, int page);

#endif
