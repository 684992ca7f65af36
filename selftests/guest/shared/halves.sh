#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# halves.sh [SECONDS] - counters of PCI devices, which the kernel's driver reads in two halves: the
# count matches the formula even if a carry comes in between (promise P8). One of the 16 boxes
# carries into its upper half every few seconds.
. ./tap.sh
. ./watching.sh
plan 2
insmod /rcr/intel-uncore.ko
load source=perf period_us=1000 slow_period_us=1000 budget_ppm=0
rcrctl remove all
for n in 0 1 2 3; do
	set+=("CAS_RD$n=uncore_imc_$n/event=0x04,umask=0x03/" "CAS_WR$n=uncore_imc_$n/event=0x04,umask=0x0c/")
done
rcrctl add TOT_INS "${set[@]}" && rcrctl finalize
result $? "halves: the kernel's driver counts eight events of each package's memory controllers"
watch_on
sleep "${1:-60}"
watched 1 "while counts carry into their upper halves"
unload
finished
