#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# instructions.sh [-k SERIES] [-b] [-l SOURCE] - counts the instructions of a tick, from the
# interrupt to its return, and those of a timer that only reads the same registers. Prints TAP. The
# time of the guest follows its execution, so the number is the same on any machine.
#
# With -l it lists the functions that the instructions are in when that source counts; with -b it
# prints lines of the bench, next to programs that poll (beside.sh).
#
# The interrupt stops a program in user mode, while one CPU samples with default parameters except
# for the period. The timer of the meters is on, as always, and runs in other interrupts than those
# that count.
set -eu
. "$(dirname "$0")/../lib/common.sh"

series=6.1 list='' how=() files=() beside=''
while getopts k:bl: option; do
	case $option in
	k) series=$OPTARG ;;
	b)
		how=(-b)
		files=(-f "$RCR_BUILD/bench/programs")
		beside="&& bash /rcr/programs/beside.sh"
		;;
	l) list="list $OPTARG" how=(-l) ;;
	*) die "see the head of this file for its options" ;;
	esac
done

here=$RCR_TOP/selftests/bench
kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$series")
kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
out=$RCR_BUILD/$kver/bare
name=instructions-$series
run=$RCR_BUILD/guests/$name

build_bare()
{
	cp -asf "$here/bare/." "$out/" &&
	make -s -C "$kdir" O= M="$out" modules
}

# callback WHO MODULE FUNCTION: finds the timer's callback in the module's code.
callback()
{
	nm "$2" | awk -v who="$1" -v name="$3" '$3 == name { print who, $1, $3 }'
}

mkdir -p "$out"
step "build the bare timer for $kver" "$out/log" build_bare
"$RCR_TOP/selftests/qemu/guest.sh" -i -k "$kver" -n "$name" -a nmi_watchdog=0 -f "$out/bare.ko" "${files[@]}" \
	"cd tests && bash ./instructions.sh $list $beside" >"$out/told"
{
	callback bare "$out/bare.ko" bare_tick
	callback own "$RCR_BUILD/$kver/rcrtool.ko" sampler_tick
} >"$out/callbacks"
rc=0
python3 "$here/steps.py" "${how[@]}" "$out/told" "$run/steps" "$out/callbacks" \
	"$here/instructions-$series" || rc=$?
rm "$run/steps"
[ "$rc" -eq 0 ]
