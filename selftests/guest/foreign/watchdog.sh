#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# watchdog.sh - the module does not take counters from an NMI watchdog that is on.
. ./tap.sh
plan 27

running()
{
	# Print the CPUs on which some control is enabled (bit 22) and its count advances.
	local cpu msr first running=
	for cpu in 0 1 2 3; do
		for msr in $CONTROLS; do
			[ $((0x$(rdmsr -p $cpu 0x$msr) & 1 << 22)) -ne 0 ] || continue
			first=$(rdmsr -p $cpu $((0x$msr + 1)))
			sleep 0.1
			[ "$(rdmsr -p $cpu $((0x$msr + 1)))" != "$first" ] && running="$running $cpu"
		done
	done
	echo "$running"
}

# Print the CPUs on which cycles (event 76h) are counted, which only the watchdog does.
counting_cycles()
{
	local cpu msr found=
	for cpu in 0 1 2 3; do
		for msr in $CONTROLS; do
			[ $((0x$(rdmsr -p $cpu 0x$msr) & 0x4000ff)) -ne $((0x400076)) ] ||
				found="$found $cpu"
		done
	done
	echo "$found"
}

is "$(cat /proc/sys/kernel/nmi_watchdog)" 1 "watchdog: the watchdog is on"
is "$(running)" " 0 1 2 3" "watchdog: the watchdog counts on every CPU"
before=$(controls)
load source=msr
result $? "watchdog: the module loads"
is "$(status_of state)" inert "watchdog: the module is inert"
is "$(status_of error)" -EBUSY "watchdog: the status file has EBUSY"
contains "$(status_of reason)" "sysctl kernel.nmi_watchdog=0" "watchdog: the reason names the remedy"
rcrstat -n 1 >/tmp/out 2>/tmp/err
is $? 1 "watchdog: rcrstat fails while the module is inert"
contains "$(cat /tmp/err)" "held by perf or the NMI watchdog: run 'sysctl kernel.nmi_watchdog=0'" \
	"watchdog: the log names the holder of the counters and the remedy"
is "$(wc -l </tmp/err) $(wc -c </tmp/out)" "1 0" "watchdog: rcrstat prints one line, and no header"
is "$(controls)" "$before" "watchdog: no control has changed"
unload
is "$(running)" " 0 1 2 3" "watchdog: the watchdog still holds its counter"

sysctl -qw kernel.nmi_watchdog=0
load
is "$(status_of state)" sampling "watchdog: the remedy in the message works"
unload
sysctl -qw kernel.nmi_watchdog=1
is "$(running)" " 0 1 2 3" "watchdog: the watchdog takes its counter again"
perf stat -x, -a -e r00c0 sleep 0.2 2>&1 | grep -qE '^[1-9][0-9]*,'
result $? "watchdog: perf stat counts after that"

# With source=perf and one spare counter four events fit next to the watchdog, and a fifth does not.
four="A=event:0xc0;B=event:0xc1;C=event:0xc2;D=event:0xc3"
load_set "$four;E=event:0xc4" source=perf spare=1 2>/tmp/err
is "$? $(status_of state)" "1 sampling" "watchdog: a fifth event next to the watchdog and a spare counter is refused"
contains "$(cat /tmp/err)" "CPU 0: 5 core events and 1 spare counter do not fit in the 6 counters of a core, of which others (perf, a profiler, the NMI watchdog) hold 1: remove 1" "watchdog: the refusal has the number of events that fit: $(cat /tmp/err)"
unload
load_set "$four" source=perf spare=1
is "$(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "sampling ok" "watchdog: four events count"
is "$(rcrctl add F=event:0xc5 && rcrctl finalize 2>&1 | grep -c 'hold 1: remove 1')" 1 "watchdog: rcrctl is refused a fifth"
says 1 "F cannot be added: CPU 0: 5 core events and 1 spare counter do not fit in the 6 counters" \
	rcrctl meter add m '"F=event:0xc5" / A'
is "$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" ok "watchdog: the four events still count"
is "$(moving)" " 0 1 2 3" "watchdog: the watchdog still counts"
unload
load source=auto
is "$(status_of source) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5- | tr ',' '\n' | grep -c '^0\|^$\|=')" "perf 0" \
	"watchdog: the default set is counted as far as it fits: $(status_of counters) counters, none of them wrong"
unload

# A counter is kept free for a watchdog that is off, also on a CPU that comes back online, where the
# watchdog starts before the module.
sysctl -qw kernel.nmi_watchdog=0
load_set "$four" source=perf spare=1
is "$(status_of counters) $(rcrctl add F=event:0xc5 && rcrctl finalize 2>&1 | grep -c 'remove 1')" "4 1" \
	"watchdog: without the watchdog four events are counted, and no fifth"
sysctl -qw kernel.nmi_watchdog=1
is "$(counting_cycles)" " 0 1 2 3" "watchdog: the watchdog counts after it is switched on"
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
rcrstat -i 0.2 -n 1 >/dev/null
is "$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" ok \
	"watchdog: all four events count, also on the CPU that came back"
unload

# A watchdog that is switched on while the module holds the counters is not armed.
sysctl -qw kernel.nmi_watchdog=0
load source=msr
sysctl -qw kernel.nmi_watchdog=1
unload
is "$(running)" "" "watchdog: switched on under source=msr the watchdog is not armed after the unload"
sysctl -qw kernel.nmi_watchdog=0
sysctl -qw kernel.nmi_watchdog=1
is "$(running)" " 0 1 2 3" "watchdog: the watchdog is armed again after it is toggled"
finished
