#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# soak.sh MINUTES - samples at 1 kHz on every CPU, two thirds of the time with source=msr and one
# third with source=perf, while CPUs go offline and come back, perf stat and perf record run, and
# readers of the stream, the rings, the meters and the blackboard are killed, all at random: totals
# are exact, each loss is reported, and memory does not grow (promises P4, P8).
. ./tap.sh
plan 15
minutes=${1:?how many minutes?}
ROUND=20	# seconds, behind which all but the watcher stands still

hotplugs()
{
	local cpu
	while [ ! -e /tmp/over ]; do
		cpu=$((RANDOM % 3 + 1))
		echo 0 >/sys/devices/system/cpu/cpu$cpu/online
		sleep "0.$((RANDOM % 10))"
		echo 1 >/sys/devices/system/cpu/cpu$cpu/online
		sleep "0.$((RANDOM % 10))"
		echo >>/tmp/count.hotplugs
	done
}

# With source=msr perf can count everything but core events.
perfs()
{
	local events=context-switches,cpu-clock,r00c4
	[ "$source" = perf ] || events=context-switches,page-faults
	while [ ! -e /tmp/over ]; do
		perf stat -a -e $events sleep "0.$((RANDOM % 10))" >/dev/null 2>&1 &&
			echo >>/tmp/count.perfs
		perf stat -e r00c1 true >/dev/null 2>&1
		perf record -q -a -e cpu-clock -F 99 -o /tmp/record sleep "0.$((RANDOM % 10))" >/dev/null 2>&1 &&
			echo >>/tmp/count.perfs
	done
}

# killed COMMAND...: runs the command and kills it after up to half a second.
killed()
{
	timeout -s KILL "0.$((RANDOM % 5 + 1))" "$@" >/dev/null 2>&1
	echo >>/tmp/count.readers
}

readers()
{
	while [ ! -e /tmp/over ]; do
		case $((RANDOM % 6)) in
		0) killed cat /dev/rcrtool ;;
		1) killed rcrstat -i 0.05 ;;
		2) killed ./exact 5 0 0 ;;
		3) killed bash -c 'sleep 1 | ./boardread stale ratio' ;;
		4) killed bash -c 'while :; do rcrctl meter show ratio; rcrctl ls; done' ;;
		5) killed ./steady ;;
		esac
	done
}

# Print the memory in use when the machine is idle, in KiB: slabs of kmalloc, and vmalloc areas of
# the module.
used()
{
	local cache
	sleep 1
	for cache in /sys/kernel/slab/kmalloc-*/shrink; do
		echo 1 >"$cache"
	done
	echo $(($(awk '/^kmalloc-/ { s += $2 * $4 } END { print int(s / 1024) }' /proc/slabinfo) +
		$(awk '/rcr_|rcrtool/ { s += $2 } END { print int(s / 1024) }' /proc/vmallocinfo)))
}

# storm ROUNDS: writes the memory in use after each round to /tmp/used.
storm()
{
	local i
	: >/tmp/used
	for ((i = 0; i < $1; i++)); do
		{ hotplugs & perfs & readers & readers & } 2>/dev/null
		local jobs
		jobs=$(jobs -p | grep -vx "$watcher")
		sleep $ROUND
		: >/tmp/over
		# shellcheck disable=SC2086 # split into words
		wait $jobs
		rm /tmp/over
		used >>/tmp/used
	done
}

# soak SOURCE ROUNDS: runs the storm with SOURCE.
soak()
{
	source=$1
	echo "# source=$1, $2 rounds"
	rm -f /tmp/count.*
	load_set "INS=event:0xc0;CYC=event:0x76;MISS=event:0x41,umask:1" \
		"source=$1" period_us=1000 budget_ppm=0 ring_records=32768
	rcrctl meter add ratio "INS / CYC"
	./watch 100000 "$([ "$1" = msr ] || echo short)" >/tmp/watch &
	watcher=$!
	storm "$2"
	sleep 1
	kill $watcher
	wait $watcher
	is "$(tail -n 1 /tmp/watch | sed 's/[0-9]* lost/some lost/')" "1 sets, some lost, many samples, 0 wrong" \
		"soak: $1: each total is the formula's, each tick and each loss is counted ($(tail -n 1 /tmp/watch))"
	grep '^wrong' /tmp/watch | head -n 5 | sed 's/^/# /'
	is "$(went_bad)" "" "soak: $1: the status of each counter is ok, or offline with its CPU"
	is "$(status_of cpus) $(status_in_ls INS) $(status_in_ls CYC)" "0-3 ok ok" "soak: $1: at the end all CPUs count"
	result $(($(wc -l </tmp/count.hotplugs) < 2 * $2 || $(wc -l </tmp/count.perfs) < 2 * $2 ||
		$(wc -l </tmp/count.readers) < 4 * $2)) \
		"soak: $1: CPUs went offline $(wc -l </tmp/count.hotplugs) times, perf counted $(wc -l </tmp/count.perfs) times, $(wc -l </tmp/count.readers) readers were killed"
	flat "$1"
	unload
	result $? "soak: $1: the module unloads"
}

# Print the statuses that no counter should have had.
went_bad()
{
	sed -n 's/^[A-Z]* cpu[0-9]*: \(.*\) (.*)$/\1/p' /tmp/watch | tr ' ' '\n' | grep -vx 'ok\|gap\|offline' | sort -u
}

# flat NAME: memory has grown since the second round by at most 4 KiB per round, which is less than
# one of the readers takes, plus 64 KiB for other users.
flat()
{
	local first last rounds
	rounds=$(wc -l </tmp/used)
	first=$(sed -n 2p /tmp/used) last=$(tail -n 1 /tmp/used)
	echo "# in use after each round, KiB: $(tr '\n' ' ' </tmp/used)"
	result $((last - first > 64 + 4 * rounds)) "soak: $1: memory does not grow ($((last - first)) KiB more after $rounds rounds)"
}

clear_controls
before=$(controls)
rounds=$((minutes * 60 / (ROUND + 4)))
soak msr $((rounds * 2 / 3))
is "$(controls)" "$before" "soak: every control is as before"
soak perf $((rounds - rounds * 2 / 3))
is "$(awk '/^short/ { print $2 * 10 <= $4 }' /tmp/watch)" 1 \
	"soak: perf pauses counters in at most a tenth of the samples: $(grep '^short' /tmp/watch)"
is "$(grep -c 'rcr_\|rcrtool' /proc/vmallocinfo)" 0 "soak: no vmalloc area of the module is left"
finished
