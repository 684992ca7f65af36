#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# pci.sh MODEL - shared units that are PCI functions: counts are exact with timestamps of their own,
# another CPU can take over, writes of other programs to configuration space are detected, the
# previous values are restored, and ticks never read these units. pci.sh absent|gaps - machines
# without such functions, or with only some of them.
. ./tap.sh
. ./watching.sh
. ./functions.sh

# Print all controls of the functions, and their counts, which do not advance.
functions()
{
	local f at
	while read -r f; do
		for at in 0xa0 0xa4 0xa8 0xac 0xd8 0xdc 0xe0 0xe4 0xf4; do
			echo "$f $at $(get "${f%/device}" $at)"
		done
	done < <(grep -lE '^0x3c4[1236]$|^0x3cb[0145]$' /sys/bus/pci/devices/*/device)
}

# calls FUNCTION...: prints a line for each function that was called in a second, and whether the
# caller was a "tick" (a timer interrupt) or a "task". The stack shows this; the flags of a trace
# event do not, if the probe is an interrupt itself.
calls()
{
	local t=/sys/kernel/tracing f
	grep -q " $t " /proc/mounts || mount -t tracefs tracefs $t
	for f; do
		echo "p:rcr/${f##*:} $f" >>$t/kprobe_events
		echo stacktrace >"$t/events/rcr/${f##*:}/trigger"
	done
	echo 1 >$t/events/rcr/enable
	sleep 1
	for f; do
		echo '!stacktrace' >"$t/events/rcr/${f##*:}/trigger"
	done
	echo 0 >$t/events/rcr/enable
	awk 'function told() { if (called != "") print called, tick ? "tick" : "task"; called = "" }
		match($0, /\[[0-9]+\]/) { told(); cpu = substr($0, RSTART, RLENGTH) }
		match($0, /: [a-z_]+: \(/) { last[cpu] = substr($0, RSTART + 2, RLENGTH - 5) }
		/<stack trace>$/ { called = last[cpu]; tick = 0 }
		/^ => hrtimer_interrupt/ { tick = 1 }
		END { told() }' $t/trace | sort -u
	echo >$t/kprobe_events
	echo >$t/trace
}

absent()
{
	plan 4
	load_set "CYC=event:0x3c;LOOKUP=cbo0:event:0x34,umask:0x03"
	is "$(status_of state)" sampling "pci: counters in MSRs are counted"
	says 1 "this machine (Intel Sandy Bridge) has no unit 'imc0'" rcrctl add X=imc0:event:0x04,umask:3
	unload
	load_set "CYC=event:0x3c;CAS=imc0:event:0x04,umask:0x03" 2>/tmp/err
	is "$? $(status_of state)" "1 sampling" "pci: a set with a missing unit is refused, and the default set goes on"
	contains "$(cat /tmp/err)" "has no unit 'imc0'" "pci: the refusal names the unit"
	unload
}

gaps()
{
	plan 4
	load_set "CAS1=imc1:event:0x04,umask:0x03;CAS4=imc4:event:0x04,umask:0x03" period_us=5000 budget_ppm=0
	watch_on
	watched 1 "on channels 1 and 4, without channels 2 and 3"
	is "$(went CAS1 0) $(went CAS4 2)" "ok (counted) ok (counted)" "pci: counters of both boxes count"
	says 1 "there are 4 units 'imc': name one of imc0 to imc5, some of which are missing" rcrctl add X=imc:event:0x04
	says 1 "has no unit 'imc2'" rcrctl add X=imc2:event:0x04
	unload
}

case $1 in
absent | gaps)
	"$1"
	finished
	;;
esac

plan 29
imc=$(function_of 3cb0 0) other=$(function_of 3cb0 1) qpi=$(function_of 3c42 0)
# Leave registers as another program may have: frozen, with an event and a count.
put "$imc" 0xf4 0x10100
put "$imc" 0xd8 0x0304
put "$imc" 0xa0 0x89abcdef
put "$imc" 0xa4 0x1234
functions >/tmp/before
events="CYC=event:0x3c;CAS_RD=imc0:event:0x04,umask:0x03;CAS_WR=imc0:event:0x04,umask:0x0c"
events+=";CAS3=imc3:event:0x04,umask:0x0f;HA=ha:event:0x01,umask:0x03;DRS=qpi1:event:0x102,umask:0x08,cmask:3"
events+=";TXR=r2pcie:event:0x24,umask:0x04"
names="CAS_RD CAS_WR CAS3 HA DRS TXR"
load_set "$events" period_us=2000 slow_period_us=20000 budget_ppm=0 ring_records=8192
is "$(status_of state) $(status_of reason)" "sampling " "pci: a set with events of PCI functions is sampled"
is "$(control_of CAS_RD) $(control_of DRS)" "0x3cb000d8 0x3c4200d8" "pci: a control is printed with its device"
is "$(get "$imc" 0xd8) $(get "$other" 0xd8) $(get "$qpi" 0xd8)" "400304 400304 3600802" "pci: the controls of each package are programmed"
is "$(get "$imc" 0xf4)" 10000 "pci: the box of a control is not frozen"
watch_on
watched 1 "with timestamps of their own"
counted=''
for name in $names; do
	counted+="$(went $name 0),$(went $name 2) "
done
is "$(tr -s ' ' '\n' <<<"${counted// (counted)/}" | sort -u | tr '\n' ' ' | xargs)" ok,ok "pci: each unit counts in both packages: $names"
is "$(went DRS 1)" "elsewhere (stood still)" "pci: one CPU of each package reads the shared counters"

echo "# the tick"
calls pci_read_config_dword rcrtool:rcr_sources_read >/tmp/calls
is "$(tr '\n' ',' </tmp/calls)" "pci_read_config_dword task,rcr_sources_read tick," "pci: no tick touches configuration space"

echo "# the owner goes offline and comes back"
watch_on
echo 0 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
is "$(status_in_ls CAS_RD) $(status_in_ls TXR)" "ok ok" "pci: another CPU takes over"
echo 1 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
watched 1 "while the owner goes offline and comes back"
is "$(went CAS_RD 3)" "elsewhere gap ok (counted)" "pci: the new owner has a gap"
is "$(went CAS_RD 2)" "ok elsewhere (counted)" "pci: the old owner keeps its total"
is "$(went CAS_RD 0)" "ok (counted)" "pci: the other package is not interrupted"

# sees NAME STATUS: true if the latest reading of a counter has that status.
sees()
{
	[ "$(status_in_ls "$1")" = "$2" ]
}

echo "# other programs"
watch_on
put "$imc" 0xd8 0x400001
soon sees CAS_RD "foreign on 0"
is "$(status_in_ls CAS_RD) / $(status_in_ls CAS_WR)" "foreign on 0 / ok" "pci: a counter that another program has programmed is foreign"
rcrctl rewrite all
soon sees CAS_RD ok
is "$(status_in_ls CAS_RD) $(get "$imc" 0xd8)" "ok 400304" \
	"pci: a foreign counter is ok again after a rewrite"
put "$qpi" 0xf4 0x10100
soon sees DRS "foreign on 0"
is "$(status_in_ls DRS)" "foreign on 0" "pci: counters of a box that another program stops are foreign"
rcrctl rewrite all
soon sees DRS ok
is "$(status_in_ls DRS)" ok "pci: rewrite makes the foreign counters ok again"
put "$qpi" 0xf4 0
rcrctl halt CAS3
sleep 0.1
rcrctl continue CAS3
sleep 0.3
watched 1 "while other programs write registers, and through halt and continue"
is "$(went CAS_RD 0)" "ok foreign ok (counted)" "pci: counts of other programs are not added to totals"
is "$(went CAS3 0)" "ok halted ok (counted)" "pci: a halted counter counts nothing"

echo "# sets"
rcrctl add A=imc0:event:0x01 B=imc0:event:0x02 C=imc0:event:0x05
says 1 "5 events of imc0 are requested, but Intel Sandy Bridge counts 4 at once: remove 1." rcrctl finalize
for name in A B C; do
	rcrctl remove $name
done
rcrctl add D=r2pcie:event:0x24,umask:4,counter:1
says 1 "cannot count event 0x24 with unit mask 0x4" rcrctl finalize
rcrctl remove D
watch_on
rcrctl remove CAS_WR && rcrctl add "E=imc0:event:0x01" && rcrctl finalize
result $? "pci: a counter of a channel is replaced"
watched 2 "while the set is changed"
is "$(went CAS_RD 0) $(went E 3)" "ok (counted) ok (counted)" "pci: the other counter of that channel is not interrupted"
unload
functions >/tmp/after
is "$(diff /tmp/before /tmp/after)" "" "pci: unloaded, every function is as before"

put "$other" 0xe4 0x400304
load_set "CYC=event:0x3c;W=imc0:event:0x04,umask:0x03,counter:3" 2>/tmp/err
is "$? $(status_of state)" "1 sampling" "pci: a set that needs a running counter is refused, and the default set goes on"
contains "$(cat /tmp/err)" "register 0x3cb000e4 is in use (0x400304) by a program that did not reserve it: stop that program, or write 0 with setpci" "pci: the message names the running counter and the remedy"
unload
is "$(get "$other" 0xe4) $(get "$imc" 0xe4)" "400304 0" "pci: a running counter is left alone"
put "$other" 0xe4 0
finished
