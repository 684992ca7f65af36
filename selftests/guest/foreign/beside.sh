#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# beside.sh MODEL - source=perf: verbs of rcrctl while perf counts, and while a program writes
# perf's registers, with a watcher; and software events of the kernel.
. ./tap.sh
. ./watching.sh
plan 23
case $1 in
fam15h) events="CYC=event:0x76;INS=event:0xc0" other=0xc2 free=0xc3 select=r00c4 spare=2 ;;
nehalem)
	# Use three of four counters; only the test build of the module permits that.
	# shellcheck disable=SC2034 # for load
	MODULE=/rcr/rcrtool-spare0.ko
	events="INS2=event:0xc0,umask:1;REPL=event:0x51,umask:1" other=0x80,umask:2 free=0xa2,umask:1 select=r01c4 spare=0
	;;
*) echo "Bail out! beside.sh: no model $1"; exit 1 ;;
esac
first=${events%%=*}

load_set "$events" source=perf spare=$spare period_us=5000 budget_ppm=0 ring_records=8192
watch_on
rcrctl halt "$first"
sleep 0.3
is "$(status_in_ls "$first")" "halted on 0-3" "beside: a counter is halted"
rcrctl continue "$first"
rcrctl add "OTHER=event:$other" && rcrctl finalize
result $? "beside: an event is added to the set"
rcrctl reassign OTHER "FREE=event:$free"
result $? "beside: a counter is reassigned"
rcrctl period 4ms
result $? "beside: the period is changed"
watched 4 "while the set and the period are changed"
is "$(went "$first" 1)" "ok halted ok gap ok gap ok (counted)" "beside: a counter that perf stops for a moment has a gap"
perf stat -x, -a -e $select sleep 0.5 2>&1 | grep -qE '^[1-9][0-9]*,'
result $? "beside: perf stat counts at the same time"

# perf allocates the counters: find the control of the event on CPU 2.
echo "# another program writes perf's registers"
select=$(sed -n "s/^counter 0: $first select \(0x[0-9a-f]*\) .*/\1/p" $STATUS)
for control in $CONTROLS; do
	val=0x$(rdmsr -p 2 "0x$control")
	[ $((val & 0xffff)) = $((select & 0xffff)) ] && [ $((val & 1 << 22)) != 0 ] && break
done
watch_on
wrmsr -p 2 "0x$control" 0x4300d0
sleep 0.5
is "$(status_in_ls "$first")" "foreign on 2" "beside: a written counter is foreign on that CPU"
is "$(status_in_ls FREE)" ok "beside: on the other CPUs no counter is foreign"
wrmsr -p 2 "0x$control" "$val"
sleep 0.3
is "$(status_in_ls "$first")" ok "beside: the counter is ok again after its control is restored"
wrmsr -p 2 "0x$control" 0
sleep 0.3
is "$(status_in_ls "$first")" "foreign on 2" "beside: a counter whose control is left at 0 is foreign"
rcrctl rewrite all
result $? "beside: rcrctl rewrite succeeds"
sleep 0.3
is "$(status_in_ls "$first")" ok "beside: rewrite makes perf program the register again"
watched 1 "while another program writes registers"
is "$(went "$first" 2) / $(went "$first" 1)" "ok foreign ok foreign gap ok (counted) / ok (counted)" \
	"beside: each status was recorded in order"

echo "# the kernel's own events"
rcrctl remove all
rcrctl add context-switches sched:sched_switch "PF=software:page-faults"
result $? "beside: software events and tracepoints are added by name"
says 1 "no_such" rcrctl add sched:no_such_event
rcrctl finalize
result $? "beside: the kernel's own events are counted"
taskset -c 1 bash -c 'for i in 1 2 3 4 5; do sleep 0.1; done'
is "$(status_in_ls context-switches) $(status_in_ls sched:sched_switch) $(status_in_ls PF)" "ok ok ok" "beside: the kernel's own events are ok on every CPU"
rcrstat --per all -i 1 -n 3 >/tmp/csv
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /context-switches/) a = i; if ($i ~ /sched_switch/) b = i } next }
	$a > 0 && $b > 0 && $a / $b < 1.3 && $b / $a < 1.3 { good++ }
	END { exit !(a && b && good == 3) }' /tmp/csv
result $? "beside: context switches and sched_switch have similar rates"
sed 's/^/# /' /tmp/csv
echo 0 >/sys/devices/system/cpu/cpu3/online
echo 1 >/sys/devices/system/cpu/cpu3/online
sleep 2.5
is "$(status_in_ls sched:sched_switch)" ok "beside: the events also count on a CPU that went offline and came back"
rcrctl reset
result $? "beside: a reset succeeds"
unload
is "$(perf stat -x, -a -e context-switches sleep 0.2 2>&1 | grep -c '^[1-9]')" 1 "beside: perf counts software events after the unload"
finished
