# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # variables of the scripts that source this
#
# mpi_lib.sh - runs ranks of MPI as an ordinary user, by MPICH (mpich) or Open MPI (openmpi) of
# selftests/mpi.sh, on the CPUs of the guest. For tests that source defaults/common.sh.

. ./region_lib.sh
sysctl -qw kernel.perf_event_paranoid=2
ip link set lo up 2>/dev/null || ifconfig lo up
mkdir -p /dev/shm
grep -q ' /dev/shm ' /proc/mounts || mount -t tmpfs -o mode=1777 none /dev/shm

# begin_ranks NAME: a new directory of the user.
begin_ranks()
{
	rm -rf "/tmp/ranks.$1" && mkdir "/tmp/ranks.$1" && chown user:user "/tmp/ranks.$1" && cd "/tmp/ranks.$1" || exit 1
}

# as_ranks MPI RANKS COMMAND...: its output is in /tmp/out and /tmp/err, its exit status in RC, and
# the ranks that left a file in the file "ranks".
as_ranks()
{
	local start=(mpiexec.hydra)
	[ "$1" = mpich ] || start=(orterun --oversubscribe --mca plm isolated --mca btl "self,vader")
	as_user env HOME=/tmp "${start[@]}" -n "$2" "${@:3}" >&2
	rcrregion show -- *.rcr | awk -F, '$5 == "tsc" { print $3 }' | sort -nu | xargs >ranks
}
