/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink_state.h - the state as RCR_CMD_LOOK tells it.
 */
#ifndef RCR_NETLINK_STATE_H
#define RCR_NETLINK_STATE_H

struct sk_buff;

int rcr_netlink_put_state(struct sk_buff *skb);

#endif
