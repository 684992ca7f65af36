#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# judged.sh [MODEL] - rcrd --replay on recordings of a machine whose rates change at known times
# (vpmu/phase.h): rcrd reports exactly the finding that each phase causes, with the times of its
# begin and end. MODEL is fam15h if omitted. Leaves rates changed: run no other test in the guest.
. ./tap.sh
. ./phase_lib.sh
[ $# -gt 0 ] || plan 23
rm -f /tmp/phase.log

# judge PHASES [OPTION]...: records seven seconds and replays them with OPTIONs. PHASES are words
# CLASS:QUIET:MULTIPLIER: the class has MULTIPLIER in the phase, 2.5 s to 4.5 s after it was
# scheduled, and QUIET before and after. Sets $begin to the begin of the phase in seconds.
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
	echo "# the phase began at $begin s of CLOCK_MONOTONIC"
}

# lasts NODE FINDING: the finding is busy within 50 ticks of 10 ms after the phase began, its begin
# is reported to 2 ticks, and it is ok again within 100 ticks after the phase ended.
lasts()
{
	awk -v begin="$begin" -v node="$1" -v of="$2:" '
		$4 != node || $5 != of { next }
		/: busy / && !busy { busy = $1; since = $8 }
		/: ok again/ { ok = $1 }
		END {
			off = since - begin
			print "# busy after " busy - begin " s, since " off " s, ok after " ok - begin - 2 " s"
			exit !(busy && busy - begin <= 0.5 && off > -0.021 && off < 0.021 && ok && ok - begin - 2 <= 1)
		}' /tmp/verdicts
}

# finds NODES FINDING DESCRIPTION: FINDING, which DESCRIPTION names, is reported on each of NODES (a
# list of numbers), and nothing else is.
finds()
{
	local node others
	others=$(grep '^[0-9].* node ' /tmp/verdicts | grep -v ': log \|: unknown')
	for node in $1; do
		grep -q " node $node $2: busy" /tmp/verdicts || break
		others=$(grep -v " node $node $2: " <<<"$others")
		node=
	done
	is "$node$others" "" "judged: $3: this is found, and nothing else"
	for node in $1; do
		lasts "$node" "$2" || break
		node=
	done
	is "$node" "" "judged: $3: busy within 50 ticks of its begin, ok within 100 of its end"
}

# part_of PART WHOLE RATE: prints the multiplier that makes RATE equal to PART * WHOLE.
part_of() { awk -v p="$1" -v w="$2" -v r="$3" 'BEGIN { printf "%.6f\n", p * w / r }'; }

