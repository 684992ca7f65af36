#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# beside.sh - counts the instructions of polling programs, and of the sampler's tick with either
# source, in a guest whose time stamp counter counts instructions. Prints lines
# "bench|NAME|VALUE|UNIT|NUMBER": NAME is a sample from its first call to its last, NAME_all all
# that another runnable program loses to a sample, including wake-up and sleep.
set -u
cd /rcr/tests || exit 1
. ./tap.sh
programs=/rcr/programs
events='A=event:0x76;B=event:0xc0;C=event:0x41,umask:1;D=event:0x29;E=event:0xc2;F=event:0xc3'
MILLISECONDS=300

# print_lost NAME: prints how many instructions a runnable program loses to each sample.
print_lost()
{
	./spin 0 $MILLISECONDS | tr ' ' '\n' | sort -n | awk -v name="$1" '
		NF { value[++n] = $1 }
		END { printf "bench|%s|%d|instructions|%d\n", name, value[int((n + 1) / 2)], n }'
}

# sampled NAME SOURCE [PARAMETER]: measures the tick of the sampler with a source.
sampled()
{
	load_set "$events" source="$2" "${@:3}" period_us=1000 budget_ppm=0 &&
		print_lost "$1"
	unload
}

# poller NAME PROGRAM...: measures a program that polls once a millisecond.
poller()
{
	local name=$1
	shift
	"$@" >/tmp/told &
	sleep 0.1
	print_lost "$name"
	wait
	# The cycles that the program prints are instructions in this guest.
	sed 's/|cycles|/|instructions|/' /tmp/told
}

poller kept_all $programs/kept kept_instructions 600 1000 6 0
poller reopen_all $programs/reopen reopen_instructions 600
poller group_all $programs/group group_instructions 600 0
clear_controls
sampled tick_msr msr
# source=perf can use all counters only in this build.
# shellcheck disable=SC2034 # for load
MODULE=/rcr/rcrtool-spare0.ko
sampled tick_perf perf spare=0
