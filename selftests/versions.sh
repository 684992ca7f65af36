#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# versions.sh [-k KERNEL] - tests that programs of the first release with this module, and programs
# of this release with the module of the first one, are refused with a reason. Builds the first
# release from the repository's history under build/first. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"

FIRST=b3e07be
kver=6.1
if [ "${1:-}" = -k ]; then
	kver=$2
fi
kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$kver")
first=$RCR_BUILD/first

# Build the first release, unless an earlier run has done so for this kernel.
build_first()
{
	[ ! -e "$first/out/first.ko.$kver" ] || return 0
	rm -rf "$first"
	mkdir -p "$first/tree" "$first/out"
	git -C "$RCR_TOP" archive $FIRST | tar -x -C "$first/tree" || return
	"$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver" >"$first/kdir" || return
	make -s -C "$first/tree" modules programs KVER="$kver" KDIR="$(tail -n 1 "$first/kdir")" >"$first/log" 2>&1 || return
	cp "$first/tree/build/$kver/rcrtool.ko" "$first/out/first.ko"
	cp "$first/tree/build/bin/rcrstat" "$first/out/first-rcrstat"
	cp "$first/tree/build/bin/rcrctl" "$first/out/first-rcrctl"
	touch "$first/out/first.ko.$kver"
}

build_first || die "cannot build the first release ($FIRST): fetch the complete history, or see $first/log"
exec "$RCR_TOP/selftests/qemu/guest.sh" -n "versions-$kver" -k "$kver" -a nmi_watchdog=0 \
	-f "$first/out/first.ko" -f "$first/out/first-rcrstat" -f "$first/out/first-rcrctl" \
	"bash tests/run.sh versions.sh"
