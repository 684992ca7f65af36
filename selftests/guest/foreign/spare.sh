#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# spare.sh - the spare counters of a core (Zen) while other programs have pinned events on every
# CPU, one of which takes a pair of counters, or events that take turns. Exactly as many counters
# can be allocated as rcrctl ls reports to be free.
. ./tap.sh
plan 14
TURNS=r00c1,r00c2,r00c3,r00c4,r00c5,r00c6,r00c7,r00c8

# others EVENTS: starts a perf stat that counts EVENTS on every CPU until it is killed.
others()
{
	perf stat -a -e "$1" sleep 1000 2>/dev/null &
	other=$!
	sleep 1
}

gone()
{
	kill "$1"
	wait "$1" 2>/dev/null
}

core_counters()
{
	rcrctl ls | sed -n '1s/.*core counters: //p'
}

# can_have EVENT...: true if perf can count all these events, pinned, on every CPU.
can_have()
{
	local list
	list=$(printf '%s:D\n' "$@" | paste -sd,)
	! perf stat -x, -a -A -e "$list" sleep 0.3 2>&1 | grep -q 'not counted'
}

sysctl -qw kernel.nmi_watchdog=0
others r0003:D
pair=$other
load_set "S=software:cpu-clock" source=auto
rcrctl set A=event:0xc1 B=event:0xc2 2>/tmp/err
is "$? $(status_in_ls S)" "1 ok" \
	"spare: two events are refused, as a pair leaves no room for them and three spare counters"
contains "$(cat /tmp/err)" "in the 6 counters of a core, of which others (perf, a profiler, the NMI watchdog) hold 2" \
	"spare: the pair holds two counters: $(cat /tmp/err)"
others $TURNS
turns=$other
rcrctl set A=event:0xc1 B=event:0xc2 2>/dev/null
is "$? $(status_in_ls S)" "1 ok" \
	"spare: two events are also refused while events of other programs take turns"
rcrctl set A=event:0xc1
is "$? $(core_counters)" "0 1 of 6 used, 2 held by others, 3 free (1 for the watchdog)" \
	"spare: one event is counted, and rcrctl ls states what others hold"
gone $turns
can_have r00c3 r00c4 r00c5
result $? "spare: perf can allocate three counters"
! can_have r00c3 r00c4 r00c5 r00c6
result $? "spare: a fourth event is refused"
unload
gone $pair

others r00c3:D,r00c4:D
load source=auto
is "$? $(core_counters)" "0 2 of 6 used, 2 held by others, 2 free (1 for the watchdog)" \
	"spare: the default set leaves one counter less, so that cycles and instructions count"
contains "$(dmesg | tail -n 3)" "lowered spare to 1 so that cycles and instructions can be counted" \
	"spare: the module logs the number of spare counters"
rcrctl reassign TOT_INS X=event:0xc5
is "$?" 0 "spare: an event can be replaced, as this needs no other counter"
gone "$other"
rcrctl add "Y=event:0xc6;Z=event:0xc7"
rcrctl finalize 2>/tmp/err
is "$?" 1 "spare: without other programs a larger set must leave all spare counters"
contains "$(cat /tmp/err)" "4 core events and 3 spare counters do not fit" "spare: $(cat /tmp/err)"
rcrctl remove Z && rcrctl finalize
is "$? $(core_counters)" "0 3 of 6 used, 3 free (1 for the watchdog)" "spare: three events leave all spare counters"
unload
load_set "S=software:cpu-clock" source=auto
is "$? $(core_counters)" "0 " "spare: rcrctl ls has no line about core counters if the set has no core events"
unload
is "$(moving)" "" "spare: no counter advances at the end"
finished
