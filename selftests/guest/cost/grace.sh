#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# grace.sh - a change of the set waits for as many grace periods of RCU with 24 software
# events on 4 CPUs, 96 of the kernel's events, as with one. The kernel's tracer counts the
# callers of synchronize_rcu().
. ./tap.sh
plan 8

TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null
echo 'p:rcr/usual synchronize_rcu' >$TRACING/kprobe_events
echo 'p:rcr/expedited synchronize_rcu_expedited' >>$TRACING/kprobe_events
echo 1 >$TRACING/events/rcr/enable

# events COUNT LETTER: prints COUNT events with names of that letter.
events()
{
	local i list=
	for ((i = 1; i <= $1; i++)); do
		list="$list;$2$i=software:context-switches"
	done
	echo "${list:1}"
}

# waits COMMAND...: prints how often rcrctl called either function. With rcu_expedited one calls the
# other, and each call is counted.
waits()
{
	echo >$TRACING/trace
	"$@" || echo failed
	grep -c '^ *rcrctl-.* usual: ' $TRACING/trace
	grep -c '^ *rcrctl-.* expedited: ' $TRACING/trace
}

# exchange COUNT: replaces a set by one that has nothing in common with it, and half of a set.
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
	is "$(status_of state) $(status_of counters)" "sampling $count" "$count software events are counted on $(nproc) CPUs"
	exchange=$(exchange $count | tr '\n' ' ')
	is "$(status_of counters) $(grep -c NEXT /sys/kernel/debug/rcrtool/counters)" "$count $count" "all are exchanged"
	reset=$(waits rcrctl reset | tr '\n' ' ')
	if [ $count -eq 1 ]; then
		exchange_of_1=$exchange reset_of_1=$reset
		unload
		continue
	fi
	is "$exchange" "$exchange_of_1" "a change of all $count waits as often as of 1"
	is "$reset" "$reset_of_1" "a reset of all waits as often as of 1"
	unload
done
# The trace contains known calls: this command waits once.
echo >$TRACING/trace
rmmod msr
waited=$(grep -cE ' (usual|expedited): ' $TRACING/trace)
result $((waited == 0)) "an unload of another module is seen to wait"
insmod /rcr/msr.ko
echo 0 >$TRACING/events/rcr/enable
echo >$TRACING/kprobe_events
is "$(cat $TRACING/kprobe_events)" "" "nothing is traced any more"
finished
