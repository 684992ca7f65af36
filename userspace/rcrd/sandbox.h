/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sandbox.h - the system calls that rcrd makes once it serves, and no others.
 */
#ifndef RCRD_SANDBOX_H
#define RCRD_SANDBOX_H

#include "why.h"

/*
 * From now on any other system call kills the process. There is no way back. Returns 0,
 * or -1 with the reason.
 */
int sandbox_enter(struct why *why);

#endif
