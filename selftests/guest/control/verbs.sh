#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# verbs.sh - verbs on a running set, and their failures, while a watcher compares every sample of
# every CPU with the formula (promise P8).
. ./tap.sh
. ./watching.sh
plan 80

clear_controls
before=$(controls)

load period_us=5000 budget_ppm=0 ring_records=8192
is "$(rdmsr -a "$(control_of RETIRED_FLOPS)" -d | sort -u)" 4456195 "verbs: RETIRED_FLOPS is 4456195 on every CPU"
is "$(rdmsr -a "$(control_of TOT_CYC)" -d | sort -u)" 4391030 "verbs: TOT_CYC is 4391030 on every CPU"

echo "# two events for one register, one event too many, a corrected set"
watch_on
running=$(controls)
rcrctl remove all
rcrctl add CYC=event:0x76,counter:1 L2=event:0x43,counter:1
result $? "verbs: two names for one register are staged"
says 1 "CYC and L2 both need counter 1" rcrctl finalize
is "$(controls)" "$running" "verbs: finalize refuses them, with no register changed"
rcrctl remove L2 && rcrctl add INS=event:0xc0,counter:0 && rcrctl finalize
result $? "verbs: the corrected set is finalized"
is "$(rdmsr -p 2 0xc0010202) $(rdmsr -p 3 0xc0010200)" "430076 4300c0" "verbs: each event is in the register of its counter"
rcrctl add A=event:0xc1 B=event:0xc2 C=event:0xc3 D=event:0xc4 E=event:0xc5
running=$(controls)
says 1 "7 events are requested, but AMD Fam15h counts 6 at once: remove 1" rcrctl finalize
is "$(controls)" "$running" "verbs: a set with one event too many changes no register"
rcrctl remove E && rcrctl finalize
result $? "verbs: the set is finalized without the refused event"
watched 3 "while a set is refused, corrected and finalized"
is "$(went CYC 2)$(went INS 0)" "ok (counted)ok (counted)" "verbs: counters of both sets are not interrupted"

echo "# reassign"
watch_on
old=$(control_of D)
rcrctl reassign D MISPREDICTED=event:0xc3,umask:1
result $? "verbs: a counter is reassigned while it is sampled"
is "$(control_of MISPREDICTED) $(rdmsr -p 1 "$old")" "$old 4301c3" "verbs: the new event is in the place of the old one"
is "$(status_of counters)" 6 "verbs: the set is as large as before"
running=$(controls)
says 1 "'D' is not counted now" rcrctl reassign D F=event:0xc6
says 1 "'CYC' is already in the set" rcrctl reassign A CYC=event:0xc6
says 1 "would have to move" rcrctl reassign A FLOPS=event:0x003,umask:0xff
says 1 "CYC and MISSES both need counter 1" rcrctl reassign A MISSES=event:0x43,counter:1
says 1 "no core counter of AMD Fam15h can count event 0x4e1" rcrctl reassign A NB=event:0x4e1,umask:0xf7
says 1 "'NB' and 'A' are shared by different CPUs" rcrctl reassign A NB=nb:event:0xe0,umask:0x07
says 1 "more than one event" rcrctl reassign A "X=event:0xc8;Y=event:0xc9"
is "$(controls)" "$running" "verbs: a refused request changes no register"
watched 2 "through a reassignment and seven refused ones"
is "$(went A 1) $(went CYC 3)" "ok (counted) ok (counted)" "verbs: other counters are not interrupted"
is "$(went MISPREDICTED 0)" "ok (counted)" "verbs: the new event counts"

