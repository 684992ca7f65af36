#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build.sh deb | rpm FOLDER [VERSION] - builds the packages of this tree in FOLDER, which is made
# anew, and prints their names. With VERSION they are of that one instead of the tree's: tests
# upgrade from a lower one.
set -eu
cd "$(dirname "$0")/.."
. selftests/lib/common.sh

kind=$1
out=$2
version=${3:-$(cat VERSION)}
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

build_deb()
{
	copy_tree && cd "$tree" && dpkg-buildpackage -b -us -uc
}

build_rpm()
{
	copy_tree || return
	mkdir "$out/SOURCES"
	tar -czf "$out/SOURCES/rcrtool-$version.tar.gz" -C "$out" "rcrtool-$version"
	# What it needs are Debian's packages here, which rpm does not know.
	rpmbuild -ba --nodeps --define "_topdir $out" --define "rcr_version $version" \
		"$tree/packaging/rcrtool.spec"
}

case $kind in
deb | rpm) step "build $kind packages of $version" "$RCR_BUILD/logs/$kind-$version.log" "build_$kind" ;;
*) die "the kind of packages is deb or rpm" ;;
esac
case $kind in
deb) printf '%s\n' "$out"/*.deb ;;
rpm) find "$out/RPMS" "$out/SRPMS" -name '*.rpm' ;;
esac
