#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# reboot.sh - a guest goes down while the module samples, and a witness looks at the
# registers behind it (promise P1). Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"

kver=$(make -s -C "$RCR_TOP" print-kver)
kdir=/lib/modules/$kver/build
[ -d "$kdir" ] || kdir=$RCR_BUILD/kernels/$kver/usr/src/linux-headers-$kver
out=$RCR_BUILD/witness
mkdir -p "$out"
# Like the module itself: built in a folder of links.
cp -asf "$RCR_TOP"/selftests/witness/* "$out/"
step "the witness" "$RCR_BUILD/logs/witness.log" make -s -C "$kdir" O= M="$out" modules
exec "$RCR_TOP/selftests/qemu/guest.sh" -n reboot -a nmi_watchdog=0 -f "$out/rcr_witness.ko" \
	"cd tests && bash reboot.sh"
