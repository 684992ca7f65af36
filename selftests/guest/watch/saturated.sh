#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# saturated.sh [BURSTS] - one of two memory controllers is saturated (vpmu/phase.h): the utilization
# of each package and of the machine, and when a watch of the package fires. Kernel tracepoints show
# when the worker was due and when it ran, on the same clock as samples and crossings. Leaves rates
# changed: run no other test in the guest.
. ./tap.sh
bursts=${1:-5}
plan 13
CLASS=3
WINDOW=200	# ms
TRACING=/sys/kernel/tracing
grep -q " $TRACING " /proc/mounts || mount -t tracefs none $TRACING
rm -f /tmp/phase.log

# By rate.h this event counts 45901 on the first northbridge for each 1 on the second.
EVENT=0x1f9 UMASK=0xf8
khz=$(tsc_khz)
full=$(awk -v khz="$khz" 'BEGIN { printf "%.0f", 45901 / 65536 * khz * 1000 * 64 }')

# by_schedule MULTIPLIER HIGH_MS LOW_MS: runs $bursts bursts, and waits for their end. Writes the
# TSC of each start and end to /tmp/phases.
by_schedule()
{
	local i at=500 list=()
	for ((i = 0; i < bursts; i++)); do
		list+=("$at:$1" "$((at + $2)):0.1")
		at=$((at + $2 + $3))
	done
	./phase schedule $CLASS "${list[@]}" >/tmp/phases
	until [ "$(./phase now)" -gt "$(tail -n 1 /tmp/phases | cut -d ' ' -f 1)" ]; do
		sleep 0.1
	done
	sleep 0.3
}

trace()
{
	local event
	echo mono >$TRACING/trace_clock
	echo 4096 >$TRACING/buffer_size_kb
	for event in timer/hrtimer_start timer/hrtimer_expire_entry workqueue/workqueue_execute_start; do
		echo 0 >$TRACING/events/$event/filter
		echo 1 >$TRACING/events/$event/enable
	done
	echo "function == 0x$(awk '$3 == "wake_worker" { print $1 }' /proc/kallsyms)" |
		tee $TRACING/events/timer/hrtimer_start/filter >$TRACING/events/timer/hrtimer_expire_entry/filter
	echo "function == 0x$(awk '$3 == "run_pass" { print $1 }' /proc/kallsyms)" \
		>$TRACING/events/workqueue/workqueue_execute_start/filter
}

# passes: prints "DUE RAN" in ns for each pass of the worker in the trace. An event that interrupts
# the writing of another one has the timestamp of an earlier event, so use the times in the timer
# events themselves; a pass without a plausible timestamp ran when its timer fired.
passes()
{
	awk '
		function field(name) {
			return match($0, " " name "=[0-9]+") ?
				0 + substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : 0
		}
		function ns(text) { sub(/:$/, "", text); split(text, t, "."); return t[1] * 1e9 + t[2] * 1000 }
		/hrtimer_start:.*wake_worker/ { due[++dues] = field("expires") }
		/hrtimer_expire_entry:.*wake_worker/ { fired[++n] = field("now") }
		/workqueue_execute_start:.*run_pass/ {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^[0-9]+\.[0-9]+:$/)
					run[++runs] = ns($i)
		}
		END {
			for (i = 1; i <= n; i++) {
				last = 0
				for (k = 1; k <= dues; k++)
					if (due[k] <= fired[i] && due[k] > last)
						last = due[k]
				ran = fired[i]
				for (k = runs; k; k--)
					if (run[k] >= fired[i] && (i == n || run[k] < fired[i + 1]))
						ran = run[k]
				printf "%.0f %.0f\n", last, ran
			}
		}' $TRACING/trace
}

./phase assign nb $EVENT:$UMASK $CLASS >/dev/null
./phase schedule $CLASS 0:1 >/dev/null
load_set "BURST=nb:event:$EVENT,umask:$UMASK" period_us=2000 budget_ppm=0 ring_records=8192
rcrctl meter add bw 'rate(BURST) * 64' --over package --scale 1s --digits 0 --unit B/s
result $? "saturated: a meter of two memory controllers is added"
rcrctl meter max bw --at package0 --maximum "$full" --contention $((full / 2)) &&
	rcrctl meter max bw --at package1 --maximum "$full" --contention $((full / 2)) &&
	rcrctl meter max bw --at machine --maximum $((2 * full)) --contention $((full * 3 / 2))
result $? "saturated: limits are set for each package and for the machine"
sleep 1
mkfifo /tmp/end
./subscriber limits bw machine package0 package1 >/tmp/limits
sed 's/^/# /' /tmp/limits
is "$(awk '{ printf "%.0f ", $2 / 10000 }' /tmp/limits)" "50 100 0 " \
	"saturated: the package is at 100 %, the machine at 50 %, the other package at 0 %"
