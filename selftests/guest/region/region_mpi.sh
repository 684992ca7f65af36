#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_mpi.sh MODEL MPI... - rcrregion run --mpi by an ordinary user, with Debian's MPICH (mpich)
# and Open MPI (openmpi), which selftests/mpi.sh puts into the guest: four ranks of a program
# without calls of librcrregion (mpi_work.c), of one with its calls, and of one that is linked with
# librcrregion-mpi. In the virtual PMU's exec mode.
. ./defaults/common.sh
. ./mpi_lib.sh
machine "$1"
shift
[ $# -gt 0 ] || set -- mpich
plan $((5 * $#))
ROUNDS=1000000

# count_ranks MPI KIND COMMAND...: runs four ranks in a new directory and prints, for the set "mpi",
# KIND, processes, calls, least and greatest instructions, and how many ranks ended normally.
count_ranks()
{
	local mpi=$1 kind=$2
	begin_ranks "$mpi.$kind"
	# Otherwise the dynamic linker would resolve MPI_Finalize inside the set.
	as_ranks "$mpi" 4 env LD_BIND_NOW=1 RCR_REGION_SPLIT=none "${@:3}"
	echo "$kind $(rcrregion join . | awk -F, '$1 == "mpi" && $2 == "instructions" { print $3, $4, $5, $7 }') $(grep -o unharmed /tmp/out | wc -l)"
}

plain_load
for mpi; do
	work=/usr/bin/mpi_work.$mpi
	for kind in c thread fortran f08; do
		count_ranks "$mpi" $kind rcrregion run --mpi -- "$work" $kind $ROUNDS 0
	done >/tmp/counted
	{
		count_ranks "$mpi" ours LD_PRELOAD="$(dirname "$(which rcrregion)")/../lib/librcrregion.so.1" "$work" ours $ROUNDS 0
		count_ranks "$mpi" linked "/usr/bin/mpi_linked.$mpi" c $ROUNDS 0
	} >>/tmp/counted
	sed 's/^/# /' /tmp/counted
	is "$(grep -v '^#' /tmp/counted | awk '{ print $1, $2, $3, $6 }' | xargs)" \
		"c 4 4 4 thread 4 4 4 fortran 4 4 4 f08 4 4 4 ours 4 4 4 linked 4 4 4" \
		"region_mpi: $mpi: each of four ranks is counted once, and runs unharmed"
	# A call takes about 180 more if the kernel has moved counters before; MPI_Init takes
	# millions.
	awk -v known=$((2 * ROUNDS)) '/^#/ { next } $4 < known || $5 > known + 1500 { bad++ } END { exit bad || NR < 6 }' /tmp/counted
	result $? "region_mpi: $mpi: the set has the instructions of the program and none of MPI_Init or MPI_Finalize"
	awk '/^#/ { next } { least[$1] = $4 } END {
		for (kind in least) if (least[kind] > least["ours"] + 100 || least[kind] < least["ours"] - 100) bad++
		exit bad || !least["ours"] }' /tmp/counted
	result $? "region_mpi: $mpi: preloaded or linked, a program has the count of the one with calls, less the calls"
	is "$(cat /tmp/ranks."$mpi".*/ranks | sort | uniq -c | xargs)" "6 0 1 2 3" \
		"region_mpi: $mpi: the files have the ranks in MPI_COMM_WORLD"
	begin_ranks "$mpi.status"
	as_ranks "$mpi" 1 rcrregion run --mpi -- "$work" c 1000
	is "$RC" 42 "region_mpi: $mpi: the exit status is the program's"
done
modprobe -r rcrtool
finished
