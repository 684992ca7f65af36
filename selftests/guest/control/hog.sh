#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hog.sh SOURCE PRIORITY CPU... - a SCHED_FIFO task occupies each of these CPUs in turn. Close,
# reset and unload do not wait for it, finalize fails and names the busy CPU, and registers are
# nevertheless restored (promise P1). Time is only checked to detect commands that hang.
. ./tap.sh
. ./hog_lib.sh
source=$1 priority=$2 hog=''
shift 2
[ "$source" = msr ] && lines=13 || lines=20
plan $((lines * $#))

# ended PID: true if the process has exited; it may be a zombie.
ended()
{
	! grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"
}

# ends PID: returns the exit status of a process; if it hangs, ends the hog and returns 124.
ends()
{
	local i
	for ((i = 0; i < 300; i++)); do
		if ended "$1"; then
			wait "$1"
			return
		fi
		sleep 0.1
	done
	echo "# process $1 hangs: $(cat "/proc/$1/wchan")"
	end_hog
	wait "$1"
	return 124
}

# bounded COMMAND...: runs COMMAND and returns what ends does; output is in /tmp/out and /tmp/err.
bounded()
{
	"$@" >/tmp/out 2>/tmp/err &
	ends $!
}

# Print the enabled controls (bit 22) as "SELECT:CPUS". perf leaves events in disabled ones.
running()
{
	local msr
	for msr in $CONTROLS; do
		rdmsr -a 0x"$msr"
	done | awk '
		function hex(text,   n, i) {
			for (i = 1; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		int(hex($1) / 4194304) % 2 { n[sprintf("%x", hex($1) % 256)]++ }
		END { for (s in n) print s ":" n[s] }' | sort | tr '\n' ' '
}

# True if, with source=msr, every control is as before, or, with source=perf, none of ours is
# enabled.
at_rest()
{
	if [ "$source" = msr ]; then
		[ "$(controls)" = "$before" ]
	else
		[ -z "$(running)" ]
	fi
}

# has_left NAME: true if the event waits for the end of a hold.
has_left()
{
	grep -q "^$1 waits for the end of a hold" /sys/kernel/debug/rcrtool/counters
}

is_held()
{
	[ -n "$(control_of HELD)" ]
}

is_ok()
{
	rcrstat -i 0.2 -n 1 | tail -n 1 | cut -d, -f5
}

# Start the hog again if it was ended because a command hung.
go_on()
{
	kill -0 "$hog" 2>/dev/null || hog "$1" "$priority"
}

hogged()
{
	local cpu=$1 holder ran unloader
	keep_off "$cpu"
	clear_controls
	before=$(controls)
	load_set "INS=event:0xc0;CYC=event:0x76" source="$source" period_us=5000
	# The end of a tracepoint waits for RCU.
	[ "$source" = msr ] || { rcrctl add sched:sched_switch && rcrctl finalize; }
	rcrctl add HELD=event:0xc1
	rcrctl finalize --hold >/dev/null 2>&1 &
	holder=$!
	soon is_held
	is "$(running)" "76:4 c0:4 c1:4 " "hog: CPU $cpu: a command holds a set"

	hog "$cpu" "$priority"
	rm -f /tmp/ran
	taskset -c "$cpu" sh -c ': >/tmp/ran' &
	ran=$!
	sleep 1
	result $((!$([ -e /tmp/ran ]; echo $?))) "hog: CPU $cpu: a task of priority $priority occupies the CPU"
	rcrctl add MORE=event:0xc2
	bounded rcrctl finalize
	is "$?" 1 "hog: CPU $cpu: finalize is refused"
	contains "$(cat /tmp/err)" "CPU $cpu " "hog: CPU $cpu: the refusal names the CPU: $(cat /tmp/err)"
	is "$(running)" "76:4 c0:4 c1:4 " "hog: CPU $cpu: the running set continues after the refusal"
	is "$(is_ok)" ok "hog: CPU $cpu: the running set is sampled on every CPU"
	# The end of the holder restores the registers of all CPUs.
	rcrctl remove MORE
	go_on "$cpu"
	kill -9 "$holder"
	ends "$holder" 2>/dev/null
	is "$(($? == 124)) $(running)" "0 76:4 c0:4 " "hog: CPU $cpu: the holder is gone with its event, and the previous events count"
	go_on "$cpu"
	bounded rcrctl reset
	is "$?" 0 "hog: CPU $cpu: rcrctl reset succeeds"
	at_rest
	result $? "hog: CPU $cpu: a reset restores every register"

	! kill -0 "$hog" 2>/dev/null || end_hog
	wait $ran
	rcrctl add "INS=event:0xc0" && rcrctl add "CYC=event:0x76" && rcrctl finalize
	is "$? $(running)" "0 76:4 c0:4 " "hog: CPU $cpu: a set is finalized once the task has ended"

	# The unload of any module waits for RCU, which the task blocks unless ksoftirqd has a
	# higher priority, and for SRCU, whose work items run on CPU 0.
	hog "$cpu" $((priority < 98 ? priority : 98))
	rmmod rcrtool >/tmp/out 2>/tmp/err &
	unloader=$!
	soon at_rest
	result $? "hog: CPU $cpu: an unload restores every register"
	if [ "$cpu" -eq 0 ]; then
		end_hog
	else
		softirqs "$cpu" -f 99
	fi
	ends $unloader
	is "$? $(grep -c rcrtool /proc/modules)" "0 0" "hog: CPU $cpu: the unload ends with the kernel's wait for RCU"
	kill -0 "$hog" 2>/dev/null && end_hog
	softirqs "$cpu" -o 0
	load_set "INS=event:0xc0;CYC=event:0x76" source="$source" && unload
	result $? "hog: CPU $cpu: the module loads and unloads once the task has ended"
}

# The kernel adds and removes tracepoints under a mutex, which a removal holds for an RCU grace
# period: the task can block that even on a CPU that is not sampled.
tracepoints()
{
	local cpu=$1 rest holder=''
	keep_off "$cpu"
	rest=$(seq 0 3 | grep -vx "$cpu" | paste -sd,)
	load_set "S=software:cpu-clock" source=auto "cpus=$rest"
	rcrctl add sched:sched_switch && rcrctl finalize
	is "$?" 0 "hog: CPU $cpu: a tracepoint is counted on the other CPUs"
	rcrctl remove sched:sched_switch
	rcrctl finalize --hold >/dev/null 2>&1 &
	holder=$!
	soon has_left sched:sched_switch
	hog "$cpu" "$priority"
	rcrctl add sched:sched_wakeup
	bounded rcrctl finalize
	is "$?" 1 "hog: CPU $cpu: a set with a tracepoint is refused"
	contains "$(cat /tmp/err)" "CPU $cpu runs nothing but a real-time task, which can delay a tracepoint forever" \
		"hog: CPU $cpu: the refusal has a reason: $(cat /tmp/err)"
	bounded rcrctl ls
	is "$?" 0 "hog: CPU $cpu: rcrctl ls does not wait"
	rcrctl remove sched:sched_wakeup
	go_on "$cpu"
	kill -9 $holder
	ends $holder 2>/dev/null
	is "$(($? == 124)) $(status_in_ls sched:sched_switch | cut -d' ' -f1)" "0 busy" \
		"hog: CPU $cpu: the end of a holder does not wait, and the tracepoint that was counted before is busy"
	go_on "$cpu"
	bounded rcrctl reset
	is "$?" 0 "hog: CPU $cpu: a reset does not wait for the task"
	! kill -0 "$hog" 2>/dev/null || end_hog
	rcrctl add sched:sched_switch && rcrctl finalize
	is "$? $(is_ok)" "0 ok" "hog: CPU $cpu: the tracepoint is counted once the task has ended"
	unload
}

for cpu; do
	hogged "$cpu"
	[ "$source" = msr ] || tracepoints "$cpu"
done
finished
