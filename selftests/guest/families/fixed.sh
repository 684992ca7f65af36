#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fixed.sh - two events on Nehalem that count cycles: only one of them fits on the fixed counter, so
# the other one needs a general counter. No set takes a spare counter.
. ./tap.sh
plan 4

A=A=event:0x3c B=B=event:0x3c,user C=C=event:0xc4 D=D=event:0xc5
# One spare counter, and one kept free for the NMI watchdog, which is off.
load source=perf spare=1
rcrctl set $A $B $C 2>/tmp/err
is "$? $(cat /tmp/err)" "0 " "fixed: two events of cycles and a third event leave two of four counters free"
rcrctl set $A $B $C $D 2>/tmp/err
is "$?" 1 "fixed: a fourth event that takes a spare counter is refused"
contains "$(cat /tmp/err)" "remove 1 event." "fixed: the message states how many events to remove"
is "$(rcrctl ls | awk 'NR > 1 && /event/ { print $1, $5 }' | paste -sd,)" "A ok,B ok,C ok" \
	"fixed: the running set still counts"
unload
finished
