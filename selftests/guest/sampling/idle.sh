#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# idle.sh [SECONDS] - idle=skip on a machine with one busy CPU: compares the stream with how often
# the sampler's timer fires on each CPU, according to a tracepoint of the kernel. CPU 0 reads the
# counters of the northbridge, which all CPUs share.
. ./tap.sh
seconds=${1:-60}
works=3
plan 7
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null

# trace_ticks: traces the timer of the sampler from now on.
trace_ticks()
{
	local tick
	tick=$(awk '$3 == "sampler_tick" && $4 == "[rcrtool]" { print $1 }' /proc/kallsyms)
	echo 2048 >$tracing/buffer_size_kb
	echo "function == 0x$tick" >$tracing/events/timer/hrtimer_expire_entry/filter
	echo 1 >$tracing/events/timer/hrtimer_expire_entry/enable
}

# watch COMMAND...: traces while COMMAND runs, writes "CPU TIMES" to /tmp/fired, and sets $lasted to
# the length of the trace in seconds, which is longer than the command on a busy host.
watch()
{
	local began
	read -r began _ </proc/uptime
	echo >$tracing/trace
	echo 1 >$tracing/tracing_on
	"$@"
	echo 0 >$tracing/tracing_on
	lasted=$(awk -v began="$began" '{ print $1 - began }' /proc/uptime)
	grep -o '\[[0-9]*\]' $tracing/trace | tr -d '[]' | sed 's/^0*\(.\)/\1/' | sort -n | uniq -c |
		awk '{ print $2, $1 }' >/tmp/fired
	sed 's/^/# fired: cpu /' /tmp/fired
}

fired()
{
	awk -v cpu="$1" '$1 == cpu { n = $2 } END { print n + 0 }' /tmp/fired
}

# beyond: prints the idle CPUs on which the timer fired more than 10 times a second. A CPU that
# becomes idle fires up to 5 more times.
beyond()
{
	awk -v seconds="$lasted" -v works=$works '
		$1 == "cpu" { most[$2] = 10 * (seconds + 1) + 5 * ($4 - $6) }
		NF == 2 && $1 && $1 != works && $2 > most[$1] { print $1 }' /tmp/told /tmp/fired
}

# all_are_idle: compares for some seconds; true if only one CPU was busy. The stream ends slightly
# before the trace, so what runs in between on a busy host is only in the trace.
all_are_idle()
{
	watch taskset -c $works ./parts 1000 "$seconds" >/tmp/told
	sed 's/^\([^#]\)/# \1/' /tmp/told
	[ -z "$(beyond)" ]
}

load_set "A=event:0x76;N=nb:event:0xe0,umask:0x07" idle=skip ring_records=8192
rcrctl meter add parts A --scale 1s
rcrctl meter add nb N --scale 1s
trace_ticks
sleep 2
once_in 3 all_are_idle
read -r _ gaps _ _ _ parts _ counted _ _ _ _ _ wrong < <(tail -n 1 <(grep '^gaps' /tmp/told))
is "$(beyond)" "" "idle: on an idle CPU the timer fires at most 10 times a second"
is "$(($(fired 0) >= seconds * 30))" 1 "idle: on the CPU that reads shared counters the timer fires often, idle or not"
is "$gaps" 0 "idle: no CPU is silent because it is idle"
is "$((parts > 100)) $((counted > 100)) $wrong" "1 1 0" "idle: parts follow from the samples"

watch taskset -c $works timeout 3 sh -c 'while :; do :; done'
is "$(($(fired $works) >= 3 * 30))" 1 "idle: a CPU that works again is sampled as often as before"
contains "$(rcrctl meter show nb)" ok "idle: shared counters are up to date"
echo 0 >$tracing/events/timer/hrtimer_expire_entry/enable
unload
is "$(controls | awk '{print $2 $3 $4 $5}' | sort -u)" 0000 "idle: unloaded, every control is as before"
finished
