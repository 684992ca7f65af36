#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# killed.sh ROUNDS - commands that hold a set are killed at random moments, while two controllers
# make changes and readers open and close the device: no held event stays programmed (promise P1),
# and refused requests change nothing.
. ./tap.sh
plan 9
rounds=${1:-25}

clear_controls
before=$(controls)
load_set "CYC=event:0x76" period_us=2000 ring_records=64
base=$(controls)

# Hold a set, and kill the holder after up to 0.3 s.
hold_and_die()
{
	local i holder
	for ((i = 0; i < rounds; i++)); do
		rcrctl add "HELD$1=event:0xc$1" 2>/dev/null
		rcrctl finalize --hold >/dev/null 2>&1 &
		holder=$!
		sleep "0.$((RANDOM % 4))"
		kill -9 $holder
		wait $holder
		rcrctl remove "HELD$1"
	done 2>/dev/null
}

# Make changes. Report output that is not a one-line refusal, and commands that die.
control()
{
	local verb
	while [ ! -e /tmp/over ]; do
		for verb in "add R$1=event:0xd$1" finalize "halt all" "continue all" "rewrite all" \
			"period $((RANDOM % 3 + 1))ms" "reassign R$1 S$1=event:0xd$1,umask:1" \
			"remove all" reset; do
			# shellcheck disable=SC2086 # split into words
			rcrctl $verb >/dev/null 2>"/tmp/why$1"
			if [ $? -gt 1 ] || [ "$(wc -l <"/tmp/why$1")" -gt 1 ]; then
				echo "$verb:" "$(cat "/tmp/why$1")" >>/tmp/odd
			fi
		done
	done
}

readers()
{
	while [ ! -e /tmp/over ]; do
		timeout -s KILL 0.3 rcrstat -i 0.05 >/dev/null 2>&1
		timeout -s KILL 0.1 cat /dev/rcrtool >/dev/null 2>&1
	done
}

: >/tmp/odd
control 1 &
control 2 &
readers 2>/dev/null &
hold_and_die 3 &
one=$!
hold_and_die 4
wait $one
: >/tmp/over
wait
rm /tmp/over
is "$(cat /tmp/odd)" "" "killed: $((2 * rounds)) holders are killed, and each refusal is one line"
is "$(rcrctl ls | grep -c held)" 0 "killed: no hold is left"
rcrctl reset
is "$? $(status_of state)" "0 inert" "killed: a reset succeeds"
is "$(controls)" "$before" "killed: every control is as before"
is "$(moving)" "" "killed: no counter counts after the reset"

rcrctl period 2ms && rcrctl add CYC=event:0x76 && rcrctl finalize
result $? "killed: the next set is finalized"
is "$(controls)" "$base" "killed: the next set is programmed as at first"
is "$(rcrstat -i 0.5 -n 1 | tail -n 1 | cut -d, -f5)" ok "killed: the set counts"
unload
is "$? $(controls)" "0 $before" "killed: unloaded, every control is as before"
finished
