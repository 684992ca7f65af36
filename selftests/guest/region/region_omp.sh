#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_omp.sh MODEL - rcrregion run --openmp by an ordinary user, with LLVM's OpenMP library,
# which selftests/mpi.sh puts into the guest, and with GCC's: the parallel regions of a program with
# a known number of instructions (omp_work.c), in the virtual PMU's exec mode.
. ./defaults/common.sh
. ./mpi_lib.sh
machine "$1"
plan 6
CALLS=20 ROUNDS=200000

# columns REGION: prints name, threads, calls and instructions of matching regions, in source order.
columns()
{
	rcrregion show ./*.rcr | awk -F, -v region="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["region"] ~ region && $at["counter"] == "instructions" {
			print $at["region"], $at["threads"], $at["calls"], $at["total"]
		}' | sort
}

plain_load
begin_ranks llvm
as_user rcrregion run --openmp -- omp_work.llvm $CALLS $ROUNDS
is "$RC $(cat /tmp/out)" "42 unharmed" "region_omp: an OpenMP program runs unharmed, with its own exit status"
columns '^omp ' >/tmp/columns
sed 's/^/# /' /tmp/columns
is "$(sed -E 's/\+0x[0-9a-f]+ / /' /tmp/columns | cut -d' ' -f1-3 | xargs)" \
	"omp omp_work.llvm 4 omp omp_work.llvm 4" \
	"region_omp: each parallel region is a set, named after the program, on each thread"
is "$(awk 'NR == 1 { print $4 }' /tmp/columns)" $((4 * CALLS)) \
	"region_omp: each thread has one call per execution of a region"
# Threads 0 to 2 wait 6 * ROUNDS for the last one; a tenth of that would exceed the tolerance. On a
# busy host the counts were up to 2 % higher, as the kernel moves counters.
awk -v unit=$((2 * CALLS * ROUNDS)) '
	{ known = (NR == 1 ? 10 : 14) * unit; if ($5 < known || $5 > known * 1.04) bad++ }
	END { exit bad || NR != 2 }' /tmp/columns
result $? "region_omp: threads are counted with their tasks, but not while they wait for others"

begin_ranks both
as_user rcrregion run --openmp -- omp_work.llvm 1 $ROUNDS
is "$(columns '^program$' | cut -d' ' -f1-3)" "program 4 4" \
	"region_omp: the whole program is a set on each of its threads, too"

begin_ranks gcc
as_user rcrregion run -O -- /rcr/tests/omp_work 1 1000
is "$RC $(cat /tmp/out) $(grep -c 'OpenMP regions are not counted: libgomp has no interface for tools' /tmp/err)" \
	"42 unharmed 1" "region_omp: one line says that GCC's OpenMP library has no interface for tools"
modprobe -r rcrtool
finished
