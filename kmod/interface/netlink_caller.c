// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_caller.c - who may send which request. Capabilities are those of the sender and
 * of the opener of the socket in the initial user namespace: registers belong to the
 * machine, not to a network namespace.
 */
#include <linux/capability.h>
#include <linux/file.h>
#include <net/netlink.h>
#include <linux/rcrtool.h>

#include "chardev.h"
#include "netlink_caller.h"

/* May the sender of @skb program counters, and trigger what root has armed? */
bool rcr_netlink_is_admin(struct sk_buff *skb)
{
	return netlink_capable(skb, CAP_SYS_RAWIO);
}

/* 0, or -EPERM: the sender must not change what is counted. */
int rcr_netlink_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (rcr_netlink_is_admin(skb))
		return 0;
	NL_SET_ERR_MSG(extack, "CAP_SYS_RAWIO is needed to change what is counted");
	return -EPERM;
}

/* 0, or -EPERM: the sender must neither set marks nor post values. */
int rcr_netlink_may_post(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_capable(skb, CAP_PERFMON) || rcr_netlink_is_admin(skb))
		return 0;
	NL_SET_ERR_MSG(extack, "CAP_PERFMON is needed to set marks and to post values");
	return -EPERM;
}

/* Is it a descriptor of /dev/rcrtool that the current task has open? */
static bool is_device(const struct nlattr *device)
{
	struct file *file;
	bool is;

	if (!device)
		return false;
	file = fget(nla_get_u32(device));
	is = rcr_chardev_is(file);
	if (file)
		fput(file);
	return is;
}

/**
 * rcr_netlink_may_read() - checks who wants to read what is counted
 * @skb: the request
 * @attrs: its attributes
 * @extack: gets the reason
 *
 * What the device shows may be read by whoever could open it, or was given it.
 *
 * Context: the sender's: a request, and the start of a dump.
 * Return: 0 or -EPERM.
 */
int rcr_netlink_may_read(struct sk_buff *skb, struct nlattr **attrs,
			 struct netlink_ext_ack *extack)
{
	if (is_device(attrs[RCR_A_DEVICE]) || netlink_capable(skb, CAP_PERFMON) ||
	    rcr_netlink_is_admin(skb))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "CAP_PERFMON or an open /dev/rcrtool is needed to read what is counted");
	return -EPERM;
}
