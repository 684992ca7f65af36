#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ownpmu.sh [TIMES] - the meters as a PMU of perf: Debian's perf prints what the meters' files
# contain, invalid requests to perf_event_open() are refused, and events survive the removal of
# meters and CPU hotplug. The module is loaded and unloaded TIMES times while events are opened.
. ./tap.sh
plan 46
times=${1:-8}
METERS=/sys/kernel/debug/rcrtool/meters
PMU=/sys/bus/event_source/devices/rcrtool

# events PATTERN: prints the number of event files whose name matches PATTERN.
events()
{
	find $PMU/events -type f -regex ".*/events/$1" | wc -l
}

# value METER KEY: prints a field of the meter's file.
value()
{
	sed -n "s/^$2: //p" "$METERS/$1"
}

# stat_of EVENT [FIELD]: prints a field of perf stat's line for the event, by default its count.
stat_of()
{
	perf stat -x, -a -e "$1" sleep 0.1 2>&1 | cut -d , -f "${2:-1}"
}

# near A B: true if the two differ by at most a thousandth.
near()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a / b > 0.999 && a / b < 1.001) }'
}

# between A B C: true if A <= B <= C.
between()
{
	awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a > 0 && b >= a && c >= b) }'
}

# stands METER VALUE: true if that is the current value. post METER VALUE: posts a value and waits
# until it is the current one.
stands()
{
	[ "$(value "$1" current)" = "$2" ]
}
post()
{
	rcrctl meter post "$1" "$2"
	soon stands "$1" "$2"
}

# follow EVENT: starts perf stat -I, which runs until followed.
follow()
{
	rm -f /tmp/enough
	perf stat -x, -I 200 -a -e "$1" -o /tmp/intervals \
		sh -c 'until [ -e /tmp/enough ]; do sleep 0.1; done' &
	FOLLOWER=$!
}
# seen VALUE: true if VALUE is the last one that perf stat has printed.
seen()
{
	[ "$(tail -n 1 /tmp/intervals 2>/dev/null | cut -d , -f 2)" = "$1" ]
}
# followed: ends perf stat, and sets FOLLOWED to its exit status and the values, without
# repetitions.
followed()
{
	touch /tmp/enough
	wait $FOLLOWER
	FOLLOWED="$? $(grep '^ *[0-9]' /tmp/intervals | cut -d , -f 2 | uniq | tr '\n' ' ')"
}

# hold CONFIG, ask, let_go: open an event and keep it open, read it, and close it.
hold()
{
	coproc HOLD { exec ./perfevent hold "$1"; }
	HELD=$HOLD_PID
	read -r -u "${HOLD[0]}" REPLY
}
ask()
{
	echo >&"${HOLD[1]}"
	read -r -u "${HOLD[0]}" REPLY
	echo "$REPLY"
}
let_go()
{
	local in=${HOLD[1]}
	exec {in}>&-
	wait "$HELD"
}

is "$([ -e $PMU ] && echo there)" "" "ownpmu: no PMU without the module"
load period_us=5000 cpus=1-3
rcrctl meter load
is "$(cat $PMU/format/meter $PMU/format/place $PMU/format/value | tr '\n' ' ')" \
	"config:0-15 config:16-31 config:32-34 " "ownpmu: an event is described by meter, place and value"
is "$(cat $PMU/cpumask)" 1 "ownpmu: the events of the PMU are on the first sampled CPU"

# Compare every meter with its file; the file of a meter that sleeps has no digits.
all=0 good=0
for file in "$METERS"/*; do
	name=${file##*/}
	unit=$(value "$name" unit)
	digits=$(value "$name" current | sed -n 's/.*\.//p' | tr -d '\n' | wc -c)
	all=$((all + 1))
	[ "$(cat $PMU/events/$name)" = "meter=$(value "$name" number)" ] || continue
	[ "$unit" != 1 ] || unit=
	[ "$(cat $PMU/events/$name.unit)" = "$unit" ] || continue
	[ "$(cat $PMU/events/$name.snapshot)" = 1 ] || continue
	[ "$digits" -eq 0 ] || [ "$(cat $PMU/events/$name.scale)" = "1e-0$digits" ] || continue
	good=$((good + 1))
done
is "$good $((all > 10)) $(events '.*')" "$all 1 $((all * 4))" \
	"ownpmu: each of the $all meters is an event with its unit and its scale"
is "$(perf list pmu 2>/dev/null | grep -c '^ *rcrtool/[a-z]')" "$all" "ownpmu: perf list prints all of them"

# perf reads the unit and the scale of a meter with a known value.
rcrctl meter add p --posted --unit W --digits 1 --scale 1s,current
is "$(cat $PMU/events/p.unit $PMU/events/p.scale | tr '\n' ' ')" "W 1e-01 " \
	"ownpmu: a meter that a user adds is an event at once"
