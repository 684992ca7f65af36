#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# guest/run.sh, which runs the tests of a guest, must report every failure. lib/guests.sh repeats
# failed guests. The areas can also run on other machines.

bats_require_minimum_version 1.5.0

setup() {
	RUN=$BATS_TEST_DIRNAME/../guest/run.sh
	export RCR_TESTS=$BATS_TEST_TMPDIR/tests TMPDIR=$BATS_TEST_TMPDIR
	mkdir "$RCR_TESTS"
	# Do not unload modules of this machine.
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/rmmod"
	chmod +x "$BATS_TEST_TMPDIR/rmmod"
	PATH=$BATS_TEST_TMPDIR:$PATH
}

# make_test NAME STATUS [LINE]...: make a test that prints the lines and exits with STATUS.
make_test() {
	local name=$1 status=$2
	shift 2
	{
		echo '#!/bin/sh'
		[ $# -eq 0 ] || printf "echo '%s'\n" "$@"
		echo "exit $status"
	} >"$RCR_TESTS/$name"
	chmod +x "$RCR_TESTS/$name"
}

@test "run.sh: a test that passes is reported" {
	make_test good.sh 0 "ok 1 - it holds"
	run bash "$RUN" good.sh
	[ "$status" -eq 0 ]
	run ! grep -q '^not ok' <<<"$output"
}

@test "run.sh: a test without output is a failure, even if another one has printed something" {
	make_test good.sh 0 "ok 1 - it holds"
	make_test silent.sh 0
	make_test skipping.sh 4 "# a comment alone"
	run bash "$RUN" good.sh silent.sh skipping.sh
	[ "$status" -eq 1 ]
	grep -qx 'not ok - silent.sh printed no result' <<<"$output"
	grep -qx 'not ok - skipping.sh printed no result' <<<"$output"
	[ "$(grep -c '^not ok' <<<"$output")" -eq 2 ]
}

@test "run.sh: a test that dies or is missing is a failure" {
	make_test dying.sh 3 "ok 1 - it holds"
	run bash "$RUN" dying.sh absent.sh
	[ "$status" -eq 1 ]
	grep -qx 'not ok - dying.sh ended with status 3' <<<"$output"
	grep -q '^not ok - absent.sh ended with status' <<<"$output"
}

@test "run.sh: a plan without tests is a result" {
	make_test none.sh 4 "1..0 # SKIP there is nothing to test"
	run bash "$RUN" none.sh
	[ "$status" -eq 0 ]
}

# repeats GUEST=FAILURES...: run guests that fail FAILURES times, repeat up to two of those that
# failed, and print the summary.
repeats() {
	local tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/selftests/qemu" "$tree/selftests/lib" "$tree/out"
	cp "$BATS_TEST_DIRNAME"/../lib/{common,guests}.sh "$tree/selftests/lib"
	cat >"$tree/selftests/qemu/guest.sh" <<-'EOF'
		#!/bin/sh
		left=$(cat "$RCR_TESTS/$2")
		echo $((left - 1)) >"$RCR_TESTS/$2"
		[ "$left" -le 0 ] && echo "ok 1 - $4" || { echo "not ok 1 - $4"; exit 1; }
	EOF
	chmod +x "$tree/selftests/qemu/guest.sh"
	for each; do
		echo "${each#*=}" >"$RCR_TESTS/${each%=*}"
	done
	bash -eu -c 'out=$1; . "$out/../selftests/lib/common.sh"; . "$out/../selftests/lib/guests.sh"
		for each in "${@:2}"; do guest "${each%=*}" -- "of ${each%=*}"; done
		[ ! -d "$RCR_TOP/selftests/bats" ] || tap bats bats --formatter tap "$RCR_TOP/selftests/bats"
		repeat_failed 2; summary 0' - "$tree/out" "$@" 2>"$BATS_TEST_TMPDIR/said"
}

@test "guests.sh: a guest that failed once runs again, and the summary lists it" {
	run repeats good=0 stopped=1
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "guest-stopped.first: 1 not ok, run again" ]
	[ "${lines[-1]}" = "2 passed, 0 failed, 0 skipped" ]
}

@test "guests.sh: a guest that fails twice has failed" {
	run repeats good=0 wrong=2
	[ "$status" -eq 1 ]
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "guests.sh: no guest runs again if more guests failed than may be repeated" {
	run repeats one=1 two=1 three=1
	[ "$status" -eq 1 ]
	[ "${lines[-1]}" = "0 passed, 3 failed, 0 skipped" ]
}

@test "guests.sh: only the failed tests of bats run again" {
	mkdir -p "$BATS_TEST_TMPDIR/tree/selftests/bats"
	# A line that begins with @test would be taken for a test of this file.
	sed 's/^test/@test/' >"$BATS_TEST_TMPDIR/tree/selftests/bats/some.bats" <<-'EOF'
		#!/usr/bin/env bats
		once() { [ -e "$RCR_TESTS/$1" ] || { touch "$RCR_TESTS/$1"; false; }; }
		test "good (one)" { once good; }
		test "it fails once: [a|b] *" { once bad; }
		test "fails" { false; }
	EOF
	touch "$RCR_TESTS/good"
	run repeats good=0
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = "bats.first: 2 not ok, run again" ]
	[ "${lines[-1]}" = "3 passed, 1 failed, 0 skipped" ]
}

@test "areas: TEST_PROGS of each Makefile lists the scripts of its directory" {
	cd "$BATS_TEST_DIRNAME/../guest"
	for file in */Makefile; do
		area=${file%/*}
		expected=$(find "$area" -name '*.sh' ! -name common.sh -printf '%f\n')
		got=$(make -s -C "$area" list | tr ' ' '\n' | sort)
		[ "$got" = "$(sort <<<"$expected")" ] || { echo "$area: $got"; false; }
	done
}

@test "areas: names of tests are unique, except in defaults" {
	cd "$BATS_TEST_DIRNAME/../guest"
	[ -z "$(find . -name '*.sh' ! -path './defaults/*' -printf '%f\n' | sort | uniq -d)" ]
}

@test "areas: tests are skipped without a guest, with the reason and status 4" {
	cp "$BATS_TEST_DIRNAME"/../lib/ktap.sh "$BATS_TEST_DIRNAME"/../guest/lib/tap.sh "$BATS_TEST_DIRNAME"/../guest/control/verbs.sh \
		"$BATS_TEST_DIRNAME"/../guest/sampling/items.sh "$RCR_TESTS"
	cd "$RCR_TESTS"
	run bash verbs.sh
	[ "$status" -eq 4 ]
	[ "${lines[1]}" = "1..0 # SKIP verbs.sh: needs a guest: run it with 'make check'" ]
	RCR_MODULE=$RCR_TESTS/none run bash items.sh
	[ "$status" -eq 4 ]
	grep -q '^1\.\.0 # SKIP items.sh: ' <<<"$output"
	run bash "$RUN" verbs.sh
	[ "$status" -eq 0 ]
}
