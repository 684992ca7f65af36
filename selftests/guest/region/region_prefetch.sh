#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_prefetch.sh MODEL - 'rcrregion run --prefetch off' on an installed machine with the module
# loaded by default: the switches of the prefetchers of an Intel core, which the virtual PMU keeps as
# they are written, read by rdmsr while the command runs and on every way out.
. ./defaults/common.sh
. ./region_lib.sh
machine "$1"
plan 13
PREFETCH=0x1a4

# switches: the register of each CPU.
switches() { rdmsr -a $PREFETCH | xargs; }

have_earlier() { [ "$(switches)" = "$EARLIER" ]; }

# are_restored DESCRIPTION: the registers have soon the earlier settings.
are_restored()
{
	soon have_earlier
	is "$(switches)" "$EARLIER" "$1"
}

modprobe -r msr 2>/dev/null
rcrregion run -p off -- touch /tmp/started 2>/tmp/err
is "$? $(grep -c "as root, 'modprobe msr'" /tmp/err)" "125 1" "without the module msr one line names the command that loads it"
modprobe msr
plain_load
wrmsr -p 1 $PREFETCH 0x25
EARLIER=$(switches)
is "$EARLIER" "0 25 0 0" "a register returns the value that was written to it"
as_user rcrregion run -p off -- touch /tmp/started
is "$RC $(grep -c 'it needs root' /tmp/err) $(switches)" "125 1 $EARLIER" "an ordinary user changes nothing, and one line says who can"
is "$(ls /tmp/started 2>/dev/null)" "" "what cannot be set keeps the command from running"

echo off >/sys/module/msr/parameters/allow_writes
rcrregion run -p off -- touch /tmp/started 2>/tmp/err
is "$? $(wc -l </tmp/err) $(grep -c 'allow_writes of its module msr, forbids it' /tmp/err) $(switches)" "125 1 1 $EARLIER" \
	"where the module msr refuses writes one line says so, and none that a register is not restored"
echo default >/sys/module/msr/parameters/allow_writes

rcrregion run -d /tmp -p off -- sh -c "rdmsr -a $PREFETCH | xargs >/tmp/during; exit 7" 2>/tmp/err
is "$? $(cat /tmp/during)" "7 f 2f f f" "while the command runs all prefetchers are off, and other bits as they were"
are_restored "after the command the registers are as before"
for signal in TERM KILL; do
	rm -f /tmp/started
	rcrregion run -d /tmp -p off -- sh -c 'echo $$ >/tmp/new; mv /tmp/new /tmp/started; exec sleep 60' 2>/dev/null &
	pid=$!
	soon test -e /tmp/started
	is "$(switches)" "f 2f f f" "the prefetchers are off before SIG$signal"
	kill -$signal $pid
	wait $pid 2>/dev/null
	are_restored "after SIG$signal the registers are as before"
	kill "$(cat /tmp/started)" 2>/dev/null
done
is "$(rcrctl show --noheadings | awk '{ print $2 }' | sort -u)" ok "after all that every counter of the set is ok"
soon modprobe -r rcrtool
is "$?" 0 "undone: the module is away"
finished
