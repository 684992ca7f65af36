#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# reboot.sh [-k KERNEL] [long] - guests go down while the module samples, and a witness reads
# the registers afterwards (promise P1): one in which a program goes on trying to
# program them, two that could not put back a register before, and others in which a
# real-time task keeps a CPU for itself. With "long" that is each CPU in turn, by either
# source. A guest that does not go down reports no register, which is a failure.
# Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/witness.sh"

kernel=() failed=0
if [ "${1:-}" = -k ]; then
	kernel=("$2")
	shift 2
fi
build_witness "${kernel[@]}"

# go_down NAME WORD...: a guest that goes down by guest/power/reboot.sh.
go_down()
{
	local rc=0
	"$RCR_TOP/selftests/qemu/guest.sh" -n "reboot-$kver-$1" -k "$kver" -t 400 -a nmi_watchdog=0 \
		-f "$witness/rcr_witness.ko" "cd tests && bash reboot.sh ${*:2}" || rc=$?
	if [ $rc -eq 99 ]; then
		echo "not ok 3 - the machine goes down: ${*:2}"
	else
		echo "ok 3 - the machine goes down: ${*:2}"
	fi
	[ $rc -eq 0 ] || failed=1
}

go_down tries msr tries
go_down stuck msr stuck
go_down absent msr absent
if [ "${1:-}" = long ]; then
	for cpu in 0 1 2 3; do
		go_down "msr-hog$cpu" msr "$cpu"
		go_down "perf-hog$cpu" auto "$cpu"
	done
else
	go_down msr-hog1 msr 1
	go_down perf-hog0 auto 0
fi
exit $failed
