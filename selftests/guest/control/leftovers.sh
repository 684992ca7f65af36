#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# leftovers.sh MODEL - the end of a hold if the base set was changed during the hold, if a CPU or a
# counter is unavailable, or if a unit has a filter: other events continue to count, and every
# register is restored (promises P1, P8).
. ./tap.sh
. ./watching.sh
. ./holding.sh
. ./hog_lib.sh
model=$1

# A core has 6 counters, only one of which counts event 0x003.
fam15h()
{
	plan 19
	echo "# a meter is added while some of the base set waits for the end of holds"
	load period_us=5000 budget_ppm=0
	base=$(names)
	begin A F=event:0x003,umask:0x01
	waits=$(rcrctl ls | grep -c '  waits for the end of a hold$')
	is "$((waits > 0))" 1 "leftovers: $waits events of the default set wait for the end of a hold"
	says 1 "M1, M2 cannot be added: 8 events are requested, but AMD Fam15h counts 6 at once: remove 2." \
		rcrctl meter add m '"M1=event:0xc0,cmask:1" + "M2=event:0xc2"'
	end A
	is "$(names) $(statuses) $(held)" "$base ok " "leftovers: a meter that does not fit during a hold is refused, and the whole set returns"

	rcrctl remove all
	rcrctl add X1=event:0xc0,cmask:1 X2=event:0xc0,cmask:2 X3=event:0xc0,cmask:3
	rcrctl finalize
	rcrctl remove X2
	begin A A1=event:0xc5
	says 1 "'X2' is already in the set" rcrctl meter add other 'rate("X2=event:0xc2")'
	rcrctl meter add same 'rate("X2=event:0xc0,cmask:2")'
	is "$? $(names | sorted)" "0 A1 X1 X2 X3" "leftovers: an event that a hold has removed is counted again for a meter"
	begin B B1=event:0xc8
	is "$(names | sorted)" "A1 B1 X1 X2 X3" "leftovers: that event is still counted during the next hold"
	says 1 "'X1' is already in the set" rcrctl reassign A1 X1=event:0x76
	end A
	end B
	is "$(names | sorted) $(statuses)" "X1 X2 X3 ok" "leftovers: the set is complete after both holds"
	rcrctl meter remove same

	echo "# reassigning while holders keep some of the base set from counting"
	rcrctl remove all
	rcrctl add X1=event:0xc0,cmask:1 FL=event:0x003,umask:0x04
	rcrctl finalize
	rcrctl remove FL
	begin A A1=event:0xc5
	says 1 "X and FL both need counter 3" rcrctl reassign X1 X=event:0x003,umask:0x02
	says 1 "'FL' is already in the set" rcrctl reassign X1 FL=event:0x76
	end A
	is "$(names | sorted) $(statuses)" "FL X1 ok" "leftovers: a reassignment that would not fit with the whole set is refused"

	echo "# the staged set, and defaults after a reset"
	rcrctl reset
	begin A A1=event:0xc5
	rcrctl add S1=event:0xc0
	end A
	is "$(rcrctl ls | awk '/  staged$/ { print $1 }' | xargs)" S1 "leftovers: a staged set is kept when a hold ends"
	rcrctl reset
	rcrctl meter add four '"M1=event:0xc0,cmask:1" + "M2=event:0xc0,cmask:2" + "M3=event:0xc0,cmask:3" + "M4=event:0xc0,cmask:4"'
	rcrctl add E1=event:0xc2 E2=event:0xc3 E3=event:0xc5
	says 1 "7 events are requested" rcrctl finalize --hold true
	rcrctl remove E1
	rcrctl remove E2
	rcrctl remove E3
	is "$(names | sorted) $(statuses)" "M1 M2 M3 M4 ok" "leftovers: an event that a meter has added after a reset is not a default that gives way"
	rcrctl meter remove four

	echo "# a CPU that runs nothing but a real-time task"
	rcrctl remove all
	rcrctl add X1=event:0xc0
	rcrctl finalize
	rcrctl remove X1
	begin A A1=event:0xc5
	begin B
	hog 1 50
	end A
	is "$(names)" X1 "leftovers: with a real-time task on a CPU the base set returns"
	contains "$(held)" rcrctl "leftovers: other holds continue"
	end_hog
	end B
	is "$(names) $(statuses) $(held)" "X1 ok " "leftovers: the other hold ends normally"

	echo "# counters that another program has taken during a hold"
	rcrctl remove all
	rcrctl add X1=event:0xc0 N1=nb:event:0xe0,umask:0x01
	rcrctl finalize
	rcrctl remove X1
	begin A N2=nb:event:0xe0,umask:0x02
	echo 1 >/proc/sys/kernel/nmi_watchdog
	end A
	is "$(names)" N1 "leftovers: events whose counters are free are counted after the hold"
	echo 0 >/proc/sys/kernel/nmi_watchdog
	rcrctl finalize
	is "$? $(names | sorted) $(statuses)" "0 N1 X1 ok" "leftovers: finalize counts the remaining events once their counters are free"
	unload
}

