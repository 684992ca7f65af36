#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# newest.sh - compiles the module against the newest kernel that Debian offers, with that release's
# own compiler, in a Debian sid under build/sid-root. Needs root (debootstrap) and Debian's mirror.
# Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"
. "$RCR_TOP/selftests/lib/debian_tree.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "making a Debian tree needs root"

root=$RCR_BUILD/sid-root

# make_root runs as an argument of step.
# shellcheck disable=SC2317
make_root()
{
	rm -rf "$root"
	debootstrap --variant=minbase --include=gcc,make,libc6-dev,linux-headers-amd64,pahole \
		sid "$root" "$(debian_mirror "$RCR_APT/sources.list")"
}

build()
{
	rm -rf "$root/src"
	mkdir "$root/src"
	cp -r "$RCR_TOP"/{Kbuild,Makefile,VERSION,kmod,uapi,userspace} "$root/src/"
	inside "$root" make -s -C /src modules "KVER=$1"
}

apt_one_at_a_time apt_private_setup
plan 2
TAP_LOG=$RCR_BUILD/logs/newest-root.log
rc=0
step "make a Debian sid" "$TAP_LOG" make_root || rc=$?
kver=$(basename -a "$root"/lib/modules/* | sort -V | tail -n 1)
result $rc "newest: Debian's newest kernel is ${kver:-not available}"
TAP_LOG=$RCR_BUILD/logs/newest-build.log
rc=0
build "$kver" >"$TAP_LOG" 2>&1 || rc=$?
[ ! -s "$TAP_LOG" ] || rc=1
result $rc "newest: the module compiles against it, and the compiler prints nothing"
finished
