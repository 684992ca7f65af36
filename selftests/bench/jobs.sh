#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# jobs.sh [ROUNDS] - what 'rcrjob run' adds to a command: the median time of 'rcrjob run -- true',
# less that of 'true', in a guest of 4 CPUs whose processors are emulated. Half a minute.
set -eu
. "$(dirname "$0")/../lib/common.sh"

goal_ms=50
mkdir -p "$RCR_BUILD/bench"
"$RCR_TOP/selftests/vpmu/build.sh"
"$RCR_TOP/selftests/qemu/guest.sh" -n bench-jobs -I -t 300 -m zen4 \
	-f "$RCR_TOP/selftests/bench/jobs_guest.sh" "bash jobs_guest.sh ${1:-41}" >"$RCR_BUILD/bench/jobs"
awk -F'|' -v goal=$goal_ms '
	$1 != "bench" { next }
	{ printf "%-58s %8.1f ms, goal < %d ms: %s\n", $2, $3, goal, $3 < goal ? "met" : "not met"; rows++ }
	END { exit !rows }' "$RCR_BUILD/bench/jobs"
