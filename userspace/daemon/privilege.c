// SPDX-License-Identifier: GPL-2.0-or-later
/* privilege.c - switch to the user rcrtool, with a single capability. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "privilege.h"

#define USER "rcrtool"

int privilege_find(struct identity *id, struct why *why)
{
	const struct passwd *user = getpwnam(USER);
	const struct group *group = getgrnam(USER);

	if (!user)
		return because(why, "there is no user " USER
			       ": create it with 'systemd-sysusers rcrtool.conf'");
	if (!group)
		return because(why, "there is no group " USER
			       ": create it with 'systemd-sysusers rcrtool.conf'");
	if (!user->pw_uid)
		return because(why, "the user " USER " must not have user id 0: change it");
	id->uid = user->pw_uid;
	id->gid = group->gr_gid;
	return 0;
}

/* PR_CAPBSET_DROP fails with EINVAL for the first capability that the kernel does not know. */
static int drop_bounding(unsigned int kept)
{
	unsigned long cap;

	for (cap = 0; cap < 64; cap++) {
		if (cap == kept)
			continue;
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
			return errno == EINVAL ? 0 : -1;
	}
	return 0;
}

static int keep_capability(unsigned int cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	data[CAP_TO_INDEX(cap)].permitted = CAP_TO_MASK(cap);
	data[CAP_TO_INDEX(cap)].effective = CAP_TO_MASK(cap);
	return syscall(SYS_capset, &head, data);
}

int privilege_drop(const struct identity *id, unsigned int capability, struct why *why)
{
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || drop_bounding(capability) ||
	    setgroups(1, &id->gid) || setresgid(id->gid, id->gid, id->gid) ||
	    setresuid(id->uid, id->uid, id->uid) || keep_capability(capability) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return because(why, "cannot switch to the user " USER ": %s", strerror(errno));
	return 0;
}
