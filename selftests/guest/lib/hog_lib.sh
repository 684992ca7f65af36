# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# hog_lib.sh - starts a real-time task that occupies a CPU; sourced by tests.

# serve NS: sets the runtime per second that the fair server (6.12 and later) gives to fair tasks.
serve()
{
	local file
	for file in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
		[ ! -e "$file" ] || echo "$1" >"$file"
	done
}

# keep_off CPU: moves this shell and its future children to another CPU.
keep_off()
{
	taskset -pc $(($1 == 0)) $$ >/dev/null
}

# hog CPU PRIORITY: starts a SCHED_FIFO busy loop; this shell and its future children move to
# another CPU. Stall warnings are disabled: ksoftirqd of that CPU does not run, so RCU stalls.
hog()
{
	echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
	[ ! -e /sys/module/workqueue/parameters/watchdog_thresh ] ||
		echo 0 >/sys/module/workqueue/parameters/watchdog_thresh
	keep_off "$1"
	serve 0
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	taskset -c "$1" chrt -f "$2" bash -c 'while :; do :; done' &
	hog=$!
	sleep 0.5
}

# softirqs CPU POLICY PRIORITY: sets the scheduling policy and priority of that CPU's ksoftirqd, and
# of its rcuc, which exists with rcutree.use_softirq=0.
softirqs()
{
	local task
	grep -lx "ksoftirqd/$1\|rcuc/$1" /proc/[0-9]*/comm | cut -d/ -f3 | while read -r task; do
		chrt "$2" -p "$3" "$task"
	done
}

end_hog()
{
	kill -9 "$hog"
	wait "$hog" 2>/dev/null
}
