# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# phase_lib.sh - changes the rates of the virtual PMU at known times (vpmu/phase.h); sourced by
# tests.

# base UNIT EVENT UMASK INSTANCE: prints the current rate, in counts per 2^32 cycles of the TSC.
base()
{
	local now
	now=$(./phase now)
	echo $(($(./phase expect "$1" "$2" "$3" "$4" $((now + (1 << 32)))) -
		$(./phase expect "$1" "$2" "$3" "$4" "$now")))
}

# times RATE FACTOR: prints RATE multiplied by FACTOR.
times() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f\n", a * b }'; }

# seconds_at TSC: prints CLOCK_MONOTONIC at that TSC, in seconds.
seconds_at()
{
	./phase clock | awk -v t="$1" -v khz="$(tsc_khz)" '{ printf "%.3f\n", $2 / 1e9 + (t - $1) / khz / 1000 }'
}

# assign UNIT/INSTANCE EVENT:UMASK CLASS: puts an event of one unit or CPU into a class.
assign()
{
	./phase assign "$1" "$2" "$3" >/dev/null
}
