/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user.h - switches to an ordinary user. */
#ifndef JOBS_PMDA_USER_H
#define JOBS_PMDA_USER_H

#include "why.h"

/*
 * If the process is root, switches to the user @name with the group rcrtool, drops all capabilities
 * and makes sure that none can be regained. Returns 0, or -1 with @why filled in: then the caller
 * must exit.
 */
int user_become(const char *name, struct why *why);

#endif
