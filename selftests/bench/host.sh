#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# host.sh [TIMES] - the rows of the bench that need no guest: the CPU time that rcrstat takes for
# recorded rings of 64, 256 and 1,024 CPUs, and rcrd for those of 64 and 256 while memory is
# contended. Prints lines "bench|NAME|VALUE|UNIT|MEASUREMENTS".
set -eu
. "$(dirname "$0")/../lib/common.sh"

"$RCR_BUILD/bench/reader" "$RCR_BUILD/bin/rcrstat" "${1:-7}" 64 256 1024
"$RCR_BUILD/bench/judge" "${1:-7}" 64 256
