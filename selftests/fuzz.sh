#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fuzz.sh [-d] [-t TARGET]... MINUTES - fuzzes for MINUTES. Half of the machine runs the targets of
# selftests/fuzz one after the other, with equal shares of the time; the other half fuzzes the
# module's interfaces in guests (not with -d or -t).
#
# Prints for each target how many inputs were tried and how many lines of the tested files were run.
# Inputs that reach new code are kept in build/fuzz/corpus, where the next run continues. Status 0
# if there was no failure. For a failure it prints the command that repeats it; add the input to
# selftests/fuzz/crashes together with the fix.
set -eu
. "$(dirname "$0")/lib/common.sh"

fuzz=$RCR_BUILD/fuzz
regressions=$RCR_TOP/selftests/fuzz/crashes
targets=() calls=1 failed=0
while getopts dt: option; do
	case $option in
	d) calls= ;;
	t) targets+=("$OPTARG") calls= ;;
	*) die "see the head of this file for its options" ;;
	esac
done
shift $((OPTIND - 1))
minutes=${1:-30}
[[ $minutes =~ ^[1-9][0-9]*$ ]] || die "invalid MINUTES '$minutes': use a whole number"
make -s -C "$RCR_TOP/selftests/fuzz" O="$RCR_BUILD" all
[ ${#targets[@]} -gt 0 ] ||
	read -ra targets < <(make -s -C "$RCR_TOP/selftests/fuzz" print-targets)

# lines_of TARGET: prints the number of lines that were run, and of all lines, in the tested files.
lines_of()
{
	local files
	mapfile -t files <"$fuzz/$1.tests"
	llvm-profdata merge -sparse "$fuzz/$1.profraw" -o "$fuzz/$1.profdata" &&
		llvm-cov report "$fuzz/$1" -instr-profile "$fuzz/$1.profdata" "${files[@]}" |
		awk '$1 == "TOTAL" { printf "%d of %d lines, %s", $8 - $9, $8, $10 }'
}

# Status 0 if a timeout was caused by the machine: the input is fast when it is run again.
was_delay()
{
	[[ ${2##*/} == timeout-* ]] &&
		LLVM_PROFILE_FILE=/dev/null timeout 20 "$fuzz/$1" "$2" >/dev/null 2>&1 </dev/null
}

# search TARGET SECONDS FOLDER...: runs the target for SECONDS or until it fails, and appends to its
# log. Continues after a timeout that the machine caused. Sets artifact to the input that failed.
search()
{
	local target=$1 end=$((SECONDS + $2)) log=$fuzz/$1.log rc words=()
	shift 2
	[ ! -e "$fuzz/$target.dict" ] || words=(-dict="$fuzz/$target.dict")
	while [ $SECONDS -lt $end ]; do
		rc=0
		LLVM_PROFILE_FILE=/dev/null "$fuzz/$target" -max_total_time=$((end - SECONDS)) \
			-timeout=20 -max_len=8192 -print_final_stats=1 \
			-artifact_prefix="$fuzz/crashes/$target/" "${words[@]}" "$@" \
			>>"$log" 2>&1 </dev/null || rc=$?
		[ $rc -ne 0 ] || continue
		artifact=$(sed -n 's/^.*Test unit written to //p' "$log" | tail -n 1)
		was_delay "$target" "$artifact" || return $rc
		say "fuzz $target: ignoring a timeout that does not repeat"
		rm "$artifact"
	done
}

# fuzz_target TARGET SECONDS
fuzz_target()
{
	local target=$1 seconds=$2 corpus=$fuzz/corpus/$1 log=$fuzz/$1.log
	local old=("$fuzz/seeds/$target" "$regressions/$target") tried lines artifact
	[ -d "${old[1]}" ] || unset 'old[1]'
	[ -d "${old[0]}" ] || old=()
	mkdir -p "$corpus" "$fuzz/crashes/$target"
	: >"$log"
	if ! search "$target" "$seconds" "$corpus" "${old[@]}"; then
		say "fuzz $target: failed at ${artifact:-an input that was not written}; to repeat: $fuzz/$target $artifact"
		grep -m 1 -E 'ERROR: |runtime error: |it does not hold' "$log" >&2 || tail -n 5 "$log" >&2
		return 1
	fi
	tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | paste -sd +)
	# Compute the coverage of the inputs that were kept.
	LLVM_PROFILE_FILE=$fuzz/$target.profraw "$fuzz/$target" -runs=0 "$corpus" "${old[@]}" \
		>>"$log" 2>&1 </dev/null
	lines=$(lines_of "$target")
	say "fuzz $target: $((tried)) inputs in $seconds s, $(find "$corpus" -type f | wc -l) kept, ${lines:?no coverage was printed}"
}

if [ -n "$calls" ]; then
	"$RCR_TOP/selftests/fuzz/calls.sh" "$minutes" &
	calls=$!
fi
seconds=$((minutes * 60 / ${#targets[@]}))
for target in "${targets[@]}"; do
	fuzz_target "$target" "$((seconds > 0 ? seconds : 1))" || failed=1
done
if [ -n "$calls" ]; then
	wait "$calls" || failed=1
fi
exit "$failed"
