/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - answers the request "threads": lists the slots of clients. */
#ifndef RCRD_LIST_H
#define RCRD_LIST_H

#include "control.h"
#include "verdicts.h"

/*
 * A control_take for REQUEST_THREADS, with the struct verdicts as @arg. The answer has a line for
 * each slot in use: "UID PID TID ID PC STATE WISH AGE_NS UPDATES", numbers in decimal; PID is 0 if
 * it is not known. A last line "next CLIENT SLOT" has the arguments of the next request; it is
 * missing at the end of the list.
 */
int list_take(void *arg, const struct caller *caller, const struct request *q,
	      struct answer *answer, struct why *why);

#endif