echo "# halt, continue, rewrite"
watch_on
cyc=$(control_of CYC)
rcrctl halt CYC
sleep 0.5
is "$(status_in_ls CYC)" "halted on 0-3" "verbs: a counter is halted"
wrmsr -p 2 "$cyc" 0x4300c1
sleep 0.5
is "$(status_in_ls CYC)" "halted on 0-3" "verbs: a halted counter is not read"
rcrctl rewrite CYC
result $? "verbs: a halted counter can be rewritten"
is "$(rdmsr -p 2 "$cyc") $(status_in_ls CYC)" "430076 halted on 0-3" "verbs: rewrite programs a halted counter, which stays halted"
wrmsr -p 2 "$cyc" 0x4300c1
rcrctl continue CYC
sleep 0.5
is "$(status_in_ls CYC)" "foreign on 2" "verbs: a counter that was taken while it was halted is foreign on that CPU when it continues"
rcrctl rewrite all
result $? "verbs: all counters are rewritten while they are sampled"
sleep 0.5
is "$(rdmsr -p 2 "$cyc") $(status_in_ls CYC)" "430076 ok" "verbs: rewrite takes the register back"
rcrctl halt all
sleep 0.3
is "$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f6- | tr -d ,)" "" "verbs: halted counters have no rates"
rcrctl continue all
says 1 "'NOBODY' is not counted now" rcrctl halt NOBODY
says 1 "'NOBODY' is not counted now" rcrctl continue NOBODY
says 1 "'NOBODY' is not counted now" rcrctl rewrite NOBODY
watched 1 "while a counter is halted, taken, rewritten and continued"
is "$(went CYC 0) / $(went CYC 2)" "ok halted ok halted ok (counted) / ok halted foreign ok halted ok (counted)" \
	"verbs: each status was recorded in order"
is "$(went INS 2)" "ok halted ok (counted)" "verbs: the statuses of other counters do not change"

echo "# registers that break"
watch_on
ins=$(control_of INS)
running=$(controls)
count=$(printf '0x%x' $((ins + 1)))
break_register 1 "$count" read-faults
sleep 0.5
is "$(status_in_ls INS)" "fault on 1" "verbs: a register that faults has the status fault on that CPU"
contains "$(grep '^cpu 1:' $STATUS)" "faults 1 " "verbs: a fault is counted, and the register is not tried again"
is "$(rdmsr -p 1 "$ins") $(rdmsr -p 0 "$ins")" "0 4300c0" "verbs: the register that faults is stopped on that CPU only"
says 1 "CPU 1: register" rcrctl rewrite INS
mend_register 1 "$count"
rcrctl rewrite INS
sleep 0.5
is "$(status_in_ls INS)" ok "verbs: a mended register counts again after a rewrite"
break_register 3 "$count" ones
sleep 0.5
is "$(status_in_ls INS)" "fault on 3" "verbs: a counter that reads all ones has the status fault"
mend_register 3 "$count"
rcrctl rewrite all
sleep 0.5
watched 1 "with registers that fault, stick and read ones"
is "$(went INS 1) / $(went INS 0)" "ok fault ok (counted) / ok (counted)" "verbs: a fault on one CPU leaves other CPUs unaffected"

break_register 2 "$count" sticks
sleep 0.5
is "$(status_in_ls INS)" ok "verbs: a counter that does not advance is ok"
mend_register 2 "$count"
rcrctl halt INS
sleep 0.1
rcrctl continue INS

# If one CPU cannot be programmed, none is.
rcrctl remove all
rcrctl add INS=event:0xc0,counter:0 CYC=event:0x76,counter:1 A=event:0xc1,counter:2
rcrctl finalize
rcrctl remove A
rcrctl add NEW=event:0x43,counter:2 NEW2=event:0xcb,umask:4,counter:5
break_register 3 0xc001020a write-faults
watch_on
running=$(controls)
says 1 "CPU 3: register 0xc001020a refuses 0x4304cb (NEW2)" rcrctl finalize
is "$(controls)" "$running" "verbs: a set is programmed on no CPU if a register faults on one"
watched 1 "when a set fails on the last CPU"
is "$(went INS 0) $(went CYC 3)" "ok (counted) ok (counted)" "verbs: counters of both sets are not interrupted"
is "$(went A 0) $(went A 3)" "ok gap ok (counted) ok gap ok (counted)" "verbs: events that had to give way have a gap"
mend_registers 3
break_register 2 0xc001020a sticks
says 1 "CPU 2: register 0xc001020a does not keep the values written to it" rcrctl finalize
mend_registers 2
is "$(controls)" "$running" "verbs: a set is programmed on no CPU if a register on one does not keep its value"
rcrctl finalize
result $? "verbs: the same set is finalized after the register is mended"
is "$(status_in_ls NEW) $(status_in_ls INS)" "ok ok" "verbs: the mended set counts"

