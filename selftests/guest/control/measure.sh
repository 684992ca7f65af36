#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# measure.sh MODEL - rcrstat's table and 'rcrstat -- COMMAND' on an installed machine with all
# defaults, run by root, by a member of the group rcrtool and by an ordinary user. Counts are
# compared with Debian's 'perf stat -a' of the same command, and times with the clock.
. ./defaults/common.sh
machine "$1"
plan 41

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
state() { rcrctl ls | cut -d' ' -f1; enabled_controls; }

# total NAME FILE: prints the total of a counter in the table.
total() { awk -v name="$1" '$1 == name { gsub(",", "", $2); print $2 }' "$2"; }

# number KEY FILE: prints a number of the JSON output.
number() { sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" "$2"; }

# json_of NAME KEY FILE: prints a number of a counter in the JSON output.
json_of() { sed -n "s/.*{\"name\": \"$1\"[^}]*\"$2\": \([0-9.]*\).*/\1/p" "$3"; }

plain_load
before=$(state)

rcrstat -n 1 -f table >/tmp/table 2>/tmp/err
is "$? $(wc -l </tmp/err)" "0 0" "measure: root prints a table"
is "$(sed -n 3p /tmp/table | awk '{ print $1, $2, $3 }')" "IPC TOT_CYC TOT_INS" \
	"measure: instructions per cycle are its first column"
is "$(awk '/^cpu/ { ok += $2 > 0 && $2 < 10 } END { print ok }' /tmp/table)" 4 \
	"measure: each CPU has a value in that column"
sed 's/^/# /' /tmp/table
rcrstat 0.2 3 >/tmp/csv
is "$? $(grep -c ',0.2,' /tmp/csv)" "0 3" "measure: rcrstat takes INTERVAL and COUNT, and writes CSV to a pipe"
as member rcrstat -n 1 -f table >/tmp/table
is "$? $(grep -c '^all sum ' /tmp/table)" "0 1" "measure: a member of the group prints a table"

# ends STATUS COMMAND...: checks the exit status of a command.
ends()
{
	local want=$1
	shift
	"$@" >/tmp/out 2>/tmp/err
	is "$?" "$want" "measure: status $want of $*"
}

ends 0 rcrstat -- true
ends 7 rcrstat -- sh -c 'exit 7'
ends 143 rcrstat -- sh -c 'kill -TERM $$'
ends 127 rcrstat -- /nonexistent
is "$(wc -l </tmp/err)" 1 "measure: the error message is one line"
ends 126 rcrstat -- /etc/passwd
ends 125 rcrstat -e no-such-event -- touch /tmp/started
ends 125 rcrstat -e cylces -- touch /tmp/started
is "$(cat /tmp/err)" "rcrstat: unknown event 'cylces': did you mean 'cycles'?" \
	"measure: the closest name is suggested for an unknown event"
ends 125 rcrstat -n 1 -- touch /tmp/started
ends 125 as user rcrstat -- touch /tmp/started
ends 0 as member rcrstat -- true
ends 0 as member rcrstat -e cycles,instructions -- true
is "$(grep -c '^instructions  *[0-9]' /tmp/err)" 1 \
	"measure: a member reads counted events by their names in perf"
ends 125 as member rcrstat -e branch-misses -- touch /tmp/started
is "$(wc -l </tmp/err) $(grep -c CAP_SYS_RAWIO /tmp/err)" "1 1" \
	"measure: an event that is not counted needs CAP_SYS_RAWIO"
# With a threshold (counter mask), the same select and unit mask are another event.
ends 125 as member rcrstat -e stalled=event:0x76,cmask:1,inv -- touch /tmp/started
is "$(grep -c CAP_SYS_RAWIO /tmp/err)" 1 "measure: an event with a threshold is distinguished from the one without"
ends 0 rcrstat -e stalled=event:0x76,cmask:1,inv -- true
is "$(grep -c '^stalled  *[0-9]' /tmp/err)" 1 "measure: an added event has the name that it was given"
ends 0 as member rcrstat -e mine=cycles,cycles -e mine=cycles -- true
is "$(grep -cE '^mine  *[0-9]' /tmp/err) $(grep -cE '^(cycles|TOT_CYC)' /tmp/err)" "1 0" \
	"measure: an event that is counted is printed once, with the name that it was given"
ends 125 as member rcrstat -e mine=cycles,clocks=cycles -- touch /tmp/started
is "$(cat /tmp/err)" "rcrstat: 'clocks' is the same event as 'mine': name it once" \
	"measure: two names for one event are refused"
[ ! -e /tmp/started ]
result $? "measure: no command was started after errors"
rm -f /tmp/on
rcrstat -- sh -c 'trap "exit 9" TERM; echo on >/tmp/on; while :; do sleep 0.1; done' 2>/tmp/err &
pid=$!
until [ -e /tmp/on ]; do sleep 0.1; done
kill $pid
wait $pid
is "$?" 9 "measure: a signal is forwarded"

# An event that is not in the set is counted while the command runs.
rcrstat -e branch-misses,cycles -- rcrctl ls >/tmp/out 2>/tmp/err
is "$? $(grep -cE '^(branch-misses|PAPI_BR_MSP) ' /tmp/out)" "0 1" "measure: an event is held for a command"
[ "$(total branch-misses /tmp/err)" -gt 0 ] 2>/dev/null
result $? "measure: the added event is counted"
sed 's/^/# /' /tmp/err
is "$(state)" "$before" "measure: the set is as before after the command"

# Two programs hold one event, and the first one ends.
rm -f /tmp/on
rcrstat -e branch-misses -- sh -c ': >/tmp/on; sleep 1' 2>/dev/null &
first=$!
until [ -e /tmp/on ]; do sleep 0.1; done
rcrstat -e misses=branch-misses -- sh -c "while kill -0 $first 2>/dev/null; do sleep 0.1; done; rcrctl ls" >/tmp/ls 2>&1
is "$(grep -c '^PAPI_BR_MSP .*  held$' /tmp/ls)" 1 "measure: an event that two programs hold is still counted after the first one has ended"
is "$(state)" "$before" "measure: the event is not counted after both have ended"

# The set changes twice while a command runs. On the first CPU finalize itself may interrupt
# counters.
rcrstat -e cycles -- rcrstat -e branch-misses -- sleep 0.3 2>/tmp/err
is "$(grep -c 'cycles on CPU [^0 ].*interrupted\|cycles on CPU 0-.*interrupted' /tmp/err)" 0 \
	"measure: a change of the set does not interrupt the counts of a command"

# perf and rcrstat measure the same ten seconds: counts per time agree to 0.1 %.
agrees()
{
	local event=$1
	awk -v ours="$(json_of "$event" total /tmp/json)" -v time="$(number counted /tmp/json)" \
		-v theirs="$(awk -F, -v e="$event" '$3 == e { print $1 }' /tmp/perf)" \
		-v enabled="$(awk -F, -v e="$event" '$3 == e { print $4 / 4e9 }' /tmp/perf)" '
		BEGIN {
			off = theirs > 0 && enabled > 0 ? (ours / time) / (theirs / enabled) - 1 : 1
			printf "# '"$event"': %s in %s s, perf %s in %s s: %.4f %% apart\n", ours, time, theirs, enabled, 100 * off
			exit off < -0.001 || off > 0.001
		}'
}

# The counts begin at the start of the command or before, and end within two periods of its end.
spans()
{
	awk -v elapsed="$(number elapsed /tmp/json)" -v counted="$(number counted /tmp/json)" \
		-v begin="$(cat /tmp/begin)" -v end="$(cat /tmp/end)" 'BEGIN {
			printf "# elapsed %s, counted %s, between the clock stamps %s\n", elapsed, counted, end - begin
			exit elapsed < end - begin || counted < elapsed || counted - elapsed > 0.021 }'
}

for try in 1 2 3; do
	perf stat -a -x, -e cycles,instructions -o /tmp/perf -- rcrstat -j -o /tmp/json \
		-e cycles,instructions -- sh -c 'date +%s >/tmp/begin; sleep 10; date +%s >/tmp/end'
	rc=$?
	cycles=0 instructions=0 spans=0
	agrees cycles || cycles=1
	agrees instructions || instructions=1
	spans || spans=1
	[ $((cycles + instructions + spans)) -ne 0 ] || break
	echo "# wrong count in try $try of 3"
done
result "$rc" "measure: rcrstat and perf stat -a run at the same time for 10 s"
result "$cycles" "measure: cycles over their time are perf's within 0.1 %"
result "$instructions" "measure: instructions over their time are perf's within 0.1 %"
result "$spans" "measure: counts span the command from start to end, and at most two periods more"
rmmod rcrtool
finished
