#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# job_flops.sh MODEL - root chooses events with one command; then a member of the group counts the
# floating-point operations of a known program with 'rcrjob run', on an installed machine. In the
# virtual PMU's exec mode (vpmu/exec.h).
. ./defaults/common.sh
. ./jobs_lib.sh
machine "$1"
plan 9
NOTE="rcrctl: VEC_INS does not fit in the free counters, and is left out"

plain_load
rcrctl set @flops 2>/tmp/err
is "$? $(cat /tmp/err)" "0 $NOTE" \
	"job_flops: root chooses the events, as far as they fit next to the default source's spare counters"
is "$(names)" "TOT_CYC TOT_INS RETIRED_FLOPS" "job_flops: the events that fit are counted"

# The program computes when it reads its first line, and exits after the second one.
printf '\n\n' >/tmp/lines
as member taskset -c 3 rcrjob run -j -- sh -c './triad flops 8; sleep 0.2' </tmp/lines >/tmp/work 2>/tmp/json
is "$? $(grep -c ready /tmp/work)" "0 1" "job_flops: a member of the group runs the program, pinned to a CPU"
awk -v work="$(sed -n 's/^0 \([0-9]*\) .*/\1/p' /tmp/work)" \
	-v total="$(totals /tmp/json | awk '$1 == "RETIRED_FLOPS" && $2 == "all" { print $3 }')" 'BEGIN {
	work *= 9 / 8 # and a pass before it was ready
	off = total / work - 1; print "# " total, work, off; exit !(work > 0 && off > -0.005 && off < 0.005) }'
result $? "job_flops: the total of operations is the program's to 0.5 %"
is "$(totals /tmp/json | awk '$1 == "RETIRED_FLOPS" && $2 == "all" { print $4 }') $(grep -c '^{"name": "flop_rate",.*"value": [1-9]' /tmp/json)" \
	"1.000000 1" "job_flops: all of the time was counted, and the meter has a value"

# Other sets, and the tables of rcrstat.
rcrctl set @mem 2>/tmp/err
is "$? $(cut -d' ' -f2 /tmp/err | xargs) $(names)" "0 TLB_DM PAPI_L2_TCM TOT_CYC TOT_INS L1_DCM" \
	"job_flops: the first three events of another set fit"
rcrctl set TOT_CYC TOT_INS L1_DCM VEC_INS 2>/tmp/err
is "$? $(grep -c "remove 1 event" /tmp/err) $(names)" "1 1 TOT_CYC TOT_INS L1_DCM" \
	"job_flops: a set of named events that do not fit is refused, and the set is as before"
rmmod rcrtool
plain_load
rcrstat -e @flops -- true 2>/tmp/err
is "$? $(grep -c "^${NOTE/rcrctl/rcrstat}$" /tmp/err) $(grep -oE '(TOT_CYC|TOT_INS|RETIRED_FLOPS|VEC_INS) ' /tmp/err | xargs)" \
	"0 1 VEC_INS TOT_CYC TOT_INS RETIRED_FLOPS" "job_flops: rcrstat with a command leaves out the same event"
is "$(names)" "TOT_CYC" "job_flops: after the command the set is as before"
rmmod rcrtool
finished
