#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# meters_race.sh ROUNDS - several processes add and remove meters of two names at the same time:
# debugfs and sysfs have exactly the files of the meters that exist.
. ./tap.sh any-machine
plan 6
rounds=${1:-60}
DEBUG=/sys/kernel/debug/rcrtool
EVENTS=/sys/bus/event_source/devices/rcrtool/events

# shown: prints how many files both meters have under their names.
shown()
{
	find $DEBUG/meters $EVENTS -name 'race[12]*' | wc -l
}

hand()
{
	local i
	for ((i = 0; i < rounds; i++)); do
		rcrctl meter add "race$((RANDOM % 2 + 1))" --posted
		rcrctl meter remove "race$((RANDOM % 2 + 1))"
	done >/dev/null 2>&1
}

load period_us=20000
rcrctl meter load
numbers=$(find $DEBUG -name 'meter_*' | wc -l)
for _ in 1 2 3 4; do
	hand &
done
wait
rcrctl meter remove race1 2>/dev/null
rcrctl meter remove race2 2>/dev/null
is "$(shown)" 0 "meters_race: removed meters have no file under their name"
is "$(find $DEBUG -name 'meter_*' | wc -l)" "$numbers" "meters_race: removed meters have no file under their number"
rcrctl meter add race1 --posted && rcrctl meter add race2 --posted
is "$(shown)" 10 "meters_race: each existing meter has all of its files"
for name in race1 race2; do
	number=$(sed -n 's/^number: //p' $DEBUG/meters/$name)
	is "$(cat $EVENTS/$name) $(sed -n 's/^name: //p' "$DEBUG/meter_$number")" \
		"meter=$number $name" "$name is number $number everywhere"
done
is "$(dmesg | grep -cE 'already present|duplicate filename|has no name')" 0 \
	"meters_race: the kernel logs no duplicate file"
unload
finished
