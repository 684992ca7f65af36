#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# exec.sh - the virtual PMU's exec mode (vpmu/exec.h): perf stat, with the kernel's driver, counts
# exactly the known instructions, operations and traffic of programs (work.c). For a guest of the
# model fam15h with RCR_VPMU=exec and RCR_VPMU_CACHES=16,256,1024.
. ./tap.sh
. ./work_lib.sh
plan 26

# Event 003h counts on the fourth counter only, 043h on the first three. perf allocates counters in
# order (see perf.sh).
SET=r00c0:u,r0129:u,r0229:u,rUU03:u,r00c2:u,r04cb:u
CACHES=r0043:u,r0141:u,r0040:u

# set_of UMASK: prints SET with a unit mask for event 003h.
set_of()
{
	printf '%s\n' "${SET/UU/$1}"
}

# The SET counts instructions, loads, stores, operations, branches and SSE instructions.
is "$(each "$(set_of ff)" nops 400000)" "10 0 0 0 1 0" "exec: instructions and branches are counted exactly"
near "$(run r00c0:u nops 1000000)" 10000000 50000 "exec: the instructions of a whole program are counted"
is "$(each "$(set_of ff)" accesses 400000)" "14 8 7 1 1 5" "exec: loads and stores are counted exactly"
is "$(each "$(set_of ff)" strings 100000)" "6 64 64 0 1 0" "exec: a rep string instruction counts as one instruction"
is "$(each "$(set_of ff)" faults 2000)" "4 0 1 0 1 0" "exec: an instruction that faults first counts once"

# Operations by the bits of the unit mask.
bit=1
for expected in 17 13 6 26 11 7 3 14; do
	is "$(each "$(set_of "$(printf %02x $bit)")" flops 100000)" "34 4 0 $expected 1 32" \
		"exec: operations of unit mask $(printf %02xh $bit) are counted exactly"
	bit=$((bit * 2))
done
is "$(each "$(set_of ff)" flops 100000)" "34 4 0 97 1 32" "exec: all operations have their counts"
is "$(run "$(set_of 10)" add 10000000 | cut -d ' ' -f 4)" 40000000 \
	"exec: a program's 40 million additions are counted"
is "$(run "$(set_of ef)" add 10000000 | cut -d ' ' -f 4)" 0 "exec: additions are not counted as other operations"

# Traffic: arrays of 4 MiB are 65536 lines.
read -r l2 l1 accesses <<<"$(each $CACHES triad 4)"
near "$l2" 196608 200 "exec: the lines of a triad miss the L2"
near "$l1" 196608 200 "exec: the lines of a triad miss the L1D"
near "$accesses" 1572864 200 "exec: all accesses of a triad are counted"
read -r l2 l1 _ <<<"$(each $CACHES stream 4)"
near "$l2" 131072 200 "exec: with non-temporal stores only two arrays are read from memory"
near "$l1" 196608 200 "exec: with non-temporal stores the lines of three arrays miss the L1D"
read -r l2 l1 accesses <<<"$(each $CACHES small 4000)"
echo "# l2 $l2 l1 $l1 accesses $accesses"
[ "$(awk -v l1="$l1" 'BEGIN { print (l1 < 3) }')" = 1 ]
result $? "exec: arrays that fit in the L1D do not miss it: $l1 of 128 lines"

# User and kernel instructions are counted separately.
perf stat -x, -e '{r00c0:u,r00c0:k,r00c0}' ./work faults 2000 2>&1 | awk -F, '
	{ n[NR] = $1 }
	END {
		print "# user " n[1] " kernel " n[2] " both " n[3]
		sum = n[1] + n[2]
		exit !(n[1] && n[2] > n[1] && n[3] < 1.02 * sum && n[3] > 0.98 * sum)
	}'
result "${PIPESTATUS[1]}" "exec: user and kernel counts add up to the total"

# halts: true if an idle CPU, which only runs the kernel at times, has less than half of a busy
# one's cycles.
halts()
{
	local busy idle
	busy=$(perf stat -x, -C 3 -e r0076 taskset 8 sh -c './work nops 20000000' 2>&1 | cut -d , -f 1)
	idle=$(perf stat -x, -C 3 -e r0076 taskset 1 sleep 1 2>&1 | cut -d , -f 1)
	echo "# cycles: busy $busy, idle $idle"
	[ "$idle" -gt 0 ] && [ "$idle" -lt $((busy / 2)) ]
}
once_in 3 halts
result $? "exec: a CPU that is mostly halted has less than half of the cycles of a busy one"
is "$(run r0346:u,r01c1:u nops 100000)" "0 0" \
	"exec: an event that exec mode does not know counts nothing"

# No relation between counters is broken by ordinary programs.
unset RCR_RELATIONS
clear_controls
load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0;FLOPS=event:0x03,umask:0xff;VEC_INS=event:0xcb,umask:0x04;L1_DCM=event:0x41,umask:0x01;LS_DISP=event:0x29,umask:0x07" \
	period_us=100000
for kind in "flops 1000000" "stream 40"; do
	# shellcheck disable=SC2086 # two words
	./work $kind &
done
is "$(rcrstat -i 3 -n 1 2>&1 | tail -n 1 | cut -d, -f5)" ok "exec: no counter is suspect while ordinary programs run"
wait
unload
finished
