#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# load.sh MODEL - a plain 'modprobe rcrtool' takes nothing from others: perf stat counts
# before, during and after; two counters of each core are left to it, and one to an NMI
# watchdog that is off; the log and rcrctl ls report this, and the registers agree.
. ./defaults/common.sh
machine "$1"
plan 36

was=$(cat /proc/sys/kernel/nmi_watchdog)
on_off() { watchdog_is_on && echo on || echo off; }

# registers DESCRIPTION: the number of enabled counters is that of the module and the watchdog. On
# Intel either of the two events of cycles may be on the fixed counter.
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
	"load: one counter of each CPU counts for a watchdog that is on, and none for one that is off"
before=$(enabled_on_each)
shared=$(shared_controls)

# Tasks have pinned two events each: perf never reschedules one that once found no counter,
# and prints its count up to then, while the clock goes on.
# The tasks are on the first CPU, where finalize probes first, and on another one.
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
	"2 2" "load: what a task has pinned counts on"
is "$(dmesg | grep -ciE 'WARNING|call trace')" 0 "load: the kernel's log has no warning of it"
dmesg | grep 'rcrtool: inert' | sed 's/^/# /'
perf_works "load: perf stat counts while the module counts"
first=TOT_CYC
[ "$USES" -eq 1 ] && [ "$1" = fam15h ] || first="TOT_CYC TOT_INS"
contains " $(rcrctl ls | sed -n 's/^\([A-Z_0-9]*\) .* ok .*/\1/p' | xargs) " " $first " \
	"load: the default set begins with $first"
is "$(statuses)" ok "load: the status of every counter is ok"
counts_right "load: the default set counts as the formula does"
states_use "$(core_counters_in_ls)"
result $? "load: the first line of rcrctl ls states how many core counters are used and free"
registers "load: as many counters of each CPU are enabled in the registers"
free_for_perf "$(now_free)"
result $? \
	"load: perf can have as many counters as are stated to be free, on each CPU, and not one more"
is "$(shared_controls)" "$shared" "load: the default set takes no counter that several CPUs share"
is "$(statuses)" ok "load: after perf has come and gone the status is ok"

# Toggle the watchdog twice, so that it was off and on, and is as before.
for _ in 1 2; do
	watchdog $((1 - $(cat /proc/sys/kernel/nmi_watchdog)))
	now="switched $(on_off)"
	is "$(cycle_counters)" $((1 + $(cat /proc/sys/kernel/nmi_watchdog))) \
		"load: the watchdog, $now, has the counter that it needs on each CPU, and it counts"
	states_use "$(core_counters_in_ls)"
	result $? "load: rcrctl ls states that it is $now"
	registers "load: the registers agree"
	soon is_well
	result $? "load: the status of every counter is ok with the watchdog $now"
	counts_right "load: the default set counts as the formula does with the watchdog $now"
	perf_works "load: perf stat counts with the watchdog $now"
done
is "$(dmesg | grep -ciE 'WARNING|call trace')" 0 "load: the kernel's log has no warning of all this"

loaded=$(names)
rcrctl load default
is "$? $(names)" "0 $loaded" "load: 'rcrctl load default' counts the events that modprobe did"
perf_works "load: perf stat counts next to them"
rcrctl add PAPI_BR_INS && rcrctl run -- rcrctl ls >/tmp/ls
is "$? $(grep -c '^PAPI_BR_INS .*held$' /tmp/ls) $(names)" "0 1 $loaded" \
	"load: they give way to the event of a command, as before it"

modprobe -r rcrtool
is "$? $(grep -c ^rcrtool /proc/modules)" "0 0" "load: modprobe -r takes the module away"
after=$(enabled_on_each)
# The watchdog was armed again.
[ -z "$FIXED" ] || ! watchdog_is_on || before=$after
is "$after" "$before" "load: the number of enabled counters is that before the load"
perf_works "load: perf stat counts after that"
is "$(cycle_counters)" "$armed" "load: the watchdog is as it was"
plain_load && rmmod rcrtool
is "$? $(grep -c ^rcrtool /proc/modules)" "0 0" "load: loaded once more, rmmod takes it away"
perf_works "load: perf stat counts after that, too"
finished
