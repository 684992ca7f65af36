#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# meters.sh MODEL - the meters of an installed machine as README.md describes them. On modprobe the
# udev rule adds those of the family; without udev root's first 'rcrctl meter' does. Only root can
# add meters. A meter that lacks counters is asleep.
. ./defaults/common.sh
machine "$1"
plan 21
METERS=/sys/kernel/debug/rcrtool/meters
RULES=/usr/lib/udev/rules.d/60-rcrtool.rules

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
count() { find $METERS -type f | wc -l; }
value() { sed -n "s/^$2: //p" "$METERS/$1"; }
valued() { [ "$(value "$1" status)" = ok ]; }

# are_inverse: sets $ipc and $cpi; true if ipc * cpi is about 1, as a sample may come in between.
are_inverse()
{
	ipc=$(value ipc average) cpi=$(value cpi average)
	awk -v ipc="$ipc" -v cpi="$cpi" 'BEGIN { exit !(ipc * cpi > 0.999 && ipc * cpi < 1.001) }'
}

plain_load
all=$(count)
is "$(grep -c 'rcrctl meter load' $RULES) $((all > 10))" "1 1" \
	"meters: modprobe on a machine with udev adds $all meters"
soon valued ipc
is "$(value ipc unit) $(value ipc status)" "1 ok" "meters: a meter of counters in the set has values"
sleep 1
once_in 20 are_inverse
result $? "meters: instructions per cycle ($ipc) are one over cycles per instruction ($cpi)"
soon valued sampler_cost
is "$(awk -v v="$(value sampler_cost average)" 'BEGIN { print (v > 0 && v < 1000000) }')" 1 \
	"meters: sampler_cost has a value: $(value sampler_cost average) ppm"
rcrctl meter >/tmp/meters
is "$? $(grep -c '^ipc ' /tmp/meters)" "0 1" "meters: rcrctl meter lists the meters"
is "$(count)" "$all" "meters: a second load adds no meter twice"
rcrctl meter load
is "$? $(count)" "0 $all" "meters: rcrctl meter load adds no meter twice"

sleeping=$(rcrctl meter -a | awk '/is not in the set/ { print $1; exit }')
contains "$(cat "$METERS/$sleeping")" "asleep: " "meters: $sleeping lacks a counter, and is asleep"
is "$(rcrctl on "$sleeping > 0" -- true 2>&1 | wc -l)" 1 "meters: waiting for a meter that is asleep is refused with one line"

as member rcrctl meter >/tmp/meters 2>/tmp/err
is "$? $(grep -c '^ipc ' /tmp/meters) $(wc -l </tmp/err)" "0 1 0" "meters: a member of the group reads the meters"
for verb in "meter remove ipc" "meter add x TOT_INS" "meter add p --posted"; do
	# shellcheck disable=SC2086 # split into words
	as member rcrctl $verb >/tmp/out 2>/tmp/err
	is "$? $(wc -l </tmp/err) $(count)" "1 1 $all" "meters: rcrctl $verb is refused to a member"
done
as user rcrctl meter load >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/err) $(count)" "1 1 $all" "meters: meter load is refused to an ordinary user"

rcrctl meter remove ipc
is "$? $(count)" "0 $((all - 1))" "meters: a meter of the family can be removed"
as member rcrctl meter load >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/err) $(count)" "1 1 $((all - 1))" "meters: adding a meter is refused to a member of the group"
rcrctl meter load
is "$? $(count)" "0 $all" "meters: root adds the removed meter again"
rmmod rcrtool

# A machine without udev.
cp $RULES /tmp/rules
grep -v 'rcrctl meter load' /tmp/rules >$RULES && udevadm control --reload
plain_load
is "$(count)" 0 "meters: modprobe adds no meters without the udev rule"
as member rcrctl meter >/tmp/meters 2>/tmp/err
is "$? $(count)" "0 0" "meters: a member's 'rcrctl meter' adds no meters"
rcrctl meter >/tmp/meters
is "$? $(grep -c '^ipc ' /tmp/meters) $(count)" "0 1 $all" "meters: root's first 'rcrctl meter' adds all of them"
cp /tmp/rules $RULES && udevadm control --reload
modprobe -r rcrtool
result $? "meters: modprobe -r unloads the module"
finished
