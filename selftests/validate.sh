#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# validate.sh [-t] - runs STREAM, HPL and likwid-bench in a guest whose virtual PMU counts executed
# instructions, while rcrstat records. Prints the results of the programs, the counts, and the
# figures of a paper with the same comparison. Status 0 if each difference is within its bound.
# Takes some minutes.
#
#   -t   print TAP, for check.sh, with the table in comments
#   -h   print this help
#
# Documentation/dev/validation.md describes the runs and the rows of the table.
set -eu
. "$(dirname "$0")/lib/common.sh"

tap=
case ${1:-} in
-t) tap=yes ;;
-h | --help)
	sed -n '4,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"
	exit 0
	;;
'') ;;
*) die "unknown option $1: see -h" ;;
esac

# table: prints the output of selftests/guest/calibration/validate.sh as a table.
table()
{
	awk -F'|' '
	function line(program, quantity, says, counted, off, bound, paper) {
		printf "%-27s %-27s %15s %15s %9s %7s  %s\n", program, quantity,
			says, counted, off, bound, paper
	}
	BEGIN {
		line("program", "quantity", "program says", "rcrtool counted",
		     "off by %", "bound", "the paper")
	}
	/^# \|/ { line($2, $3, $4, $5, sprintf("%+.3f", $6), $7, $8) }
	/^#   / { notes = notes substr($0, 3) "\n" }
	/^not ok/ { failed = failed substr($0, 1) "\n" }
	END { printf "\n%s%s", notes, failed }'
}

"$RCR_TOP/selftests/vpmu/build.sh"
over=$("$RCR_TOP/selftests/qemu/hpcc.sh")

# guest CACHES TEST...: runs tests in a guest with caches of these sizes in KiB.
guest()
{
	local caches=$1 tests
	shift
	printf -v tests "'%s' " "$@"
	"$RCR_TOP/selftests/qemu/guest.sh" -n "validate-${caches//,/-}" -t 900 -o "$over" \
		-e RCR_VPMU=exec -e "RCR_VPMU_CACHES=$caches" -a nmi_watchdog=0 \
		"bash tests/run.sh $tests"
}

# The arrays of hpcc are small, so the caches must be small, too. For likwid-bench with its larger
# arrays, caches can be larger: then the kernel's data stays cached, and its traffic counts less.
guests()
{
	local rc=0
	guest 16,32,64 "validate.sh msr" "validate.sh perf" || rc=1
	guest 16,256,1024 "validate.sh bench" || rc=1
	return $rc
}

if [ "$tap" ]; then
	guests
	exit
fi
say "booting two guests, one after the other, with 4 CPUs of AMD Family 15h; this takes some minutes"
set -o pipefail
guests | table
