/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * privilege.h - becomes the user rcrtool, with CAP_PERFMON and nothing else.
 */
#ifndef RCRD_PRIVILEGE_H
#define RCRD_PRIVILEGE_H

#include <sys/types.h>

#include "why.h"

/**
 * struct identity - whom rcrd runs as
 * @uid: of the user rcrtool
 * @gid: of the group rcrtool
 */
struct identity {
	uid_t uid;
	gid_t gid;
};

/* Looks the user and the group up. Returns 0, or -1 with the reason. */
int privilege_find(struct identity *id, struct why *why);

/*
 * Becomes @id, with no other group and no capability but CAP_PERFMON, also in the
 * bounding set, and without a way to gain one. Returns 0, or -1 with the reason: then the
 * caller must exit.
 */
int privilege_drop(const struct identity *id, struct why *why);

#endif