P=$(value p number)
is "$(stat_of rcrtool/p/)" "0.00" "ownpmu: a meter without a value counts 0"
post p 12.5
is "$(perf stat -x, -a -e rcrtool/p/ sleep 0.1 2>&1 | cut -d , -f 1-3)" "12.50,W,rcrtool/p/" \
	"ownpmu: perf stat prints what the file prints, with the unit"
is "$(stat_of "rcrtool/meter=$P/")" 125 "ownpmu: an event given by number has no scale"
post p 4000000000000.5
is "$(stat_of rcrtool/p/)" 4000000000000.50 "ownpmu: a value of 4e12 is printed exactly"
post p -7.5
is "$(stat_of rcrtool/p/)" 0.00 "ownpmu: a negative value is 0"

# The four values of 12, 60 and 9 in a minute.
rcrctl meter add four --posted --digits 0 --scale 60s,peak
FOUR=$(value four number) CPI=$(value cpi number)
for n in 12 60 9; do
	post four $n
done
got=$(for n in 0 1 2 3 4; do stat_of "rcrtool/meter=$FOUR,value=$n/"; done | tr '\n' ' ')
is "$got" "60 $(for key in current sum average peak; do value four $key; done | tr '\n' ' ')" \
	"ownpmu: value=1 to 4 are current, sum, average and peak: $got"
is "$got" "60 9 81 27 60 " "ownpmu: perf prints the posted values"

# With -I perf stat prints the value of each interval, not the difference to the previous one.
post p 10.0
follow rcrtool/p/
soon seen 10.00
for n in 20 30 40; do
	post p $n.0
	soon seen $n.00
done
followed
is "$FOLLOWED" "0 10.00 20.00 30.00 40.00 " "ownpmu: perf stat -I prints each new value"

# Meters of the steady rates of the virtual PMU.
rcrctl meter add mem_bw
rcrctl meter add cycles TOT_CYC --scale 60s,sum --over machine --unit cycles
sleep 1.5
near "$(stat_of rcrtool/mem_bw/)" "$(value mem_bw average)"
result $? "ownpmu: mem_bw of perf stat agrees with the file: $(stat_of rcrtool/mem_bw/) $(stat_of rcrtool/mem_bw/ 2), $(value mem_bw average)"
near "$(perf stat -x, -I 200 -a -e rcrtool/mem_bw/ sleep 0.5 2>&1 | tail -n 1 | cut -d , -f 2)" \
	"$(value mem_bw average)"
result $? "ownpmu: mem_bw of perf stat -I agrees with the file"
# 'cpu 2: current A average B ...' is the second place of CPUs 1 to 3.
got=$(stat_of "rcrtool/cpi,place=2,value=3/")
expected=$(sed -n 's/^cpu 2: .* average \([0-9.]*\) .*/\1/p' $METERS/cpi)
is "$got $(stat_of rcrtool/cpi/ 2)" "$(printf '%.2f' "$expected") " "ownpmu: place=2 is CPU 2, printed with two digits and no unit: $got, expected $expected"
before=$(value cycles sum)
got=$(stat_of rcrtool/cycles/)
after=$(value cycles sum)
between "$before" "$got" "$after"
result $? "ownpmu: a growing sum is between two reads of the file: $before <= $got <= $after"
is "$(perf stat -x, -a -e '{rcrtool/p/,rcrtool/four,value=3/}' sleep 0.1 2>&1 | cut -d , -f 1 | tr '\n' ' ')" \
	"40.00 27 " "ownpmu: two meters can be counted in a group"

# Invalid requests. 2 is ENOENT, 13 EACCES, 19 ENODEV, 22 EINVAL, 95 EOPNOTSUPP.
is "$(./perfevent try "$P")" \
	"cpu 0 other-cpu 0 task 22 task-on-cpu 22 sampling 95 no-user 22 no-kernel 22 no-idle 22 config1 22 config2 22" \
	"ownpmu: events of tasks, sampling and exclude bits are refused"
is "$(./perfevent open 63) $(./perfevent open 64) $(./perfevent open 65535)" "2 2 2" \
	"ownpmu: a meter that does not exist is refused"
is "$(./perfevent open $((1 << 16 | P))) $(./perfevent open $((4 << 16 | CPI)))" "2 2" \
	"ownpmu: a place that does not exist is refused"
is "$(./perfevent open $((5 << 32 | P))) $(./perfevent open $((1 << 35 | P)))" "22 22" \
	"ownpmu: an unknown value and an unknown bit are refused"
