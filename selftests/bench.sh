#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh [OPTION]... - measures the cost of rcrtool and of other tools. Prints a table of
# selftests/bench/rows with each measurement, its goal, and whether it is met; writes the same as
# JSON, and a plot, to build/bench. Takes a quarter of an hour and eight guests: one for times, two
# for instructions, five for numbers of CPUs.
#
#   --json     print the JSON instead of the table
#   -r ROUNDS  number of measurements of each row (default 5)
#   -h         print this help
#
# Status 0 if all rows were measured and all goals that are promises are met. Other goals do not
# affect the status.
# Documentation/dev/performance.md describes the measurements and the rows.
set -eu
. "$(dirname "$0")/lib/common.sh"

json='' rounds=5
while [ $# -gt 0 ]; do
	case $1 in
	--json) json=yes ;;
	-r)
		rounds=${2:-}
		[[ $rounds =~ ^[1-9][0-9]?$ ]] || die "invalid -r '$rounds': use 1 to 99 rounds"
		shift
		;;
	-h | --help)
		sed -n '4,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"
		exit 0
		;;
	*) die "unknown option $1: see -h" ;;
	esac
	shift
done

out=$RCR_BUILD/bench
here=$RCR_TOP/selftests/bench

build()
{
	local kver kdir
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r)
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
	make -s -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir" RCR_SPARE_MIN=0 &&
		make -s -C "$RCR_TOP/selftests/guest" O="$RCR_BUILD" &&
		make -s -C "$here" O="$RCR_BUILD" &&
		make -s -C "$here" O="$RCR_BUILD" KDIR="$kdir" module
}

guest()
{
	"$RCR_TOP/selftests/qemu/guest.sh" -n bench -t 840 -o "$RCR_BUILD/likwid" \
		-a nmi_watchdog=0 -f "$out/programs" "bash programs/guest.sh $rounds" >"$out/guest"
}

instructions()
{
	"$here/instructions.sh" -b >"$out/instructions"
}

host()
{
	"$here/host.sh" >"$out/host.results"
}

peers()
{
	"$here/peers.sh" >"$out/peers"
}

scale()
{
	"$here/scale.sh" >"$out/scale"
}

# Write a file for each curve of the plot, with the columns x and cycles or instructions.
plot()
{
	local khz
	rm -rf "$out/plot"
	mkdir "$out/plot"
	awk -F'|' -v folder="$out/plot" '$1 == "plot" { print $3, $5 >(folder "/" $2 "." $4) }' "$out/guest"
	sed -n 's/^bench|executed_\([0-9]*\)|\([0-9.]*\)|.*/\1 \2/p' "$out/scale" >"$out/plot/scale.executed"
	khz=$(awk -F'|' '$2 == "khz" { print $3 }' "$out/guest")
	gnuplot -e "folder='$out/plot'; khz=$khz; output='$out/cost.svg'" "$here/plot.gp"
}

"$RCR_TOP/selftests/vpmu/build.sh"
"$RCR_TOP/selftests/qemu/likwid.sh" >/dev/null
mkdir -p "$out"
step "the bench's programs" "$RCR_BUILD/logs/bench-build.log" build
step "the reader, here" "$RCR_BUILD/logs/bench-host.log" host
# Rows that could not be measured are marked as missing in the table.
step "a guest with 4 CPUs of AMD Family 15h" "$RCR_BUILD/logs/bench-guest.log" guest || true
step "a guest that counts instructions" "$RCR_BUILD/logs/bench-instructions.log" instructions || true
step "a guest with PAPI and LIKWID" "$RCR_BUILD/logs/bench-peers-guest.log" peers || true
step "guests with 1 to 64 CPUs" "$RCR_BUILD/logs/bench-scale.log" scale || true
cat "$out/guest" "$out/instructions" "$out/peers" "$out/scale" "$out/host.results" >"$out/results"
step "the plot" "$RCR_BUILD/logs/bench-plot.log" plot

rc=0
awk -v json=1 -f "$here/table.awk" "$here/rows" "$out/results" >"$out/results.json" || rc=1
awk -f "$here/table.awk" "$here/rows" "$out/results" >"$out/table" || rc=1
if [ "$json" ]; then
	cat "$out/results.json"
else
	cat "$out/table"
	say "the plot is $out/cost.svg, the JSON $out/results.json"
fi
[ "$rc" -eq 0 ]
