#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# plain_verbs.sh MODEL - the plain verbs of rcrctl(8) on an installed machine: the set with its
# rates, staged changes and their report on a terminal, the default set, and a set for the duration
# of a command with each exit status; run by root, a member of the group and a user.
. ./defaults/common.sh
machine "$1"
plan 41

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

# on_terminal COMMAND: runs COMMAND on a terminal, and prints its output without carriage returns.
on_terminal()
{
	PAGER='cat' script -qec "$1" /dev/null | tr -d '\r'
}

# rate_of NAME: prints the rate per second according to rcrctl show --json.
rate_of()
{
	rcrctl show --json | sed -n "s/.*\"name\": \"$1\".*\"rate\": \([0-9]*\).*/\1/p"
}

before=$(enabled_controls)
plain_load
set_of=$(names)
rcrctl >/tmp/show
is "$? $(sed -n 2p /tmp/show | xargs)" "0 NAME STATUS RATE CHANGE EVENT" \
	"show: rcrctl alone shows the set, with a heading also in a pipe"
is "$(sed -n '3,$s/ .*//p' /tmp/show | xargs)" "$set_of" "show: there is one line per counter, in the order of ls"
is "$(rcrctl ls | sed 1d | cut -d' ' -f1 | xargs)" "$set_of" "show: ls prints the same counters"
is "$(awk 'NR > 2 { print $2 }' /tmp/show | sort -u)" ok "show: all counters are ok"
expected=0
for cpu in 0 1 2 3; do
	expected=$(awk -v sum="$expected" -v select=$((0x$CYCLES)) -v cpu=$cpu -v khz="$(tsc_khz)" 'BEGIN {
		print sum + (1 + (1009 * select + 4099 * cpu) % 49999) / 65536 * khz * 1000 }')
