#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# peers_guest.sh - the guest's part of peers.sh. libpfm4 and LIKWID have other names for the same
# six events. The module is loaded with a set that uses no core counter.
. ./tap.sh

# pair KIND [COMMAND]...: prints the median of KIND, run by COMMAND; fails if LIKWID skips an event.
pair()
{
	"${@:2}" /rcr/programs/peers "$1" >/tmp/peers.out 2>&1
	if ! grep -q "^$1 " /tmp/peers.out || grep -q "not found" /tmp/peers.out; then
		cat /tmp/peers.out >&2
		exit 1
	fi
	awk -v kind="$1" '$1 == kind { print $2 }' /tmp/peers.out
}

# tell NAME KIND [COMMAND]...: prints that median less the cost of the measurement.
tell()
{
	local median

	median=$(pair "${@:2}") || exit 1
	echo "bench|$1|$((median - nothing))|instructions|1000"
}

cd /tmp || exit 1
(cd /rcr/tests && load_set A=register:aperf source=perf) || exit 1
sysctl -qw kernel.perf_event_paranoid=-1
nothing=$(pair nothing) || exit 1
export PAPI_EVENTS=CPU_CLK_UNHALTED,RETIRED_INSTRUCTIONS,RETIRED_BRANCH_INSTRUCTIONS,RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS,RETIRED_TAKEN_BRANCH_INSTRUCTIONS,RETIRED_UOPS
tell pair_region region
tell pair_papi papi
tell pair_papi_hl papi_hl
tell pair_likwid likwid likwid-perfctr -M 0 -C 0 -m -g \
	CPU_CLOCKS_UNHALTED:PMC0,RETIRED_INSTRUCTIONS:PMC1,RETIRED_BRANCH_INSTR:PMC2,RETIRED_MISPREDICTED_BRANCH_INSTR:PMC3,RETIRED_TAKEN_BRANCH_INSTR:PMC4,RETIRED_UOPS:PMC5
