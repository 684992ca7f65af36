/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink_meters.h - the commands for meters.
 */
#ifndef RCR_NETLINK_METERS_H
#define RCR_NETLINK_METERS_H

struct genl_info;
struct netlink_callback;
struct sk_buff;

int rcr_netlink_dump_meters(struct sk_buff *skb, struct netlink_callback *cb);
int rcr_netlink_meter_add(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_remove(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_reset(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_maximum(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_post(struct sk_buff *skb, struct genl_info *info);

#endif
