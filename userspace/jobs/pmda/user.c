// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * user.c - drops root, as which pmcd starts agents, for an ordinary user with the group rcrtool.
 * Keeps the user's own group, too, because the agent's files belong to it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "pmda/user.h"

#define GROUP "rcrtool"

int user_become(const char *name, struct why *why)
{
	const struct passwd *user;
	const struct group *group;
	gid_t groups[2];

	if (geteuid())
		return 0;
	user = getpwnam(name);
	group = getgrnam(GROUP);
	if (!user)
		return because(why, "there is no user '%s': choose one with -U", name);
	if (!user->pw_uid)
		return because(why, "the user '%s' has user id 0: choose another one with -U",
			       name);
	if (!group)
		return because(why, "there is no group " GROUP
			       ": make it with 'systemd-sysusers rcrtool.conf'");
	groups[0] = user->pw_gid;
	groups[1] = group->gr_gid;
	if (setgroups(2, groups) || setresgid(groups[0], groups[0], groups[0]) ||
	    setresuid(user->pw_uid, user->pw_uid, user->pw_uid) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return because(why, "cannot become the user '%s': %s", name, strerror(errno));
	return 0;
}
