/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caller.h - permissions of the current task on an open device. Only capabilities in the initial
 * user namespace count. The checks write no audit record: members of the devices' group
 * usually lack these capabilities.
 */
#ifndef RCR_CALLER_H
#define RCR_CALLER_H

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

/* May it change the set? The same capability as for netlink. */
static inline bool rcr_caller_is_admin(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_RAWIO);
}

/* perfmon_capable() without its audit record. */
static inline bool rcr_caller_is_perfmon(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/*
 * The user to whom limits apply. In a user namespace that is the user who created it: a user with
 * subordinate user ids (subuid(5)) is still one user.
 */
static inline kuid_t rcr_caller_user(void)
{
	const struct user_namespace *ns = current_user_ns();
	kuid_t user = current_uid();

	for (; ns != &init_user_ns; ns = ns->parent)
		user = ns->owner;
	return user;
}

#endif
