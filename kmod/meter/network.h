/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * network.h - what the physical network interfaces have moved.
 */
#ifndef RCR_NETWORK_H
#define RCR_NETWORK_H

#include <linux/types.h>

/* Bytes received and sent, packets received and sent, packets dropped. */
#define RCR_NETWORK_COUNTS	5

void rcr_network_read(u64 *now);
void rcr_network_forget(void);

#endif
