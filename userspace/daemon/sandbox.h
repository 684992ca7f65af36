/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sandbox.h - restrict rcrd and rcrd-set to the system calls that they need for serving. */
#ifndef DAEMON_SANDBOX_H
#define DAEMON_SANDBOX_H

#include "why.h"

/*
 * From now on, any other system call kills the process. This cannot be undone. Returns 0, or -1
 * with @why filled in.
 */
int sandbox_enter(struct why *why);

#endif
