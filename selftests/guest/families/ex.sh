#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# ex.sh - cores of Nehalem-EX and Westmere-EX are counted like those of Nehalem, but they lack its
# shared unit. The virtual PMU has the registers of that unit here, to detect writes.
. ./tap.sh
plan 7
# MSR_UNCORE_PERF_GLOBAL_CTRL, and the first and the last event select.
UNCORE="391 3c0 3c7"

shared_unit()
{
	local msr
	for msr in $UNCORE; do
		echo "$msr" "$(rdmsr -a 0x$msr 2>&1 | tr '\n' ' ')"
	done
}

before=$(shared_unit)
load_set "INS=event:0xc0;LLC=event:0x2e,umask:0x41" period_us=1000 budget_ppm=0
is "$? $(status_of state) $(status_of family)" "0 sampling Intel Nehalem" "ex: core events are counted"
is "$(rcrctl ls | awk '$1 == "INS" || $1 == "LLC" { print $5 }' | xargs)" "ok ok" "ex: the status of all counters is ok"
says 1 'uncore' rcrctl set INS=event:0xc0 UNC=uncore:event:0x20,umask:0x10
is "$(rcrctl ls | awk '$1 == "INS" || $1 == "LLC" { print $5 }' | xargs)" "ok ok" "ex: the refusal changes nothing"
says 1 'no ' rcrctl meter add mem_bw
is "$(shared_unit)" "$before" "ex: no register of Nehalem's shared unit has changed"
unload
result $? "ex: the module unloads"
finished
