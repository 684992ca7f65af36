#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# instructions.sh [-k SERIES] [-b] [-l SOURCE] - counts the instructions of a tick, from the
# interrupt to its return, and of a timer that only reads the same registers. Prints TAP. The
# guest's time follows its execution, so the numbers are the same on any machine.
#
# -l lists the instructions of a tick by function, with SOURCE as the source of counts; -b prints
# lines of the bench, including those of polling programs (beside.sh).
#
# One CPU samples with default parameters except for the period, and each tick interrupts a program
# in user mode. The timer of the meters runs as usual; its interrupts are not counted.
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
