#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# job_faults.sh MODEL - 'rcrjob run' while the counter set or the machine changes: each report has
# one reason and the command's exit status, and marks incomplete totals.
. ./defaults/common.sh
. ./jobs_lib.sh
machine "$1"
plan 16

# complete EVENT PART: prints the completeness of a total in /tmp/json.
complete() { totals /tmp/json | awk -v event="$1" -v part="$2" '$1 == event && $2 == part { print $4 }'; }

# reason TEXT: prints how many reasons of the whole run contain TEXT.
reason() { sed -n '/"reasons": /,$p' /tmp/json | grep -cF -- "$1"; }

# lacks EVENT PART: true if the total is incomplete, but not empty.
lacks() { awk -v complete="$(complete "$@")" 'BEGIN { print "# " complete; exit !(complete > 0.1 && complete < 0.98) }'; }

plain_load
rcrctl period 10ms

# CPU 3 is not sampled once it is offline.
record
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 1; echo 0 >/sys/devices/system/cpu/cpu3/online; sleep 1; exit 3'
status=$?
keep
echo 1 >/sys/devices/system/cpu/cpu3/online
is "$status" 3 "faults: the exit status is the command's if a CPU goes offline in a run"
ticks /tmp/json | ./jobcount /tmp/rec >/tmp/counted
is "$(totals /tmp/json | awk '$1 == "TOT_CYC" && $2 == "all" { print $3 }')" \
	"$(awk '$1 == "TOT_CYC" { sum += $3 } END { printf "%.0f\n", sum }' /tmp/counted)" "faults: the total is the sum of the recorded counts although a CPU went offline"
lacks TOT_CYC all
result $? "faults: the total is marked as incomplete after a CPU went offline"
is "$(totals /tmp/json | awk '$1 == "TOT_CYC" && $2 != "all" && $4 != 1' | wc -l) $(grep -c '^{"name": "TOT_CYC",.*"reason": "\(offline\|a CPU was not sampled\)' /tmp/json)" \
	"1 1" "faults: only the offline CPU has an incomplete total, with the reason"

# Rates are per counted time, even if a part of the run was not counted.
record
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 0.7; rcrctl remove TOT_INS && rcrctl apply; sleep 0.7'
is "$? $(reason "the counter set was changed") $(number sets)" "0 1 2" "faults: the report states that the set was changed in the run"
keep
lacks TOT_INS all
result $? "faults: the total of a removed event is incomplete"
awk -v complete="$(complete TOT_CYC all)" 'BEGIN { print "# " complete; exit !(complete > 0.5 && complete < 1) }'
result $? "faults: the totals of other events lack the time of the change"
sum=0
for cpu in 0 1 2 3; do
	sum=$((sum + 1 + (1009 * 0x$CYCLES + 4099 * cpu) % 49999))
done
awk -v khz="$(tsc_khz)" -v sum=$sum -v rate="$(sed -n 's/^{"name": "TOT_CYC",.*"total": [0-9]*, "rate": \([0-9.]*\).*/\1/p' /tmp/json)" 'BEGIN {
	off = rate / (sum / 65536 * khz * 1000) - 1; print "# " off; exit !(off > -0.005 && off < 0.005) }'
result $? "faults: the rates of other events match the formula"
rmmod rcrtool
plain_load

# Stop rcrjob until the ring is overwritten: it has 1,024 records, which take 1 s at a period of 1
# ms, or 2 s on a busy host.
rcrctl period 1ms
record
# shellcheck disable=SC2016 # the shell's parent is rcrjob
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 0.6; kill -STOP $PPID; sleep 5; kill -CONT $PPID; sleep 0.6'
is "$? $(reason "records were overwritten before they were read") $(($(number lost) > 0))" "0 1 1" \
	"faults: the report states that records were overwritten in the run"
keep
is_exact core "faults: totals match the formula between the two ticks after records were overwritten"
rcrctl period 10ms

# The module cannot be unloaded while it is in use.
record
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 0.3; ! rmmod rcrtool 2>/tmp/err && sleep 0.3'
is "$? $(grep -c "can't unload module\|is in use" /tmp/err)" "0 1" "faults: the module cannot be unloaded in a run"
keep
is_exact core "faults: totals match the formula after an attempt to unload the module"
is "$(totals /tmp/json | awk '$4 != 1' | wc -l)" 0 "faults: totals are complete after an attempt to unload the module"

# rcrjob lists the module's counters as a source, too.
as member rcrjob sources >/tmp/sources
is "$(awk '$1 ~ /^intel_snb/ && $NF == "present" { print $1 }' /tmp/sources)" intel_snb "sources: a member can read the counters of cores"
as member rcrjob sources --values >/tmp/before
as member rcrjob sources --values >/tmp/after
paste /tmp/before /tmp/after | awk -F'\t' '$3 == "TOT_CYC" && $1 == "intel_snb" && $2 == $7 && $9 > $4 && $4 > 0 { cpus[$2] } END { for (cpu in cpus) n++; exit n != 4 }'
result $? "sources: rcrjob sources prints the totals of each CPU, which grow"
rmmod rcrtool
result $? "faults: the module can be unloaded after the run"
finished
