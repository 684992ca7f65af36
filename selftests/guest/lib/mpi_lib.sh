# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # variables of the scripts that source this
#
# mpi_lib.sh - runs MPI ranks as an ordinary user on the CPUs of the guest, with the MPICH or Open
# MPI that selftests/mpi.sh installs. For tests that source defaults/common.sh.

. ./region_lib.sh
sysctl -qw kernel.perf_event_paranoid=2
ip link set lo up 2>/dev/null || ifconfig lo up
mkdir -p /dev/shm
grep -q ' /dev/shm ' /proc/mounts || mount -t tmpfs -o mode=1777 none /dev/shm

# begin_ranks NAME: makes a directory of the user and changes to it.
begin_ranks()
{
	rm -rf "/tmp/ranks.$1" && mkdir "/tmp/ranks.$1" && chown user:user "/tmp/ranks.$1" && cd "/tmp/ranks.$1" || exit 1
}

# as_ranks mpich|openmpi RANKS COMMAND...: runs COMMAND as RANKS ranks. Sets RC to the exit status;
# output is in /tmp/out and /tmp/err, and the file "ranks" lists the ranks that left a file.
as_ranks()
{
	local start=(mpiexec.hydra)
	[ "$1" = mpich ] || start=(orterun --oversubscribe --mca plm isolated --mca btl "self,vader")
	as_user env HOME=/tmp "${start[@]}" -n "$2" "${@:3}" >&2
	rcrregion show -- *.rcr | awk -F, '$5 == "tsc" { print $3 }' | sort -nu | xargs >ranks
}
