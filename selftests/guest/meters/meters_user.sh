#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# meters_user.sh - 'rcrctl meter' and 'rcrctl on' with the module: meters are added, shown and
# removed, their counters are added to the set, and a command runs once per crossing. meters.sh
# tests the values of formulas.
. ./tap.sh
plan 71
METERS=/sys/kernel/debug/rcrtool/meters

load period_us=5000

# keys: prints the keys of "key: value" lines in order.
keys()
{
	sed 's/:.*//' | tr '\n' ' '
}

# value METER KEY: prints a field of a meter.
value()
{
	rcrctl meter show "$1" | sed -n "s/^$2: //p"
}

# ratio A B: prints the ratio of two counters of CPU 1 over a second of the stream.
ratio()
{
	rcrstat -i 1 -n 1 -c 1 | grep -v '^#' | awk -F, -v a="cpu1:$1" -v b="cpu1:$2" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
		}
		NR == 2 { printf "%.9f", $column[a] / $column[b] }'
}

# near A B: true if the two differ by at most one in a thousand.
near()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a / b > 0.999 && a / b < 1.001) }'
}

sleep 0.5
is "$(ls $METERS)" "" "meters_user: the module has no meter of its own"
contains "$(rcrctl meter)" "cpi " "meters_user: root's first 'rcrctl meter' adds those of the family"
is "$(rcrctl meter show cpi | keys)" "$(keys <$METERS/cpi)" \
	"meters_user: show prints the values of the file"
is "$(rcrctl meter show cpi | sed -n '1,5p')" \
	"$(grep -E '^(name|number|unit|scale_ns|type): ' $METERS/cpi)" "meters_user: show prints name, number, unit, time scale and type as the file does"
is "$(rcrctl meter ls --json | sed -n '/"name": "cpi"/,/^]}/p' | grep -o '"place": "[a-z0-9]*"' | tr '\n' ' ')" \
	'"place": "machine" "place": "cpu0" "place": "cpu1" "place": "cpu2" "place": "cpu3" ' \
	"meters_user: JSON has values of the machine and of its four CPUs"
contains "$(rcrctl meter -a)" "mem_latency" "meters_user: meter -a lists meters without values, too"
contains "$(rcrctl meter -a | grep '^mem_latency ')" "'READ_LATENCY' is not in the set" "meters_user: meter -a states why a meter has no value"
contains "$(rcrctl meter -a --json)" '"formula": "READ_LATENCY / READ_REQUESTS"' "meters_user: the list has the formulas of meters"

# A meter of a user adds its counter to the set if a counter is free.
says 1 "BR cannot be added: 7 events are requested, but AMD Fam15h counts 6 at once: remove 1." \
	rcrctl meter add brs '"BR=event:0xc2" / TOT_INS'
rcrctl remove VEC_INS && rcrctl finalize
rcrctl meter add brs '"BR=event:0xc2" / TOT_INS' --scale 1s,average --over cpu --digits 9
result $? "meters_user: a meter with an event that is not counted is added"
contains "$(rcrctl ls)" "BR  " "meters_user: the missing event is counted now"
expected=$(ratio BR TOT_INS)
got=$(rcrctl meter show brs | sed -n 's/^cpu 1: .* average \([0-9.]*\) .*/\1/p')
near "$got" "$expected"
result $? "meters_user: the value of the new meter follows from the stream ($got, $expected)"
rcrctl meter add half 'brs / 2' --scale 1s --digits 9
result $? "meters_user: a meter can be defined by another meter"
says 1 "The meter 'brs' already exists" rcrctl meter add brs 'TOT_CYC'
is "$(rcrctl meter show half | grep -c ' [0-9]*: current')" 4 "meters_user: the new meter has a value for each CPU"
whole=$(rcrctl meter show brs | sed -n 's/^cpu 1: .* average \([0-9.]*\) .*/\1/p')
half=$(rcrctl meter show half | sed -n 's/^cpu 1: .* average \([0-9.]*\) .*/\1/p')
near "$(awk -v h="$half" 'BEGIN { print 2 * h }')" "$whole"
result $? "meters_user: a meter of half a counter has half of its value ($half, $whole)"
rcrctl meter add sum 'scale(TOT_CYC, 1) x 1' --over machine --unit cycles --scale 100ms,sum
is "$? $(value sum unit) $(value sum scale_ns) $(value sum type)" "0 cycles 100000000 sum" \
	"meters_user: a meter has its unit and time scale"
