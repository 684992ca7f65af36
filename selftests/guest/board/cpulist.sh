#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# cpulist.sh - lists of CPUs are not truncated: if every second one of 64 CPUs is sampled, the list
# has 90 characters.
. ./tap.sh
plan 6

cpus=$(nproc) every=$(seq -s , 0 2 $(($(nproc) - 1)))
load_set "CYC=event:0x76;INS=event:0xc0" "cpus=$every" period_us=500000
is "$(status_of cpus | wc -c)" $((${#every} + 1)) "cpu list: every second CPU of $cpus is sampled"
is "$(rcrctl ls | awk '$1 == "CYC" { print $5 }')" ok "cpu list: rcrctl ls names no CPU for a counter that is ok everywhere"
rcrctl halt CYC
sleep 1
is "$(rcrctl ls | awk '$1 == "CYC" { print $5 }')" "halted:$every" \
	"cpu list: rcrctl ls names each CPU on which a counter is halted"
is "$(rcrctl ls --json | sed -n 's/.*"name": "CYC".*"cpus": "\([^"]*\)".*/\1/p')" "$every" "cpu list: the JSON of rcrctl ls has the same list"
is "$(rcrctl ls | awk '$1 == "INS" { print $5 }')" ok "cpu list: rcrctl ls lists the counter after the long list, too"
unload
result $? "cpu list: the module unloads"
finished
