#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels.sh [one] - builds the module for every supported kernel series into build/RELEASE, after
# fetching missing headers. Also builds rcrtool-spare0.ko, which misplaced.sh loads; with "one" only
# for the default kernel of guests.
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