rcrctl meter add two_hours 'TOT_CYC / TOT_INS' --scale 120min
is "$? $(value two_hours scale_ns) $(sed -n 's/^scale_ns: //p' $METERS/two_hours)" \
	"0 7200000000000 7200000000000" "meters_user: blackboard and file have a time scale of two hours"
rcrctl meter remove two_hours
says 2 "the maximum is a day, 1440min" rcrctl meter add a TOT_CYC --scale 1441min
is "$(rcrctl meter show sum | grep -c ' [0-9]*: current')" 0 "meters_user: a meter of the machine has no values of CPUs"
rcrctl meter reset sum && rcrctl meter reset all
result $? "meters_user: reset"
rcrctl meter remove brs && sleep 0.1 && rcrctl meter show half >/dev/null
result $? "meters_user: a meter stays when the one that it was defined by is removed"
rcrctl meter remove half && rcrctl meter remove sum
is "$? $(rcrctl meter | grep -c '^half \|^brs \|^sum ')" "0 0" "meters_user: removed meters are not listed"

# A meter that is asleep.
rcrctl meter add mem_latency
is "$? $(rcrctl ls | grep -c READ_LATENCY)" "0 1" "meters_user: meter add counts the events that a sleeping meter needs"
rcrctl meter add mem_latency
result $? "meters_user: the events of a sleeping meter are added once"

before=$(rcrctl ls)
says 1 "unknown event" rcrctl meter add a 'NOBODY / 2'
says 1 "is shorter than the sampling period" rcrctl meter add a TOT_CYC --scale 1ms
says 1 "no meter 'nobody' waits" rcrctl meter add nobody
says 1 "'* 2' is found where a name" rcrctl meter add a 'TOT_CYC + * 2'
says 1 "begin with a letter" rcrctl meter add 7a TOT_CYC
says 1 "meter 'nobody'" rcrctl meter remove nobody
says 1 "meter 'nobody'" rcrctl meter reset nobody
says 1 "meter 'nobody'" rcrctl meter max nobody --maximum 1
says 1 "meter 'nobody'" rcrctl meter post nobody 1
says 1 "meter 'nobody'" rcrctl meter show nobody
says 1 "is computed from counters" rcrctl meter post cpi 1
many="\"A=event:0xd0\""
for n in 1 2 3 4 5 6 7; do
	many="$many + \"A$n=event:0xd0,umask:$n\""
done
rcrctl meter add many "$many" 2>/tmp/err
is "$?" 1 "meters_user: a meter that needs too many counters is refused: $(cat /tmp/err)"
is "$(wc -l </tmp/err) $(rcrctl meter -a | grep -c '^many ')" "1 0" "meters_user: a refused request adds no meter"
is "$(rcrctl ls | tail -n +2)" "$(tail -n +2 <<<"$before")" "meters_user: refused requests do not change the set"

nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
says 1 "cannot be read: become root or join its group" $nobody rcrctl meter
says 1 "cannot be read: become root or join its group" $nobody rcrctl on "cpi > 1" -- true
says 1 "CAP_SYS_RAWIO" $nobody rcrctl meter add a TOT_CYC
says 1 "CAP_SYS_RAWIO" setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio rcrctl meter reset all
chmod 666 /dev/rcrboard
says 1 "cannot be read: become root or join its group" $nobody rcrctl meter
chmod 660 /dev/rcrboard

# A posted meter with a known schedule.
rcrctl meter add p --posted --unit W --digits 1 --scale 1s,current
result $? "meters_user: a posted meter is added"
says 1 "has no value yet" rcrctl meter show p
rcrctl meter post p 12.5
is "$? $(value p current)" "0 12.5" "meters_user: a value is posted"
rcrctl meter post p 1kW
is "$? $(value p highest)" "0 1000.0" "meters_user: a value with prefix and unit is posted"
says 1 "is not the unit of the meter" rcrctl meter post p 1J
says 1 "has values for 1 places" rcrctl meter post p 1 --place 7
rcrctl meter max p --maximum 200 --contention 150
rcrctl meter post p 180
is "$? $(value p max) $(value p contention) $(value p utilization) $(value p verdict)" \
	"0 200.0 150.0 90.0000% contention" "meters_user: a maximum and a contention level are set"
rcrctl meter max p --maximum 250 && rcrctl meter post p 140
is "$(value p max) $(value p contention) $(value p verdict)" "250.0 150.0 ok" \
	"meters_user: settings that are not named stay"

