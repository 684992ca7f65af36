#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# suspend.sh [-k KERNEL] [ROUNDS] - suspends a guest ROUNDS times (default 3) with each source,
# while programs request changes of the set before they are frozen and after they are thawed
# (promise P1). The kernel zeroes freed memory, so that a use after free is noticed. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/witness.sh"

kernel=()
if [ "${1:-}" = -k ]; then
	kernel=("$2")
	shift 2
fi
build_witness "${kernel[@]}"
exec "$RCR_TOP/selftests/qemu/guest.sh" -n "suspend-$kver" -k "$kver" -t 1500 \
	-a "nmi_watchdog=0 init_on_free=1" -f "$witness/rcr_window.ko" "cd tests && bash suspend.sh ${1:-3}"
