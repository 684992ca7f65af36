#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check.sh - tries each target of the fuzzers with its seeds and with all inputs that
# ever broke one, once, as TAP; and that fuzz.sh finds and reports a broken target.
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
	# One for each: it has not stopped before the last.
	[ "$(grep -c '^Executed ' "$fuzz/$1.log")" -eq ${#inputs[@]} ] || rc=1
	result $rc "$1 takes ${#inputs[@]} inputs"
	[ $rc -eq 0 ] || tail -n 30 "$fuzz/$1.log" | sed 's/^/# /'
}

read -ra targets < <(make -s -C "$here" print-targets)
plan $((${#targets[@]} + 4))
for target in "${targets[@]}"; do
	try "$target"
done

# percent TARGET: of the lines of the files that it tests, those that its seeds reach.
percent()
{
	local files
	mapfile -t files <"$fuzz/$1.tests"
	LLVM_PROFILE_FILE=$fuzz/$1.profraw "$fuzz/$1" -runs=0 "$fuzz/seeds/$1" >"$fuzz/$1.log" 2>&1 </dev/null &&
		llvm-profdata merge -sparse "$fuzz/$1.profraw" -o "$fuzz/$1.profdata" &&
		llvm-cov report "$fuzz/$1" -instr-profile "$fuzz/$1.profdata" "${files[@]}" |
		awk '$1 == "TOTAL" { printf "%d", 100 * ($8 - $9) / $8 }'
}

# Seeds of another layout than the module's are refused at once, and nothing is tried.
low=
for target in stream rcrstat; do
	reached=$(percent $target)
	echo "# $target: $reached % of the lines"
	[ "${reached:-0}" -ge 50 ] || low="$low $target"
done
[ -z "$low" ]
result $? "a stream is read as one:${low:- all}"

# Each folder of regressions has a target.
rc=0
for folder in "$here"/crashes/*/; do
	[[ " ${targets[*]} " == *" $(basename "$folder") "* ]] || rc=1
done
result $rc "whatever was found is tried"

rm -rf "$fuzz/corpus/broken" "$fuzz/crashes/broken"
rc=0
said=$("$RCR_TOP/selftests/fuzz.sh" -t broken 1 2>&1) || rc=$?
found=$(sed -n 's/^fuzz broken: it broke at \(.*\); once more: .*/\1/p' <<<"$said")
[ $rc -ne 1 ] || [ -s "$found" ] || rc=2
result $((rc != 1)) "the broken target is found and reported"
rc=0
"$fuzz/broken" "$found" >"$fuzz/broken.log" 2>&1 || rc=$?
grep -q "it does not hold that" "$fuzz/broken.log" || rc=0
result $((rc == 0)) "the reported command breaks it again"
