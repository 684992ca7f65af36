#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hotplug.sh TIMES [SECONDS] - CPUs go offline and come back while a hardware and a software event
# are counted, with each source; then the machine is suspended and resumed.
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

# followed COMMAND...: prints the output of steady for the command and SECONDS after it.
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

# serve NS: sets the runtime per second of the scheduler's fair server. In 6.12 the server counts as
# a running task: on a slow host it may run while a CPU goes offline, and the kernel then warns
# "Dying CPU not properly vacated", although no task is left there.
serve()
{
	local file
	for file in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
		[ ! -e "$file" ] || echo "$1" >"$file"
	done
}

serve 0
# work CPU: causes context switches on a CPU; with many TIMES by short-lived processes, which keep
# it busy.
work()
{
	taskset -pc "$1" $BASHPID >/dev/null
	while :; do
		if [ "$times" -gt 1 ]; then sleep 0.01; else read -r -t 0.01 -u 3; fi
	done
}

# Keep every CPU switching between tasks.
mkfifo /tmp/never
exec 3<>/tmp/never
for cpu in 0 1 2 3; do
	work $cpu &
done
workers=$(jobs -p)
good="back 0, ticks wrong 0, counting 0 1 2 3"
load_set "INS=event:0xc0;CLK=software:cpu-clock" source=perf period_us=2000
is "$(followed cycle)" "$good" "perf: totals are exact after each CPU went offline $times times, for hardware and software events"
is "$(status_of cpus)" 0-3 "hotplug: all CPUs are sampled"
unload
load_set "INS=event:0xc0;CYC=event:0x76" source=msr period_us=2000
is "$(followed cycle)" "$good" "msr: totals are exact after each CPU went offline $times times"
unload

# An offline CPU has none of the module's controls programmed; they can only be read when it is
# back.
wrmsr -p 3 0xc0010202 0x12034567
before=$(rdmsr -p 3 0xc0010200) before1=$(rdmsr -p 3 0xc0010202)
load_set "INS=event:0xc0;CYC=event:0x76" source=msr
is "$(rdmsr -p 3 0xc0010200) $(rdmsr -p 3 0xc0010202)" "4300c0 430076" "hotplug: both events are programmed on CPU 3"
echo 0 >/sys/devices/system/cpu/cpu3/online
rcrctl reset
echo 1 >/sys/devices/system/cpu/cpu3/online
is "$(rdmsr -p 3 0xc0010200) $(rdmsr -p 3 0xc0010202)" "$before $before1" \
	"hotplug: every control is as before on a CPU that was offline during a reset"
unload
wrmsr -p 3 0xc0010202 0

# Suspend devices without powering down (pm_test). The kernel waits five seconds in a loop of
# milliseconds, which on an overloaded host may take long enough for the soft-lockup watchdog.
echo 1 >/sys/module/suspend/parameters/pm_test_delay
asleep()
{
	echo devices >/sys/power/pm_test && echo freeze >/sys/power/state
}

for source in msr perf; do
	load_set "INS=event:0xc0" source=$source period_us=2000
	is "$(followed asleep)" "$good" "hotplug: $source: totals are exact after suspend and resume"
	result $((! $(dmesg | grep -c 'PM: suspend exit'))) "hotplug: $source: the kernel has logged the suspend"
	unload
done

# reads_on DESCRIPTION COMMAND...: checks that a reader that sleeps in read() continues after
# COMMAND.
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
reads_on "hotplug: a reader of one CPU continues when that CPU is back" go_and_come
unload
load_set "INS=event:0xc0"
reads_on "hotplug: a reader of all CPUs continues after suspend and resume" asleep
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
	"hotplug: at 20 us three CPUs go offline $((3 * times)) times at once: each total is exact, each loss is counted"
grep '^wrong' /tmp/watch | head -n 5 | sed 's/^/# /'
is "$(status_of cpus) $(status_in_ls INS) $(status_in_ls CYC)" "0-3 ok ok" \
	"hotplug: all counters count afterwards"
unload
result $? "hotplug: the module unloads"
# shellcheck disable=SC2086 # one word each
kill $workers
is "$(controls | grep -c '4300c0\|430076')" 0 "hotplug: unloaded, no control has an event of the module"
serve 50000000
finished
