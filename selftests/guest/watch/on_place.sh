#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# on_place.sh - bounds at one place, and bounds that must hold for a time: rcrctl on --place and
# "for TIME", rcrctl meter post --place, and rcr_board_wait(). Uses a posted meter, so that each
# crossing is known. For four CPUs in two packages.
. ./tap.sh
plan 20
PACKAGE=2	# enum rcr_place_kind

# post VALUE PLACE: posts a value; place 0 is the machine, 1 the first package.
post()
{
	rcrctl meter post p "$1" --place "$2"
}

# shown PLACE: prints the latest value at a place.
shown()
{
	./subscriber once p "$1" | cut -d ' ' -f 6
}

# fired NUMBER: true if NUMBER commands were run.
fired()
{
	touch /tmp/fired
	[ "$(wc -l </tmp/fired)" -eq "$1" ]
}

# waits: true once the program sleeps in poll().
waits()
{
	grep -q poll "/proc/$1/wchan" 2>/dev/null
}

load period_us=5000
rcrctl meter add p --posted --over package --digits 0
result $? "place: a posted meter over packages is added"
post 3 0 && post 10 1 && post 20 2
result $? "place: values are posted for the machine and for each package"
is "$(shown machine) $(shown package0) $(shown package1)" "3 10 20" "place: each place has its own value"
says 1 "has values for 3 places" rcrctl meter post p 1 --place 3
is "$(shown machine) $(shown package0) $(shown package1)" "3 10 20" "place: a refused post changes no value"

# A value at another place does not cross the bound.
# shellcheck disable=SC2016 # the inner shell expands them
rcrctl on "p > 50" --place package1 --count 2 -- sh -c 'echo $RCR_VALUE >>/tmp/fired' 2>/tmp/err &
on=$!
soon watches $on
post 90 1 && post 91 0
sleep 1
fired 0
result $? "place: values of the other package and of the machine run no command"
post 60 2 && soon fired 1
result $? "place: a crossing at the watched package runs the command"
post 10 2 && post 70 2
wait $on
is "$? $(xargs </tmp/fired) $(cat /tmp/err)" "0 60 70 " "place: the command runs once per crossing, with the value"

# A bound that must hold for a time.
rm -f /tmp/fired
post 10 2
# shellcheck disable=SC2016 # the inner shell expands them
rcrctl on "p > 50 for 2s" --place package1 --count 1 -- sh -c 'echo $RCR_VALUE >>/tmp/fired' 2>/tmp/err &
on=$!
soon watches $on
printf 'meter post p 80 --place 2\nmeter post p 10 --place 2\n' | rcrctl --batch -
sleep 3
fired 0
result $? "for: a value that returns before the time has passed runs no command"
post 81 2
began=$(cut -d ' ' -f 1 /proc/uptime)
for _ in $(seq 100); do
	post 82 2
	fired 0 || break
	sleep 0.1
done
wait $on
is "$? $(xargs </tmp/fired) $(cat /tmp/err)" "0 82 " "for: a value that stays beyond the bound runs one command"
awk -v from="$began" '{ exit !($1 - from >= 1.8) }' /proc/uptime
result $? "for: the command does not run before the time has passed"

# A program waits for a bound.
post 10 2
./boardwait p $PACKAGE 1 50 300 >/tmp/waited
is "$? $(xargs </tmp/waited)" "0 ready 0" "rcr_board_wait: the result is 0 if there is no crossing in time"
./boardwait p $PACKAGE 1 50 20000 >/tmp/waited &
waiter=$!
soon waits $waiter
result $? "rcr_board_wait: the caller sleeps"
post 99 1
sleep 0.5
kill -0 $waiter
result $? "rcr_board_wait: a value at another place does not end the wait"
post 77 2
wait $waiter
is "$? $(xargs </tmp/waited)" "0 ready 1 77 1" "rcr_board_wait: a crossing ends the wait, with the value"
./boardwait p $PACKAGE 1 gone 1000 >/tmp/waited
is "$? $(xargs </tmp/waited)" "0 ready -1 116" "rcr_board_wait: a meter that does not exist is ESTALE"
./boardwait p $PACKAGE 1 50 20000 >/tmp/waited &
waiter=$!
post 10 2
soon waits $waiter
result $? "rcr_board_wait: the caller sleeps again"
rcrctl meter remove p
result $? "rcr_board_wait: the meter is removed"
wait $waiter
is "$? $(xargs </tmp/waited)" "0 ready -1 116" "rcr_board_wait: the removal of the meter ends the wait with ESTALE"
unload
result $? "place: the module unloads"
finished
