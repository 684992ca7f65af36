/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink_state.h - the state, and the list of counters.
 */
#ifndef RCR_NETLINK_STATE_H
#define RCR_NETLINK_STATE_H

struct netlink_callback;
struct sk_buff;

int rcr_netlink_put_state(struct sk_buff *skb);
int rcr_netlink_dump_counters(struct sk_buff *skb, struct netlink_callback *cb);

#endif
