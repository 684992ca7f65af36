#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# demo.sh - a count from register to CSV, in a guest on the virtual PMU.
set -eu
. "$(dirname "$0")/lib/common.sh"

"$RCR_TOP/selftests/vpmu/build.sh"
say "booting a guest with 4 CPUs of AMD Family 15h"
exec "$RCR_TOP/selftests/qemu/guest.sh" -n demo -a nmi_watchdog=0 \
	'cd tests && bash ./demo.sh'
