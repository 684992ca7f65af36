#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh [-r | -b] [NAME] - unpacks a Debian kernel, which is fetched as a package and not
# installed, and prints:
#
#   (neither)  build/kernels/RELEASE, with the kernel and its modules
#   -b         the directory to build modules against: the machine's own headers
#              if it has them, else those unpacked next to the kernel
#   -r         only the release
#
# NAME is a release (6.1.0-40-amd64) or a series (6.1, 6.12). A series means the release whose
# headers this machine has, else the newest one. 6.1-rt and 6.12-rt are Debian's PREEMPT_RT kernels;
# rt is 6.12-rt. debug and kcsan, or their releases, are kernels that debug/kernel.sh builds. The
# default is the kernel that the module is built for: RCR_KVER, or as make prints it.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

print=image
while getopts rb option; do
	case $option in
	r) print=release ;;
	b) print=build ;;
	*) die "see the head of this file for its options" ;;
	esac
done
shift $((OPTIND - 1))
name=${1:-${RCR_KVER:-$(make -s -C "$RCR_TOP" print-kver)}}

# newest_of PATTERN: prints the newest of the words on stdin that match.
newest_of()
{
	grep -xE "$1" | sort -V | tail -n 1
}

# release_of SERIES [FLAVOUR-]: prints the newest release of the plain kernels, or of a flavour.
release_of()
{
	local plain found path
	plain="${1//./\\.}\.[0-9]+[^-]*(-[0-9]+)?-${2:-}amd64"
	found=$(for path in /lib/modules/*/build; do
			basename "${path%/build}"
		done | newest_of "$plain")
	[ -n "$found" ] || ! apt_one_at_a_time apt_private_setup ||
		found=$(apt_private apt-cache pkgnames "linux-image-$1." |
			sed 's/^linux-image-//' | newest_of "$plain")
	# Without a network, use the kernel that was unpacked before.
	[ -n "$found" ] ||
		found=$(for path in "$RCR_BUILD"/kernels/*/complete; do
				basename "${path%/complete}"
			done | newest_of "$plain")
	[ -n "$found" ] || die "no kernel $1 among this machine's Debian packages"
	printf '%s\n' "$found"
}

# unpack_headers RELEASE FOLDER: unpacks the packages that make a build folder. Its Makefile
# includes the common one by its installed path, which is changed to one next to it.
unpack_headers()
{
	local deb headers=linux-headers-$1 package
	deb=$(apt_fetch_deb "$headers") || return
	dpkg -x "$deb" "$2" || return
	for package in $(dpkg-deb -f "$deb" Depends |
			grep -oE 'linux-(headers-[^ ,]*-common[^ ,]*|kbuild-[^ ,]*)' | sort -u); do
		deb=$(apt_fetch_deb "$package") || return
		dpkg -x "$deb" "$2" || return
	done
	# shellcheck disable=SC2016 # for make to expand
	sed -i 's|^include /usr/src/|include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../|' \
		"$2/usr/src/$headers/Makefile"
}

case $name in
debug | kcsan | *-debug | *-kcsan)
	arguments=()
	[ "$print" = image ] || arguments=("-${print:0:1}")
	exec "$RCR_TOP/selftests/debug/kernel.sh" "${arguments[@]}" "${name##*-}"
	;;
rt) kver=$(release_of 6.12 rt-) ;;
[0-9]*.[0-9]*-rt) kver=$(release_of "${name%-rt}" rt-) ;;
*-*) kver=$name ;;
*) kver=$(release_of "$name") ;;
esac
out=$RCR_BUILD/kernels/$kver
headers=$out/usr/src/linux-headers-$kver

case $print in
release)
	printf '%s\n' "$kver"
	;;
image)
	if [ ! -e "$out/complete" ]; then
		deb=$(apt_fetch_deb "linux-image-$kver")
		mkdir -p "$out"
		step "unpack kernel $kver" "$RCR_BUILD/logs/kernel-$kver.log" \
			dpkg -x "$deb" "$out"
		touch "$out/complete"
	fi
	printf '%s\n' "$out"
	;;
build)
	if [ -d "/lib/modules/$kver/build" ]; then
		headers=/lib/modules/$kver/build
	elif [ ! -e "$out/complete-headers" ]; then
		mkdir -p "$out"
		unpack_headers "$kver" "$out"
		touch "$out/complete-headers"
	fi
	printf '%s\n' "$headers"
	;;
esac
