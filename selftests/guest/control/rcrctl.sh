#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# rcrctl.sh - the output of rcrctl: the verbs of LDMS, the columns of ls, and --hold. verbs.sh tests
# the effect of the verbs on counters.
. ./tap.sh
plan 16

load period_us=1000

# Print the status of each counter according to rcrctl ls.
statuses()
{
	sleep 0.4
	rcrctl ls | awk 'NR > 1 && $NF != "staged" && !/  waits for the end of a hold$/ { printf "%s=%s ", $1, $5 }'
}
rcrctl remove all && rcrctl add A=TOT_CYC B=event:0xc2 && rcrctl finalize
is "$(statuses)" "A=ok B=ok " "rcrctl: two counters are ok"
rcrctl halt metricname=A
is "$? $(statuses)" "0 A=halted:0-3 B=ok " "rcrctl: ls shows the CPUs on which a counter is halted"
rcrctl halt ALL
is "$? $(statuses)" "0 A=halted:0-3 B=halted:0-3 " "rcrctl: halt ALL halts every counter"
rcrctl continue all
is "$? $(statuses)" "0 A=ok B=ok " "rcrctl: continue all continues every counter"
wrmsr -p 2 "$(rcrctl ls | awk '$1 == "B" { print $3 }')" 0x4300c1
is "$(statuses)" "A=ok B=foreign:2 " "rcrctl: ls shows the CPU on which a counter is foreign"
rcrctl rewrite metricname=B
is "$? $(statuses)" "0 A=ok B=ok " "rcrctl: a foreign counter is ok again after a rewrite"
rcrctl reassign newmetricname=TOT_INS oldmetricname=A
is "$? $(statuses)" "0 TOT_INS=ok B=ok " "rcrctl: reassign accepts both orders of its arguments"
says 1 "unknown event 'FOO'" rcrctl reassign B FOO
says 1 "is too long for a mark" rcrctl mark "$(printf '%0200d' 7)"
rcrctl mark two words
result $? "rcrctl: mark accepts a text of several words"

running=$(statuses)
rcrctl remove all && rcrctl add H=event:0xc3
rcrctl finalize --hold sh -c 'rcrctl ls >/tmp/held'
contains "$(head -n 1 /tmp/held)" ", held by rcrctl (" "rcrctl: ls names the holder of a set"
rcrctl remove all && rcrctl add H=event:0xc3
rcrctl finalize --hold /nowhere 2>/tmp/err
is "$? $(cat /tmp/err)" "127 rcrctl: /nowhere: No such file or directory" \
	"rcrctl: the exit status is 127, with one line, if the command does not exist"
is "$(statuses)" "$running" "rcrctl: no set is held if the command does not exist"
rcrctl remove all && rcrctl add H=event:0xc3
rcrctl finalize --hold &
holder=$!
sleep 0.5
is "$(statuses)" "H=ok " "rcrctl: finalize --hold without a command holds the set"
kill $holder
wait $holder
is "$? $(statuses)" "0 $running" "rcrctl: a signal ends a hold without a command"

rcrctl ls --json >/tmp/json
is "$(grep -c '"status": "ok"' /tmp/json)" 2 "rcrctl: ls --json has a line for each counter"
unload
finished
