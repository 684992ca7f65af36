#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# nodes.sh SECONDS - tests that two guests with the same wall clock sample at the same instants. The
# time of each record plus the realtime offset of its guest is a multiple of the period; every point
# of the grid is in both guests or counted as an overrun or as skipped; at least 90 % are in both.
# After half of SECONDS both clocks are set forward by a second, which is not a multiple of the
# period. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"

seconds=${1:-60}
out=$RCR_BUILD/nodes
mkdir -p "$out"
# Both guests have booted by then, also on a busy host.
from=$(($(date +%s) + 90))
for node in a b; do
	"$RCR_TOP/selftests/qemu/guest.sh" -n "node-$node" -p 2 -t $((seconds + 230)) \
		-a "nmi_watchdog=0 RCR_TEST_LIMIT=$((seconds + 200))" \
		"bash tests/run.sh 'gridded.sh $seconds $from'" >"$out/$node" 2>"$out/$node.err" &
done
rc=0
wait -n || rc=$?
wait || rc=$?
echo "TAP version 13"
echo "1..6"
awk '
	function result(good, what) {
		printf "%s %d - nodes: %s\n", good ? "ok" : "not ok", ++number, what
		failed += !good
	}
	FNR == 1 { node++ }
	/^# point: period/ { period[node] = $4; step[node] = $6 }
	!/^# point: [0-9]/ { next }
	{
		# Subtract a base: some versions of awk round an index of more than 31 bits.
		if (!base)
			base = $4 - 10000
		cpu = $3; at = $4 - base; seq = node " " cpu
		rest += $5 != "0"
		samples++
		if (seq in last) {
			unaccounted += $6 - tick[seq] - 1 != $7 + $8
			if ($9 == epoch[seq])
				for (k = last[seq] + 1; k < at; k++)
					state[seq, k] = "missed"
			else
				for (k = last[seq] + 1; k < at; k++)
					state[seq, k] = "stepped"
			# Within an epoch, consecutive ticks are consecutive points of the grid.
			if ($9 == epoch[seq])
				unaccounted += at - last[seq] != $6 - tick[seq]
			else {
				steps++
				backwards += at <= last[seq]
			}
		} else
			first[seq] = at
		state[seq, at] = "sampled"
		last[seq] = at; tick[seq] = $6; epoch[seq] = $9
	}
	END {
		for (cpu = 0; cpu < 2; cpu++) {
			a = "1 " cpu; b = "2 " cpu
			from = first[a] > first[b] ? first[a] : first[b]
			to = last[a] < last[b] ? last[a] : last[b]
			for (k = from; k <= to; k++) {
				if (state[a, k] == "stepped" || state[b, k] == "stepped") {
					jumped++
					continue
				}
				points++
				if (state[a, k] == "" || state[b, k] == "")
					strange++
				else if (state[a, k] == "sampled" && state[b, k] == "sampled")
					both++
			}
		}
		printf "# %d samples, %d points, %d in both, %d stepped over\n", samples, points, both, jumped
		result(period[1] && period[1] == period[2] && points >= wanted * 1e9 / period[1],
		       "both guests have sampled on both CPUs in the same interval")
		result(samples && !rest, "each sample is on a multiple of the period on the wall clock (" rest + 0 " are not)")
		result(samples && !unaccounted, "each missing tick is counted (" unaccounted + 0 " are not)")
		result(points && !strange, "every point is in both guests, or counted as missed (" strange + 0 " are not)")
		result(both >= 0.9 * points, "at least 90 % of the points are in both guests")
		result(steps == 4 && !backwards && step[1] > 0.999e9 && step[1] < 1.001e9 && step[2] > 0.999e9 && step[2] < 1.001e9,
		       "each CPU has recorded one step of the clock, by a second")
		exit failed > 0
	}' wanted="$seconds" "$out/a" "$out/b" || rc=1
exit $rc
