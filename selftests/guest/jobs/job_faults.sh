#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# job_faults.sh MODEL - 'rcrjob run' while the module or the machine changes within the run: each has
# one reason, the command's exit status, and no total that is complete where it is not.
. ./defaults/common.sh
. ./jobs_lib.sh
machine "$1"
plan 16

# complete EVENT PART: prints the completeness in /tmp/json.
complete() { totals /tmp/json | awk -v event="$1" -v part="$2" '$1 == event && $2 == part { print $4 }'; }

# reason TEXT: how many of the sentences about all of the run have it.
reason() { sed -n '/"reasons": /,$p' /tmp/json | grep -cF -- "$1"; }

# lacks EVENT PART: status 0 if it is not complete, but was counted.
lacks() { awk -v complete="$(complete "$@")" 'BEGIN { print "# " complete; exit !(complete > 0.1 && complete < 0.98) }'; }

plain_load
rcrctl period 10ms

# The CPU is not sampled from then on.
record
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 1; echo 0 >/sys/devices/system/cpu/cpu3/online; sleep 1; exit 3'
status=$?
keep
echo 1 >/sys/devices/system/cpu/cpu3/online
is "$status" 3 "faults: a CPU goes offline within a run: the status is the command's"
ticks /tmp/json | ./jobcount /tmp/rec >/tmp/counted
is "$(totals /tmp/json | awk '$1 == "TOT_CYC" && $2 == "all" { print $3 }')" \
	"$(awk '$1 == "TOT_CYC" { sum += $3 } END { printf "%.0f\n", sum }' /tmp/counted)" "faults: the total is what was counted"
lacks TOT_CYC all
result $? "faults: it is not complete"
is "$(totals /tmp/json | awk '$1 == "TOT_CYC" && $2 != "all" && $4 != 1' | wc -l) $(grep -c '^{"name": "TOT_CYC",.*"reason": "\(offline\|a CPU was not sampled\)' /tmp/json)" \
	"1 1" "faults: for this CPU only, and with the reason"

# A rate is that of the counted time, whatever is missing.
record
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 0.7; rcrctl remove TOT_INS && rcrctl apply; sleep 0.7'
is "$? $(reason "the set of counters was changed") $(number sets)" "0 1 2" "faults: the set is changed within a run: this is printed"
keep
lacks TOT_INS all
result $? "faults: an event that was removed is not complete"
awk -v complete="$(complete TOT_CYC all)" 'BEGIN { print "# " complete; exit !(complete > 0.5 && complete < 1) }'
result $? "faults: others lack the time of the change"
sum=0
for cpu in 0 1 2 3; do
	sum=$((sum + 1 + (1009 * 0x$CYCLES + 4099 * cpu) % 49999))
done
awk -v khz="$(tsc_khz)" -v sum=$sum -v rate="$(sed -n 's/^{"name": "TOT_CYC",.*"total": [0-9]*, "rate": \([0-9.]*\).*/\1/p' /tmp/json)" 'BEGIN {
	off = rate / (sum / 65536 * khz * 1000) - 1; print "# " off; exit !(off > -0.005 && off < 0.005) }'
result $? "faults: and their rate is the formula's"
rmmod rcrtool
plain_load

# Nothing reads the ring for longer than it lasts: 1,024 records of 1 ms, of which a busy host makes
# half.
rcrctl period 1ms
record
# shellcheck disable=SC2016 # the shell's parent is rcrjob
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 0.6; kill -STOP $PPID; sleep 5; kill -CONT $PPID; sleep 0.6'
is "$? $(reason "records were overwritten before they were read") $(($(number lost) > 0))" "0 1 1" \
	"faults: the ring is overwritten within a run: this is printed"
keep
is_exact core "faults: the totals are the formula's between the two ticks"
rcrctl period 10ms

# The kernel keeps a module that is in use.
record
rcrjob run -j -p core -o /tmp/json -- sh -c 'sleep 0.3; ! rmmod rcrtool 2>/tmp/err && sleep 0.3'
is "$? $(grep -c "can't unload module\|is in use" /tmp/err)" "0 1" "faults: the module cannot be unloaded within a run"
keep
is_exact core "faults: whose totals are the formula's"
is "$(totals /tmp/json | awk '$4 != 1' | wc -l)" 0 "faults: and complete"

# What the module has is a source, too.
as member rcrjob sources >/tmp/sources
is "$(awk '$1 ~ /^intel_snb/ && $NF == "present" { print $1 }' /tmp/sources)" intel_snb "sources: a member can read the counters of cores"
as member rcrjob sources --values >/tmp/before
as member rcrjob sources --values >/tmp/after
paste /tmp/before /tmp/after | awk -F'\t' '$3 == "TOT_CYC" && $1 == "intel_snb" && $2 == $7 && $9 > $4 && $4 > 0 { cpus[$2] } END { for (cpu in cpus) n++; exit n != 4 }'
result $? "sources: the totals of each CPU are printed, and grow"
rmmod rcrtool
result $? "faults: after the run it can"
finished
