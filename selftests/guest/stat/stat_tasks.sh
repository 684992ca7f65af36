#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# stat_tasks.sh MODEL - 'rcrstat -p process' and '-p cgroup' on an installed machine with all
# defaults. Programs are pinned to CPUs that count at the rates of the virtual PMU's formula, so
# that the count of each is its time on the CPU, which the scheduler has in /proc/PID/schedstat,
# times the rate of that CPU. Every share is within five of its standard errors, and 0.3 % for
# the clocks.
. ./defaults/common.sh
machine "$1"
plan 19

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

# rate_on CPU: prints the cycles per second of a CPU.
rate_on()
{
	awk -v khz="$(tsc_khz)" -v select=$((0x$CYCLES)) -v cpu="$1" 'BEGIN {
		printf "%.0f\n", (1 + (1009 * (select % 256) + 97 * int(select / 256) + 4099 * cpu) % 49999) / 65536 * khz * 1000 }'
}

# Stop all processes of this test.
stop()
{
	kill "${pids[@]}" 2>/dev/null
	wait "${pids[@]}" 2>/dev/null
}

# Let a process run for the first of every three seconds.
third()
{
	local now rest
	while :; do
		now=${EPOCHREALTIME/./}
		[ $((now % 3000000)) -ge 1000000 ] || continue
		rest=$((3000000 - now % 3000000))
		printf -v rest '%d.%06d' $((rest / 1000000)) $((rest % 1000000))
		sleep "$rest"
	done
}

spin() { while :; do :; done; }

runtime() { cut -d' ' -f1 "/proc/$1/schedstat"; }

# cell ID COLUMN: prints a cell of the line of that process or cgroup in /tmp/csv.
cell()
{
	grep -v '^#' /tmp/csv | awk -F, -v id="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		$5 == id { print $at }'
}

# is_share ID EXPECTED [COLUMN]: true if the share differs from EXPECTED by at most five standard
# errors plus 0.3 %.
is_share()
{
	awk -v value="$(cell "$1" "${3:-TOT_CYC}")" -v error="$(cell "$1" "${3:-TOT_CYC}:error")" -v expected="$2" 'BEGIN {
		off = value - expected
		printf "# %s +- %s, expected %s\n", value, error, expected
		most = 5 * error + 0.003 * expected
		exit !(value != "" && error != "" && error <= value / 10 && off <= most && -off <= most) }'
}

mount -t cgroup2 cgroup2 /sys/fs/cgroup 2>/dev/null || mountpoint -q /sys/fs/cgroup || {
	mkdir -p /tmp/cgroup
	mount -t cgroup2 cgroup2 /tmp/cgroup
}
tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
mkdir -p "$tree/rcr_first" "$tree/rcr_second"
plain_load
pids=()
spin & pids+=($!); taskset -cp 1 $! >/dev/null; echo $! >"$tree/rcr_first/cgroup.procs"
third & pids+=($!); taskset -cp 2 $! >/dev/null; echo $! >"$tree/rcr_second/cgroup.procs"
spin & pids+=($!); taskset -cp 3 $! >/dev/null
spin & pids+=($!); taskset -cp 3 $! >/dev/null
sleep 1

# measure_tasks: measures processes and cgroups for the same 15 seconds, five of which the second
# program runs; sets the array part to the time that each program ran, which includes the start of
# rcrstat.
measure_tasks()
{
	local pid before=() begin end i=0
	for pid in "${pids[@]}"; do before+=("$(runtime "$pid")"); done
	begin=${EPOCHREALTIME/./}
	as member rcrstat -p cgroup -i 15 -n 1 -e cycles >/tmp/cgroups &
	cgroups=$!
	as member rcrstat -p process -i 15 -n 1 -e cycles >/tmp/csv 2>/tmp/err
	rc=$?
	wait "$cgroups"
	sed -i s/cycles/TOT_CYC/g /tmp/csv /tmp/cgroups
	end=${EPOCHREALTIME/./}
	for pid in "${pids[@]}"; do
		part[i]=$(awk -v a="$(runtime "$pid")" -v b="${before[i]}" -v t=$((end - begin)) 'BEGIN { print (a - b) / 1000 / t }')
		i=$((i + 1))
	done
}

part=()
measure_tasks
name=$(cat "/proc/${pids[0]}/comm")
rcrstat -f raw -n 1 -o /tmp/raw
# The remaining tests do not need these processes.
stop
is "$rc $(wc -l </tmp/err)" "0 0" "tasks: a member of the group gets shares"
sed 's/^/# /' /tmp/csv
echo "# ran for ${part[*]}"
is "$(head -n 1 /tmp/csv | cut -d, -f1-9)" "time,interval,lost,overruns,process,name,samples,cpu,cpu:error" "tasks: the CSV has the columns of processes"
is "$(sed -n 2p /tmp/csv | cut -c1-20)" "# statistical shares" "tasks: the CSV is labelled as statistical"
is_share "${pids[0]}" "$(rate_on 1)"
result $? "tasks: a program alone on its CPU has its rate"
is_share "${pids[1]}" "$(awk -v r="$(rate_on 2)" 'BEGIN { printf "%.0f", r / 3 }')"
result $? "tasks: a program that runs a third of the time has a third of its CPU's rate"
is_share "${pids[1]}" 0.333333 cpu
result $? "tasks: a program that runs a third of the time has that share of the time"
for i in 2 3; do
	is_share "${pids[i]}" "${part[i]}" cpu
	result $? "tasks: two programs on one CPU have the shares of the time that the scheduler reports"
	is "$(cell "${pids[i]}" TOT_CYC)" "" "tasks: programs that alternate faster than the samples have no counts"
done
is "$(cell "${pids[0]}" name)" "$name" "tasks: a process has its name from /proc"
awk -F, '/^[0-9]/ { sum += $7; missed = $4 } END { print "# " sum " samples, " missed " overruns"
	exit !(sum > 600 && sum + missed <= 6008) }' /tmp/csv
result $? "tasks: the samples and the missed ticks are at most those of 15 seconds"

mv /tmp/cgroups /tmp/csv
id=$(stat -c %i "$tree/rcr_first")
is "$(cell "$id" name)" /rcr_first "tasks: a cgroup has its path"
is_share "$id" "$(rate_on 1)"
result $? "tasks: a cgroup has the rate of its program"
id=$(stat -c %i "$tree/rcr_second")
is_share "$id" "$(awk -v r="$(rate_on 2)" 'BEGIN { printf "%.0f", r / 3 }')"
result $? "tasks: the other cgroup has the rate of its program"
sed 's/^/# /' /tmp/csv

rcrstat -p process -n 1 -f table >/tmp/table
is "$? $(grep -c 'statistical shares, with their standard errors$' /tmp/table) $(grep -c '^all  ' /tmp/table)" "0 1 1" \
	"tasks: the table is labelled as statistical"
sed 's/^/# /' /tmp/table
rcrstat -p cgroup -n 1 -j >/tmp/json
is "$? $(grep -c '"statistical": true, "cgroups": \[{"id": ' /tmp/json)" "0 1" \
	"tasks: JSON has the shares"
rcrstat -r /tmp/raw -p process >/tmp/csv
is "$(cell "${pids[0]}" name)" "" "tasks: processes of a recording have no names"
as user rcrstat -p process -n 1 >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/err) $(wc -l </tmp/out)" "1 1 0" "tasks: an ordinary user gets no shares"
soon rmdir "$tree/rcr_first" "$tree/rcr_second"
rmmod rcrtool
finished
