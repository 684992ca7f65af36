#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# contended.sh - exec mode in which reading a line from memory takes time and caches are coherent
# (vpmu/access.c, memory.h), with memory rows and a data TLB: a neighbour that empties the L3 slows
# a program down, and one that only computes does not; a line that two cores write moves between
# their caches. For a guest of the model fam15h with two nodes (guest.sh -N), RCR_VPMU=exec,
# RCR_VPMU_CACHES=16,256,1024, RCR_VPMU_STALL=1500, RCR_VPMU_COHERENT=1, RCR_VPMU_ROWS=1,
# RCR_VPMU_TLB=64 and RCR_VPMU_CYCLES=work; CPUs 2 and 3 share an L3, and 0 and 1 another.
. ./tap.sh
. ./work_lib.sh
plan 9
STALL=1500
VICTIM=2 NEIGHBOUR=3

# cycles_of KIND COUNT [NEIGHBOUR]: prints a program's cycles per 1,000 instructions.
cycles_of()
{
	local pid=''
	if [ $# -gt 2 ]; then
		taskset -c $NEIGHBOUR ./work "$3" 1000000000000 &
		pid=$!
		sleep 1
	fi
	perf stat -x, -e r0076:u,r00c0:u taskset -c $VICTIM ./work "$1" "$2" 2>&1 |
		awk -F, '{ n[NR] = $1 } END { printf "%.0f\n", 1000 * n[1] / n[2] }'
	if [ -n "$pid" ]; then
		kill "$pid"
		wait "$pid" 2>/dev/null
	fi
}

# Three passes over 8 MiB, 131,072 lines each, take at least STALL ns per line.
before=${EPOCHREALTIME/./}
taskset -c $VICTIM ./work all 3
taken=$((${EPOCHREALTIME/./} - before))
least=$((3 * 131072 * STALL / 1000))
echo "# $taken us for $least"
[ "$taken" -ge $((least - 1000)) ]
result $? "contended: a program is delayed for each line that it reads from memory"

alone=$(cycles_of part 120)
computing=$(cycles_of part 120 nops)
writing=$(cycles_of part 120 write)
echo "# cycles per 1,000 instructions: alone $alone, next to one that computes $computing, that writes $writing"
[ "$alone" -gt 0 ] && [ "$writing" -gt $((3 * alone / 2)) ]
result $? "contended: a program that fits in the L3 is slower next to one that empties the L3"
[ "$computing" -gt 0 ] && [ "$computing" -lt $((3 * alone / 2)) ]
result $? "contended: a program next to one that only computes is not slower"

# modified KIND ROUNDS: prints how many lines two programs found modified in the other's cache.
modified()
{
	perf stat -x, -e r026c:u ./lines "$1" "$2" 0 2 2>&1 | cut -d, -f1
}

# Each program finds the line in the other's cache at least once a round, and more often if it reads
# between two stores of the other.
found=$(modified turns 1000)
echo "# $found in 1000 rounds"
[ "$found" -ge 2000 ] && [ "$found" -le 8000 ]
result $? "contended: two processes that write words of one line take it from each other"
found=$(modified apart 100000)
echo "# $found"
[ "$found" -lt 200 ]
result $? "contended: two processes that write different lines do not take them from each other"

# 8 MiB are 2,048 pages, and the TLB has 64 entries; 768 KiB are 192 pages.
near "$(each r0746:u all 2)" 2048 50 "contended: each of 2,048 pages misses the TLB once a pass"
near "$(each r0746:u part 20)" 192 20 "contended: each of 192 pages misses the TLB once a pass"

# Reads and writes of the memory of CPU 2's package, and the same by the state of the memory row.
perf stat -x, -C 2 -e '{amd_nb/event=0x1f0,umask=0x53/,amd_nb/event=0xe0,umask=0x07/,amd_nb/event=0xe0,umask=0x04/}' \
	taskset -c 2 ./work all 5 2>/tmp/rows
awk -F, '{ n[NR] = $1 }
	END { print "# " n[1] " of memory, " n[2] " by rows, " n[3] " conflicts"; exit !(n[3] > 0 && n[1] > 655360 && n[2] > 0.99 * n[1] && n[2] < 1.01 * n[1]) }' /tmp/rows
result $? "contended: each read and write of memory is counted once by the state of its row"

# Node 0 reads 8 MiB of node 1: count the requests of node 0 to node 1, and the reads of each
# memory.
perf stat -x, -C 0,2 --per-socket -e '{amd_nb/event=0x1e0,umask=0x02/,amd_nb/event=0x1f0,umask=0x42/}' \
	taskset -c 0 ./bind 1 ./work all 3 2>/tmp/homes
awk -F, '{ n[$1, ++of[$1]] = $3 }
	END {
		print "# node 0 asks node 1 for " n["S0", 1] ", which reads " n["S1", 2] ", node 0 " n["S0", 2]
		exit !(n["S0", 1] > 393216 && n["S1", 2] > 393216 && n["S0", 2] < 131072)
	}' /tmp/homes
result $? "contended: reads of another node's memory are counted at that node"
finished
