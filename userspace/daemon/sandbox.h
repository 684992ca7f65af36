/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sandbox.h - restricts rcrd to the system calls that it makes while serving. */
#ifndef DAEMON_SANDBOX_H
#define DAEMON_SANDBOX_H

#include "why.h"

/*
 * Makes any other system call kill the process, irreversibly. Returns 0, or -1 with @why filled in.
 */
int sandbox_enter(struct why *why);

#endif
