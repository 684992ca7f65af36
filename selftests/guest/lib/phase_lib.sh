# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# phase_lib.sh - changes the rates of the virtual PMU at known times (vpmu/phase.h); sourced by tests.

# base UNIT EVENT UMASK INSTANCE: its rate of now, counts in 2^32 cycles of the TSC.
base()
{
	local now
	now=$(./phase now)
	echo $(($(./phase expect "$1" "$2" "$3" "$4" $((now + (1 << 32)))) -
		$(./phase expect "$1" "$2" "$3" "$4" "$now")))
}

# times RATE PART: RATE times PART.
times() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f\n", a * b }'; }

# Seconds of CLOCK_MONOTONIC at a TSC, to a hundredth, as /proc/uptime has it. What passes until the
# TSC is read makes it less: the most of some tries counts.
seconds_at()
{
	local try now
	for try in 1 2 3 4 5 6 7 8; do
		read -r now _ </proc/uptime
		echo "$try $now $(./phase now)"
	done | awk -v t="$1" -v khz="$(tsc_khz)" '
		{ s = $2 + (t - $3) / khz / 1000; if (s > most) most = s }
		END { printf "%.3f\n", most }'
}

# A class each, for one northbridge, or for one CPU.
assign()
{
	./phase assign "$1" "$2" "$3" >/dev/null
}
