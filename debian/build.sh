#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build.sh FOLDER [VERSION] - builds the Debian packages of this tree in FOLDER, which is made
# anew, and prints their names. With VERSION they are of that one instead of the tree's: tests
# upgrade from a lower one.
set -eu
cd "$(dirname "$0")/.."
. selftests/lib/common.sh

out=$1
version=${2:-$(cat VERSION)}
tree=$out/rcrtool-$version

# What git knows, with its changes; of an unpacked archive everything but what was built.
list_files()
{
	if [ -e .git ]; then
		git ls-files -z --cached --others --exclude-standard
	else
		find . -path ./build -prune -o \( -type f -o -type l \) -print0
	fi
}

copy_tree()
{
	rm -rf "$out"
	mkdir -p "$tree"
	list_files | while read -rd '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
		tar -c --null -T - | tar -x -C "$tree"
	[ "$version" != "$(cat VERSION)" ] || return 0
	echo "$version" >"$tree/VERSION"
	sed -i "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$version\"/" "$tree/dkms.conf"
	sed -i "1s/(.*)/($version)/" "$tree/debian/changelog"
}

build_packages()
{
	copy_tree && cd "$tree" && dpkg-buildpackage -b -us -uc
}

step "build Debian packages of $version" "$RCR_BUILD/logs/deb-$version.log" build_packages
printf '%s\n' "$out"/*.deb
