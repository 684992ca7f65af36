#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrstat's command line, where no module is loaded. With one: guest/control/badinput.sh.

load says

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$PATH
}

@test "--help names every option and the exit statuses" {
	run rcrstat --help
	[ "$status" -eq 0 ]
	for word in --interval --count --cpus --format --per --component-id --relations --sysfs --output --device --help --version "Exit status"; do
		[[ "$output" == *"$word"* ]]
	done
}

@test "--help and the manual page name the same options" {
	same_options rcrstat "$TOP/Documentation/man/rcrstat.1"
}

@test "--version is VERSION" {
	run rcrstat --version
	[ "$output" = "rcrstat $(cat "$TOP/VERSION")" ]
}

@test "without the module the error names the remedy" {
	says 1 "/nonexistent is not there: load the module" rcrstat -d /nonexistent
}

@test "a file that is no stream is refused" {
	says 1 "gives no stream" rcrstat -d "$TOP/README.md"
	says 1 "gives no stream" rcrstat -d /dev/null
}

@test "an output that cannot be written is not even tried without a device" {
	echo keep >"$BATS_TEST_TMPDIR/keep"
	says 1 "is not there" rcrstat -d /nonexistent -o "$BATS_TEST_TMPDIR/keep"
	[ "$(cat "$BATS_TEST_TMPDIR/keep")" = keep ]
}

@test "wrong options are refused with status 2" {
	says 2 "invalid interval '0'" rcrstat -i 0
	says 2 "invalid interval 'x'" rcrstat -i x
	says 2 "invalid interval '1x'" rcrstat -i 1x
	says 2 "invalid interval 'inf'" rcrstat --interval inf
	says 2 "invalid interval '1e300'" rcrstat -i 1e300
	says 2 "invalid count '0'" rcrstat -n 0
	says 2 "invalid count '-1'" rcrstat -n -1
	says 2 "invalid count '1.5'" rcrstat -n 1.5
	says 2 "invalid list of CPUs '3-1'" rcrstat -c 3-1
	says 2 "invalid list of CPUs ''" rcrstat -c ""
	says 2 "invalid list of CPUs '1,,2'" rcrstat -c 1,,2
	says 2 "invalid list of CPUs '8192'" rcrstat -c 8192
	says 2 "unknown format 'xml'" rcrstat -f xml
	says 2 "unknown format ''" rcrstat -f ""
	says 2 "invalid interval 'sleep'" rcrstat sleep 1
	says 2 "invalid count 'x'" rcrstat 1 x
	says 2 "unexpected word '2' after the interval and the count" rcrstat 1 1 2
	says 2 "unknown unit 'socket'" rcrstat --per socket
	says 2 "option '--per' goes with the formats csv and table" rcrstat -p node -f ldms
	says 2 "option '--per' goes with" rcrstat -f raw -p all
	says 2 "invalid component id '-1'" rcrstat --component-id -1
	says 2 "unknown option '-x'" rcrstat -x
	says 2 "option '-i' needs an argument" rcrstat -i
}

@test "a command is not started, with status 125, where rcrstat cannot count" {
	cd "$BATS_TEST_TMPDIR"
	says 125 "a command is missing after '--'" rcrstat --
	says 125 "only -e, -c, -j and -o go with a command" rcrstat -n 1 -- touch started
	says 125 "only -e, -c, -j and -o go with a command" rcrstat -p all -- touch started
	says 125 "unknown option '-x'" rcrstat -x -- touch started
	says 2 "option '-j' needs '-- COMMAND'" rcrstat -j
	says 2 "option '-e' does not go with the format raw" rcrstat -e cycles -f raw
	[ -e /dev/rcrtool ] || says 125 "is not there: load the module" rcrstat -- touch started
	[ -e /dev/rcrtool ] || says 125 "is not loaded" rcrstat -e cycles -- touch started
	[ ! -e started ]
}

@test "-e chooses counters of a saved stream by name" {
	PATH=$TOP/build/unit:$PATH
	cd "$BATS_TEST_TMPDIR"
	make_stream cpus=2 set run=2010 >stream
	rcrstat -d stream -e TOT_INS,BR_MSP >chosen
	head -n 1 chosen | grep -qx 'time,interval,lost,overruns,status,cpu0:TOT_INS,cpu0:BR_MSP,cpu1:TOT_INS,cpu1:BR_MSP'
	rcrstat -d stream | cut -d, -f1-5,7,11,13,17 | cmp - chosen
	rcrstat -d stream -e TOT_CYC,TOT_INS -f table | sed -n 3p | grep -qx ' *IPC  TOT_CYC  TOT_INS'
	says 1 "an event is missing in the list" rcrstat -d stream -e TOT_INS,,BR_MSP
}

# complete_after WORD...: what bash completes the last word to.
complete_after() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rcrstat
		printf "%s\n" "${COMPREPLY[@]}"' - "$TOP/userspace/system/completion/rcrstat.bash" "$@" | sort -u
}

@test "completion and help have the same options, formats and units" {
	diff <(complete_after rcrstat --) <(rcrstat --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	for format in $(complete_after rcrstat -f ''); do
		run rcrstat -f "$format" -o "$BATS_TEST_TMPDIR/out" -d /nonexistent
		[ "$status" -eq 1 ]
	done
	for per in $(complete_after rcrstat -p ''); do
		run rcrstat -p "$per" -d /nonexistent
		[ "$status" -eq 1 ]
	done
	[ "$(complete_after rcrstat -e cyc)" = cycles ]
	complete_after rcrstat -e cycles -- tru | grep -qx true
}
