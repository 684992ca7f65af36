#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# job_run.sh MODEL - 'rcrjob run' on an installed machine with all defaults. Each total is compared
# with a recording of the stream and with the virtual PMU's formula (jobcount.c).
. ./defaults/common.sh
. ./jobs_lib.sh
machine "$1"
plan 38

plain_load
record
as member rcrjob run -j -p core -- sleep 3 2>/tmp/member
is $? 0 "jobs: a member of the group runs a command"
as member rcrjob run -j -p package -- sleep 1 2>/tmp/package
is $? 0 "jobs: a member of the group runs a command, with the counts of each package on standard error"
rcrjob run -j -o /tmp/root -- sleep 1
is $? 0 "jobs: root runs a command"
rcrjob run -- sleep 0.5 2>/tmp/text
is $? 0 "jobs: root gets a report as text"
sed 's/^/# /' /tmp/text
keep

cp /tmp/member /tmp/json
is_exact core "jobs: each core's total matches the formula between the two ticks of the report"
is "$(ticks /tmp/json | wc -l)" 4 "jobs: the report has all CPUs that the command could use"
is "$(totals /tmp/json | awk '$4 != "1.000000"' | wc -l)" 0 "jobs: all totals are complete"
awk -v elapsed="$(number elapsed)" -v begin="$(number begin)" -v end="$(number end)" 'BEGIN {
	print "# " elapsed; exit !(elapsed >= 3 && elapsed == (end - begin) / 1e9) }'
result $? "jobs: the run took at least as long as the command slept"
awk -F'"time": ' -v begin="$(number begin)" -v end="$(number end)" '/^[{]"cpu": / {
	first = $2 + 0; last = $3 + 0; if (first < begin || first - begin > 5e8 || last > end || end - last > 5e8) bad++
	print "# " (first - begin) / 1e6 " ms, " (end - last) / 1e6 " ms" } END { exit bad }' /tmp/json
result $? "jobs: the ticks are within the run, and close to its begin and end"
is "$(grep -c '"mark": null' /tmp/json) $(grep -c '^mark' /tmp/counted)" "1 4" "jobs: a member sets no marks"

cp /tmp/package /tmp/json
is_exact package "jobs: each package's total matches the formula between the two ticks of the report"
cp /tmp/root /tmp/json
mark=$(sed -n 's/.*"mark": "\([^"]*\)".*/\1/p' /tmp/json)
ticks /tmp/json | ./jobcount /tmp/rec >/tmp/counted
is "$(awk -v mark="$mark" '$1 == "mark" && $3 == mark { print $2 }' /tmp/counted | xargs)" "begin end" \
	"jobs: root leaves a begin and an end mark of $mark"
awk -v mark="$mark" -v begin="$(number begin)" -v end="$(number end)" '
	$1 == "mark" && $3 == mark { time[$2] = $4 }
	END { exit !(time["begin"] >= begin && time["begin"] < end && time["end"] >= end) }' /tmp/counted
result $? "jobs: the begin mark is in the run, and the end mark after it"
is "$(grep -c '^TOT_CYC  *[0-9,]*  *[0-9.]*[kMG]*/s  *100 %$' /tmp/text) $(grep -c '^ipc ' /tmp/text) $(grep -c '^limit: ' /tmp/text) $(grep -c '^counted from tick ' /tmp/text)" \
	"1 1 1 1" "jobs: the text has totals, meters, the limit and the ticks"

# Pinned to one CPU, and intervals.
record
taskset -c 2 rcrjob run -j -p core -i 500ms -o /tmp/json -- sleep 1.2
is $? 0 "jobs: a pinned command runs"
keep
is "$(ticks /tmp/json | cut -d' ' -f1)" 2 "jobs: the report of a pinned command has only the CPU of its affinity mask"
is_exact core "jobs: the totals of a pinned command are those of its CPU"
awk '/^[{]"until": / { rows++; match($0, /"TOT_CYC": [0-9]*/); sum += substr($0, RSTART + 11, RLENGTH - 11) }
	END { printf "%d %.0f\n", rows, sum }' /tmp/json >/tmp/rows
is "$(cat /tmp/rows)" "3 $(totals /tmp/json | awk '$1 == "TOT_CYC" && $2 == "all" { print $3 }')" \
	"jobs: the totals of three intervals add up to the total"

# Meters and their maxima.
as member rcrjob run -j -- sleep 0.5 2>/tmp/json
is "$(grep -c '"limit": null' /tmp/json)" 1 "jobs: without a maximum there is no limit"
rcrctl meter max ipc --maximum 4
as member rcrjob run -j -- sleep 0.5 2>/tmp/json
ipc=$(sed -n 's/^{"name": "ipc",.*"value": \([0-9.]*\).*/\1/p' /tmp/json)
awk -v ipc="$ipc" -v totals="$(totals /tmp/json | awk '$2 == "all" { total[$1] = $3 } END { print total["TOT_INS"] / total["TOT_CYC"] }')" \
	'BEGIN { print "# " ipc, totals; exit !(totals > 0 && ipc / totals > 0.999 && ipc / totals < 1.001) }'
