/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - answers the request "threads": what is in the slots of clients.
 */
#ifndef RCRD_LIST_H
#define RCRD_LIST_H

#include "control.h"
#include "verdicts.h"

/*
 * A control_take for REQUEST_THREADS, with the struct verdicts as @arg. An answer has a line
 * for each slot that is taken: "UID PID TID ID PC STATE WISH AGE_NS UPDATES", numbers in
 * decimal; PID is 0 where it is not known. The last line is "next CLIENT SLOT": what to ask
 * for next; there is none when everything was listed.
 */
int list_take(void *arg, const struct caller *caller, const struct request *q,
	      struct answer *answer, struct why *why);

#endif
