// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interfaces.c - read the counts of physical interfaces from sysfs. Bonds, bridges, VLANs and
 * tunnels, which have no device, are skipped: their traffic passes a physical interface.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "network.h"

static bool read_sysfs_number(int dir, const char *path, uint64_t *number)
{
	char text[32] = "";
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t size = -1;

	if (fd >= 0) {
		size = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	*number = strtoull(text, NULL, 10);
	return size > 0;
}

static bool read_interface(int dir, struct network_interface *i)
{
	uint64_t ifindex, rx_dropped, tx_dropped;
	struct stat device;

	if (fstatat(dir, "device", &device, 0) || !read_sysfs_number(dir, "ifindex", &ifindex) ||
	    !read_sysfs_number(dir, "statistics/rx_bytes", &i->count[NETWORK_RX]) ||
	    !read_sysfs_number(dir, "statistics/tx_bytes", &i->count[NETWORK_TX]) ||
	    !read_sysfs_number(dir, "statistics/rx_dropped", &rx_dropped) ||
	    !read_sysfs_number(dir, "statistics/tx_dropped", &tx_dropped))
		return false;
	i->ifindex = ifindex;
	i->count[NETWORK_DROPPED] = rx_dropped + tx_dropped;
	return true;
}

/* Returns 0, or -1 with errno. An interface that is removed in the meantime is skipped. */
static int add_interface(struct network_read *r, int folder, const char *name)
{
	struct network_interface i;
	/* The directory descriptor stays valid if the interface is renamed. */
	int dir = openat(folder, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool is_read;

	if (dir < 0)
		return 0;
	is_read = read_interface(dir, &i);
	close(dir);
	return is_read ? network_add(r, &i) : 0;
}

int interfaces_read(const char *folder, struct network_read *r, struct why *why)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return because(why, "%s: %s", folder, strerror(errno));
	r->time = now_ns();
	r->interfaces = 0;
	while (!ret && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			ret = add_interface(r, dirfd(dir), entry->d_name);
	closedir(dir);
	return ret ? because(why, "%s: %s", folder, strerror(ENOMEM)) : 0;
}
