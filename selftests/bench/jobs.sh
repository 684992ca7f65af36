#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# jobs.sh [ROUNDS] - what 'rcrjob run' adds to a command: the median time of 'rcrjob run -- true',
# less that of 'true'; and what PCP costs with pmdarcr: its processes at 1 s, a fetch, memory. In a
# guest of 4 CPUs whose processors are emulated, so times are longer than on silicon. Two minutes.
set -eu
. "$(dirname "$0")/../lib/common.sh"

mkdir -p "$RCR_BUILD/bench"
"$RCR_TOP/selftests/vpmu/build.sh"
"$RCR_TOP/selftests/pcp.sh" >/dev/null
"$RCR_TOP/selftests/qemu/guest.sh" -n bench-jobs -I -t 400 -m zen4 -o "$RCR_BUILD/pcp" \
	-f "$RCR_BUILD/bin/pmdarcr" -f "$RCR_BUILD/unit/fetch_pcp" \
	-f "$RCR_TOP/selftests/bench/jobs_guest.sh" "bash jobs_guest.sh ${1:-41}" >"$RCR_BUILD/bench/jobs"
awk -F'|' '
	$1 != "bench" { next }
	{ printf "%-58s %8.2f %s, goal < %s %s: %s\n", $2, $3, $4, $5, $4, $3 < $5 ? "met" : "not met"; rows++ }
	END { exit !rows }' "$RCR_BUILD/bench/jobs"
