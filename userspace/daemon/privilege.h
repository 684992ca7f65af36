/* SPDX-License-Identifier: GPL-2.0-or-later */
/* privilege.h - switch to the user rcrtool, with a single capability. */
#ifndef DAEMON_PRIVILEGE_H
#define DAEMON_PRIVILEGE_H

#include <sys/types.h>

#include "why.h"

/**
 * struct identity - user and group that the daemons run as
 * @uid: id of the user rcrtool
 * @gid: id of the group rcrtool
 */
struct identity {
	uid_t uid;
	gid_t gid;
};

/* Looks up the user and the group. Returns 0, or -1 with @why filled in. */
int privilege_find(struct identity *id, struct why *why);

/*
 * Switches to @id, without supplementary groups. @capability remains the only capability, also in
 * the bounding set, and the process cannot gain others. Returns 0, or -1 with @why filled in, after
 * which the caller must exit.
 */
int privilege_drop(const struct identity *id, unsigned int capability, struct why *why);

#endif
