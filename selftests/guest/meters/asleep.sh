#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# asleep.sh - meters whose counters are removed, replaced or halted: no value with status ok is
# wrong.
. ./tap.sh
plan 13
METERS=/sys/kernel/debug/rcrtool/meters

# read_all: reads the files of all meters.
read_all()
{
	cat $METERS/* >/tmp/all
}

# value METER KEY: prints a field of the meter's file.
value()
{
	sed -n "s/^$2: //p" "$METERS/$1"
}

# between METER LEAST MOST: true if the average of the meter is between these.
between()
{
	awk -v val="$(value "$1" average)" -v least="$2" -v most="$3" \
		'BEGIN { exit !(val >= least && val <= most) }'
}

load_set "A=event:0x76;B=event:0xc0" period_us=10000 source=msr
rcrctl meter load
rcrctl meter add cost 'rate(sampler_cycles)' --scale 200ms &&
	rcrctl meter add ab 'A / B' --scale 1600ms && rcrctl meter add ra 'rate(A)' --scale 400ms &&
	rcrctl meter add count A --scale 1600ms --digits 3
result $? "asleep: meters of two counters, of one and of none are added"
./keep 10000 >/tmp/kept &
keeper=$!
sleep 2
read -r true_ab true_count < <(echo "$(value ab average) $(value count average)")
rcrctl reset
result $? "asleep: the set is reset while all meters are subscribed"
sleep 0.5
read_all
is "$? $(grep -c '^asleep: ' /tmp/all)" "0 $(find $METERS -type f | wc -l)" "asleep: the file of every meter states that it is asleep"
rcrctl add A=event:0x76 B=event:0xc0 && rcrctl finalize
result $? "asleep: the previous counters are counted again"
sleep 2.5
is "$(value cost status) $(value ab status) $(value ra status)" "ok ok ok" "asleep: the meters are live again"

# In one change, one counter becomes another event and the other one is removed.
rcrctl remove all && rcrctl add A=event:0xc0 && rcrctl finalize
is "$(grep -c '^asleep: ' $METERS/ab) $(value ra status)" "1 gap" \
	"asleep: a meter restarts if its counter is replaced, and is asleep if its counter is removed"
is "$(./boardread show ab machine 0)" "ab: No data available" "asleep: the board has no value of a meter that is asleep"
rcrctl remove all && rcrctl add A=event:0x76 B=event:0xc0 && rcrctl finalize
sleep 2.5

# A ratio uses only the time in which both counters were counted.
rcrctl halt B && sleep 0.4 && rcrctl continue B && sleep 0.3
is "$? $(value ab status)" "0 ok" "asleep: one of two counters is halted for a quarter of the window"
between ab "$(awk "BEGIN { print $true_ab * 0.99 }")" "$(awk "BEGIN { print $true_ab * 1.01 }")"
result $? "asleep: a ratio uses only the time in which both counters were counted: $(value ab average), $true_ab"
rcrctl halt A && sleep 0.4 && rcrctl continue A && sleep 0.3
between count "$(awk "BEGIN { print $true_count * 0.99 }")" "$(awk "BEGIN { print $true_count * 1.01 }")"
result $? "asleep: a count per period uses only the periods in which it was counted: $(value count average), $true_count"
rcrctl halt A && sleep 0.2
is "$(value ra current_status) $(value ab current_status)" "halted halted" "asleep: the status of the current value is that of its counter"
rcrctl continue A

# Set a long period, and a short one again.
rcrctl period 20s && rcrctl period 10ms
sleep 1
before=$(sed -n 's/^meters: passes \([0-9]*\) .*/\1/p' $STATUS)
sleep 1
after=$(sed -n 's/^meters: passes \([0-9]*\) .*/\1/p' $STATUS)
result $((after - before < 20)) "asleep: subscriptions at 10 ms are served again after a period of 20 s: $((after - before)) passes"
kill $keeper
wait $keeper
unload
result $? "asleep: the module unloads"
finished