is "$(./perfevent open "$(value mem_latency number)")" 19 "ownpmu: a meter that is asleep is refused"
contains "$(perf stat -e rcrtool/p/ true 2>&1)" "'system wide'" "ownpmu: perf stat without -a reports that the event is system wide"
contains "$(perf stat -e rcrtool/p/ -p $$ sleep 0.1 2>&1)" "<not supported>" "ownpmu: an event of a process is not supported"
contains "$(perf record -o /tmp/perf.data -a -e rcrtool/p/ true 2>&1)" "doesn't support sampling" \
	"ownpmu: perf record is refused, with the reason"
chmod 755 /rcr /rcr/tests
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
sysctl -qw kernel.perf_event_paranoid=2
is "$("${nobody[@]}" ./perfevent open "$P")" 13 "ownpmu: a user that may not count CPUs is refused"
is "$("${nobody[@]}" --inh-caps=+perfmon --ambient-caps=+perfmon ./perfevent open "$P")" 0 \
	"ownpmu: a user with CAP_PERFMON can open an event"

# Some names cannot be events, as perf ignores their case, or takes their end for a suffix.
rcrctl meter add MixedCase --posted --digits 0 && rcrctl meter add p.unit --posted
is "$? $(events 'MixedCase.*') $(events 'p\.unit.*') $(cat $PMU/events/p.unit)" "0 0 1 W" \
	"ownpmu: meters whose names perf would misread have no event files"
post MixedCase 3
is "$(stat_of "rcrtool/meter=$(value MixedCase number)/")" 3 "ownpmu: a meter without an event file can be opened by its number"

# A meter is removed while its event is open, and another one gets its number.
hold "$P"
is "$(ask)" "400 runs" "ownpmu: an event is opened and read"
rcrctl meter remove p
is "$? $(events p) $(events 'p\..*')" "0 0 0" "ownpmu: the meter of an open event can be removed, with its files"
is "$(ask)" "400 runs" "ownpmu: the event of a removed meter keeps the last value"
contains "$(perf stat -a -e rcrtool/p/ true 2>&1)" "event syntax error" "ownpmu: perf does not find the removed meter"
rcrctl meter add q --posted --digits 0 --unit J --scale 1s,current
post q 77
is "$(value q number) $(ask) $(stat_of rcrtool/q/)" "$P 400 runs 77" "ownpmu: the event of a removed meter does not count a new meter with the same number"
unload 2>/dev/null
is "$? $(status_of state)" "1 sampling" "ownpmu: the module cannot be unloaded while an event is open"
let_go

# An open event migrates when its CPU goes offline.
hold "$P"
follow rcrtool/q/
soon seen 77
echo 0 >/sys/devices/system/cpu/cpu1/online
is "$(cat $PMU/cpumask)" 2 "ownpmu: events migrate when their CPU goes offline"
post q 78
is "$(ask)" "78 runs" "ownpmu: an event that has migrated reads the new value"
soon seen 78
echo 0 >/sys/devices/system/cpu/cpu2/online
post q 79
is "$(cat $PMU/cpumask) $(ask)" "3 79 runs" "ownpmu: events migrate a second time"
soon seen 79
echo 1 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu2/online
post q 80
is "$(cat $PMU/cpumask) $(ask) $(stat_of rcrtool/q/)" "3 80 runs 80" "ownpmu: events do not migrate back when the CPUs are online again"
soon seen 80
followed
is "$FOLLOWED" "0 77 78 79 80 " "ownpmu: perf stat -I has printed each value across the migrations"
for cpu in 1 2 3; do
	echo 0 >/sys/devices/system/cpu/cpu$cpu/online
done
is "$(cat $PMU/cpumask) $(ask)" "0 80 runs" "ownpmu: events migrate to a CPU that is not sampled if no other is left"
for cpu in 1 2 3; do
	echo 1 >/sys/devices/system/cpu/cpu$cpu/online
done
rcrctl reset
is "$(ask) $(./perfevent open "$CPI")" "80 runs 19" "ownpmu: after a reset an open event has its last value, and no event can be opened"
let_go
unload
is "$? $([ -e $PMU ] && echo there)" "0 " "ownpmu: the module unloads without open events, and the PMU is gone"

# Open events and read files as often as possible while the module is loaded and unloaded.
./perfevent churn 0 >/tmp/churn &
churn=$!
rounds=0
for ((i = 0; i < times; i++)); do
	load period_us=5000
	rcrctl meter add r --posted && rcrctl meter remove r
	for _ in $(seq 200); do
		! unload 2>/dev/null || break
	done
	[ -e $PMU ] || rounds=$((rounds + 1))
done
kill $churn
wait $churn
is "$? $rounds $(($(cat /tmp/churn) > 0))" "0 $times 1" "ownpmu: the module is loaded and unloaded while $(cat /tmp/churn) events are opened"
finished
