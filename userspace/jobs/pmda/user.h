/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user.h - switches to an ordinary user. */
#ifndef JOBS_PMDA_USER_H
#define JOBS_PMDA_USER_H

#include "why.h"

/*
 * If the caller is root, switches to @name with the group rcrtool, without capabilities and without
 * a way to gain any. Returns 0, or -1 with @why filled in: then the caller must exit.
 */
int user_become(const char *name, struct why *why);

#endif
