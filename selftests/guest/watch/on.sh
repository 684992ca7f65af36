#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# on.sh [CROSSINGS] - the virtual PMU crosses a bound by a schedule: 'rcrctl on' runs exactly one
# command per crossing, and the flight recorder of rcrd keeps one window. Leaves rates changed: run
# no other test in the guest.
. ./tap.sh
plan 24

. ./rcrd_lib.sh

CLASS=3
CROSSINGS=${1:-100}
HIGH_MS=280 CYCLE_MS=560
rm -f /tmp/phase.log

# tsc_mhz: prints the TSC frequency, measured by the clock; the kernel log may no longer have it.
tsc_mhz()
{
	local tsc us
	tsc=$(./phase now) us=${EPOCHREALTIME/./}
	sleep 2
	echo "$(($(./phase now) - tsc)) $((${EPOCHREALTIME/./} - us))" |
		awk '{ printf "%.3f\n", $1 / $2 }'
}

# Print the bytes a second that the controllers of both nodes move by rate.h at a multiplier of 1.
full_rate()
{
	awk -v mhz="$mhz" '
		function rate(umask, node) {
			return 1 + (1009 * 496 + 97 * umask + 4099 * node + 12289) % 49999
		}
		BEGIN {
			sum = rate(98, 0) + rate(98, 1) + rate(25, 0) + rate(25, 1)
			printf "%.0f\n", sum / 65536 * mhz * 1e6 * 64
		}'
}

# by_schedule FIRST COUNT: schedules phases that are high and low by turns, from FIRST ms on.
by_schedule()
{
	local i at=$1 list=()
	for ((i = 0; i < $2; i++)); do
		list+=("$at:1" "$((at + HIGH_MS)):0.1")
		at=$((at + CYCLE_MS))
	done
	./phase schedule $CLASS "${list[@]}" >/tmp/phases
}

# wait_for TSC: waits until that TSC.
wait_for()
{
	until [ "$(./phase now)" -gt "$1" ]; do
		sleep 0.1
	done
}

./phase assign nb 0x1f0 $CLASS >/dev/null
./phase schedule $CLASS 0:0.1 >/dev/null
load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=2000 ring_records=4096 budget_ppm=0

# Bad conditions are refused before anything runs.
says 2 "METER > BOUND" rcrctl on "mem_bw" -- true
says 2 "METER > BOUND" rcrctl on "mem_bw >" -- true
says 2 "on needs -- and a command" rcrctl on "cpi > 1"
says 1 "no_such" rcrctl on "no_such > 1" -- true
rcrctl on "mem_bw > 1" -- true >/dev/null 2>/tmp/err
is "$? $(wc -l </tmp/err)" "1 1" "on: a meter whose counters are not in the set is refused: $(cat /tmp/err)"
rcrctl meter add mem_bw
result $? "on: the module's own meter is added, with its counters"

mhz=$(tsc_mhz)
full=$(full_rate)
bound=$((full * 6 / 10)) back=$((full * 3 / 10))
sleep 1
contains "$(rcrctl meter show mem_bw)" "status: ok" "on: the meter has values"
low=$(sed -n 's/^current: //p' /sys/kernel/debug/rcrtool/meters/mem_bw)
[ "$((low * 100 / full))" -ge 9 ] && [ "$((low * 100 / full))" -le 11 ]
result $? "on: the lower rate is a tenth of $full B/s: $low"

# Each high phase is one crossing.
users
give_devices
start
follow_on
rcrctl record --last 2s --crossing "mem_bw > $bound below $back"
result $? "on: the recorder waits for a crossing"
rcrctl on "mem_bw > $bound below $back" -- sh -c 'echo $RCR_COUNT $RCR_TIME $RCR_VALUE $RCR_METER >>/tmp/fired' \
	>/tmp/out 2>/tmp/err &
