#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# quiet.sh [SECONDS] - meters without a reader cost only marks: kernel tracepoints show that neither
# their worker nor their timer runs before the first and after the last reader.
. ./tap.sh
seconds=${1:-20}
plan 11
TRACING=/sys/kernel/tracing
grep -q " $TRACING " /proc/mounts || mount -t tracefs none $TRACING
EVENTS="workqueue/workqueue_execute_start timer/hrtimer_expire_entry"

# meters FIELD: prints a field of the meters line in the status file.
meters()
{
	sed -n "s/^meters: .*\b$1 \([0-9]*\).*/\1/p" $STATUS
}

# traced SECONDS: prints the work functions of the module that ran in that time, and the timer that
# wakes the meters' worker. Writes the number of evaluations to /tmp/evaluated.
traced()
{
	local before event
	before=$(meters evaluations)
	echo >$TRACING/trace
	for event in $EVENTS; do
		echo 1 >$TRACING/events/$event/enable
	done
	sleep "$1"
	for event in $EVENTS; do
		echo 0 >$TRACING/events/$event/enable
	done
	echo $(($(meters evaluations) - before)) >/tmp/evaluated
	sed -n '/workqueue_execute_start/s/.*function \([a-z_]*\) \[rcrtool\].*/\1/p
		/function=wake_worker/s/.*/wake_worker/p' $TRACING/trace | sort | uniq -c |
		awk '{ print $2, $1 }' >/tmp/ran
}
# ran SECONDS: prints the functions and the number of evaluations. The module checks once a second
# whether the kernel is locked down (control/lockdown.c), which has nothing to do with meters.
ran()
{
	awk -v most=$(($1 + 2)) '$1 == "poll_lockdown" && $2 <= most { next } { print }' /tmp/ran >/tmp/unasked
	mv /tmp/unasked /tmp/ran
	echo "$(cut -d ' ' -f 1 /tmp/ran | tr '\n' ' ')$(cat /tmp/evaluated)"
}

# visit COMMAND...: runs a reader for two seconds.
visit()
{
	mkfifo /tmp/visit
	"$@" </tmp/visit >/tmp/visitor &
	visitor=$!
	exec 3>/tmp/visit
	soon test -s /tmp/visitor
	traced 2
	sed 's/^/# ran: /' /tmp/ran
	exec 3>&-
	wait $visitor
	rm /tmp/visit
}

echo 1 >$TRACING/tracing_on
echo 8192 >$TRACING/buffer_size_kb
load
rcrctl meter load && rcrctl meter add mem_bw
result $? "quiet: the default set is counted, with the meters of the family"
echo "function == 0x$(awk '$3 == "wake_worker" { print $1 }' /proc/kallsyms)" \
	>$TRACING/events/timer/hrtimer_expire_entry/filter
sleep 1
traced "$seconds"
is "$(ran "$seconds")" "0" "quiet: no worker of the module runs and nothing is evaluated in $seconds s without a reader"

# Nothing runs after a subscriber, a watch or a perf event has ended.
number=$(sed -n 's/^number: //p' /sys/kernel/debug/rcrtool/meters/mem_bw)
declare -A come=(
	[subscriber]="./subscriber hold mem_bw 10"
	[watch]="./subscriber cross mem_bw machine 1 1 100" [event]="./perfevent hold $number"
)
for who in subscriber watch event; do
	# shellcheck disable=SC2086 # split into words
	visit ${come[$who]}
	grep -q "^run_pass" /tmp/ran
	result $? "quiet: the worker runs for a $who"
	[ $who != watch ] || is "$(cat /tmp/evaluated)" 0 "quiet: no entry is evaluated for a watch"
	traced $((seconds / 10))
	is "$(ran $((seconds / 10)))" "0" "quiet: no worker runs and nothing is evaluated after the $who has ended"
done
./subscriber hold map </dev/null >/dev/null &
exec 3</dev/rcrboard
traced 2
exec 3<&-
is "$(ran 2)" "0" "quiet: a descriptor without subscriptions causes no evaluation"
for event in $EVENTS; do
	echo 0 >$TRACING/events/$event/filter
done
unload
result $? "quiet: the module unloads"
finished
