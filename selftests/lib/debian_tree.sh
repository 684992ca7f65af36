# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# debian_tree.sh - makes Debian trees and the packages to install there, and runs commands in the
# trees. Needs common.sh, apt.sh and root.

# Packages to build the module and clients, to boot the tree, and to follow rcrtool(7).
TREE_PACKAGES=ca-certificates,udev,systemd-sysv,kmod,gcc,libc6-dev,pkg-config,dkms
TREE_PACKAGES+=,linux-headers-amd64,linux-image-amd64,initramfs-tools,busybox,linux-perf,msr-tools

# debian_mirror LIST: prints the mirror that a sources.list names for bookworm.
debian_mirror()
{
	sed -n 's/^deb \(\[.*\] \)\?\(http[^ ]*\) bookworm .*/\2/p' "$1" | head -n 1
}

# inside TREE COMMAND...: runs a command in the tree, in a mount namespace of its own.
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

# make_archive ARCHIVE: makes an archive of a Debian 12 with TREE_PACKAGES, whose initramfs has only
# the modules that boot.sh names.
make_archive()
{
	# shellcheck disable=SC2016 # for the shell that runs the hook
	mmdebstrap --variant=minbase --format=tar --include="$TREE_PACKAGES" \
		--dpkgopt=force-unsafe-io --skip=cleanup/apt/lists \
		--essential-hook='mkdir -p "$1/etc/initramfs-tools/conf.d"' \
		--essential-hook='echo MODULES=list >"$1/etc/initramfs-tools/conf.d/guest"' \
		bookworm "$1.new" "$RCR_APT/sources.list" &&
		mv "$1.new" "$1"
}

# unpack_tree TREE: replaces the tree by the content of the archive in build. The archive is
# replaced after a week, when the mirror may no longer have the packages of its index.
unpack_tree()
{
	local archive=$RCR_BUILD/debian.tar
	if [ -z "$(find "$archive" -mtime -7 2>/dev/null)" ]; then
		apt_private_setup || return
		step "make a Debian tree" "$RCR_BUILD/logs/debian.log" make_archive "$archive" || return
	fi
	rm -rf "$1"
	mkdir -p "$1"
	tar -C "$1" -xf "$archive"
}

# make_packages FOLDER [VERSION]: makes the Debian packages of this tree in the folder, unless it
# already has packages of the same sources.
make_packages()
{
	local made_of
	made_of=$(cd "$RCR_TOP" && find Kbuild Makefile VERSION dkms.conf LICENSES README.md debian kmod \
		packaging uapi userspace Documentation -type f -print0 | sort -z | xargs -0 cat | sha256sum)
	(
		flock 8
		[ "$(cat "$1.made-of" 2>/dev/null)" != "$made_of" ] || exit 0
		rm -f "$1.made-of"
		"$RCR_TOP/packaging/build.sh" deb "$@" >/dev/null 8>&-
		echo "$made_of" >"$1.made-of"
	) 8>"$1.lock"
}
