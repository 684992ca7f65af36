#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# foreign.sh - other programs write to registers of the module, and CPUs go offline and online.
. ./tap.sh
plan 18

clear_controls

wrmsr -p 2 0xc0010202 0x4300c1
load
is "$(status_of state) $(status_of error)" "inert -EBUSY" "foreign: a counter that runs already is not taken"
contains "$(status_of reason)" "CPU 2: register 0xc0010202 is in use (0x4300c1)" "foreign: the running counter is named"
unload
is "$(rdmsr -p 2 0xc0010202)" 4300c1 "foreign: the running counter is left alone"
is "$(rdmsr -p 0 0xc0010200) $(rdmsr -p 1 0xc0010202)" "0 0" "foreign: a failed load leaves free counters of other CPUs at 0"
wrmsr -p 2 0xc0010202 0

load_set "CYC=event:0x76;INS=event:0xc0" period_us=1000
control=$(control_of INS)
wrmsr -p 1 "$control" 0x4300c1
is "$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "cpu1:INS=foreign" \
	"foreign: a changed control marks that CPU and counter"
wrmsr -p 1 "$control" 0x4300c0
sleep 0.1
is "$(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" ok "foreign: a counter is ok again after its control is restored"
wrmsr -p 1 "$control" 0x4300c1
unload
is "$(rdmsr -p 1 "$control") $(rdmsr -p 0 "$control")" "4300c1 0" \
	"foreign: a register that another program holds at unload stays as it is"
wrmsr -p 1 "$control" 0

load period_us=5000 budget_ppm=0 ring_records=8192
./intrude 2 1 >/tmp/intrude
result $? "foreign: writes to registers of the module are detected within a period, and other counters stay exact"
sed 's/^/# /' /tmp/intrude
unload

load period_us=1000
is "$(perf stat -a -e r00c0 true 2>&1 | grep -o 'with .* for .*')" \
	"with 16 (Device or resource busy) for event (r00c0)." "foreign: perf stat is refused, with the reason"
before=$(rdmsr -p 3 0xc0010206)
echo 0 >/sys/devices/system/cpu/cpu3/online
is "$(status_of cpus)" 0-2 "foreign: an offline CPU is not sampled"
is "$(rcrstat -c 2,3 -i 1 -n 1 | tail -n 1 | cut -d, -f5)" cpu3=gap "foreign: the cells of an offline CPU are empty"
rcrstat -j -- sleep 0.1 2>/tmp/json
is "$(grep -c '"total": [1-9]' /tmp/json) $(grep -c null /tmp/json)" "1 0" "foreign: a command has totals of the CPUs that are online"
rcrstat -c 3 -- true 2>&1 | grep -q '^CPU 3 gave no records'
is "$?" 0 "foreign: a command on an offline CPU has no totals, and the reason is printed"
rcrstat -c 3 -i 0.5 -n 8 >/tmp/csv &
rcrstat -p all -i 0.5 -n 8 >/tmp/all &
rcrstat -i 0.5 -n 8 >/tmp/each &
sleep 0.4
echo 1 >/sys/devices/system/cpu/cpu3/online
wait
is "$(status_of cpus)" 0-3 "foreign: a CPU is sampled again when it is back"
is "$(rdmsr -p 3 0xc0010206)" "$before" "foreign: a CPU that comes back has its controls programmed"
is "$(tail -n 1 /tmp/csv | cut -d, -f5)" ok "foreign: a reader that waited reads samples of that CPU"
is "$(grep -o 'cpu3:' /tmp/each | sort -u) $(grep -c ^time /tmp/each) $(grep -c gap /tmp/all)" "cpu3: 2 0" \
	"foreign: other readers print online CPUs, and a CPU from the time when it is back"
unload
is "$(controls | awk '{print $2 $3 $4 $5}' | sort -u)" 0000 "foreign: unloaded, every control is as before"
finished
