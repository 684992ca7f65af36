#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# grace.sh - a change of the set waits for as many RCU grace periods with 24 software events on 4
# CPUs (96 events of the kernel) as with one. Counts the calls of synchronize_rcu() with kprobes.
. ./tap.sh
plan 8

TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null
echo 'p:rcr/usual synchronize_rcu' >$TRACING/kprobe_events
echo 'p:rcr/expedited synchronize_rcu_expedited' >>$TRACING/kprobe_events
echo 1 >$TRACING/events/rcr/enable

# events COUNT LETTER: prints COUNT events whose names begin with LETTER.
events()
{
	local i list=
	for ((i = 1; i <= $1; i++)); do
		list="$list;$2$i=software:context-switches"
	done
	echo "${list:1}"
}

# waits COMMAND...: prints how often rcrctl calls each function. With rcu_expedited set, the usual
# one calls the expedited one, and both calls are counted.
waits()
{
	echo >$TRACING/trace
	"$@" || echo failed
	grep -c '^ *rcrctl-.* usual: ' $TRACING/trace
	grep -c '^ *rcrctl-.* expedited: ' $TRACING/trace
}

# exchange COUNT: replaces a set by one with entirely different events, and then half of it.
exchange()
{
	local list
	rcrctl remove all
	for list in $(events "$1" NEXT | tr ';' ' '); do
		rcrctl add "$list"
	done
	waits rcrctl finalize
}

for count in 1 24; do
	load_set "$(events $count FIRST)" source=perf period_us=10000
	is "$(status_of state) $(status_of counters)" "sampling $count" "grace: $count software events are counted on $(nproc) CPUs"
	exchange=$(exchange $count | tr '\n' ' ')
	is "$(status_of counters) $(grep -c NEXT /sys/kernel/debug/rcrtool/counters)" "$count $count" "grace: all $count events are replaced"
	reset=$(waits rcrctl reset | tr '\n' ' ')
	if [ $count -eq 1 ]; then
		exchange_of_1=$exchange reset_of_1=$reset
		unload
		continue
	fi
	is "$exchange" "$exchange_of_1" "grace: a change of all $count waits as often as a change of 1"
	is "$reset" "$reset_of_1" "grace: a reset of all $count waits as often as a reset of 1"
	unload
done
# Check the trace: this command is known to wait.
echo >$TRACING/trace
rmmod msr
waited=$(grep -cE ' (usual|expedited): ' $TRACING/trace)
result $((waited == 0)) "grace: the trace shows the wait of another module's unload"
insmod /rcr/msr.ko
echo 0 >$TRACING/events/rcr/enable
echo >$TRACING/kprobe_events
is "$(cat $TRACING/kprobe_events)" "" "grace: no kprobe is left"
finished
