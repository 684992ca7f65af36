# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The set-up of a program's tests, how it refuses, what bash completes, and the options in its
# help and in its manual page; loaded by the bats files.

# use_built: the set-up: the tree is TOP, its programs are first in PATH, and the current directory
# is an empty one.
use_built() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$PATH
	cd "$BATS_TEST_TMPDIR" || return
}

# completed PROGRAM WORDS...: what bash offers for the last word.
completed() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _$1; printf "%s\n" "${COMPREPLY[@]}"' \
		- "$TOP/userspace/system/completion/$1.bash" "$@" | sort -u
}

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
