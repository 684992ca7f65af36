#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# threads.sh - a Xeon with two threads per core: each thread has half of the core's eight counters
# according to CPUID, and the module uses no more.
. ./tap.sh
plan 5

load period_us=5000 budget_ppm=0
is "$(status_of state)" sampling "threads: the default set is counted"
./watch 1 >/tmp/watch
is "$(tail -n 1 /tmp/watch)" "1 sets, 0 lost, many samples, 0 wrong" "P8: samples of both threads of a core are exact"
grep '^wrong' /tmp/watch | sed 's/^/# /'
rcrctl reset
events=()
for n in 0 1 2 3 4 5 6 7; do
	events+=("E$n=event:0xa1,umask:$n")
done
rcrctl add "${events[@]}"
says 1 "counts 7 at once" rcrctl finalize
for n in 4 5 6 7; do
	rcrctl remove E$n
done
rcrctl finalize
is "$?$(status_of state)" 0sampling "threads: four general events are counted"
says 1 "counter 4 of Intel Sandy Bridge cannot count" rcrctl reassign E0 X=event:0xa1,counter:4
unload
finished
