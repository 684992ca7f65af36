#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrjob's command line, where no module is loaded. With one: guest/jobs.

bats_require_minimum_version 1.5.0
load says

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$PATH
	cd "$BATS_TEST_TMPDIR" || return
}

@test "--help and the manual page name the same options" {
	same_options rcrjob "$TOP/Documentation/man/rcrjob.1"
	[ "$(rcrjob run --help)" = "$(rcrjob --help)" ]
}

@test "--version is VERSION" {
	[ "$(rcrjob --version)" = "rcrjob $(cat "$TOP/VERSION")" ]
}

# completes WORDS...: what bash offers for the last word.
completes() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rcrjob; printf "%s\n" "${COMPREPLY[@]}"' \
		- "$TOP/userspace/system/completion/rcrjob.bash" rcrjob "$@" | sort -u
}

@test "completion, for bash and zsh, has the options of the help" {
	diff <(completes run --) <(rcrjob --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	[ "$(completes r)" = run ]
	# Each part that it offers is one: the module is missing, not the part.
	for part in $(completes run --per ""); do
		says 125 "/dev/rcrtool is not there" rcrjob run --per "$part" -- true
	done
	touch a.json
	[ "$(completes run -o a)" = a.json ]
	completes run -- slee | grep -qx sleep
	[ "$(completes run -- cat a)" = a.json ]
	zsh=$TOP/userspace/system/completion/_rcrjob
	diff <(grep -oE -- '-[a-z] \| --[a-z]+' "$zsh") \
		<(grep -oE -- '-[a-z] \| --[a-z]+' "$TOP/userspace/system/completion/rcrjob.bash")
	! command -v zsh >/dev/null || command zsh -n "$zsh"
}

@test "a wrong command line is reported, with status 2 without run" {
	says 2 "a verb is missing: write 'rcrjob run -- COMMAND'" rcrjob
	says 2 "unknown verb 'start': there is run" rcrjob start -- touch started
	says 2 "unknown option '--often'" rcrjob --often
	[ ! -e started ]
}

@test "a command is not started, with status 125, after a wrong command line" {
	says 125 "a command is missing: write 'rcrjob run -- COMMAND'" rcrjob run
	says 125 "a command is missing" rcrjob run --
	says 125 "unexpected word 'touch': write 'rcrjob run -- touch'" rcrjob run touch started
	says 125 "unknown option '--often'" rcrjob run --often -- touch started
	says 125 "--per needs a value" rcrjob run --per
	says 125 "unknown part 'llc': use core, package or node" rcrjob run -p llc -- touch started
	says 125 "invalid interval '10': use a number and a unit" rcrjob run -i 10 -- touch started
	says 125 "invalid interval '1us'" rcrjob run --interval 1us -- touch started
	[ ! -e started ]
}

@test "a command is not started, with status 125, where nothing can be read" {
	[ ! -e /dev/rcrtool ] || skip "rcrtool is loaded"
	says 125 "/dev/rcrtool is not there: load the module with" rcrjob run -- touch started
	says 125 "/dev/rcrtool is not there: load the module with" rcrjob run --json -o out.json -- touch started
	[ ! -e started ]
	[ ! -e out.json ]
}
