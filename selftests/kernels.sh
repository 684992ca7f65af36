#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels.sh [one] - builds the module for every kernel series that it must work on,
# into build/RELEASE, fetching what headers the machine has not; and next to it
# rcrtool-spare0.ko, which misplaced.sh loads. With the word "one" that module is only
# built for the kernel that guests run by default.
set -eu
. "$(dirname "$0")/lib/common.sh"

default=$(make -s -C "$RCR_TOP" print-kver)
for series in "${RCR_SERIES[@]}"; do
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$series")
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
	if [ "${1:-}" != one ] || [ "$kver" = "$default" ]; then
		make -s -j"$(nproc)" -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir" RCR_SPARE_MIN=0
	fi
	make -s -j"$(nproc)" -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir"
done