echo "# CPUs that go offline and come back"
watch_on
echo 0 >/sys/devices/system/cpu/cpu3/online
rcrctl reassign NEW2 OTHER=event:0xcb,umask:2
result $? "verbs: the set changes while a CPU is offline"
is "$(status_in_ls CYC)" "offline on 3" "verbs: a counter of an offline CPU has the status offline"
echo 1 >/sys/devices/system/cpu/cpu3/online
sleep 0.5
is "$(status_in_ls CYC) $(status_in_ls OTHER)" "ok ok" "verbs: a CPU that comes back is sampled with the new set"
watched 2 "through a change of the set while a CPU was offline"
is "$(went CYC 3) / $(went CYC 0)" "ok gap ok (counted) / ok (counted)" "verbs: the CPU that came back has a gap"
is "$(went OTHER 3)" "ok (counted)" "verbs: a counter that is new on that CPU begins at 0"

echo "# marks"
watch_on
rcrctl mark begin 4711 && rcrctl mark "half time" && rcrctl mark end 4711
result $? "verbs: marks are set"
says 1 "a mark has 1 to 127 bytes" rcrctl mark ""
watched 1 "while marks are set"
is "$(grep '^mark' /tmp/watch | tr '\n' ' ')" "mark 2: 4711 mark 1: half time mark 3: 4711 " "verbs: a reader gets marks in their order"

echo "# unknown"
seen=$(rcrctl ls | head -n 1)
says 2 "unknown command" rcrctl stop
says 1 "has no unit 'node'" rcrctl add X=node:event:0xe0
says 1 "unknown field" rcrctl add X=event:0xc0,scope:node
is "$(rcrctl ls | head -n 1)" "$seen" "verbs: an unknown request changes nothing"

echo "# a held set"
running=$(controls)
rcrctl remove all && rcrctl add HELD=event:0xc7
is "$(rcrctl finalize --hold bash -c 'cat /sys/kernel/debug/rcrtool/counters; rcrctl ls | head -n 1 >/tmp/held; exit 7'; echo $?)" \
	"HELD 0x4300c7 ok held
INS waits for the end of a hold
CYC waits for the end of a hold
NEW waits for the end of a hold
OTHER waits for the end of a hold
7" "verbs: a held set is counted while a command runs, and rcrctl exits with its status"
is "$(controls)" "$running" "verbs: every control is as before after a hold"
is "$(status_in_ls CYC)" ok "verbs: the previous set is counted again after a hold"
rcrctl remove all && rcrctl add HELD=event:0xc7
rcrctl finalize --hold >/dev/null 2>&1 &
holder=$!
counts_one()
{
	[ "$(status_of counters)" = 1 ]
}
soon counts_one
is "$(status_of counters)" 1 "verbs: the held set is counted"
kill -9 $holder
wait $holder 2>/dev/null
runs_again()
{
	[ "$(controls)" = "$running" ]
}
soon runs_again
is "$(controls)" "$running" "verbs: every control is as before after a holder is killed"
rcrctl reset
rcrctl add HELD=event:0xc7
rcrctl finalize --hold true
is "$(status_of state) $(controls)" "inert $before" "verbs: nothing is counted after a hold that began without a set"
rcrctl add HELD=event:0xc7 && rcrctl finalize
rcrctl finalize --hold rcrctl finalize
is "$(status_of state)" sampling "verbs: a set that is finalized during a hold stays after it"

unload
is "$(controls)" "$before" "verbs: unloaded, every control is as before"
finished
