#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In a guest whose time follows its execution: counts the instructions of programs that poll, and of
# the sampler's tick with either source; prints lines "bench|NAME|VALUE|UNIT|NUMBER". The time stamp
# counter counts instructions there: NAME has those of a sample from its first call to its last, and
# NAME_all those that a runnable program loses to it, with wake-up, return and sleep.
set -u
cd /rcr/tests || exit 1
. ./tap.sh
programs=/rcr/programs
events='A=event:0x76;B=event:0xc0;C=event:0x41,umask:1;D=event:0x29;E=event:0xc2;F=event:0xc3'
MILLISECONDS=300

# lost NAME: prints what a runnable program loses to each sample.
lost()
{
	./spin 0 $MILLISECONDS | tr ' ' '\n' | sort -n | awk -v name="$1" '
		NF { value[++n] = $1 }
		END { printf "bench|%s|%d|instructions|%d\n", name, value[int((n + 1) / 2)], n }'
}

# sampled NAME SOURCE [PARAMETER]: measures the tick of the sampler with a source.
sampled()
{
	load_set "$events" source="$2" "${@:3}" period_us=1000 budget_ppm=0 &&
		lost "$1"
	unload
}

# poller NAME PROGRAM...: measures a program that polls once a millisecond.
poller()
{
	local name=$1
	shift
	"$@" >/tmp/told &
	sleep 0.1
	lost "$name"
	wait
	# The cycles that the program prints are instructions in this guest.
	sed 's/|cycles|/|instructions|/' /tmp/told
}

poller kept_all $programs/kept kept_instructions 600 1000 6 0
poller reopen_all $programs/reopen reopen_instructions 600
poller group_all $programs/group group_instructions 600 0
clear_controls
sampled tick_msr msr
# Measure source=perf as well, with all counters, which only this build permits.
# shellcheck disable=SC2034 # for load
MODULE=/rcr/rcrtool-spare0.ko
sampled tick_perf perf spare=0
