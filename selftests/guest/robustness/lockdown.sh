#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lockdown.sh - the kernel is locked down while the module is loaded, first for integrity, then for
# confidentiality. This cannot be undone: run no other test in the guest.
. ./tap.sh
plan 25

LOCKDOWN=/sys/kernel/security/lockdown
mount -t securityfs none /sys/kernel/security
# The first control of a northbridge. rcrctl would use the kernel's driver, but that cannot bind an
# event to a given counter: such an event is counted by the module's own registers.
NB=0xc0010240
DRAM=DRAM=nb:event:0xe0,umask:0x07,counter:0
all_controls()
{
	controls
	rdmsr -a $NB
}

clear_controls
before=$(rdmsr -a $NB)

is_inert()
{
	[ "$(status_of state)" = inert ]
}

load_set "$DRAM" source=auto period_us=2000
# perf, which counted the default set, disables the controls of cores, but does not clear them.
before=$(controls; echo "$before")
is "$(status_of source) $(control_of DRAM)" "msr $NB" "lockdown: the module programs a register of the northbridge"
contains "$(cat $LOCKDOWN)" "[none]" "lockdown: the kernel supports lockdown, and is not locked down yet"
exec 5</dev/rcrtool
echo integrity >$LOCKDOWN
rcrctl rewrite all 2>/dev/null
result $((! $?)) "lockdown: no register is programmed in integrity mode"
is "$(cut -d' ' -f2 $LOCKDOWN)" "[integrity]" "lockdown: the kernel is locked down for integrity"
soon is_inert
result $? "lockdown: counting with source=msr has ended"
is "$(status_of error)" -EPERM "lockdown: the set is inert with EPERM"
contains "$(status_of reason)" "Kernel lockdown forbids writing registers" "lockdown: the status file has the reason of the integrity mode"
contains "$(last_words)" "counting was stopped: Kernel lockdown" "lockdown: the end of counting is logged"
is "$(all_controls)" "$before" "lockdown: every control is as before"
cat <&5 >/tmp/stream &
sleep 1
kill $!
result $((! $(wc -c </tmp/stream))) "lockdown: a reader receives the records from before the lockdown"
exec 5<&-
rcrctl add "$DRAM"
says 1 "Kernel lockdown forbids writing registers" rcrctl finalize
says 1 "Nothing is counted" rcrctl rewrite all
says 1 "Kernel lockdown forbids writing registers" rcrctl finalize --hold true
is "$(all_controls)" "$before" "lockdown: under lockdown no register has changed"
echo 0 >/sys/devices/system/cpu/cpu2/online
echo 1 >/sys/devices/system/cpu/cpu2/online
is "$(rdmsr -p 2 $NB) $(status_of state)" "0 inert" "lockdown: under lockdown no register has changed on a CPU that comes back"
contains "$(cat /sys/kernel/debug/rcrtool/counters)" "DRAM" "lockdown: debugfs may be read"
rcrctl remove all && rcrctl add CLK=software:cpu-clock && rcrctl finalize
result $? "lockdown: software events of the kernel are finalized"
sleep 2
is "$(status_of state) $(status_of source)" "sampling perf" "lockdown: a set that perf counts can be programmed in integrity mode"
is "$(rcrstat -i 0.5 -n 1 | tail -n 1 | cut -d, -f5)" ok "lockdown: the kernel's own counters have rates"

echo confidentiality >$LOCKDOWN
soon is_inert
result $? "lockdown: software events are not counted in confidentiality mode"
contains "$(status_of reason)" "Kernel lockdown forbids perf" "lockdown: the status file has the reason"
rcrctl add CLK=software:cpu-clock
says 1 "Kernel lockdown forbids perf" rcrctl finalize
says 1 "counts nothing" rcrstat -n 1
unload
result $? "lockdown: under lockdown the module unloads"
is "$(all_controls)" "$before" "lockdown: every control is as before"
finished
