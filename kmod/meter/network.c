// SPDX-License-Identifier: GPL-2.0-only
/*
 * network.c - what the physical network interfaces of the initial network namespace have
 * moved, as sums that never step back.
 *
 * Each interface is followed by its ifindex. One that is deleted, moves to another
 * namespace or resets its statistics takes its past with it: only what it counted from
 * one read to the next is added, and a negative difference is not. Bonds, bridges, VLANs
 * and tunnels carry what a physical interface moves, too, and are left out.
 */
#include <linux/minmax.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>

#include "network.h"

/**
 * struct rcr_interface - how far an interface has been followed
 * @round: the read that has seen it last
 * @last: what it counted up to then
 */
struct rcr_interface {
	u64 round;
	u64 last[RCR_NETWORK_COUNTS];
};

/* All of this under rcr_meters_lock. */
static DEFINE_XARRAY(interfaces);	/* by ifindex */
static u64 sums[RCR_NETWORK_COUNTS];
static u64 round;

static void read_interface(struct net_device *dev, u64 *now)
{
	struct rtnl_link_stats64 buffer;
	const struct rtnl_link_stats64 *stats = dev_get_stats(dev, &buffer);

	now[0] = stats->rx_bytes;
	now[1] = stats->tx_bytes;
	now[2] = stats->rx_packets;
	now[3] = stats->tx_packets;
	now[4] = stats->rx_dropped + stats->tx_dropped;
}

/* A new one without memory for it is tried again at the next read. */
static struct rcr_interface *add_interface(int ifindex, const u64 *now)
{
	struct rcr_interface *i = kmalloc(sizeof(*i), GFP_ATOMIC);

	if (!i)
		return NULL;
	memcpy(i->last, now, sizeof(i->last));
	if (xa_err(xa_store(&interfaces, ifindex, i, GFP_ATOMIC))) {
		kfree(i);
		return NULL;
	}
	return i;
}

static void take_interface(struct net_device *dev)
{
	struct rcr_interface *i = xa_load(&interfaces, dev->ifindex);
	u64 now[RCR_NETWORK_COUNTS];
	unsigned int n;

	read_interface(dev, now);
	if (!i)
		i = add_interface(dev->ifindex, now);
	if (!i)
		return;
	i->round = round;
	for (n = 0; n < RCR_NETWORK_COUNTS; n++) {
		s64 moved = now[n] - i->last[n];

		sums[n] += max_t(s64, moved, 0);
		i->last[n] = now[n];
	}
}

/* Forgets the interfaces that read @last has not seen. */
static void forget_before(u64 last)
{
	struct rcr_interface *i;
	unsigned long ifindex;

	xa_for_each(&interfaces, ifindex, i) {
		if (i->round == last)
			continue;
		xa_erase(&interfaces, ifindex);
		kfree(i);
	}
}

/**
 * rcr_network_read() - reads the interfaces
 * @now: filled in: RCR_NETWORK_COUNTS sums
 *
 * Context: process, under rcr_meters_lock.
 */
void rcr_network_read(u64 *now)
{
	struct net_device *dev;

	round++;
	rcu_read_lock();
	for_each_netdev_rcu(&init_net, dev)
		if (dev->dev.parent)
			take_interface(dev);
	rcu_read_unlock();
	forget_before(round);
	memcpy(now, sums, sizeof(sums));
}

/* Frees all. Context: process, under rcr_meters_lock, or when nobody reads any more. */
void rcr_network_forget(void)
{
	round++;
	forget_before(round);
}
