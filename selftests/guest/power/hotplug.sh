#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hotplug.sh TIMES [SECONDS] - CPUs go and come while a hardware and a software event are
# counted, by either source; then the machine sleeps and wakes.
. ./tap.sh
plan 15
times=${1:-3} seconds=${2:-4}

cycle()
{
	local i cpu
	for ((i = 0; i < times; i++)); do
		for cpu in 1 2 3; do
			echo 0 >/sys/devices/system/cpu/cpu$cpu/online
			echo 1 >/sys/devices/system/cpu/cpu$cpu/online
		done
	done
}

# followed COMMAND...: prints what steady saw during the command and some SECONDS after it.
followed()
{
	./steady >/tmp/steady &
	local reader=$!
	sleep 0.5
	"$@"
	sleep $seconds
	kill $reader
	wait $reader
	sed 's/, lost [0-9]*//' /tmp/steady
}

# serve NS: sets what the server of the scheduler reserves for fair tasks, in a second. That of 6.12
# counts itself as a running task: on a slow host it may run while a CPU goes offline, and the
# kernel warns of a "Dying CPU not properly vacated", on which no task is left.
serve()
{
	local file
	for file in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
		[ ! -e "$file" ] || echo "$1" >"$file"
	done
}

serve 0
# work CPU: makes it switch. Processes that come and go keep it busy, which is left to many TIMES.
work()
{
	taskset -pc "$1" $BASHPID >/dev/null
	while :; do
		if [ "$times" -gt 1 ]; then sleep 0.01; else read -r -t 0.01 -u 3; fi
	done
}

# Every CPU is busy, and so switches between tasks.
mkfifo /tmp/never
exec 3<>/tmp/never
for cpu in 0 1 2 3; do
	work $cpu &
done
workers=$(jobs -p)
good="back 0, ticks wrong 0, counting 0 1 2 3"
load_set "INS=event:0xc0;CLK=software:cpu-clock" source=perf period_us=2000
is "$(followed cycle)" "$good" "perf: each CPU gone and come $times times, hardware and software events"
is "$(status_of cpus)" 0-3 "all CPUs are sampled"
unload
load_set "INS=event:0xc0;CYC=event:0x76" source=msr period_us=2000
is "$(followed cycle)" "$good" "msr: each CPU gone and come $times times"
unload

# An offline CPU keeps none of our controls, which can be read only when it is online again.
wrmsr -p 3 0xc0010202 0x12034567
before=$(rdmsr -p 3 0xc0010200) before1=$(rdmsr -p 3 0xc0010202)
load_set "INS=event:0xc0;CYC=event:0x76" source=msr
is "$(rdmsr -p 3 0xc0010200) $(rdmsr -p 3 0xc0010202)" "4300c0 430076" "programmed on a CPU"
echo 0 >/sys/devices/system/cpu/cpu3/online
rcrctl reset
echo 1 >/sys/devices/system/cpu/cpu3/online
is "$(rdmsr -p 3 0xc0010200) $(rdmsr -p 3 0xc0010202)" "$before $before1" \
	"that went, and came back to nothing: its controls are as before"
unload
wrmsr -p 3 0xc0010202 0

# What a suspend does to drivers, without the machine's going down. The kernel counts off
# the seconds of its sleep in a loop of milliseconds: on a host with little time for
# this machine five of them become enough for the watchdog of locked-up CPUs.
echo 1 >/sys/module/suspend/parameters/pm_test_delay
asleep()
{
	echo devices >/sys/power/pm_test && echo freeze >/sys/power/state
}

for source in msr perf; do
	load_set "INS=event:0xc0" source=$source period_us=2000
	is "$(followed asleep)" "$good" "$source: the machine slept and woke"
	result $((! $(dmesg | grep -c 'PM: suspend exit'))) "$source: the kernel did suspend"
	unload
done

# reads_on DESCRIPTION COMMAND...: a reader that sleeps in read() goes on after the command.
reads_on()
{
	local reader before
	cat /dev/rcrtool >/tmp/stream &
	reader=$!
	sleep 0.5
	"${@:2}"
	sleep 0.5
	before=$(stat -c %s /tmp/stream)
	sleep 1
	kill $reader
	is "$(($(stat -c %s /tmp/stream) > before))" 1 "$1"
}

go_and_come()
{
	echo 0 >/sys/devices/system/cpu/cpu3/online
	sleep 0.5
	echo 1 >/sys/devices/system/cpu/cpu3/online
}

load_set "INS=event:0xc0" cpus=3
reads_on "a reader of one CPU reads on when that is back" go_and_come
unload
load_set "INS=event:0xc0"
reads_on "and one of all CPUs when the machine has slept" asleep
unload

# Take CPUs offline as often as possible in three loops at once, while readers of all kinds follow.
restless()
{
	local i
	for ((i = 0; i < 3 * times; i++)); do
		echo 0 >"/sys/devices/system/cpu/cpu$1/online"
		echo 1 >"/sys/devices/system/cpu/cpu$1/online"
	done
}

load_set "INS=event:0xc0;CYC=event:0x76" source=msr period_us=20
rcrctl meter add ratio "INS / CYC"
./watch >/tmp/watch &
watcher=$!
sleep 600 | ./boardread stale ratio >/dev/null &
board=$!
rcrstat -i 0.1 >/dev/null &
lines=$!
(restless 1 & restless 2 & restless 3 && wait)
sleep 1
kill $watcher $board $lines
wait $watcher
is "$(tail -n 1 /tmp/watch | sed 's/[0-9]* lost/some lost/')" "1 sets, some lost, many samples, 0 wrong" \
	"at 20 us, three CPUs gone and come $((3 * times)) times at once: each total is exact, each loss is counted"
grep '^wrong' /tmp/watch | head -n 5 | sed 's/^/# /'
is "$(status_of cpus) $(status_in_ls INS) $(status_in_ls CYC)" "0-3 ok ok" \
	"all counters count afterwards"
unload
result $? "the module goes"
# shellcheck disable=SC2086 # one word each
kill $workers
is "$(controls | grep -c '4300c0\|430076')" 0 "unloaded, no control of ours is left"
serve 50000000
finished
