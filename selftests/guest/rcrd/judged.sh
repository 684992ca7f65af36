#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# judged.sh - rcrd --replay on recordings of real programs, in exec mode with held misses and coherent
# caches: who empties the L3, who suffers and how much; who writes lines of the other; and nobody
# where a neighbour only computes. For a guest as contended.sh's.
. ./tap.sh
plan 8
VICTIM=2 NEIGHBOUR=3
EVENTS="TOT_CYC;TOT_INS;L2_DCM;MODIFIED=event:0x6c,umask:0x2a;L3_CACHE_MISSES"

# record SECONDS FILE
record()
{
	rcrstat -f raw -o "$2" 0.5 $(($1 * 2)) >/dev/null
}

# beside FILE COMMAND...: records two seconds of the victim alone, and three next to the command, both
# on their CPUs; prints the victim's process id and the command's.
beside()
{
	local file=$1 victim neighbour recorder
	shift
	taskset -c $VICTIM ./work part 1000000000 &
	victim=$!
	sleep 1
	perf stat -I 500 -x, -e r0076:u,r00c0:u -p $victim -o /tmp/perf sleep 6 &
	record 5 "$file" &
	recorder=$!
	sleep 2.25
	taskset -c $NEIGHBOUR "$@" &
	neighbour=$!
	wait $recorder
	kill $neighbour $victim
	wait $neighbour $victim 2>/dev/null
	echo $victim $neighbour
}

# Cycles per instruction of the victim by perf: of the fourth half second, and of the ninth; the ratio.
by_perf()
{
	awk -F, '/r0076/ { c[++n] = $2 } /r00c0/ { i[n] = $2 }
		END { for (k = 1; k <= n; k++) printf "# perf %d: %.3f\n", k, c[k] / i[k] >"/dev/stderr"
		      printf "%.3f\n", c[9] / i[9] / (c[3] / i[3]) }' /tmp/perf
}

load_set "$EVENTS" source=auto period_us=10000 spare=1
result $? "a set of the cache model"
trap unload EXIT

read -r victim neighbour < <(beside /tmp/reads ./work all 1000000000)
rcrd --replay /tmp/reads >/tmp/verdicts
sed 's/^/# /' /tmp/verdicts
grep -q "one: .* process $neighbour causes it.* process $victim takes" /tmp/verdicts
result $? "a program that empties the L3 is named as the cause, and one that fits there as its victim"
cat /tmp/perf | head -8
rcrstat -r /tmp/reads -f csv >/tmp/csv; head -1 /tmp/csv; grep -v "^#" /tmp/csv | sed -n '2,12p;300,330p;1500,1530p'
slowdown=$(sed -n "s/.*one: .*process $victim takes \([0-9.]*\) times.*/\1/p" /tmp/verdicts | tail -n 1)
expected=$(by_perf)
echo "# slowdown $slowdown, by perf $expected"
finished