# All counters of a unit share its filter: MSR 0xe05 of CBo 0.
filter() { rdmsr -p 0 0xe05; }
hswep()
{
	plan 9
	wrmsr -p 0 0xe05 0x1f
	load period_us=50000 budget_ppm=0
	rcrctl remove all
	rcrctl add Z=event:0xc0
	rcrctl finalize
	before=$(filter)
	trace_zero
	watch_on
	begin B B0=cbo0:event:0x00
	begin A A1=cbo0:event:0x34,umask:0x11,filter:0x20000
	sleep 0.3
	end A
	sleep 0.3
	end B
	watch_off
	is "$(went B0 0)" "ok gap ok gap ok (counted)" "leftovers: a counter whose unit gets a filter and loses it has a gap"
	begin A A1=cbo0:event:0x34,umask:0x11,filter:0x20000
	begin B B1=cbo0:event:0x00
	rcrctl add C1=cbo0:event:0x34,umask:0x11,filter:0x40000
	says 1 "The set does not fit next to the events that rcrctl (" rcrctl finalize --hold true
	rcrctl remove C1
	end A
	is "$(filter)" "$before" "leftovers: the filter is restored at the end of the hold that needed it"
	wrmsr -p 0 0xe05 0x3f
	begin C C1=cbo0:event:0x35,umask:0x11,filter:0x40000
	end C
	is "$(filter)" 3f "leftovers: another program's filter is restored, next to a counter that needs none"
	end B
	is "$(filter)" 3f "leftovers: the end of a hold without a filter does not change the filter"
	is "$(zero)" "" "leftovers: no register 0 is read or written"
	rcrctl remove all
	rcrctl add Z=event:0xc0 D1=cbo0:event:0x34,umask:0x11,filter:0x20000
	rcrctl finalize
	rcrctl remove D1
	begin A
	says 1 "need different filters" rcrctl meter add m 'rate("D2=cbo0:event:0x34,umask:0x11,filter:0x40000")'
	end A
	is "$(names | sorted)" "D1 Z" "leftovers: a meter that needs a different filter than the set is refused"
	unload
	is "$(filter)" 3f "leftovers: unloaded, the filter is as before"
}

# Trace every access to MSR 0 from now on.
TRACE=/sys/kernel/tracing
trace_zero()
{
	mountpoint -q $TRACE || mount -t tracefs nodev $TRACE
	for event in read_msr write_msr; do
		echo 'msr == 0' >$TRACE/events/msr/$event/filter
		echo 1 >$TRACE/events/msr/$event/enable
	done
}
zero() { grep -v '^#' $TRACE/trace; }

case $model in
fam15h) fam15h ;;
hswep) hswep ;;
*) echo "Bail out! leftovers.sh: no model $model"; exit 1 ;;
esac
finished
