#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# entries.sh [ROUNDS] - entries of blackboard 1: they do not move while other meters are added and
# removed, agree with the meter's file and with perf, become stale without a subscription, and are
# evaluated at the interval of each subscriber.
. ./tap.sh
rounds=${1:-200}
plan 14
METERS=/sys/kernel/debug/rcrtool/meters

value()
{
	sed -n "s/^$2: //p" "$METERS/$1"
}

between()
{
	awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a > 0 && b >= a && c >= b) }'
}

# open NAME COMMAND...: starts a process that reads a pipe, with output in /tmp/NAME.
open()
{
	local name=$1 fd
	shift
	mkfifo "/tmp/$name.in"
	"$@" <"/tmp/$name.in" >"/tmp/$name" &
	PID[$name]=$!
	exec {fd}>"/tmp/$name.in"
	FD[$name]=$fd
	soon test -s "/tmp/$name"
}
declare -A PID FD
ask()
{
	local before
	before=$(wc -l <"/tmp/$1")
	echo >&"${FD[$1]}"
	soon answered "$1" "$before"
	tail -n 1 "/tmp/$1"
}
answered()
{
	[ "$(wc -l <"/tmp/$1")" -gt "$2" ]
}
end()
{
	local fd=${FD[$1]}
	exec {fd}>&-
	wait "${PID[$1]}"
	rm "/tmp/$1.in"
}

load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=1000 budget_ppm=0
rcrctl meter add before TOT_INS --over cpu --scale 1s
rcrctl meter add kept TOT_CYC --over cpu --scale 60min,sum --digits 0
rcrctl meter add behind TOT_INS --over package --scale 1s
rcrctl meter remove before

# A board without a subscription becomes stale.
cat $METERS/kept >/dev/null
open map ./subscriber hold map
sleep 3
is "$(ask map)" stale "entries: a board without a subscription becomes stale"
open slow ./subscriber hold behind 600000
sleep 3
is "$(ask slow)" fresh "entries: the board is fresh while an entry has a subscription, at whatever interval"
./subscriber versions kept machine 10 behind machine 100 500 >/dev/null
sleep 3
is "$(ask slow)" fresh "entries: the board is still fresh after a faster subscriber has exited"
end slow
open fast ./subscriber hold behind 50
sleep 2
is "$(ask fast) $(ask map)" "fresh fresh" "entries: a subscription keeps the board fresh for all readers that map it"
end fast
sleep 3
is "$(ask map)" stale "entries: the board is stale after the last subscription has ended"
end map

# Add and remove other meters.
first=$(./subscriber entry kept machine)
open stay ./subscriber stay kept machine
for ((i = 0; i < rounds; i++)); do
	echo "meter add other$((i % 3)) TOT_INS --over $([ $((i % 2)) = 0 ] && echo cpu || echo package) --scale 1s"
	[ $i = 0 ] || echo "meter remove other$(((i - 1) % 3))"
done | rcrctl --batch - >/tmp/out 2>&1
result $? "entries: $rounds other meters are added and removed"
last=$(./subscriber entry kept machine)
end stay
contains "$(tail -n 1 /tmp/stay)" " 0 wrong" "entries: a meter keeps its entry while others are added and removed: $(tail -n 1 /tmp/stay)"
result $(($(tail -n 1 /tmp/stay | cut -d ' ' -f 1) < 10)) "entries: the meter was evaluated meanwhile"
is "$(cut -d ' ' -f 1,2 <<<"$first")" "$(cut -d ' ' -f 1,2 <<<"$last")" \
	"entries: the meter's entry and serial are as before: $(cut -d ' ' -f 1,2 <<<"$last")"

# A growing sum shows the order of the reads.
before=$(value kept sum)
perf=$(perf stat -x, -a -e rcrtool/kept/ sleep 0.1 2>&1 | cut -d , -f 1)
board=$(./subscriber once kept machine | cut -d ' ' -f 8)
after=$(value kept sum)
between "$before" "$perf" "$board"
result $? "entries: perf stat prints a value between those of the file before and the board after: $before <= $perf <= $board"
between "$perf" "$board" "$after"
result $? "entries: the board's value is between those of perf and of a later read of the file: $board <= $after"

# Entries are evaluated at the interval of each subscriber.
read -r quick slow ns period < <(./subscriber versions kept machine 10 behind machine 100 4000)
echo "# $quick and $slow versions in $((ns / 1000000)) ms"
result $((quick > ns / 10000000 + 2 || slow > ns / 100000000 + 2)) \
	"entries: no entry is evaluated more often than its subscriber asks"
result $((quick < 4 * slow)) "entries: a subscriber at 10 ms gets at least four times the versions of one at 100 ms: $quick and $slow"
result $((period < 1 || period > 10000000)) "entries: the interval on the board is at most that of the fastest subscriber ($period ns)"
unload
finished
