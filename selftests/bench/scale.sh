#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# scale.sh - measures the rows of the bench that need guests of 1, 4, 16 and 64 CPUs (AMD Family
# 15h), and one of 4 CPUs of 64 possible ones. Prints lines like guest.sh; scaled.sh is the guest's
# part.
set -u
. "$(dirname "$0")/../lib/common.sh"

failed=0

# boot SIZE PART OPTION...: runs a part of scaled.sh in a guest with these options.
boot()
{
	local size=$1 part=$2
	shift 2
	"$RCR_TOP/selftests/qemu/guest.sh" -n "scale-$size" -t 200 "$@" -e RCR_VPMU=exec \
		-a nmi_watchdog=0 -f "$RCR_BUILD/bench/programs" \
		"SIZE=$size bash programs/guest.sh 1 $part"
}

# guest SIZE PART OPTION...: calls boot, whose result names contain SIZE. With 64 virtual CPUs on
# two real ones, CPUs may hang when the kernel patches itself, with or without the module: retry
# once.
guest()
{
	local said rc=0
	said=$(boot "$@") || rc=$?
	if [ $rc -eq 99 ]; then
		rc=0
		said=$(boot "$@") || rc=$?
	fi
	grep -v '^bench|khz' <<<"$said"
	[ $rc -eq 0 ] || failed=1
}

guest 1 scale -p 1
guest 4 scale -p 4
guest 16 scale -p 16
guest 64 scale -p 64
guest 4of64 scaled_memory -s 4,sockets=2,cores=32,maxcpus=64
exit $failed
