#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels.sh - builds the module for every kernel series that it must work on,
# into build/RELEASE, fetching what headers the machine has not; and next to it
# rcrtool-spare0.ko, which misplaced.sh loads.
set -eu
. "$(dirname "$0")/lib/common.sh"

for series in "${RCR_SERIES[@]}"; do
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$series")
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
	make -s -j"$(nproc)" -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir" RCR_SPARE_MIN=0
	make -s -j"$(nproc)" -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir"
done