is "$(awk '{ printf "%s ", $3 }' /tmp/limits)" "1 3 1 " \
	"saturated: the package is busy, the machine and the other package are ok"
contains "$(cat /sys/kernel/debug/rcrtool/meters/bw)" "verdict: ok" "saturated: the meter's file has the same verdict"

# Watch the package and the machine, at 95 % of the maximum of each.
./phase schedule $CLASS 0:0.1 >/dev/null
./subscriber cross bw package0 $((full * 95 / 100)) $((full / 2)) $WINDOW </tmp/end >/tmp/package &
watchers=$!
./subscriber cross bw machine $((full * 2 * 95 / 100)) $((full / 2)) $WINDOW </tmp/end >/tmp/machine &
watchers="$watchers $!"
exec 3>/tmp/end
sleep 0.5
trace
echo 1 >$TRACING/tracing_on
by_schedule 1 $((4 * WINDOW)) $((2 * WINDOW))
echo 0 >$TRACING/tracing_on
passes >/tmp/passes
is "$(($(wc -l </tmp/package) - 1)) $(($(wc -l </tmp/machine) - 1))" "$bursts 0" \
	"saturated: $bursts bursts of the package fire its watch once each, and none of the machine"

# Samples, crossings and the trace use CLOCK_MONOTONIC, the schedule uses the TSC.
read -r ns tsc < <(./subscriber clock)
awk -v ns="$ns" -v tsc="$tsc" -v khz="$khz" -v window=$WINDOW '
	FILENAME == "/tmp/phases" { if (FNR % 2) begin[++n] = ns - (tsc - $1) / khz * 1e6; next }
	FILENAME == "/tmp/passes" { due[++passes] = $1; ran[passes] = $2; next }
	FNR > 1 {
		while (burst < n && begin[burst + 1] < $1)
			burst++
		b = begin[burst]
		# The pass that saw it is the first one from the newest sample on, half a quarter
		# less: its time may be that of its timer. The worker may have been late before.
		for (p = 1; p < passes && ran[p] < $1 - window / 8 * 1e6; p++)
			;
		latency = 0
		for (q = p; q > 4 && ran[q] > b; q--)
			if (ran[q] - due[q] > latency)
				latency = ran[q] - due[q]
		quarters = ran[p] - ran[p - 4]
		printf "fired %.1f latency %.3f most %.1f share %.3f %s\n", (ran[p] - b) / 1e6,
			latency / 1e6, 1.25 * window + latency / 1e6, (ran[p] - b) / quarters,
			quarters < 1.1e6 * window ? "on time" : "late"
	}' /tmp/phases /tmp/passes /tmp/package >/tmp/fired
sed 's/^/# ms after the burst began: /' /tmp/fired
is "$(awk '$2 > $6 || $2 < 0' /tmp/fired | wc -l)" 0 \
	"saturated: watches fire within 1.25 windows plus the worker's latency after a burst begins"
# Samples are up to a period older than the pass; a pass that came late is not judged.
is "$(awk '$9 == "on" && $8 < 0.92' /tmp/fired | wc -l) $(($(grep -c 'on time' /tmp/fired) > 0))" "0 1" \
	"saturated: watches do not fire before the mean of four quarters of a window passes the bound"
is "$(awk -v bound=$((full * 95 / 100)) 'NR > 1 && $3 <= bound' /tmp/package | wc -l)" 0 \
	"saturated: watches fire with a value beyond the bound"
quarters=$(awk 'NR == 1 { first = $2 } { last = $2 } END { printf "%.0f", (last - first) / 1e6 }' /tmp/passes)
result $(($(wc -l </tmp/passes) > quarters / (WINDOW / 4) + 2 || $(wc -l </tmp/passes) < 8)) \
	"saturated: the worker runs at most every quarter of the window: $(wc -l </tmp/passes) times in $quarters ms"

# If only half of a window is at the full rate, its mean stays below the bound.
before=$(wc -l </tmp/package)
by_schedule 1 $((WINDOW / 2)) $((2 * WINDOW))
is "$(wc -l </tmp/package)" "$before" "saturated: bursts of half a window fire nothing"
by_schedule 8 $((WINDOW / 2)) $((2 * WINDOW))
is "$(($(wc -l </tmp/package) - before))" "$bursts" \
	"saturated: watches fire when the mean of a window passes the bound"
exec 3>&-
# shellcheck disable=SC2086 # process ids
wait $watchers
for event in timer/hrtimer_start timer/hrtimer_expire_entry workqueue/workqueue_execute_start; do
	echo 0 >$TRACING/events/$event/enable
done
unload
result $? "saturated: the module unloads"
finished
