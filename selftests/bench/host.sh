#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# host.sh [TIMES] - the rows of the bench that want no guest: what the reader takes
# for a recording of 64 CPUs, 12 counters and 4 s at 1 kHz, in CPU time. Lines
# "bench|NAME|VALUE|UNIT|MEASUREMENTS".
set -eu
. "$(dirname "$0")/../lib/common.sh"

times=${1:-9}
cpus=64 counters=12 ticks=4000
host=$RCR_BUILD/bench/host
rcrstat=$RCR_BUILD/bin/rcrstat
recording=$RCR_BUILD/bench/recording
trap 'rm -f "$recording"' EXIT

"$host/recording" $cpus $counters $ticks >"$recording"
echo "bench|recorded|$((ticks * 1000000))|ns|1"
"$host/lines" "$recording" $cpus $counters $ticks "$times"
"$host/spent" raw "$times" "$rcrstat" -d "$recording" -f raw
"$host/spent" csv "$times" "$rcrstat" -d "$recording" -i 1ms
"$host/spent" csv_second "$times" "$rcrstat" -d "$recording" -i 1
