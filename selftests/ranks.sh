#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ranks.sh [FILES] - tests that rcrregion joins the files of FILES ranks
# (guest/programs/region/ranks.c) with little memory and CPU time. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

files=${1:-2000}
folder=$(mktemp -d "$RCR_BUILD/ranks.XXXXXX")
trap 'rm -rf "$folder"' EXIT
# Limit of the address space in KiB, including libraries.
memory=16384

plan 4
read -r processes calls least greatest sum < <("$RCR_BUILD/tests/ranks" "$folder" "$files")
rc=0
# Read the files once: otherwise the time would include that of the disk.
cat "$folder"/node.[0-9]*.rcr >/dev/null 2>&1 || find "$folder" -name '*.rcr' -exec cat {} + >/dev/null
(
	ulimit -v $memory
	"$RCR_BUILD/bin/rcrregion" join "$folder" >"$folder/csv"
	rc=$?
	times >"$folder/times"
	exit $rc
) || rc=$?
is "$rc $(awk -F, '$1 == "solve" && $2 == "instructions" { print $3, $4, $5, $7 }' "$folder/csv")" \
	"0 $processes $calls $least $greatest" "$files files are joined with $memory KiB of memory"
awk -F, -v sum="$sum" -v n="$processes" '$1 == "solve" && $2 == "instructions" { off = $9 / (sum / n) - 1; seen++ }
	END { exit !seen || off > 1e-12 || off < -1e-12 }' "$folder/csv"
result $? "the mean is the sum of all counts divided by $files"
rate=$(sed -n '2s/[ms]/ /gp' "$folder/times" | awk -v n="$files" '{ printf "%d", n / ($1 * 60 + $2 + $3 * 60 + $4 + 0.001) * 60 }')
[ "$rate" -ge 50000 ]
result $? "at least 50,000 files are joined in a minute of CPU time: $rate"

# Truncate the last file, and change a byte of another one.
truncate -s -1 "$folder/node.$((files - 1)).0.rcr"
printf X | dd of="$folder/node.0.0.rcr" bs=1 seek=700 conv=notrunc status=none
rc=0
"$RCR_BUILD/bin/rcrregion" join "$folder" >"$folder/csv" 2>"$folder/err" || rc=$?
is "$rc $(awk -F, '$1 == "solve" && $2 == "instructions" { print $3 }' "$folder/csv") $(sort "$folder/err" | sed 's/.*node\.\([0-9]*\)[^:]*: left out: \([a-z]*\).*/\1 \2/' | xargs)" \
	"1 $((files - 2)) 0 damaged $((files - 1)) truncated" "a truncated and a damaged file are reported and left out"
finished
