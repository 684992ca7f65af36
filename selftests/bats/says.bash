# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# How a program refuses, and the options in its help and in its manual page; loaded by the
# bats files.

# STATUS SENTENCE COMMAND: one sentence on standard error, nothing on standard output.
says() {
	local status=$1 sentence=$2 rc=0
	local out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err
	shift 2
	"$@" >"$out" 2>"$err" || rc=$?
	cat "$err"
	[ "$rc" -eq "$status" ]
	[ "$(wc -l <"$err")" -eq 1 ]
	[ ! -s "$out" ]
	grep -qF -- "$sentence" "$err"
}

# same_options PROGRAM PAGE [HELP...]: the long options in its help, which HELP prints if it
# is not --help, and in (part of) its manual page are the same.
same_options() {
	diff <("$1" --help | cat - <("${@:3}") | grep -oE -- '--[a-z][a-z-]+' | sort -u) \
		<(sed 's/\\-/-/g' "$2" | grep -oE -- '--[a-z][a-z-]+' | sort -u)
}
