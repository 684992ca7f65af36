#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# control.sh [LISTS] - the verbs of rcrctl, refused requests, and two concurrent callers; LISTS
# lists are read while the set is changed.
. ./tap.sh
plan 58

before=$(controls)

names()
{
	rcrctl ls | awk 'NR > 1 { printf "%s%s ", $1, $NF ~ /^(staged|removed)$/ ? ":" $NF : "" }'
}

says 1 "rcrtool is not loaded" rcrctl ls
says 2 "unknown command" rcrctl frobnicate
says 2 "add needs an argument" rcrctl add
says 2 "finalize takes no argument" rcrctl finalize now
says 2 "invalid period 'fast'" rcrctl period fast
says 2 "--generation needs a number" rcrctl --generation x ls
says 2 "unknown option '--force'" rcrctl --force ls

load period_us=1000
generation()
{
	rcrctl ls | sed -n 's/^generation \([0-9]*\),.*/\1/p'
}
is "$(names)" "TOT_CYC TOT_INS RETIRED_FLOPS VEC_INS L1_DCM TLB_DM " "control: the default set is counted"
first=$(generation)

# Failed requests change nothing.
says 1 "unknown event" rcrctl add FOO
says 1 "'TOT_CYC' is already in the set" rcrctl add TOT_CYC=event:0x76
says 1 "is used twice" rcrctl add A=event:1 A=event:2
says 1 "'NOBODY' is not in the set" rcrctl remove NOBODY
says 1 "period must be from 20 microseconds" rcrctl period 1us
is "$(generation)" "$first" "control: refused requests do not change the generation"

# One event too many is staged, refused, corrected and programmed.
rcrctl add BRANCHES=event:0xc2
result $? "control: a seventh event is staged"
is "$(names)" "TOT_CYC TOT_INS RETIRED_FLOPS VEC_INS L1_DCM TLB_DM BRANCHES:staged " "control: the seventh event is listed as staged"
running=$(controls)
says 1 "7 events are requested, but AMD Fam15h counts 6 at once: remove 1" rcrctl finalize
is "$(controls)" "$running" "control: a set that does not fit changes no register"
is "$(status_of state)" sampling "control: the running set is still sampled after the refusal"
rcrctl remove VEC_INS && rcrctl finalize
result $? "control: the set is programmed after an event was removed"
is "$(names)" "TOT_CYC TOT_INS RETIRED_FLOPS L1_DCM TLB_DM BRANCHES " "control: the corrected set is counted"
contains "$(controls)" "4300c2 4300c2 4300c2 4300c2" "control: the new event is programmed on every CPU"
contains "$(cat /sys/kernel/debug/rcrtool/counters)" "BRANCHES 0x4300c2" "control: debugfs lists the new event"

# A reader loses no record when the set changes.
rcrctl remove BRANCHES
is "$(grep -c 'BRANCHES.*removed' /sys/kernel/debug/rcrtool/counters)" 1 "control: a removed counter is marked until finalize"
./follow 8 >/tmp/follow &
sleep 1
rcrctl finalize && rcrctl period 2ms && rcrctl add BRANCHES=event:0xc2 && rcrctl finalize
result $? "control: the set and the period change while a reader follows"
wait
is "$(cat /tmp/follow)" "4 sets, 0 holes, 0 wrong" "control: a reader gets every record of every set"
is "$(status_of period_us)" 2000 "control: the period has changed"

# Two callers change the set at the same time.
seen=$(generation)
rcrctl --generation "$seen" remove BRANCHES
result $? "control: a request on the current generation is carried out"
says 1 "has changed the counter set" rcrctl --generation "$seen" reset
is "$(status_of state)" sampling "control: a request on an old generation changes nothing"
for i in 1 2 3 4; do
	(for ((n = 0; n < 10; n++)); do
		rcrctl add "E$i=event:0xc$i" 2>/dev/null && rcrctl remove "E$i" 2>/dev/null
	done) &
