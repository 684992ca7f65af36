#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# suspend.sh ROUNDS - suspends the machine ROUNDS times with each source. rcr_window
# (selftests/witness) delays it while tasks run: after the PM notifiers and before tasks are frozen
# (stage 1), and between thawing and the notifiers (stage 2). Run without run.sh, so that the output
# before a panic is complete.
. ./tap.sh
plan 28
rounds=${1:-3}
WINDOW=/sys/module/rcr_window/parameters
insmod /rcr/rcr_window.ko
echo 0 >/sys/module/suspend/parameters/pm_test_delay
echo freezer >/sys/power/pm_test

stage_is()
{
	[ "$(cat $WINDOW/stage)" = "$1" ]
}

# sleep_with BEFORE AFTER: suspends the machine, and runs one command in each stage.
sleep_with()
{
	local writer
	echo 0 >$WINDOW/go
	echo freeze >/sys/power/state &
	writer=$!
	soon stage_is 1 || odd="$odd no stage 1;"
	$1
	echo 1 >$WINDOW/go
	soon stage_is 2 || odd="$odd no stage 2;"
	$2
	echo 2 >$WINDOW/go
	wait $writer || odd="$odd the suspend failed;"
}

# Append the controls that are programmed now to $odd. perf disables its controls, but does not
# clear them.
at_rest()
{
	local cpus
	cpus=$(moving)
	[ -z "$cpus" ] || odd="$odd counting on$cpus;"
	[ "$source" != msr ] || [ "$(controls)" = "$before" ] || odd="$odd controls changed;"
}

# try VERB...: checks that each command is refused with one line, and changes nothing.
try()
{
	local verb
	for verb; do
		# shellcheck disable=SC2086 # split into words
		rcrctl $verb >/dev/null 2>/tmp/err && odd="$odd \"$verb\" at stage $(cat $WINDOW/stage);"
		grep -q "about to suspend" /tmp/err || odd="$odd \"$verb\" prints $(cat /tmp/err);"
		[ "$verb" != finalize ] || at_rest
	done
	at_rest
}

try_changes()
{
	try "period 5ms" "add MORE=event:0xc2" finalize "halt all" "continue all" "rewrite all" \
		"reassign INS OTHER=event:0xc3" "remove INS"
}

try_reset()
{
	try reset
}

is_held()
{
	[ -n "$(control_of HELD)" ]
}

hold()
{
	rcrctl add HELD=event:0xc1
	rcrctl finalize --hold >/dev/null 2>&1 &
	holder=$!
	soon is_held
}

end_hold()
{
	kill -9 "$holder"
	wait "$holder" 2>/dev/null
	at_rest
}

# Print the names of the counters, with either source.
counted()
{
	sed -n 's/^counter [0-9]*: \([A-Z]*\) .*/\1/p' $STATUS | sort | tr '\n' ' '
}

for source in msr auto; do
	clear_controls
	before=$(controls)
	load_set "INS=event:0xc0;CYC=event:0x76" source=$source period_us=2000
	programmed=$(controls)
	is "$(status_of source) $(counted)" "${source/auto/perf} CYC INS " "suspend: $source: two events are counted"
	./steady >/tmp/steady &
	reader=$!

	odd=
	for ((i = 0; i < rounds; i++)); do
		sleep_with try_changes true
		[ "$(counted)" = "CYC INS " ] || odd="$odd $(counted)after sleep $i;"
	done
	is "$odd" "" "suspend: $source: $rounds times before tasks are frozen each change is refused, and nothing is programmed"
	odd=
	for ((i = 0; i < rounds; i++)); do
		sleep_with at_rest try_changes
		[ "$(counted)" = "CYC INS " ] || odd="$odd $(counted)after sleep $i;"
	done
	is "$odd" "" "suspend: $source: $rounds times after tasks are thawed each change is refused, and nothing is programmed"
	is "$(moving)" " 0 1 2 3" "suspend: $source: both counters count on all CPUs after the resume"
	[ $source = auto ] || is "$(controls)" "$programmed" "suspend: $source: the registers are as before the suspend"
	is "$(rcrstat -i 0.5 -n 1 | tail -n 1 | cut -d, -f5)" ok "suspend: $source: all counters are ok after the resume"

	odd=
	hold
	sleep_with end_hold at_rest
	is "$odd" "" "suspend: $source: a hold that ends before tasks are frozen programs nothing"
	is "$(status_of state) $(counted)" "sampling CYC INS " "suspend: $source: the base set is counted after the resume if a hold ended during the suspend"
	hold
	sleep_with at_rest end_hold
	is "$odd" "" "suspend: $source: a hold that ends after tasks are thawed programs nothing"
	is "$(status_of state) $(counted)" "sampling CYC INS " "suspend: $source: the base set is counted after the resume if a hold ended after tasks were thawed"
	is "$(moving) $(rcrctl ls | grep -c held)" " 0 1 2 3 0" "suspend: $source: the set before the hold counts, without a holder"

	odd=
	for ((i = 0; i < rounds; i++)); do
		sleep_with try_reset try_reset
		[ "$(counted)" = "CYC INS " ] || odd="$odd $(counted)after sleep $i;"
	done
	is "$odd" "" "suspend: $source: $rounds times a reset is refused in both stages"

	kill $reader
	wait $reader
	is "$(sed 's/, lost [0-9]*//' /tmp/steady)" "back 0, ticks wrong 0, counting 0 1 2 3" \
		"suspend: $source: no total stepped back, no tick was wrong"
	rcrctl add MORE=event:0xc2 && rcrctl finalize
	is "$? $(status_of period_us)" "0 2000" "suspend: $source: the next set does not have a period that was refused"
	unload
	[ $source = auto ] || is "$(controls)" "$before" "suspend: $source: unloaded, every control is as before"
done
rmmod rcr_window
finished