result $? "jobs: a meter is computed from the totals"
awk -v ipc="$ipc" -v share="$(sed -n 's/.*"limit": {"meter": "ipc", "share": \([0-9.]*\).*/\1/p' /tmp/json)" \
	'BEGIN { print "# " share; exit !(share > 0 && share / (ipc / 4) > 0.999 && share / (ipc / 4) < 1.001) }'
result $? "jobs: the limit is the meter that came closest to its maximum"

# Short commands, signals and statuses.
# Short commands take less than a second even on a busy host.
rcrctl period 1s
rcrjob run -- sleep 0.005 2>/tmp/err
is "$? $(grep -c '^no totals: the command ran for .* ms, less than two sampling periods' /tmp/err) $(grep -c TOT_CYC /tmp/err)" "0 1 0" \
	"jobs: the report of a 5 ms command has the reason why there are no totals"
sed 's/^/# /' /tmp/err
rcrjob run -j -- true 2>/tmp/json
is "$? $(grep -c '"total": null.*"completeness": 0.000000, "reason": "there are no totals"' /tmp/json)" "0 $(totals /tmp/json | wc -l)" \
	"jobs: totals that are missing are null in JSON, with the reason"
rcrctl period 10ms
rcrjob run -j -o /tmp/json -- sh -c 'touch /tmp/begun; exec sleep 60' &
job=$!
soon test -e /tmp/begun
sleep 1
kill -TERM $job
wait $job
is "$? $(grep -o '"status": [0-9]*' /tmp/json) $(totals /tmp/json | awk '$1 == "TOT_CYC" { print ($3 > 0) }')" '143 "status": 143 1' \
	"jobs: SIGTERM is forwarded to the command, and the totals are printed"
rcrjob run -o /tmp/out -- sh -c 'exit 7'
is $? 7 "jobs: the exit status is the command's"
says 127 "/nonexistent: No such file" rcrjob run -- /nonexistent
says 126 "/etc/passwd: Permission denied" rcrjob run -- /etc/passwd
says 125 "/dev/rcrtool cannot be read: become root or join the group" as user rcrjob run -- touch /tmp/started
says 125 "shorter than the sampling period" rcrjob run -i 1ms -- touch /tmp/started
# A unit that CPUs share is counted once, whichever of those CPUs the command may use.
rcrctl meter add mem_bw
record
taskset -c 1 rcrjob run -j -p package -o /tmp/json -- sleep 1
keep
is "$(ticks /tmp/json | cut -d' ' -f1 | xargs)" "0 1" "jobs: the report has ticks of all CPUs that share a unit with that of the command"
ticks /tmp/json | ./jobcount /tmp/rec >/tmp/counted
awk '$1 != "mark" && ($5 || $2 == 1) { sum[$1] += $3; shared += $5; wrong += $6 }
	END { for (name in sum) printf "%s all %.0f\n", name, sum[name]; print "# " shared " shared" >"/dev/stderr"; exit !shared || wrong }' \
	/tmp/counted 2>/tmp/err | sort >/tmp/expected
is "${PIPESTATUS[0]} $(diff <(totals /tmp/json | awk '$2 == "all" { print $1, $2, $3 }' | sort) /tmp/expected)" "0 " \
	"jobs: a shared unit is counted once, though another CPU reads it"
sed 's/^/# /' /tmp/err
rmmod rcrtool
says 125 "/dev/rcrtool is not there" rcrjob run -- touch /tmp/started
[ ! -e /tmp/started ]
result $? "jobs: the command is not started after an error"

# Another tool writes a control register in the run. Use source=msr, as perf would rewrite the
# register.
watchdog 0
modprobe rcrtool source=msr && udevadm settle
control=$(control_of TOT_CYC)
record
rcrjob run -j -p core -o /tmp/json -- sh -c "sleep 1; old=\$(rdmsr -p 2 $control); wrmsr -p 2 $control 0x4300c0
	sleep 0.7; wrmsr -p 2 $control 0x\$old; sleep 1"
is $? 0 "jobs: a command runs while a register is written"
keep
is_exact core "jobs: each total is what was counted while it was ok"
is "$(totals /tmp/json | awk -v part="$(part_of 2 core)" '$1 == "TOT_CYC" && $2 == part { print $4 }')" \
	"$(awk '$1 == "TOT_CYC" && $2 == 2 { print $4 }' /tmp/counted)" "jobs: completeness is the share of the time"
totals /tmp/json | awk -v part="$(part_of 2 core)" '
	$4 != "1.000000" { print "# " $0 }
	$1 == "TOT_CYC" && ($2 == part || $2 == "all") { if ($4 > 0.5 && $4 < 0.99) lower++; next }
	$4 != "1.000000" { others++ }
	END { exit !(lower == 2 && !others) }'
result $? "jobs: only that event is incomplete, and only on that CPU"
is "$(grep -c '^{"name": "TOT_CYC",.*"reason": "foreign on CPU 2"' /tmp/json) $(grep -c '^{"name": "ipc",.*"value": null.*"reason": "TOT_CYC is not complete: foreign on CPU 2"' /tmp/json)" "1 1" \
	"jobs: the event and its meters have the reason, foreign on CPU 2"
rmmod rcrtool
finished