# crossings N: crosses the bound N times, up and down.
crossings()
{
	local n
	for ((n = 0; n < $1; n++)); do
		echo meter post p 100
		echo meter post p 81
		echo meter post p 79
		echo meter post p 120
		echo meter post p 10
	done | rcrctl --batch -
}

rcrctl meter post p 10
# shellcheck disable=SC2016 # the inner shell expands them
rcrctl on "p > 80 below 20" -- sh -c 'echo $RCR_METER $RCR_VALUE $RCR_COUNT >>/tmp/on; sleep 0.02' 2>/tmp/err &
on=$!
soon watches $on
crossings 100
for _ in $(seq 400); do
	[ "$(wc -l </tmp/on)" -lt 100 ] || break
	sleep 0.05
done
sleep 0.5
is "$(wc -l </tmp/on) $(uniq /tmp/on | wc -l) $(tail -n 1 /tmp/on)" "100 100 p 100.0 100" \
	"meters_user: a command is run exactly once in each of 100 crossings"
kill $on
wait $on
is "$? $(cat /tmp/err)" "0 " "meters_user: rcrctl on runs until a signal"

rm /tmp/on
rcrctl on "p < 30% above 40%" --count 3 -- sh -c 'echo $RCR_VALUE >>/tmp/on; exit 7' 2>/tmp/err &
on=$!
soon watches $on
rcrctl meter post p 200
crossings 4
wait $on
is "$? $(tr '\n' ' ' </tmp/on)" "0 10.0 10.0 10.0 " "meters_user: a lower bound in percent of the maximum runs the command three times"
is "$(sort -u /tmp/err) $(wc -l </tmp/err)" "rcrctl: sh ended with status 7 3" "meters_user: a command that fails is reported"

says 1 "must name a lower one" rcrctl on "p > 80 below 90" -- true
says 1 "has no value for cpu 1" rcrctl on "p > 80" --place cpu:1 -- true
says 1 "meter 'nobody'" rcrctl on "nobody > 80" -- true
rcrctl on "p > 80" -- true 2>/tmp/err &
on=$!
soon watches $on
rcrctl meter remove p
wait $on
is "$? $(cat /tmp/err)" "1 rcrctl: the meter or one of its counters was removed" "meters_user: rcrctl on ends when the meter is removed"
rcrctl on "cpi > 1e6" -- true 2>/tmp/err &
on=$!
soon watches $on
rcrctl reset
wait $on
is "$?" 1 "meters_user: rcrctl on ends when sampling is stopped: $(cat /tmp/err)"
is "$(wc -l </tmp/err)" 1 "meters_user: rcrctl on prints one line when sampling is stopped"
says 1 "has no values" rcrctl meter show cpi
unload

load period_us=5000
rcrctl meter load
./paper >/tmp/paper
is "$(grep -c '^ok' /tmp/paper) $(grep -c '^not ok' /tmp/paper)" "10 0" "meters_user: meters can be read by the names of the design document"
sed 's/^/# /' /tmp/paper
unload
says 1 "rcrtool is not loaded" rcrctl meter

# A counter is used for a name in a formula only if it counts the event of the catalogue.
load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc2" period_us=5000
rcrctl meter >/tmp/meters
is "$? $(find $METERS -name cpi -o -name ipc | wc -l) $(grep -c '^sampler_cost ' /tmp/meters)" "0 0 1" \
	"meters_user: no meter is added if a counter of that name counts another event"
rcrctl set TOT_CYC=event:0x76 TOT_INS=event:0xc0 && rcrctl meter load
is "$? $(find $METERS -name cpi -o -name ipc | wc -l)" "0 2" "meters_user: the meters are added once the counter has the event of the catalogue"
rcrctl remove TOT_INS && rcrctl add TOT_INS=event:0xc2
contains "$(rcrctl ls | grep '^TOT_INS ')" "event:0x0c0" "meters_user: the running event is listed, not the staged one of its name"
rcrctl set CYC=event:0x76 WORK=event:0xc0
contains "$(rcrctl meter -a | grep '^cpi ')" "'TOT_CYC' is not in the set" \
	"meters_user: a meter does not use a counter of another name, even with the same event"
says 1 "is not a decimal number" rcrctl meter add t 'CYC + 0x10 x WORK'
unload
load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=2000000
rcrctl meter load
is "$? $(find $METERS -name cpi -o -name ipc | wc -l) $(sed -n 's/^scale_ns: //p' $METERS/cpi)" "0 2 2000000000" \
	"meters_user: a period that is longer than a second is the family's time scale"
unload
finished
