#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mixed.sh - source=auto: perf counts core events and the module's registers count the rest. Both
# are exact in one set, and other programs can still use the cores.
. ./tap.sh
. ./watching.sh
plan 12

# Print the controls of the northbridge. In those of cores perf leaves its events.
units()
{
	local msr
	for msr in c0010240 c0010242 c0010244 c0010246; do
		rdmsr -a 0x$msr | tr '\n' ' '
	done
}

before=$(units)
# Hide the kernel's drivers from rcrctl, so that it does not request their events.
RCR_SYSFS=/nonexistent load_set "TOT_INS=event:0xc0;L3=nb:event:0x4e1,umask:0xf7;APERF=register:aperf" \
	source=auto period_us=5000 budget_ppm=0 ring_records=8192
is "$(status_of source)" "perf+msr" "mixed: two sources count one set"
is "$(status_of note)" "" "mixed: the status has no note of effects on other programs"
watch_on
echo 0 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
echo 1 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
watched 1 "while a CPU goes offline and comes back"
is "$(went TOT_INS 0) / $(went L3 0) / $(went APERF 0)" \
	"ok (counted) / ok (counted) / ok (counted)" "mixed: each event counts"
is "$(went L3 3)" "elsewhere gap ok (counted)" "mixed: another CPU takes over the unit"
watch_on
rcrctl add X=nb:event:0xe9,umask:0x01 Y=event:0x41,umask:0x01 && rcrctl finalize
result $? "mixed: one event of each source is added"
sleep 0.5
watched 2 "while the set is changed"
is "$(went L3 0)" "ok (counted)" "mixed: a change of the set does not interrupt the shared unit"
[ "$(perf stat -x, -a -e rc0 sleep 0.3 2>&1 | cut -d, -f1)" -gt 0 ]
result $? "mixed: perf stat counts at the same time"
for name in X L3 APERF; do
	rcrctl remove $name
done
rcrctl finalize
is "$(status_of source) $(units)" "perf $before" "mixed: registers that are no longer needed are as before"
rcrctl reset
result $? "mixed: a reset succeeds"
unload
is "$(units)" "$before" "mixed: unloaded, every control is as before"
finished
