#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# contended.sh - exec mode in which a line from memory costs time, and caches are coherent
# (vpmu/access.c, memory.h): a neighbour that empties the L3 makes a program slower, and one that
# only computes does not; a line that two cores write goes to and fro. For a guest of the model fam15h
# with RCR_VPMU=exec, RCR_VPMU_CACHES=16,256,1024, RCR_VPMU_STALL=1500 and RCR_VPMU_COHERENT=1; CPUs 2
# and 3 share an L3, and 0 and 1 another.
. ./tap.sh
plan 5
STALL=1500
VICTIM=2 NEIGHBOUR=3

# cycles_of KIND COUNT [NEIGHBOUR'S KIND]: prints cycles per 1,000 instructions of a program, of three runs the
# least: a busy host makes cycles more, and never less.
cycles_of()
{
	local pid='' try
	if [ $# -gt 2 ]; then
		taskset -c $NEIGHBOUR ./work "$3" 1000000000 &
		pid=$!
	fi
	for try in 1 2 3; do
		perf stat -x, -e r0076:u,r00c0:u taskset -c $VICTIM ./work "$1" "$2" 2>&1 |
			awk -F, '{ n[NR] = $1 } END { printf "%.0f\n", 1000 * n[1] / n[2] }'
		echo "# $try: $1, neighbour ${3:-none}" >&2
	done | sort -n | head -n 1
	if [ -n "$pid" ]; then
		kill "$pid"
		wait "$pid" 2>/dev/null
	fi
}

# Three passes over 8 MiB, 131,072 lines each. Each line takes its time, whatever else takes more of it.
before=${EPOCHREALTIME/./}
taskset -c $VICTIM ./work all 3
taken=$((${EPOCHREALTIME/./} - before))
least=$((3 * 131072 * STALL / 1000))
echo "# $taken us for $least"
[ "$taken" -ge $((least - 1000)) ]
result $? "a program that reads lines from memory is held for each of them"

alone=$(cycles_of part 200)
computing=$(cycles_of part 200 nops)
reading=$(cycles_of part 200 all)
echo "# cycles per 1,000 instructions: alone $alone, next to one that computes $computing, that reads $reading"
[ "$alone" -gt 0 ] && [ "$reading" -gt $((2 * alone)) ]
result $? "next to a program that empties the L3 one that fits there is slower"
[ "$computing" -gt 0 ] && [ "$reading" -gt $((2 * computing)) ]
result $? "next to one that only computes it is not"

# modified KIND ROUNDS: prints how many lines two programs found modified in the other's cache.
modified()
{
	perf stat -x, -e r026c:u ./lines "$1" "$2" 0 2 2>&1 | cut -d, -f1
}

# Each of the two finds the line with the other at least once a round, and again if it looks between two
# stores of the other.
found=$(modified turns 1000)
echo "# $found in 1000 rounds"
[ "$found" -ge 2000 ] && [ "$found" -le 8000 ]
result $? "two processes that write words of one line take it from each other"
found=$(modified apart 100000)
echo "# $found"
[ "$found" -lt 200 ]
result $? "a line apart each they do not"
finished
