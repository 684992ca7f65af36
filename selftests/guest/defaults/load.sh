#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# load.sh MODEL - 'modprobe rcrtool' with all defaults takes no counter from other users: perf stat
# counts before, during and after; two counters of each core are left to perf, and one to an NMI
# watchdog that is off. The log and rcrctl ls report this, and the registers agree.
. ./defaults/common.sh
machine "$1"
plan 36

was=$(cat /proc/sys/kernel/nmi_watchdog)
on_off() { watchdog_is_on && echo on || echo off; }

# registers DESCRIPTION: only the module and the watchdog have enabled counters. On Intel one of
# their two events that count cycles may be on the fixed counter.
registers()
{
	local busy
	busy=$(enabled_on_each)
	if watchdog_is_on; then
		is "$busy" $((USES + 1)) "$1"
	elif [ -n "$FIXED" ] && [ "$busy" = $((USES + 1)) ]; then
		result 0 "$1"
	else
		is "$busy" "$USES" "$1"
	fi
}

echo "# the NMI watchdog is $(on_off)"
perf_works "load: perf stat counts cycles and instructions before the module is loaded"
armed=$(cycle_counters)
is "$armed" "$was" \
	"load: the watchdog has one counter of each CPU if it is on, and none if it is off"
before=$(enabled_on_each)
shared=$(shared_controls)

# Two tasks have two pinned events each. If perf once finds no counter for a pinned event, it does
# not schedule the event again, and the count stops while the time advances. One task is on the
# first CPU, where finalize probes first, and one on another CPU.
tasks=
rm -f /tmp/loaded
for cpu in 0 1; do
	rm -f /tmp/counts.$cpu
	perf stat -x, -e "$(pinned 2),task-clock" taskset -c $cpu \
		sh -c ": >/tmp/counts.$cpu; until [ -e /tmp/loaded ]; do :; done" 2>/tmp/task.$cpu &
	tasks="$tasks $!"
	soon test -e /tmp/counts.$cpu
done
modprobe rcrtool >/tmp/out 2>&1
is "$? $(cat /tmp/out)" "0 " "load: a plain modprobe loads the module and prints nothing"
sleep 1
: >/tmp/loaded
# shellcheck disable=SC2086 # a list of words
wait $tasks
sed 's/^/# /' /tmp/task.0 /tmp/task.1
is "$(awk -F, '{ time[FNR] = $4 }
	FNR == 3 { print (time[1] > 0.8 * time[3]) + (time[2] > 0.8 * time[3]) }' /tmp/task.0 /tmp/task.1 | xargs)" \
	"2 2" "load: pinned events of tasks keep counting across modprobe"
is "$(dmesg | grep -ciE 'WARNING|call trace')" 0 "load: the kernel logs no warning about the load"
dmesg | grep 'rcrtool: inert' | sed 's/^/# /'
perf_works "load: perf stat counts while the module counts"
first=TOT_CYC
[ "$USES" -eq 1 ] && [ "$1" = fam15h ] || first="TOT_CYC TOT_INS"
contains " $(rcrctl ls | sed -n 's/^\([A-Z_0-9]*\) .* ok .*/\1/p' | xargs) " " $first " \
	"load: the first events of the default set are $first"
is "$(statuses)" ok "load: the status of every counter is ok"
counts_right "load: the default set matches the formula"
states_use "$(core_counters_in_ls)"
result $? "load: the first line of rcrctl ls states how many core counters are used and free"
registers "load: the registers have as many counters enabled on each CPU"
free_for_perf "$(now_free)"
result $? \
	"load: perf can allocate exactly as many counters on each CPU as are stated to be free"
is "$(shared_controls)" "$shared" "load: the default set takes no counter that several CPUs share"
is "$(statuses)" ok "load: the status is ok after perf has used these counters"

# Toggle the watchdog twice: test it both on and off, and restore it.
for _ in 1 2; do
	watchdog $((1 - $(cat /proc/sys/kernel/nmi_watchdog)))
	now="switched $(on_off)"
	is "$(cycle_counters)" $((1 + $(cat /proc/sys/kernel/nmi_watchdog))) \
		"load: the watchdog, $now, has a cycle counter of each CPU if it is on, and none if it is off"
	states_use "$(core_counters_in_ls)"
	result $? "load: rcrctl ls states the use of counters with the watchdog $now"
	registers "load: the registers agree with the watchdog $now"
	soon is_well
	result $? "load: the status of every counter is ok with the watchdog $now"
	counts_right "load: the default set matches the formula with the watchdog $now"
	perf_works "load: perf stat counts with the watchdog $now"
done
is "$(dmesg | grep -ciE 'WARNING|call trace')" 0 "load: the kernel logs no warning up to here"

loaded=$(names)
rcrctl load default
is "$? $(names)" "0 $loaded" "load: 'rcrctl load default' counts the events that modprobe did"
perf_works "load: perf stat counts after 'rcrctl load default'"
rcrctl add PAPI_BR_INS && rcrctl run -- rcrctl ls >/tmp/ls
is "$? $(grep -c '^PAPI_BR_INS .*held$' /tmp/ls) $(names)" "0 1 $loaded" \
	"load: the default set gives way to an event that a command holds, and returns afterwards"

modprobe -r rcrtool
is "$? $(grep -c ^rcrtool /proc/modules)" "0 0" "load: modprobe -r unloads the module"
after=$(enabled_on_each)
# The watchdog was armed again by the toggles, perhaps on another counter.
[ -z "$FIXED" ] || ! watchdog_is_on || before=$after
is "$after" "$before" "load: as many counters are enabled as before the load"
perf_works "load: perf stat counts after the module was unloaded"
is "$(cycle_counters)" "$armed" "load: the watchdog is as before the load"
plain_load && rmmod rcrtool
is "$? $(grep -c ^rcrtool /proc/modules)" "0 0" "load: rmmod unloads the module after a second load"
perf_works "load: perf stat counts after the second load"
finished