done
wait
is "$(names | tr ' ' '\n' | grep -c '^E')" 0 "control: four concurrent controllers leave no event behind"
./netlink generations 1000 >/tmp/answered
result "$(grep -c 'in exactly one answer' /tmp/answered)" \
	"control: each of four concurrent controllers is answered with the generations of its changes"
./netlink generations 15
result $? "control: each generation is announced once, in order, or its loss is reported"
./netlink interleaved 1000
result $? "control: of two concurrent controllers' requests none on an old generation is carried out"

# Lists are dumps of several parts.
cp /dev/null /tmp/failed
touch /tmp/changing
while [ -e /tmp/changing ]; do ./netlink generations 1 >/dev/null; done &
changing=$!
for ((n = 0; n < ${1:-30}; n++)); do
	rcrctl ls >/tmp/ls 2>>/tmp/failed && rcrctl meter ls -a >/dev/null 2>>/tmp/failed
	[ "$(grep -c '^[A-Z]' /tmp/ls)" -ge 6 ] || echo "ls has a part" >>/tmp/failed
done
rm /tmp/changing
wait $changing
is "$(cat /tmp/failed)" "" "control: lists are complete while the set is changed all the time"
./netlink dumps
result $? "control: only a dump that a change interrupts is marked as such"
while read -r name; do
	rcrctl remove "$name"
done < <(rcrctl ls | awk '/^AN_EVENT.*staged$/ { print $1 }')

# Privileges.
chmod 755 /rcr /rcr/bin
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
says 1 "needs CAP_SYS_RAWIO" $nobody rcrctl reset
says 1 "needs CAP_SYS_RAWIO" $nobody rcrctl ls
says 1 "needs CAP_SYS_RAWIO" setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio rcrctl reset
setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio rcrctl ls >/dev/null
result $? "control: CAP_PERFMON is enough to read the set"
perfmon="setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio"
$perfmon ./netlink perfmon
result $? "control: CAP_PERFMON is enough to mark, to post and to add a posted meter, and for no more"
is "$(rcrctl meter ls | grep -c '^rights\.')" 1 "control: a holder of CAP_PERFMON has added one posted meter"
rcrctl meter remove rights.posted
cat /dev/rcrtool >/tmp/marked &
follower=$!
sleep 0.2
$perfmon rcrctl mark quiet
is $? 0 "control: CAP_PERFMON is enough to mark"
rcrctl mark loud
sleep 0.2
kill $follower
wait $follower 2>/dev/null
is "$(./window marks /tmp/marked)" "0 quiet
1 loud" "a mark has the flag RCR_MARK_ADMIN where its author had CAP_SYS_RAWIO, and only there"
bare="setpriv --bounding-set=-sys_rawio,-perfmon --inh-caps=-sys_rawio,-perfmon"
says 1 "need CAP_PERFMON" $bare rcrctl mark nothing
$bare rcrctl ls >/dev/null
result $? "control: the device, opened by user id 0, is enough to read the set without capabilities"
says 1 "needs CAP_SYS_RAWIO" unshare -r rcrctl reset
is "$(status_of state)" sampling "control: refused requests have changed nothing"

seen="$(generation) $(names) $(controls)"
./netlink
result $? "control: each malformed message is answered with one error"
is "$(generation) $(names) $(controls)" "$seen" "control: malformed messages change nothing"

rcrctl reset
result $? "control: a reset succeeds"
is "$(controls)" "$before" "control: a reset restores every register"
is "$(status_of state) $(status_of error)" "inert -ENODATA" "control: after a reset nothing is counted"
says 1 "counts nothing" rcrstat -n 1
says 1 "The set is empty" rcrctl finalize
rcrctl add CYC=event:0x76 && rcrctl finalize
result $? "control: after a reset a set can be finalized again"
is "$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" ok "control: the new set counts"
unload
is "$(controls)" "$before" "control: unloaded, every control is as before"
finished
