#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fixed.sh - two events of cycles on a Nehalem, each of which fits on the one fixed counter: the
# other one needs a general counter, and no set takes a spare counter.
. ./tap.sh
plan 4

A=A=event:0x3c B=B=event:0x3c,user C=C=event:0xc4 D=D=event:0xc5
# One spare counter, and one for the NMI watchdog, which is off.
load source=perf spare=1
rcrctl set $A $B $C 2>/tmp/err
is "$? $(cat /tmp/err)" "0 " "fixed: cycles twice and a third event leave two of four counters free"
rcrctl set $A $B $C $D 2>/tmp/err
is "$?" 1 "fixed: a fourth event that takes a spare counter is refused"
contains "$(cat /tmp/err)" "remove 1 event." "fixed: the message has the number of events that are too many"
is "$(rcrctl ls | awk 'NR > 1 && /event/ { print $1, $5 }' | paste -sd,)" "A ok,B ok,C ok" \
	"fixed: the running set goes on"
unload
finished
