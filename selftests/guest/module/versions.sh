#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# versions.sh - module and programs of different releases: a program reports a mismatch and prints
# no number, whichever of the two is older. Run by selftests/versions.sh, which puts the files of
# the first release under /rcr/first*.
. ./tap.sh
plan 20
# Messages of this and of the first release about a module or a recording of another version.
DIFFERENT="module and program (have|are of) different versions|not a recording that this program reads"

# refuses COMMAND...: the command prints such a message to standard error, and no other output.
refuses()
{
	local rc=0
	timeout 20 "$@" >/tmp/out 2>/tmp/err || rc=$?
	is "$rc $(wc -c </tmp/out) $(grep -ciE "$DIFFERENT" /tmp/err)" "1 0 1" \
		"versions: $(basename "$1") ${*:2} reports that module and program differ"
	sed 's/^/# /' /tmp/err
}

chmod +x /rcr/first-rcrstat /rcr/first-rcrctl
insmod /rcr/first.ko source=msr period_us=10000
is "$(cat /sys/module/rcrtool/version)" 0.1.0 "versions: the module of the first release is loaded"
timeout 20 /rcr/first-rcrstat -f raw -n 20 -i 0.02 >/tmp/recorded
result "$((! $(wc -c </tmp/recorded)))" "versions: the first release's rcrstat records a stream of its own module"
refuses rcrstat -i 0.05 -n 2
refuses rcrstat -f raw -i 0.05 -n 2
refuses rcrctl ls
refuses rcrctl add X=event:0xc1
refuses rcrctl meter show mem_bw
refuses rcrctl mark text
# Add the user that rcrd runs as.
mkdir -p /etc
echo rcrtool:x:998:999::/:/bin/false >>/etc/passwd
echo rcrtool:x:999: >>/etc/group
refuses rcrd -f
is "$(/rcr/first-rcrctl ls | grep -c '^X')" 0 "versions: the refused requests have staged nothing"
rmmod rcrtool
refuses rcrstat -d /tmp/recorded -i 0.05

load period_us=10000
is "$(cat /sys/module/rcrtool/version)" "$(rcrctl --version | sed 's/.* //')" "versions: the module of this release is loaded"
before=$(rcrctl ls)
refuses /rcr/first-rcrstat -i 0.05 -n 2
# The first rcrctl uses only the errno in the answer to LOOK.
timeout 20 /rcr/first-rcrctl ls >/tmp/out 2>/tmp/err
is "$? $(wc -c </tmp/out) $(cat /tmp/err)" "1 0 first-rcrctl: Protocol error." \
	"versions: first-rcrctl ls fails, and lists nothing"
refuses /rcr/first-rcrctl add X=event:0xc1
refuses /rcr/first-rcrctl reset
refuses /rcr/first-rcrctl mark text
is "$(rcrctl ls)" "$before" "versions: nothing has changed"
timeout 20 rcrstat -f raw -n 20 -i 0.02 >/tmp/recorded
refuses /rcr/first-rcrstat -d /tmp/recorded -i 0.05
# A program that maps the board; with the first release the search for a meter fails first.
timeout 20 /rcr/first-rcrctl meter show mem_bw >/tmp/out 2>/tmp/err
is "$? $(wc -c </tmp/out)" "1 0" "versions: the first release's rcrctl reads no blackboard of this module: $(cat /tmp/err)"
unload
finished
