/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caller.h - permission checks of the current task. Only capabilities in the initial user
 * namespace count. The checks leave no audit record: members of the devices' group
 * normally lack these capabilities.
 */
#ifndef RCR_CALLER_H
#define RCR_CALLER_H

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

/* True if the task may change the counter set. Requires the same capability as netlink. */
static inline bool rcr_caller_is_admin(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_RAWIO);
}

/* perfmon_capable() without the audit record. */
static inline bool rcr_caller_is_perfmon(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/*
 * The user whose resources are limited. In a user namespace this is the owner of the outermost
 * one, so that subordinate user ids (subuid(5)) do not multiply the limits.
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
