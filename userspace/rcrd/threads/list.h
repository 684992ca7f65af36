/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - answer the request "threads" with the slots of clients. */
#ifndef RCRD_LIST_H
#define RCRD_LIST_H

#include "control.h"
#include "verdicts.h"

/*
 * Answers REQUEST_THREADS; see control_take. @arg is the struct verdicts. The answer has a line for
 * each slot in use: "UID PID TID ID PC STATE WISH AGE_NS UPDATES", in decimal; an unknown PID is 0.
 * If the list does not end here, the last line "next CLIENT SLOT" has the arguments of the next
 * request.
 */
int list_take(void *arg, const struct caller *caller, const struct request *q,
	      struct answer *answer, struct why *why);

#endif
