#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# coverage.sh FOLDER - checks that each register of each table is programmed and counts in some
# guest. Compares the output of check.sh in FOLDER: the tables that test_tables lists ("# table
# FAMILY/UNIT CONTROL COUNTER") with the registers that covered.sh has seen count ("# covered FILE
# FAMILY/UNIT CONTROL COUNTER"). Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^# table //p' "$folder/unit-test_tables.tap" | sort -u >"$work/tables"
cat "$folder"/guest-*.tap | sed -n 's/^# covered //p' | sort -u >"$work/covered"
cut -d' ' -f2- "$work/covered" | sort -u >"$work/counted"
cut -d' ' -f1 "$work/covered" | sort -u >"$work/files"
for file in "$RCR_TOP"/kmod/pmu/*_*.c; do
	basename "$file" .c
done | sort >"$work/wanted"

plan 3
awk '{ n[$1 " " $2]++ } END { for (i in n) print "# " i ": " n[i] " registers count" }' "$work/covered" | sort
[ -s "$work/tables" ] || echo "the list of test_tables" >"$work/list"
touch "$work/list"
is_empty "$work/list" "the tables have $(wc -l <"$work/tables") counters"
comm -23 "$work/tables" "$work/counted" >"$work/missing"
is_empty "$work/missing" "each counter of the tables counts in a guest"
comm -23 "$work/wanted" "$work/files" >"$work/missing"
is_empty "$work/missing" "the registers of each file of tables count in a guest"
