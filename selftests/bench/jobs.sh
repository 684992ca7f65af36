#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# jobs.sh [ROUNDS] - measures the time that 'rcrjob run' adds to a command (median of 'rcrjob run --
# true', less that of 'true'), and the cost of PCP with pmdarcr: CPU time at an interval of 1 s, a
# fetch, memory. Takes two minutes in a guest of 4 emulated CPUs; real CPUs are faster.
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
