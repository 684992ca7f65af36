#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# failnth.sh msr|perf|load [FIRST [STEP]] - fails every allocation in turn: those of requests to the
# module while one source counts (failnth.c), or those of loading it (failnth_load.c). Needs a
# kernel with CONFIG_FAULT_INJECTION: the debug kernel.
. ./tap.sh

if ! [ -e /proc/self/fail-nth ] || ! [ -d /sys/kernel/debug/failslab ]; then
	echo "1..0 # SKIP this kernel fails no allocation on purpose (CONFIG_FAULT_INJECTION)"
	exit 4
fi

# The kernel logs a trace when an allocation of pages fails, which is expected here. Check that the
# log has no other complaints.
excuse()
{
	dmesg >/tmp/said
	awk '
		/vmalloc error: |page allocation failure/ { told = NR }
		/WARNING:|BUG:|Oops|INFO: |KASAN:|UBSAN:|ODEBUG:|possible circular/ { bad = 1; print "# " $0 }
		/Call Trace/ && (!told || NR > told + 10) { bad = 1; print "# " $0 }
		END { exit bad }' /tmp/said && dmesg -c >/tmp/said
}

events="TOT_CYC=event:0x76;TOT_INS=event:0xc0" rc=0
case $1 in
load)
	./failnth_load $MODULE "${2:-1}" "${3:-1}" <<-END || rc=1
		source=msr ring_records=64
		source=perf ring_records=64
	END
	;;
*)
	[ "$1" = msr ] || events="$events;CLK=software:cpu-clock"
	load_set "$events" period_us=20000 ring_records=64 budget_ppm=0 source="$1" || rc=1
	./failnth || rc=1
	unload || rc=1
	;;
esac
excuse || rc=1
exit $rc
