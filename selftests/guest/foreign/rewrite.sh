#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rewrite.sh [TIMES] - rcrctl rewrite of an event that is not a core event does not affect core
# events, while the NMI watchdog and perf stat make perf misplace these (Family 15h on a kernel that
# does not know its counter masks) and ticks read them.
. ./tap.sh
plan 3
TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null
events="CYC=event:0x76,umask:0x01;INS=event:0xc0;FLOPS=event:0x03,umask:0xff;VEC=event:0xcb,umask:0x04"

# Toggle the watchdog and run perf stat until the file "over" exists.
toggles()
{
	while [ ! -e /tmp/over ]; do
		perf stat -a -e r00c1 sleep 0.1 2>/dev/null
		sysctl -qw kernel.nmi_watchdog=1
		perf stat -a -e r00c1 sleep 0.1 2>/dev/null
		sysctl -qw kernel.nmi_watchdog=0
		perf stat -a -e r00c1:D sleep 0.1 2>/dev/null
	done
}

sysctl -qw kernel.nmi_watchdog=0
load_set "$events;S=software:cpu-clock" source=perf spare=1 period_us=50000 budget_ppm=0
rcrctl remove VEC && rcrctl finalize
is "$? $(status_of state)" "0 sampling" "rewrite: a set with a software event counts"
rm -f /tmp/over
toggles &
others=$!
failed=0
echo 'p:rcr/release perf_event_release_kernel' >$TRACING/kprobe_events
echo 1 >$TRACING/events/rcr/enable
for ((i = 0; i < ${1:-200}; i++)); do
	rcrctl rewrite S || failed=$((failed + 1))
done
: >/tmp/over
wait $others
is "$failed" 0 "rewrite: a software event can be rewritten"
is "$(grep -c '^ *rcrctl-.* release: ' $TRACING/trace)" 0 "rewrite: rewriting a software event releases no core event"
unload
finished
