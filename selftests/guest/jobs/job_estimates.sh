#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# job_estimates.sh MODEL [RUNS] - two jobs at once, pinned to halves of the machine and not pinned.
# In the latter case rcrjob estimates each job's part; the test knows the truth, as each process
# runs on one CPU (jobs_lib.sh).
. ./defaults/common.sh
. ./jobs_lib.sh
machine "$1"
runs=${2:-1}
plan 7

plain_load
rcrctl period 10ms

# both COMMAND COMMAND: runs two jobs at once; their output and reports are in /tmp/1.* and
# /tmp/2.*.
both()
{
	local job status=0
	for job in 1 2; do
		as member ${mask[job]:+taskset -c "${mask[job]}"} rcrjob run -j -p core -- sh -c "${!job}" \
			>"/tmp/$job.out" 2>"/tmp/$job.json" &
		started[job]=$!
	done
	for job in 1 2; do
		wait "${started[job]}" || status=1
	done
	return $status
}

# Each job has the CPUs of one half to itself.
mask=('' '0,1' '2,3')
record
both "exec sleep 0.7" "exec sleep 0.7"
is $? 0 "estimates: two jobs run at once, pinned to halves of the machine"
keep
for job in 1 2; do
	cp /tmp/$job.json /tmp/json
	is_exact core "estimates: the total of half $job is exact"
done

# The jobs take turns on two shared CPUs, so each total includes both jobs.
mask=()
: >/tmp/estimates
for ((run = 0; run < runs; run++)); do
	# On a busy host samples are missing, and the error may exceed 10 %.
	for _ in 1 2 3 4 5 6; do
		both "./turns 2 0 1200 2600 1 & ./turns 3 1300 1200 2600 1 & wait; sleep 0.05" \
			"./turns 2 1300 1200 2600 1 & ./turns 3 0 1200 2600 1 & wait; sleep 0.05"
		{ estimate 1; estimate 2; } >/tmp/pair
		[ "$(wc -l </tmp/pair)" -ne 2 ] || break
	done
	cat /tmp/pair >>/tmp/estimates
done
sed 's/^/# /' /tmp/estimates
is "$(awk 'NF == 3 && $3 > 0' /tmp/estimates | wc -l) $(within 5)" "$((2 * runs)) $((2 * runs))" \
	"estimates: two jobs that are not pinned are within five standard errors"
[ "$(within 2)" -ge $((runs * 2 * 9 / 10)) ]
result $? "estimates: nine in ten of $((2 * runs)) are within two standard errors: $(within 2)"

# No estimate is possible if turns are shorter than the period.
both "./turns 2 0 1000 1000 1; sleep 0.05" "./turns 2 0 1000 1000 1; sleep 0.05"
is "$(cat /tmp/[12].json | grep -c '^{"name": "TOT_CYC",.*"estimate": null, "estimate_error": null, "estimate_reason": "its standard error is more than 10 %"')" 2 \
	"estimates: an estimate with an error of more than 10 % is reported as unknown"
for _ in 1 2 3 4 5 6; do
	as member rcrjob run -- ./turns 1 0 1200 1300 1 >/tmp/out 2>/tmp/text
	status=$?
	sed 's/^/# /' /tmp/text
	! grep -q 'own part is not known' /tmp/text || continue
	break
done
is "$status $(grep -c '^own part, estimated$' /tmp/text) $(grep -c '^TOT_CYC  *[0-9,]*  *+- [0-9,]*$' /tmp/text)" "0 1 1" \
	"estimates: the table has the estimated part with a heading and its error"
rmmod rcrtool
finished
