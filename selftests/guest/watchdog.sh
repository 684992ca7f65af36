#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# watchdog.sh - with the NMI watchdog on the counters are not ours to take.
. ./tap.sh
plan 27

running()
{
	# CPUs on which some control is enabled (bit 22) and its count moves.
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

is "$(cat /proc/sys/kernel/nmi_watchdog)" 1 "the watchdog is on"
is "$(running)" " 0 1 2 3" "and counts on every CPU"
before=$(controls)
load source=msr
result $? "the module loads"
is "$(status_of state)" inert "and is inert"
is "$(status_of error)" -EBUSY "with EBUSY in status"
contains "$(status_of reason)" "sysctl kernel.nmi_watchdog=0" "which says what to do"
rcrstat -n 1 >/tmp/out 2>/tmp/err
is $? 1 "rcrstat fails"
contains "$(cat /tmp/err)" "held by perf or the NMI watchdog: run 'sysctl kernel.nmi_watchdog=0'" \
	"and says who holds the counters and what to do"
is "$(wc -l </tmp/err) $(wc -c </tmp/out)" "1 0" "in one sentence, with no header"
is "$(controls)" "$before" "no control has changed"
unload
is "$(running)" " 0 1 2 3" "the watchdog still holds its counter"

sysctl -qw kernel.nmi_watchdog=0
load
is "$(status_of state)" sampling "the cure works"
unload
sysctl -qw kernel.nmi_watchdog=1
is "$(running)" " 0 1 2 3" "and the watchdog takes its counter again"
perf stat -x, -a -e r00c0 sleep 0.2 2>&1 | grep -qE '^[1-9][0-9]*,'
result $? "and perf stat counts"

# Beside the watchdog, by source=perf: five fit, a sixth does not.
five="A=event:0xc0;B=event:0xc1;C=event:0xc2;D=event:0xc3;E=event:0xc4"
load source=perf "events=$five;F=event:0xc5" 2>/dev/null
is "$((! $?)) $(grep -c rcrtool /proc/modules)" "0 0" "a sixth event beside the watchdog is refused"
contains "$(last_words)" "5 of these 6 events can be counted now" "and the refusal names how many fit: $(last_words)"
load source=perf "events=$five"
is "$(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "sampling ok" "five count"
is "$(rcrctl add F=event:0xc5 && rcrctl finalize 2>&1 | grep -c '5 of these 6')" 1 "rcrctl is refused a sixth"
is "$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" ok "and the five go on"
is "$(moving)" " 0 1 2 3" "the watchdog counts on"
unload
load source=auto
is "$(status_of source) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5- | tr ',' '\n' | grep -c '^0\|^$\|=')" "perf 0" \
	"by default the family's set is counted as far as it fits: $(status_of counters) counters, none of them wrong"
unload

# A CPU that comes back gives the watchdog its counter first: ours is busy there
# until the watchdog lets go.
sysctl -qw kernel.nmi_watchdog=0
load source=perf "events=$five;F=event:0xc5"
is "$(status_of counters)" 6 "without the watchdog six events are counted"
sysctl -qw kernel.nmi_watchdog=1
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
state=$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)
is "$(echo "$state" | tr ';' '\n' | grep -c '^cpu1:[A-F]=busy$')" 1 "one counter of the CPU that came back is busy: $state"
is "$(echo "$state" | tr ';' '\n' | grep -vc '^cpu1:[A-F]=busy$')" 0 "and no other"
sysctl -qw kernel.nmi_watchdog=0
for _ in 1 2 3 4 5 6 7 8; do
	state=$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)
	[ "$state" = ok ] && break
done
is "$state" ok "and counts again when the watchdog has let go"
unload

# A watchdog that is switched on while we hold the counters is not armed.
load source=msr
sysctl -qw kernel.nmi_watchdog=1
unload
is "$(running)" "" "switched on under source=msr the watchdog is not armed after the unload"
sysctl -qw kernel.nmi_watchdog=0
sysctl -qw kernel.nmi_watchdog=1
is "$(running)" " 0 1 2 3" "until it is toggled"
finished
