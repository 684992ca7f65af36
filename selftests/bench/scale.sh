#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# scale.sh - the rows of the bench that want guests of 1, 4, 16 and 64 CPUs (AMD
# Family 15h), and one of 4 that may have 64. Lines as those of guest.sh, which says
# in scaled.sh what is measured.
set -u
. "$(dirname "$0")/../lib/common.sh"

failed=0

# guest SIZE PART OPTION...: a part of scaled.sh there; SIZE is in its results' names.
guest()
{
	local size=$1 part=$2
	shift 2
	"$RCR_TOP/selftests/qemu/guest.sh" -n "scale-$size" -t 400 "$@" -e RCR_VPMU=exec \
		-a nmi_watchdog=0 -f "$RCR_BUILD/bench/programs" \
		"SIZE=$size bash programs/guest.sh 1 $part" | grep -v '^bench|khz' || failed=1
}

set -o pipefail
guest 1 scale -p 1
guest 4 scale -p 4
guest 16 scale -p 16
guest 64 scale -p 64
guest 4of64 scaled_memory -s 4,sockets=2,cores=32,maxcpus=64
exit $failed