if [ $# -gt 0 ]; then
	. ./rcrd_lib.sh
	. ./judged_lib.sh
	judge_family "$1"
	finished
	exit
fi

# Rows and latency of one node: a tenth of the maximum, and nine times as much in the phase.
load_set "ROWS=nb:event:0xe0,umask:0x3f;CONFLICTS=nb:event:0xe0,umask:0x24;WAITING=nb:event:0x1e2,umask:0xff;WAITED=nb:event:0x1e3,umask:0xff" \
	source=msr period_us=10000 budget_ppm=0
result $? "judged: the set has the events of the memory model"
assign nb/1 0xe0:0x3f 3 && assign nb/1 0xe0:0x24 4 && assign nb/1 0x1e2:0xff 5 && assign nb/1 0x1e3:0xff 6
result $? "judged: the events of one northbridge have classes"
rows=$(base nb 0xe0 0x3f 1) conflicts=$(base nb 0xe0 0x24 1)
few=$(part_of 0.1 "$rows" "$conflicts")
memory=$(awk -v r="$rows" -v khz="$(tsc_khz)" 'BEGIN { printf "%.0f\n", 10 * 64 * r * khz * 1000 / 4294967296 }')
echo "# $rows rows and $conflicts conflicts in 2^32 cycles, memory of $memory B/s"
judge "4:$few:$(times "$few" 9.3) 3:1:9.3 5:1:27.9 6:1:9.3" --memory "$memory"
finds 1 bandwidth "memory of one node at 93 % with three times the latency"
judge "4:$few:$(times "$few" 28) 3:1:4 5:1:10 6:1:4" --memory "$memory"
finds 1 conflicts "row conflicts of seven in ten accesses with 2.5 times the latency"
judge "4:$few:$few 3:1:1 5:1:2 6:1:1" --memory "$memory"
grep -q 'node 1 slower: log' /tmp/verdicts && ! grep -q 'contention\b.* since\|busy' /tmp/verdicts
result $? "judged: twice the latency without load is logged, but is not contention"
judge "4:$few:$few 3:1:1 5:1:1 6:1:1" --memory "$memory"
grep -q '^ok: the recording shows no contention' /tmp/verdicts
result $? "judged: nothing is found without a phase"

# Both nodes. $full is the maximum of a node's rows, per 2^32 cycles.
assign nb/0 0xe0:0x3f 11 && assign nb/0 0xe0:0x24 12 && assign nb/0 0x1e2:0xff 13 && assign nb/0 0x1e3:0xff 14
result $? "judged: the events of the other northbridge have classes"
full=$((10 * rows)) rows0=$(base nb 0xe0 0x3f 0)
quiet0=$(part_of 0.1 $full "$rows0")
judge "4:$few:$(times "$few" 9.3) 3:1:9.3 5:1:27.9 6:1:9.3 11:$quiet0:$(times "$quiet0" 9.3) 12:0.01:0.1 13:1:27.9 14:1:9.3" \
	--memory "$memory"
finds "0 1" bandwidth "memory of both nodes at 93 % with three times the latency"
unload

# Local and remote accesses of each node.
load_set "ROWS=nb:event:0xe0,umask:0x3f;LOCAL=nb:event:0x1e0,umask:0x00,pernode;REMOTE=nb:event:0x1e0,umask:0x0f,pernode" \
	source=msr period_us=10000 budget_ppm=0
assign nb/0 0x1e0:0x01 12 && assign nb/0 0x1e0:0x0e 13 && assign nb/1 0x1e0:0x02 14 && assign nb/1 0x1e0:0x0d 15
result $? "judged: the accesses of each node to each have classes"
./phase clear >/tmp/out
local=("$(base nb 0x1e0 0x01 0)" "$(base nb 0x1e0 0x02 1)")
remote=("$(base nb 0x1e0 0x0e 0)" "$(base nb 0x1e0 0x0d 1)")
# targets NODE LOCAL REMOTE: prints words for judge: local and remote accesses are 0.95 and 0.05 of
# $full, and LOCAL and REMOTE of it in the phase.
targets()
{
	echo "$((12 + 2 * $1)):$(part_of 0.95 $full "${local[$1]}"):$(part_of "$2" $full "${local[$1]}")"
	echo "$((13 + 2 * $1)):$(part_of 0.05 $full "${remote[$1]}"):$(part_of "$3" $full "${remote[$1]}")"
}
judge "3:1.5:4 11:$(times "$quiet0" 1.5):$(times "$quiet0" 4) $(targets 0 0.3 0.7) $(targets 1 0.3 0.7)" --memory "$memory"
finds "0 1" remote "seven remote accesses in ten on each node"
# At unchanged latency only 95 % counts as load. Stay above it even if a tick is late.
judge "3:1:9.7 11:$quiet0:$quiet0 $(targets 0 0.3 0.7) $(targets 1 0.95 0.05)" --memory "$((memory * 85 / 100))"
finds 1 imbalance "memory of one node at its maximum, read by the other node"
unload

# Requests of one CPU for lines that another core has modified.
load_set "TOT_CYC;TOT_INS;L2_DCM;MODIFIED=event:0x6c,umask:0x2a" source=msr period_us=10000 budget_ppm=0
assign core/2 0x43 8 && assign core/2 0x6c:0x2a 9 && assign core/0 0x6c:0x2a 10 &&
	assign core/1 0x6c:0x2a 10 && assign core/3 0x6c:0x2a 10
result $? "judged: the events of one CPU have classes"
cycles=$(base core 0x76 0 2) requests=$(base core 0x43 0 2) modified=$(base core 0x6c 0x2a 2)
few=$(awk -v a="$cycles" -v b="$requests" 'BEGIN { printf "%.6f\n", 0.005 * a / b }')
clean=$(awk -v a="$cycles" -v b="$modified" 'BEGIN { printf "%.6f\n", 0.0001 * a / b }')
taskset -c 2 sh -c 'while :; do :; done' &
spinner=$!
./phase schedule 10 "0:$clean" >/tmp/out
judge "8:$few:$few 9:$clean:$(times "$clean" 30)"
kill $spinner
finds 0 lines "modified lines in six of ten requests"
unload

# Two programs on one node: in the phase one makes ten times as many requests, nearly all of which
# miss, and the other one executes seven tenths of its instructions.
load_set "TOT_CYC;TOT_INS;L2_DCM;L3_MISS=nb:event:0x4e1,umask:0xf7" source=msr period_us=10000 budget_ppm=0
assign core/3 0x43 9 && assign core/3 0xc0 7 && assign nb/0 0x4e1:0xf7 14 && assign nb/1 0x4e1:0xf7 15
result $? "judged: the events of two CPUs have classes"
./phase clear >/tmp/out
cycles=$(base core 0x76 0 3) others=$(base core 0x43 0 3) misses=$(base nb 0x4e1 0xf7 1)
requests=$(base core 0x43 0 2)
own=$(part_of 0.005 "$cycles" "$others")
few=$(part_of 0.005 "$cycles" "$requests")
missing() { part_of "$1" "$cycles" "$misses"; }
for cpu in 2 3; do
	taskset -c $cpu sh -c 'while :; do :; done' &
	spinners[cpu]=$!
done
judge "14:0:0 8:$few:$(times "$few" 10) 9:$own:$own 7:1:0.7 15:$(missing 0.0001):$(missing 0.0535)"
kill "${spinners[@]}"
finds 1 one "a program that evicts the other one from the L3"
# The other program takes 1 / 0.7 times as long per instruction; 20 % of tolerance, as the phase
# begins in the middle of a window.
sed -n "s/.* one: busy .*process ${spinners[2]} causes it, .*; process ${spinners[3]} takes \([0-9.]*\) times.*/\1/p" /tmp/verdicts |
	awk '{ by = $1 * 0.7 } END { exit !(by > 0.8 && by < 1.2) }'
result $? "judged: the verdict names the process that causes it and the slowdown of the other one"
unload
finished
