/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink.h - the generic netlink family: control.
 */
#ifndef RCR_NETLINK_H
#define RCR_NETLINK_H

int rcr_netlink_init(void);
void rcr_netlink_exit(void);

#endif
