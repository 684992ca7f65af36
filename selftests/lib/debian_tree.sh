# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# debian_tree.sh - works in a Debian that debootstrap has made. Needs root.

# debian_mirror LIST: prints the mirror that a sources.list names for bookworm.
debian_mirror()
{
	sed -n 's/^deb \(\[.*\] \)\?\(http[^ ]*\) bookworm .*/\2/p' "$1" | head -n 1
}

# inside TREE COMMAND...: runs a command in the tree, with mounts that go away when it ends.
inside()
{
	local tree=$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'tree=$1; shift
		mount --bind /dev "$tree/dev" && mount -t proc proc "$tree/proc" &&
		exec chroot "$tree" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"' sh "$tree" "$@"
}
