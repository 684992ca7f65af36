#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_figures.sh MODEL - the numbers in figures of regions, in the virtual PMU's exec mode. The
# program (flagged.c) has a known mix of operations, known effects of compiler flags on it, and
# known traffic with memory when processes overflow a shared cache.
. ./defaults/common.sh
machine "$1"
# The virtual PMU has cache misses on Family 15h only.
if [ "$1" = fam15h ]; then
	plan 8
else
	plan 6
fi
MIX=5 FLOPS=1 MEMORY=2
sysctl -qw kernel.perf_event_paranoid=2
cd /tmp || exit 1

# counted DIRECTORY RANKS MODE FLAGS POINTS ROUNDS: counts RANKS processes at once, each on its
# core.
counted()
{
	local rank
	mkdir -p "$1" && chown user:user "$1"
	for ((rank = 0; rank < $2; rank++)); do
		setpriv --reuid=user --regid=user --init-groups env PMI_RANK=$rank RCR_REGION_DIR="$1" \
			taskset -c $((rank % $(nproc))) /rcr/tests/flagged "${@:3}" 2>>/tmp/err &
	done
	wait
}

# shares REGION DIRECTORY: prints the share of each kind of operation.
shares() { rcrregion plot mix -c -r "$1" "$2" | sed 's/"add, subtract"/add/' | awk -F, 'NR > 1 { print $NF }' | xargs; }

# of REGION METRIC RUN: prints the amount and the ratio to the first run from "compared".
of() { awk -F, -v region="$1" -v metric="$2" -v run="$3" '$1 == region && $2 == metric && $3 == run { print $6, $7 }' compared; }

counted mix 4 $MIX o1 1000 100
is "$(shares MG mix) / $(shares FT mix)" "0.5 0.5 0 0 / 0.6 0.4 0 0" \
	"region_figures: the shares of the kinds of operations are those of the kernels"
for flags in o1 o3 simd; do
	counted $flags 1 $FLOPS $flags 1000 100
done
# The metric of vectorization: the share of vector operations since Zen 4, operations per
# instruction on older families.
[ "$1" = zen4 ] && vectors=simd || vectors=flop_per_sse
rcrregion compare -c -b fp-ops,$vectors,instructions o1 o3 simd >compared
sed 's/^/# /' compared
is "$(of MG fp-ops o1) $(of MG fp-ops simd)" "400000 1 400000 1" "region_figures: all operations of a stencil are counted, with any compiler flags"
is "$(of FT fp-ops o1) $(of FT fp-ops simd)" "1000000 1 1000000 1" "region_figures: all operations of butterflies are counted, with any compiler flags"
if [ "$1" = zen4 ]; then
	awk -v mg="$(of MG simd simd)" -v ft="$(of FT simd simd)" -v o1="$(of FT simd o1)" -v o3="$(of FT simd o3)" '
		BEGIN { exit !(mg + 0 > 0.9 && ft + 0 > 0.9 && o1 + 0 < 0.1 && o3 != "" && o3 + 0 < 0.1) }'
else
	awk -v mg="$(of MG flop_per_sse simd)" -v ft="$(of FT flop_per_sse simd)" -v o3="$(of FT flop_per_sse o3)" '
		BEGIN { split(mg, m); split(ft, f); split(o3, o); exit !(m[2] > 1.5 && f[2] > 1.5 && o[2] > 0.9 && o[2] < 1.3) }'
fi
result $? "region_figures: only vectorization has vector operations"
awk -v mg="$(of MG instructions simd)" -v ft="$(of FT instructions simd)" '
	BEGIN { split(mg, m); split(ft, f); exit !(m[2] < 0.7 && f[2] < 0.7) }'
result $? "region_figures: there are fewer instructions with vectorization"

# Calibrated ceilings are those of this machine only.
mkdir -p /var/lib/rcrtool
printf 'mem_bw read maximum 38G\n' >/var/lib/rcrtool/calibration
hostname >/tmp/name
rcrregion plot roofline -c o1 2>here >/dev/null
hostname another
rcrregion plot roofline -c o1 2>elsewhere >/dev/null
hostname "$(cat /tmp/name)"
is "$(grep -c 'ceilings of memory are of this machine' here) $(grep -c 'ceilings of memory are of this machine, on which no process ran' elsewhere)" \
	"0 1" "region_figures: one line warns that the ceilings are not those of the machine that ran the regions"

if [ "$1" != fam15h ]; then
	finished
	exit
fi
# Each process uses 96 KiB in the region FT, and two cores share a cache of 128 KiB.
for ranks in 1 4; do
	counted "$ranks" $ranks $MEMORY o1 2048 100
done
rcrregion compare -c -b miss_mb_per_node 1 4 >compared
sed 's/^/# /' compared
awk -v ft="$(of FT miss_mb_per_node 4)" 'BEGIN { split(ft, f); exit !(f[2] > 4) }'
result $? "region_figures: four processes that share caches have more than four times the traffic of one: $(of FT miss_mb_per_node 4)"
awk -F, 'NR > 1 { print $4, $5 }' compared | sort -u | xargs >nodes
is "$(cat nodes)" "1 1 4 1" "region_figures: all processes are on one node"
finished
