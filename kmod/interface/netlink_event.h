/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink_event.h - events as netlink attributes.
 */
#ifndef RCR_NETLINK_EVENT_H
#define RCR_NETLINK_EVENT_H

struct genl_info;
struct rcr_event;
struct rcr_failure;
struct sk_buff;

int rcr_netlink_take_events(const struct genl_info *info, struct rcr_event **event,
			    struct rcr_failure *f);
int rcr_netlink_take_event(const struct genl_info *info, struct rcr_event **event,
			   struct rcr_failure *f);
int rcr_netlink_put_event(struct sk_buff *skb, int attr, const struct rcr_event *e);

#endif