done
got=$(rate_of TOT_CYC)
awk -v got="$got" -v want="$expected" 'BEGIN { exit !(got > 0.99 * want && got < 1.01 * want) }'
result $? "show: the rate of cycles over all CPUs matches the formula"
echo "# got $got, expected $expected"
rcrctl show -v | grep -q '^NAME .* REGISTERS  *EVENT$'
result $? "show: -v shows registers"
rcrctl show --json >/tmp/json
is "$(sed -n 's/.*"name": "\([^"]*\)".*"status": "ok".*"rate": [1-9].*/\1/p' /tmp/json | xargs)" "$set_of" "show: --json has the same counters, with rates"

# Staged changes.
last=${set_of##* }
is "$(on_terminal "rcrctl remove $last")" "staged: -$last; 'rcrctl apply' counts it, 'rcrctl discard' drops it" \
	"staged: a removal is reported on a terminal"
is "$(on_terminal "rcrctl add PAPI_BR_INS" | sed 's/;.*//')" "staged: -$last +PAPI_BR_INS" "staged: an addition is shown as staged"
is "$(rcrctl remove PAPI_BR_INS 2>&1; rcrctl add PAPI_BR_INS 2>&1)" "" "staged: without a terminal nothing is printed"
is "$(rcrctl show --noheadings | awk -v last="$last" '$1 == last || $1 == "PAPI_BR_INS" { print $1, $4 }' | sort | xargs)" \
	"$(printf '%s\n' "$last removed" "PAPI_BR_INS staged" | sort | xargs)" "staged: show lists both changes"
is "$(on_terminal "rcrctl show" | tail -n 1)" "'rcrctl apply' counts the staged set, 'rcrctl discard' drops it" \
	"staged: the last line on a terminal names the next commands"
rcrctl discard
is "$? $(names) $(rcrctl show --noheadings | awk '$4 != "-"' | wc -l)" "0 $set_of 0" "discard: nothing is staged"
rcrctl remove "$last" && rcrctl add PAPI_BR_INS && rcrctl apply
is "$? $(names)" "0 ${set_of% *} PAPI_BR_INS" "apply: the staged set is counted"
rcrctl replace PAPI_BR_INS PAPI_BR_MSP
is "$? $(names)" "0 ${set_of% *} PAPI_BR_MSP" "replace: another event is counted instead"

# Pause, resume and repair.
rcrctl pause TOT_CYC
is "$(rcrctl show --noheadings | awk '$1 == "TOT_CYC" { print $2, $3 }')" "halted:0-3 -" "pause: a paused counter has no rate"
rcrctl resume all
soon is_well
is "$?" 0 "resume: all counters are ok again"
rcrctl repair all
is "$?" 0 "repair: the command succeeds"

# Saved files, and the default set.
rcrctl save /tmp/saved && rcrctl set TOT_CYC && rcrctl load /tmp/saved
is "$? $(names)" "0 TOT_CYC" "load: a file is staged"
rcrctl apply
is "$? $(names)" "0 ${set_of% *} PAPI_BR_MSP" "load: apply counts the loaded set"
rcrctl load default
is "$? $(names)" "0 $set_of" "load default: the set is that of modprobe"
counts_right "load default: the set counts as the formula does"
rcrctl reset && rcrctl load default
is "$? $(names)" "0 $set_of" "load default: the default set also returns after a reset"

# A set for the duration of a command.
rcrctl remove "$last" && rcrctl add PAPI_BR_INS
rcrctl run -- sh -c 'rcrctl show --noheadings >/tmp/held; exit 7' >/tmp/out 2>&1
is "$? $(wc -c </tmp/out)" "7 0" "run: the status is the command's, and nothing is printed"
is "$(awk '$1 == "PAPI_BR_INS" { print $2 }' /tmp/held)" ok "run: the event was counted while the command ran"
is "$(rcrctl ls | sed '1d;/staged$/d' | cut -d' ' -f1 | xargs)" "$set_of" "run: the previous set returns after the command"
rcrctl discard
rcrctl run -- sh -c 'kill -TERM $$'
is "$?" 143 "run: the exit status is 128 plus the signal that ended the command"
rcrctl run -- /nowhere/at/all 2>/dev/null
is "$?" 127 "run: the exit status is 127 for a command that does not exist"
rcrctl run -- /etc/passwd 2>/dev/null
is "$?" 126 "run: the exit status is 126 for a command that cannot be executed"
# Signals from another process, not from the terminal.
rm -f /tmp/on
rcrctl run -- sh -c 'trap "exit 9" USR1; echo on >/tmp/on; while :; do sleep 0.1; done' &
running=$!
soon test -e /tmp/on
kill -USR1 $running
wait $running
is "$?" 9 "run: signals are forwarded"
rcrctl add cylces >/tmp/out 2>&1
is "$? $(cat /tmp/out)" "1 rcrctl: unknown event 'cylces': did you mean 'cycles'?" "add: the closest name is suggested for an unknown event"
as user rcrctl run -- touch /tmp/started 2>/dev/null
is "$?" 125 "run: the exit status is 125 for a user that cannot read the set"
rcrctl add MANY0=event:0x40 MANY1=event:0x41 MANY2=event:0x42,umask:1 MANY3=event:0x43,umask:1 MANY4=event:0x44,umask:1 \
	MANY5=event:0x45,umask:1 MANY6=event:0x46,umask:1 MANY7=event:0x47,umask:1 2>/dev/null
rcrctl run -- touch /tmp/started 2>/tmp/err
is "$? $(wc -l </tmp/err)" "125 1" "run: the exit status is 125, with one line, for a set that does not fit"
[ ! -e /tmp/started ]
result $? "run: the command was not started if the set does not fit"
rcrctl discard

# Permissions to read.
as member rcrctl >/tmp/member 2>&1
is "$? $(sed -n '3,$s/ .*//p' /tmp/member | xargs)" "0 $set_of" "member: rcrctl without arguments shows the set"
is "$(awk 'NR > 2 && $3 == "-"' /tmp/member | wc -l)" 0 "member: all rates are shown"
as member rcrctl discard 2>/tmp/err
is "$? $(as member rcrctl run -- touch /tmp/started 2>/dev/null; echo $?)" "0 125" "member: a member cannot hold a set"
as user rcrctl >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/err) $(wc -c </tmp/out)" "1 1 0" "user: a user cannot read the set, and one line says so"
is "$(as user rcrctl help 2>&1 | head -n 1)" "Usage: rcrctl [--generation N] [VERB [ARGUMENT]...]" "user: rcrctl help works without rights"
is "$(names)" "$set_of" "undone: the set is the default set"
modprobe -r rcrtool
is "$? $(enabled_controls)" "0 $before" "undone: modprobe -r unloads the module, and the controls are as before"
finished
