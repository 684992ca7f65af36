/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink_caller.h - who may send which request.
 */
#ifndef RCR_NETLINK_CALLER_H
#define RCR_NETLINK_CALLER_H

#include <linux/types.h>

struct netlink_ext_ack;
struct nlattr;
struct sk_buff;

bool rcr_netlink_is_admin(struct sk_buff *skb);
int rcr_netlink_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack);
int rcr_netlink_may_post(struct sk_buff *skb, struct netlink_ext_ack *extack);
int rcr_netlink_may_read(struct sk_buff *skb, struct nlattr **attrs,
			 struct netlink_ext_ack *extack);

#endif
