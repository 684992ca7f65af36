#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_prefetch.sh MODEL - 'rcrregion run --prefetch off' on an installed machine with the module
# loaded: reads the prefetcher control of Intel cores by rdmsr while the command runs, and after
# each way in which it can end. The virtual PMU stores the register, but has no prefetchers.
. ./defaults/common.sh
. ./region_lib.sh
machine "$1"
plan 13
PREFETCH=0x1a4

# switches: prints the prefetcher control of each CPU.
switches() { rdmsr -a $PREFETCH | xargs; }

have_earlier() { [ "$(switches)" = "$EARLIER" ]; }

# are_restored DESCRIPTION: the registers soon have their earlier values.
are_restored()
{
	soon have_earlier
	is "$(switches)" "$EARLIER" "$1"
}

modprobe -r msr 2>/dev/null
rcrregion run -p off -- touch /tmp/started 2>/tmp/err
is "$? $(grep -c "as root, 'modprobe msr'" /tmp/err)" "125 1" "region_prefetch: without the module msr one line names the command that loads it"
modprobe msr
plain_load
wrmsr -p 1 $PREFETCH 0x25
EARLIER=$(switches)
is "$EARLIER" "0 25 0 0" "region_prefetch: a register returns the value that was written to it"
as_user rcrregion run -p off -- touch /tmp/started
is "$RC $(grep -c 'it needs root' /tmp/err) $(switches)" "125 1 $EARLIER" "region_prefetch: an ordinary user changes nothing, and one line says that root is required"
is "$(ls /tmp/started 2>/dev/null)" "" "region_prefetch: the command does not run if the prefetchers cannot be turned off"

echo off >/sys/module/msr/parameters/allow_writes
rcrregion run -p off -- touch /tmp/started 2>/tmp/err
is "$? $(wc -l </tmp/err) $(grep -c 'allow_writes of its module msr, forbids it' /tmp/err) $(switches)" "125 1 1 $EARLIER" \
	"region_prefetch: one line says that msr refuses writes, and none that a register is not restored"
echo default >/sys/module/msr/parameters/allow_writes

rcrregion run -d /tmp -p off -- sh -c "rdmsr -a $PREFETCH | xargs >/tmp/during; exit 7" 2>/tmp/err
is "$? $(cat /tmp/during)" "7 f 2f f f" "region_prefetch: while the command runs all prefetchers are off, and other bits as they were"
are_restored "after the command the registers are as before"
for signal in TERM KILL; do
	rm -f /tmp/started
	rcrregion run -d /tmp -p off -- sh -c 'echo $$ >/tmp/new; mv /tmp/new /tmp/started; exec sleep 60' 2>/dev/null &
	pid=$!
	soon test -e /tmp/started
	is "$(switches)" "f 2f f f" "region_prefetch: the prefetchers are off before SIG$signal"
	kill -$signal $pid
	wait $pid 2>/dev/null
	are_restored "after SIG$signal the registers are as before"
	kill "$(cat /tmp/started)" 2>/dev/null
done
is "$(rcrctl show --noheadings | awk '{ print $2 }' | sort -u)" ok "region_prefetch: every counter of the set is ok at the end"
soon modprobe -r rcrtool
is "$?" 0 "region_prefetch: the module unloads"
finished
