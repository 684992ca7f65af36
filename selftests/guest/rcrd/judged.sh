#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# judged.sh - rcrd --replay on recordings of a machine whose rates change at known times
# (vpmu/phase.h): a phase makes exactly its finding, since when it began, and it is over afterwards.
# Rates stay changed, so this is the last test of a guest of the model fam15h.
. ./tap.sh
. ./phase_lib.sh
plan 11
rm -f /tmp/phase.log

# Phases begin 2.5 s and end 4.5 s after their schedule; each class has its multiplier then, and 1
# before and after. judge PHASES [OPTION]...: records seven seconds, of which PHASES are "CLASS:QUIET:MULTIPLIER"
# words, and judges them; begin is set to the second of the phase.
judge()
{
	local phase class quiet times words=() recorder
	for phase in $1; do
		IFS=: read -r class quiet times <<<"$phase"
		./phase schedule "$class" "0:$quiet" >/tmp/out
		words+=("$class" "2500:$times" "4500:$quiet")
	done
	rcrstat -f raw -o /tmp/recording 0.5 14 &
	recorder=$!
	begin=$(seconds_at "$(./phase schedule "${words[@]}" | head -n 1 | cut -d ' ' -f 1)")
	wait $recorder
	rcrd --replay /tmp/recording "${@:2}" >/tmp/verdicts
	sed 's/^/# /' /tmp/verdicts
	echo "# the phase began at $begin s"
}

# finds NODE FINDING DESCRIPTION: there and nowhere else; busy within 50 ticks of 10 ms of the phase,
# since its begin, and ok within 100 of its end.
finds()
{
	[ "$(grep '^[0-9].* node ' /tmp/verdicts | grep -v ': log \|: unknown' | grep -vc " node $1 $2: ")" -eq 0 ] &&
		grep -q " node $1 $2: busy" /tmp/verdicts
	result $? "$3: it is found, and nothing else"
	awk -v begin="$begin" -v of="$2:" '
		$5 != of { next }
		/: busy / && !busy { busy = $1; since = $8 }
		/: ok again/ { ok = $1 }
		END {
			off = since - begin
			print "# busy after " busy - begin " s, since " off " s, ok after " ok - begin - 2 " s"
			exit !(busy && busy - begin <= 0.5 && off > -0.021 && off < 0.021 && ok && ok - begin - 2 <= 1)
		}' /tmp/verdicts
	result $? "$3: busy within 50 ticks, since the phase began, and ok within 100 of its end"
}

# Rows and latency: a tenth of the maximum, and nine times as much in the phase.
load_set "ROWS=nb:event:0xe0,umask:0x3f;CONFLICTS=nb:event:0xe0,umask:0x24;WAITING=nb:event:0x1e2,umask:0xff;WAITED=nb:event:0x1e3,umask:0xff" \
	source=msr period_us=10000 budget_ppm=0
result $? "a set of the memory model"
assign nb/1 0xe0:0x3f 3 && assign nb/1 0xe0:0x24 4 && assign nb/1 0x1e2:0xff 5 && assign nb/1 0x1e3:0xff 6
result $? "its events of one northbridge are of classes"
rows=$(base nb 0xe0 0x3f 1) conflicts=$(base nb 0xe0 0x24 1)
few=$(awk -v r="$rows" -v c="$conflicts" 'BEGIN { printf "%.6f\n", 0.1 * r / c }')
memory=$(awk -v r="$rows" -v khz="$(tsc_khz)" 'BEGIN { printf "%.0f\n", 10 * 64 * r * khz * 1000 / 4294967296 }')
echo "# $rows rows and $conflicts conflicts in 2^32 cycles, memory of $memory B/s"
judge "4:$few:$(times "$few" 9.3) 3:1:9.3 5:1:27.9 6:1:9.3" --memory "$memory"
finds 1 bandwidth "one memory at 93 %, with three times the latency"
judge "4:$few:$(times "$few" 28) 3:1:4 5:1:10 6:1:4" --memory "$memory"
finds 1 conflicts "seven of ten accesses close a row, with 2.5 times the latency"
judge "4:$few:$few 3:1:1 5:1:2 6:1:1" --memory "$memory"
grep -q 'node 1 slower: log' /tmp/verdicts && ! grep -q 'contention\b.* since\|busy' /tmp/verdicts
result $? "twice the latency without a load is no contention, and has a line"
judge "4:$few:$few 3:1:1 5:1:1 6:1:1" --memory "$memory"
grep -q '^ok: nothing was contended' /tmp/verdicts
result $? "without a phase nothing is found"
unload

# Lines that another core had modified, on one CPU.
load_set "TOT_CYC;TOT_INS;L2_DCM;MODIFIED=event:0x6c,umask:0x2a" source=msr period_us=10000 budget_ppm=0
assign core/2 0x43 8 && assign core/2 0x6c:0x2a 9 && assign core/0 0x6c:0x2a 10 &&
	assign core/1 0x6c:0x2a 10 && assign core/3 0x6c:0x2a 10
result $? "events of one CPU are of classes"
cycles=$(base core 0x76 0 2) requests=$(base core 0x43 0 2) modified=$(base core 0x6c 0x2a 2)
few=$(awk -v a="$cycles" -v b="$requests" 'BEGIN { printf "%.6f\n", 0.005 * a / b }')
clean=$(awk -v a="$cycles" -v b="$modified" 'BEGIN { printf "%.6f\n", 0.0001 * a / b }')
taskset -c 2 sh -c 'while :; do :; done' &
spinner=$!
./phase schedule 10 "0:$clean" >/tmp/out
judge "8:$few:$few 9:$clean:$(times "$clean" 30)"
kill $spinner
finds 0 lines "six of ten requests find a line modified"
unload
finished
