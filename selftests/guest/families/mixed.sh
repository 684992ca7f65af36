#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mixed.sh - a set in which perf counts the events of cores and registers of the module count the
# rest (source=auto): the set is one, exact, and keeps no other program from a core.
. ./tap.sh
. ./watching.sh
plan 12

# Print the controls of the northbridge. Those of the cores belong to perf, which leaves its events
# there.
units()
{
	local msr
	for msr in c0010240 c0010242 c0010244 c0010246; do
		rdmsr -a 0x$msr | tr '\n' ' '
	done
}

before=$(units)
# An rcrctl that does not see the drivers of the kernel requests none of their events.
RCR_SYSFS=/nonexistent load_set "TOT_INS=event:0xc0;L3=nb:event:0x4e1,umask:0xf7;APERF=register:aperf" \
	source=auto period_us=5000 budget_ppm=0 ring_records=8192
is "$(status_of source)" "perf+msr" "two sources count one set"
is "$(status_of note)" "" "nobody is kept from anything"
watch_on
echo 0 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
echo 1 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
watched 1 "while a CPU goes and comes"
is "$(went TOT_INS 0) / $(went L3 0) / $(went APERF 0)" \
	"ok (counted) / ok (counted) / ok (counted)" "each event counts"
is "$(went L3 3)" "elsewhere gap ok (counted)" "another CPU took over the unit"
watch_on
rcrctl add X=nb:event:0xe9,umask:0x01 Y=event:0x41,umask:0x01 && rcrctl finalize
result $? "the set has one more event of each source"
sleep 0.5
watched 2 "through the change"
is "$(went L3 0)" "ok (counted)" "a change of the set does not interrupt the shared unit"
[ "$(perf stat -x, -a -e rc0 sleep 0.3 2>&1 | cut -d, -f1)" -gt 0 ]
result $? "perf stat counts next to it"
for name in X L3 APERF; do
	rcrctl remove $name
done
rcrctl finalize
is "$(status_of source) $(units)" "perf $before" "registers that are not needed any more are as before"
rcrctl reset
result $? "reset"
unload
is "$(units)" "$before" "unloaded, every control is as before"
finished
