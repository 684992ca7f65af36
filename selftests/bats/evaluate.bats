#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Instructions of an evaluation of meters, counted by valgrind if it is installed.

setup() {
	EVALUATE=${RCR_BUILD:-$BATS_TEST_DIRNAME/../../build}/unit/evaluate_all
	cd "$BATS_TEST_TMPDIR"
}

# count OPTION...: print the instructions of one evaluation, the mean of 16
count() {
	valgrind --tool=callgrind --callgrind-out-file=out --toggle-collect=evaluate_all \
		"$EVALUATE" -n 16 "$@" >log 2>&1 || return
	awk '/Collected :/ { found = 1; printf "%d\n", $NF / 16 } END { exit !found }' log
}

@test "evaluate: all live meters of the default set take < 500,000 instructions on 64 CPUs" {
	command -v valgrind >/dev/null || skip "no valgrind"
	run count
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" -gt 10000 ]
	[ "$output" -lt 500000 ]
}

@test "evaluate: all meters of each family have a value" {
	for family in "AMD Fam10h" "AMD Fam15h" "AMD Fam17h" "AMD Fam19h" "AMD PerfMonV2" \
		"Intel Nehalem" "Intel Sandy Bridge" "Intel Ivy Bridge" "Intel Haswell" \
		"Intel Broadwell" "Intel Skylake-SP" "Intel Ice Lake-SP" "Intel Sapphire Rapids"; do
		"$EVALUATE" -a -f "$family" -n 1
	done
}
