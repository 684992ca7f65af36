// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_network.c - rcrd's network meters: statistics of interfaces in sysfs, and their rates.
 */
#include "network.h"
#include "sysfs_tree.h"

#define SECOND 1000000000ull

static struct network_read before, now;
static uint64_t growth[NETWORK_COUNTS];

/* Add an interface and its three counts. */
static void add(struct network_read *r, unsigned int ifindex, uint64_t rx, uint64_t tx,
		uint64_t dropped)
{
	struct network_interface i = { ifindex, { rx, tx, dropped } };

	if (network_add(r, &i))
		ksft_exit_fail_msg("no memory\n");
}

static void forget_reads(void)
{
	before.interfaces = 0;
	now.interfaces = 0;
}

static bool grew(uint64_t rx, uint64_t tx, uint64_t dropped)
{
	network_growth(&before, &now, growth);
	if (growth[NETWORK_RX] == rx && growth[NETWORK_TX] == tx &&
	    growth[NETWORK_DROPPED] == dropped)
		return true;
	ksft_print_msg("%llu %llu %llu\n", (unsigned long long)growth[NETWORK_RX],
		       (unsigned long long)growth[NETWORK_TX],
		       (unsigned long long)growth[NETWORK_DROPPED]);
	return false;
}

static void test_growth(void)
{
	ksft_test_result(grew(0, 0, 0), "growth: it is 0 without interfaces\n");
	add(&before, 2, 1000, 2000, 3);
	add(&before, 3, 50, 60, 0);
	add(&now, 3, 51, 80, 4);
	add(&now, 2, 1100, 2000, 5);
	ksft_test_result(grew(101, 20, 6), "growth: interfaces in any order are added up\n");

	forget_reads();
	add(&before, 2, 1000, 2000, 3);
	add(&now, 2, 1500, 2000, 3);
	add(&now, 7, 1ull << 60, 1ull << 60, 99);
	ksft_test_result(grew(500, 0, 0), "growth: the past counts of a new interface are not added\n");

	forget_reads();
	add(&before, 2, 1000, 2000, 3);
	add(&before, 7, 5, 5, 5);
	add(&now, 7, 6, 6, 6);
	ksft_test_result(grew(1, 1, 1), "growth: an interface that is removed subtracts nothing\n");

	forget_reads();
	add(&before, 2, 1000, 2000, 3);
	add(&now, 2, 10, 2100, 0);
	ksft_test_result(grew(0, 100, 0), "growth: a count that decreases adds nothing\n");

	forget_reads();
	add(&before, 2, 10, 0, 0);
	add(&now, 2, 15, 0, 0);
	add(&now, 2, 16, 0, 0);
	ksft_test_result(now.interfaces == 1 && grew(6, 0, 0),
			 "growth: an interface that is read twice counts once\n");
}

static void test_many(void)
{
	unsigned int i;

	forget_reads();
	for (i = 1; i <= 300; i++) {
		add(&before, i, i, 0, 0);
		add(&now, 301 - i, 2 * (301 - i), 1, 0);
	}
	ksft_test_result(grew(300 * 301 / 2, 300, 0), "growth: 300 interfaces are added up\n");
}

static void test_rate(void)
{
	ksft_test_result(network_rate(1000, SECOND, 0) == 1000 &&
			 network_rate(1000, SECOND / 2, 0) == 2000 &&
			 network_rate(1000, 3 * SECOND, 0) == 333 &&
			 network_rate(2000, 3 * SECOND, 0) == 667 &&
			 network_rate(0, SECOND, 0) == 0,
			 "rate: it is the growth per second, rounded\n");
	ksft_test_result(network_rate(1, 3 * SECOND, 3) == 333 &&
			 network_rate(1, 3600 * SECOND, 3) == 0 &&
			 network_rate(7, SECOND, 3) == 7000,
			 "rate: it has the digits of its meter\n");
	ksft_test_result(network_rate(UINT64_MAX, SECOND / 10, 3) == INT64_MAX &&
			 network_rate(1ull << 62, SECOND, 0) == 1ll << 62 &&
			 network_rate(1ull << 62, 3600 * SECOND, 3) == 1281023894007607751ll,
			 "rate: the largest counts do not overflow\n");
	ksft_test_result(network_rate(1000, 0, 3) == 0,
			 "rate: there is no rate if no time has passed\n");
}

static void put_interface(const char *name, unsigned int ifindex, unsigned int rx)
{
	char text[16];

	snprintf(text, sizeof(text), "%u\n", ifindex);
	put(text, "%s/ifindex", name);
	snprintf(text, sizeof(text), "%u\n", rx);
	put(text, "%s/statistics/rx_bytes", name);
	put("18446744073709551615\n", "%s/statistics/tx_bytes", name);
	put("3\n", "%s/statistics/rx_dropped", name);
	put("4\n", "%s/statistics/tx_dropped", name);
}

static void test_read(void)
{
	struct why why;
	int ret;

	begin_tree();
	put("", "bonding_masters");
	put_interface("lo", 1, 10);
	put_interface("eth0", 2, 20);
	put("", "eth0/device/vendor");
	put_interface("wlan0", 3, 30);
	put("", "wlan0/device/vendor");
	put("", "gone0/device/vendor");
	forget_reads();
	ret = interfaces_read(root, &before, &why);
	put_interface("eth0", 2, 27);
	ret |= interfaces_read(root, &now, &why);
	ksft_test_result(!ret && now.interfaces == 2 && grew(7, 0, 0),
			 "read: interfaces without a device or statistics are left out\n");
	ksft_test_result(now.interface[0].count[NETWORK_TX] == UINT64_MAX &&
			 now.interface[0].count[NETWORK_DROPPED] == 7 &&
			 now.time > before.time,
			 "read: counts have 64 bits, drops include both directions\n");
	remove_tree();
	ksft_test_result(interfaces_read(root, &now, &why) == -1 && strstr(why.text, root),
			 "read: a missing directory is reported\n");
}

/* eth0 is renamed, and a new interface takes its name. */
static void test_rename(void)
{
	char from[80], to[80];
	struct why why;
	int ret;

	strcpy(root, "/tmp/rcr-sysfs-XXXXXX");
	begin_tree();
	put_interface("eth0", 2, 20);
	put("", "eth0/device/vendor");
	ret = interfaces_read(root, &before, &why);
	snprintf(from, sizeof(from), "%s/eth0", root);
	snprintf(to, sizeof(to), "%s/wire0", root);
	ret |= rename(from, to);
	put_interface("wire0", 2, 25);
	put_interface("eth0", 4, 4000);
	put("", "eth0/device/vendor");
	ret |= interfaces_read(root, &now, &why);
	ksft_test_result(!ret && grew(5, 0, 0), "read: a renamed interface keeps its counts\n");
	remove_tree();
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(15);
	test_growth();
	test_many();
	test_rate();
	test_read();
	test_rename();
	free(before.interface);
	free(now.interface);
	ksft_finished();
}
