#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrnet where no module is loaded. With one: guest/net.sh.

bats_require_minimum_version 1.5.0
load says

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$PATH
	cd "$BATS_TEST_TMPDIR"
}

@test "rcrnet: --help names the exit statuses, and -h is the same" {
	run rcrnet --help
	[ "$status" -eq 0 ]
	[[ "$output" == *"Exit status"* ]]
	[ "$(rcrnet -h)" = "$output" ]
}

@test "rcrnet: --help and the manual page name the same options" {
	for option in $(rcrnet --help | grep -oE -- '--[a-z-]+'); do
		grep -qF -- "\\-\\-${option#--}" "$TOP/Documentation/man/rcrnet.8"
	done
}

@test "rcrnet: a wrong interval is refused, with status 2" {
	for interval in nan inf -inf 0 -1 0.09 3600.1 3601 1x 1ms 61min "1 s" 1e400 soon ""; do
		says 2 "invalid interval '$interval': give 0.1 to 3600 seconds" rcrnet -i "$interval"
	done
	says 2 "invalid interval '5000'" rcrnet --interval=5000
}

@test "rcrnet: a wrong count is refused, with status 2" {
	for count in 0 -1 +1 1.5 5x 18446744073709551616 many ""; do
		says 2 "invalid count '$count': give a number from 1" rcrnet -n "$count"
	done
}

@test "rcrnet: another wrong command line is refused, with status 2" {
	says 2 "option '-i' needs a value" rcrnet -i
	says 2 "option '-n' needs a value" rcrnet --count
	says 2 "unknown option '-x'" rcrnet -x
	says 2 "unknown option '-x'" rcrnet -xn 1
	says 2 "unknown option '--force'" rcrnet --force
	says 2 "unexpected argument 'eth0'" rcrnet -n 1 eth0
}

@test "rcrnet: without the module it says what to do" {
	says 1 "rcrtool is not loaded: load it" rcrnet
	for interval in 0.1 3600 100ms 60min; do
		says 1 "rcrtool is not loaded: load it" rcrnet -i $interval -n 1
	done
}