watcher=$!
sleep 2.5
by_schedule 500 3
wait_for "$(tail -n 1 /tmp/phases | cut -d ' ' -f 1)"
sleep 1
is "$(wc -l </tmp/fired)" 3 "on: three high phases run three commands"
is "$(recorder) $(missed)" "kept 2" "on: the recorder has kept the first window, and counted the other crossings"
rcrctl record fetch /tmp/window
result $? "on: the window of the crossing is fetched"
follow_off
rcrctl record off
stop
./window /tmp/window /tmp/stream 2000 >/tmp/judged
contains "$(sed -n 1p /tmp/judged)" "trigger: mem_bw crossed a bound at" "on: the trigger is the crossing"
is "$(sed -n 2p /tmp/judged)" "window: 1 set, 0 lost, 0 holes, 0 out of order, 0 outside" \
	"on: the window is a stream of 2 seconds without a hole"
contains "$(sed -n 3p /tmp/judged)" "0 missing, 0 different, 0 more" "on: the window has every record of the stream, unchanged"
is "$(sed -n 5p /tmp/judged)" "sampling: 0 lost, 0 holes, 0 ticks unaccounted" "on: sampling continued without a loss"
read -r _ begin end <<<"$(sed -n 6p /tmp/judged)"
at=$(sed -n 1p /tmp/fired | cut -d ' ' -f 2)
[ "$at" -gt "$begin" ] && [ "$at" -le "$end" ]
result $? "on: the tick of the crossing is in the window, $(((end - at) / 1000)) us before its end"

began="$(./phase now) ${EPOCHREALTIME/./}"
by_schedule 500 $((CROSSINGS - 3))
wait_for "$(tail -n 1 /tmp/phases | cut -d ' ' -f 1)"
# The last command may be late on a busy host. Then wait for another second for surplus ones.
all_fired() { [ "$(wc -l </tmp/fired)" -ge "$CROSSINGS" ]; }
soon all_fired
sleep 1
kill -TERM $watcher
wait $watcher
is "$? $(wc -l </tmp/err)" "0 0" "on: rcrctl on exits on a signal"
is "$(wc -l </tmp/fired)" $CROSSINGS "on: $CROSSINGS high phases run $CROSSINGS commands"
is "$(awk '{ print $1 }' /tmp/fired | tr '\n' ' ')" "$(seq -s ' ' $CROSSINGS) " \
	"on: the commands run once for each crossing, in order"
# Each command belongs to one cycle, however late it was run. The schedule has the length of a cycle
# in TSC ticks. Measure the TSC frequency over all cycles: tsc_mhz is not exact enough if the host
# delays this script between its two clock reads.
mhz=$(echo "$began $(./phase now) ${EPOCHREALTIME/./}" |
	awk '{ printf "%.4f", ($3 - $1) / ($4 - $2) }')
cycle=$(awk -v mhz="$mhz" 'NR == 1 { first = $1 } { last = $1 }
	END { printf "%.6f", (last - first) / (NR - 1) * 2 / mhz * 1e3 }' /tmp/phases)
is "$(awk -v cycle="$cycle" '
	NR == 4 { first = $2 }
	NR >= 4 {
		off = ($2 - first) / cycle - n++
		if (off <= -0.75 || off >= 0.75)
			odd++
	} END { print odd + 0 }' /tmp/fired)" 0 "on: there is one crossing in each cycle of $cycle ns"
is "$(awk -v bound=$bound '$3 <= bound' /tmp/fired | wc -l)" 0 \
	"on: each command gets a value beyond the bound"

# rcrctl on exits with one line when sampling is stopped.
rcrctl on "mem_bw > $bound" -- true 2>/tmp/err &
watcher=$!
sleep 1
rcrctl reset
wait $watcher
is "$? $(wc -l </tmp/err)" "1 1" "on: rcrctl on exits when sampling is stopped: $(cat /tmp/err)"
unload
result $? "on: the module unloads"
finished
