#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# wayback.sh - a change of the set fails on one CPU, and its rollback fails on another one: readers
# of all CPUs continue, and the lost CPU is reported.
. ./tap.sh
plan 6

# The kernel's driver leaves selects in disabled controls.
clear_controls

load_set "A=event:0xc0;B=event:0x76" period_us=1000 budget_ppm=0
cat /dev/rcrtool >/tmp/stream &
reader=$!
sleep 0.5
control=$(control_of B)
# CPU 3 refuses the new counter; on CPU 0 another program takes the register of B before the
# rollback.
break_register 3 0xc0010204 write-faults
wrmsr -p 0 "$control" 0x4300c1
sleep 0.2
rcrctl remove B && rcrctl add C=event:0xc2,counter:2
rcrctl finalize 2>/tmp/err
is $? 1 "wayback: the change fails"
contains "$(dmesg | tail -n 5)" "CPU 0 is no longer sampled" "wayback: the log names the CPU on which the rollback has failed"
is "$(status_of cpus)" 1-3 "wayback: the other CPUs are sampled"
sleep 0.5
before=$(stat -c %s /tmp/stream)
sleep 1
is "$(($(stat -c %s /tmp/stream) > before))" 1 "wayback: a reader continues"
is "$(($(timeout 1 cat /dev/rcrtool | wc -c) > 10000))" 1 "wayback: a new reader works, too"
kill $reader
mend_registers 3
unload
wrmsr -p 0 "$control" 0
is "$(controls | awk '{print $2 $3 $4 $5}' | sort -u)" 0000 "wayback: no event of the module is left in a control after the unload"
finished
