#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrctl.sh - rcrctl's verbs for what runs, in its own words and in LDMS's.
. ./tap.sh
plan 29

before=$(controls)
load period_us=1000

# statuses: of each counter, as ls has it.
statuses()
{
	sleep 0.4
	rcrctl ls | awk 'NR > 1 && $NF != "staged" { printf "%s=%s ", $1, $5 }'
}
rcrctl remove all && rcrctl add A=TOT_CYC B=event:0xc2 && rcrctl finalize
is "$(statuses)" "A=ok B=ok " "two counters run"

rcrctl halt A
result $? "halt"
is "$(statuses)" "A=halted:0-3 B=ok " "one is halted, on all CPUs"
rcrctl continue metricname=A
result $? "continue, in LDMS's words"
is "$(statuses)" "A=ok B=ok " "it is read again"
rcrctl halt ALL && is "$(statuses)" "A=halted:0-3 B=halted:0-3 " "ALL are halted"
rcrctl continue all && is "$(statuses)" "A=ok B=ok " "all are read again"
says 1 "\"C\" is not counted now" rcrctl halt C

wrmsr -p 2 "$(rcrctl ls | awk '$1 == "B" { print $3 }')" 0x4300c1
is "$(statuses)" "A=ok B=foreign:2 " "somebody else's event is foreign, on its CPU"
rcrctl rewrite B
is "$? $(statuses)" "0 A=ok B=ok " "until it is rewritten"

rcrctl reassign A C=event:0xc5
is "$? $(statuses)" "0 C=ok B=ok " "reassign puts another in its place"
rcrctl reassign newmetricname=TOT_INS oldmetricname=C
is "$? $(statuses)" "0 TOT_INS=ok B=ok " "in LDMS's words, too"
says 1 "\"FOO\" is not an event" rcrctl reassign B FOO
says 1 "\"A\" is not counted now" rcrctl reassign A TOT_CYC

for text in "mark the solver begins" "mark begin 4711.batch" "mark end 4711.batch"; do
	rcrctl $text
	result $? "$text"
done
says 1 "is too long for a mark" rcrctl mark "$(printf '%0200d' 7)"

# A set that lasts as long as a command.
running=$(statuses)
rcrctl remove all && rcrctl add H=event:0xc3
rcrctl finalize --hold sh -c 'sleep 0.1; rcrctl ls >/tmp/held; exit 7'
is $? 7 "finalize --hold COMMAND ends as the command ends"
contains "$(cat /tmp/held)" ", held" "while it runs the set is held"
contains "$(cat /tmp/held)" "0x4300c3" "and is its own"
is "$(statuses)" "$running" "then what ran before runs"
rcrctl remove all && rcrctl add H=event:0xc3
rcrctl finalize --hold /nowhere 2>/tmp/err
is "$? $(cat /tmp/err)" "127 rcrctl: /nowhere: No such file or directory" "a command that is not there"
is "$(statuses)" "$running" "holds nothing"
rcrctl remove all && rcrctl add H=event:0xc3
rcrctl finalize --hold &
holder=$!
sleep 0.5
is "$(statuses)" "H=ok " "without a command it is held until a signal"
kill $holder
wait $holder
is "$? $(statuses)" "0 $running" "and is undone then"
rcrctl remove all && rcrctl add H=event:0xc3
rcrctl finalize --hold sleep 60 &
holder=$!
sleep 0.5
kill -9 $holder
wait $holder 2>/dev/null
is "$(statuses)" "$running" "whatever ends the holder"

rcrctl ls --json >/tmp/json
is "$(grep -c '"status": "ok"' /tmp/json)" 2 "ls --json has a line for each counter"
unload
is "$(controls)" "$before" "unloaded, every control is as before"
finished
