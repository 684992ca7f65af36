#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check.sh - runs each target of the fuzzers once with its seeds and with all inputs that have ever
# failed, and checks that fuzz.sh finds and reports a broken target. Prints TAP.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

fuzz=$RCR_BUILD/fuzz
here=$RCR_TOP/selftests/fuzz
export LLVM_PROFILE_FILE=/dev/null

# try TARGET
try()
{
	local inputs rc=0
	mapfile -t inputs < <(find "$fuzz/seeds/$1" "$here/crashes/$1" -type f 2>/dev/null | sort)
	[ ${#inputs[@]} -gt 0 ] || rc=1
	timeout 100 "$fuzz/$1" "${inputs[@]}" >"$fuzz/$1.log" 2>&1 </dev/null || rc=$?
	# The target prints a line for each input: it did not stop before the last one.
	[ "$(grep -c '^Executed ' "$fuzz/$1.log")" -eq ${#inputs[@]} ] || rc=1
	result $rc "$1: ${#inputs[@]} inputs without a failure"
	[ $rc -eq 0 ] || tail -n 30 "$fuzz/$1.log" | sed 's/^/# /'
}

read -ra targets < <(make -s -C "$here" print-targets)
plan $((${#targets[@]} + 4))
for target in "${targets[@]}"; do
	try "$target"
done

# percent TARGET: prints how many percent of the lines of its files its seeds reach.
percent()
{
	local files
	mapfile -t files <"$fuzz/$1.tests"
	LLVM_PROFILE_FILE=$fuzz/$1.profraw "$fuzz/$1" -runs=0 "$fuzz/seeds/$1" >"$fuzz/$1.log" 2>&1 </dev/null &&
		llvm-profdata merge -sparse "$fuzz/$1.profraw" -o "$fuzz/$1.profdata" &&
		llvm-cov report "$fuzz/$1" -instr-profile "$fuzz/$1.profdata" "${files[@]}" |
		awk '$1 == "TOTAL" { printf "%d", 100 * ($8 - $9) / $8 }'
}

# If the seeds had another layout than the module's, a target would refuse them at once.
low=
for target in stream rcrstat; do
	reached=$(percent $target)
	echo "# $target: $reached % of the lines"
	[ "${reached:-0}" -ge 50 ] || low="$low $target"
done
[ -z "$low" ]
result $? "seeds reach half of the lines of stream and rcrstat:${low:- both}"

rc=0
for folder in "$here"/crashes/*/; do
	[[ " ${targets[*]} " == *" $(basename "$folder") "* ]] || rc=1
done
result $rc "each folder of regressions has a target"

rm -rf "$fuzz/corpus/broken" "$fuzz/crashes/broken"
rc=0
said=$("$RCR_TOP/selftests/fuzz.sh" -t broken 1 2>&1) || rc=$?
found=$(sed -n 's/^fuzz broken: failed at \(.*\); to repeat: .*/\1/p' <<<"$said")
[ $rc -ne 1 ] || [ -s "$found" ] || rc=2
result $((rc != 1)) "the broken target is found and reported"
rc=0
"$fuzz/broken" "$found" >"$fuzz/broken.log" 2>&1 || rc=$?
grep -q "it does not hold that" "$fuzz/broken.log" || rc=0
result $((rc == 0)) "the reported command reproduces the failure"
