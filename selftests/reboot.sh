#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# reboot.sh [-k KERNEL] [long] - tests that registers are restored in a reboot while the module
# samples (promise P1); a witness module reads them afterwards. In one guest a program continues to
# request changes, in two a register could not be restored before, and in the others a real-time
# task occupies a CPU: with "long" each CPU in turn, with either source. A guest that does not
# reboot fails. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/witness.sh"

kernel=() failed=0
if [ "${1:-}" = -k ]; then
	kernel=("$2")
	shift 2
fi
build_witness "${kernel[@]}"

# go_down NAME WORD...: runs guest/power/reboot.sh, which reboots, in a guest.
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
