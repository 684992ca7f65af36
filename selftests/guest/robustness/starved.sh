#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# starved.sh - a real-time task occupies a CPU, so that no other task runs there: the CPU is still
# sampled, and lost ticks are counted. The worker of meters leaves time to other tasks.
. ./tap.sh
. ./watching.sh
plan 9

# Move this shell and its children to the other CPUs.
taskset -p d $$ >/dev/null
echo -1 >/proc/sys/kernel/sched_rt_runtime_us

# Print the number of ticks that CPUs 1 and 2 have sampled or counted as lost.
ticks()
{
	sed -n 's/^cpu [12]: [a-z]* ticks \([0-9]*\) overruns \([0-9]*\) .*/\1 \2/p' $STATUS |
		awk '{ printf "%d ", $1 + $2 }'
}

load period_us=1000 budget_ppm=0 ring_records=16384
watch_on
read -r mine others <<<"$(ticks)"
./starve 1 4
result $? "starved: a CPU runs only a real-time task"
read -r mine_now others_now <<<"$(ticks)"
mine=$((mine_now - mine)) others=$((others_now - others))
watched 1 "on every CPU, also on the occupied one"
# A loss is counted with the next tick, which may be late on a busy host.
result $((others < 1000 || mine < others / 2)) \
	"starved: that CPU has at least half as many ticks, sampled or lost, as another CPU ($mine, $others)"
unload

# Sample as often as possible: some ticks are lost, and each tick is accounted for.
load period_us=100 budget_ppm=0
./steady >/tmp/steady &
reader=$!
./starve 1 3
kill $reader
wait $reader
is "$(sed 's/, lost [0-9]*//' /tmp/steady)" "back 0, ticks wrong 0, counting 0 1 2 3" \
	"starved: each tick is a sample or an overrun at a tenth of the period, too"
is "$(status_of cpus)" 0-3 "starved: the CPU is still sampled"

# The worker of meters cannot keep up at this period.
worker_ran()
{
	grep -l '^kworker/u' /proc/[0-9]*/comm | sed 's/comm$/schedstat/' |
		xargs cat 2>/dev/null | awk '{ ns += $1 } END { printf "%d", ns / 1000 }'
}
for i in $(seq 36); do
	rcrctl meter add "cpi$i" "max(TOT_CYC / TOT_INS)"
done
./keep 1000 >/tmp/kept &
keeper=$!
sleep 1
read -r began _ </proc/uptime
ran=$(worker_ran)
sleep 4
read -r ended _ </proc/uptime
ran=$(($(worker_ran) - ran))
share=$((ran / (10#${ended/./} - 10#${began/./}) / 100))
kill $keeper
wait $keeper
result $((share < 20 || share > 70)) "meters: a worker that is late leaves about half of a CPU to others ($share % taken)"
unload
result $? "meters: the module unloads"

# Workers cannot run on any CPU, but a task of higher priority that waits for a meter can. The old
# values that it reads must not end the wait, as sampling continues.
cat >/tmp/waits <<'END'
. ./tap.sh
rcrctl on "cpi > 1000000" -- true 2>/tmp/err &
on=$!
soon watches $on
for cpu in 0 1 2 3; do
	./starve $cpu 7 &
done
sleep 5.5
kill -0 $on
echo $? >/tmp/there
wait %2 %3 %4 %5
rcrctl meter show cpi >/tmp/shown
kill $on
wait $on
echo $? >>/tmp/there
END
load period_us=1000
sleep 1
chrt -f 99 bash /tmp/waits
is "$(tr '\n' ' ' </tmp/there)$(cat /tmp/err)" "0 0 " "starved: a reader waits for a meter until a signal while workers cannot run"
is "$(grep -c '^current: [0-9]' /tmp/shown)" 1 "starved: the meter has values again when workers run"
unload
echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
finished
