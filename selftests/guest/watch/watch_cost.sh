#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# watch_cost.sh - the cost of 256 watches of one user: each watch is evaluated every quarter of its
# window, as a kprobe shows, and no entry of the board is evaluated for watches.
. ./tap.sh
plan 6
GROUP=4711
WATCHES=256
WINDOW=400	# ms
SCALE=$((16 * WINDOW))
TRACING=/sys/kernel/tracing
grep -q " $TRACING " /proc/mounts || mount -t tracefs none $TRACING
chmod 755 /rcr /rcr/bin /rcr/tests
member=(setpriv --reuid 1000 --regid 1000 --groups "$GROUP")

meters()
{
	sed -n "s/^meters: .*\b$1 \([0-9]*\).*/\1/p" $STATUS
}

# called: prints how often the probe was hit.
called()
{
	awk '$1 == "rcr_window" { print $2 }' $TRACING/kprobe_profile
}

monotonic()
{
	./subscriber clock | cut -d ' ' -f 1
}

load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=10000
chgrp $GROUP /dev/rcrboard
# Keep one meter, or rcrctl would add those of the family.
rcrctl meter add m0 TOT_CYC --over cpu --scale ${SCALE}ms
for file in /sys/kernel/debug/rcrtool/meters/*; do
	[ "${file##*/}" = m0 ] || echo "meter remove ${file##*/}"
done | rcrctl --batch -
for ((i = 1; i < 64; i++)); do
	echo "meter add m$i TOT_CYC --over cpu --scale ${SCALE}ms"
done | rcrctl --batch -
mkfifo /tmp/end
"${member[@]}" ./member watches $WATCHES </tmp/end >/tmp/watches &
member_pid=$!
exec 3>/tmp/end
soon test -s /tmp/watches
is "$(cat /tmp/watches)" "$WATCHES watches" "watches: a member of the group has $WATCHES watches on as many entries, 16 per descriptor"
echo 'p:rcr_window rcrtool:rcr_window_value' >$TRACING/kprobe_events
echo 1 >$TRACING/events/kprobes/rcr_window/enable
# A watch has a whole window after four quarters.
sleep 1
# Read the clock first and last, so that the counts are of no longer time.
began=$(monotonic)
calls=$(called) evaluations=$(meters evaluations) passes=$(meters passes)
sleep 4
calls=$(($(called) - calls)) ended=$(monotonic)
passes=$(($(meters passes) - passes)) evaluations=$(($(meters evaluations) - evaluations))
quarters=$(((ended - began) / (WINDOW * 250000)))
echo "# $calls evaluations in $passes passes and $quarters quarters of a window"
result $((passes < 2 || calls < WATCHES)) "watches: all watches are evaluated, $calls times"
result $((calls > WATCHES * (passes + 1))) "watches: a pass evaluates each watch at most once"
result $((calls > WATCHES * (quarters + 2))) \
	"watches: $WATCHES watches cost at most $WATCHES evaluations in a quarter of their window"
is "$evaluations" 0 "watches: no entry of the board is evaluated for watches"
echo 0 >$TRACING/events/kprobes/rcr_window/enable
echo >$TRACING/kprobe_events
exec 3>&-
wait $member_pid
passes=$(meters passes)
sleep 1
is "$(($(meters passes) - passes))" 0 "watches: no pass runs after the watches are closed"
unload
finished
