# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Helpers of the bats files: set-up, expected errors, completion by bash, and comparison of the
# options in help and manual page.

# use_built: set TOP to the tree, put its programs first in PATH, and change to an empty directory.
use_built() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$PATH
	cd "$BATS_TEST_TMPDIR" || return
}

# completed PROGRAM WORDS...: print what bash offers for the last word.
completed() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _$1; printf "%s\n" "${COMPREPLY[@]}"' \
		- "$TOP/userspace/system/completion/$1.bash" "$@" | sort -u
}

# STATUS SENTENCE COMMAND: expect one sentence on standard error, nothing on standard output.
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

# same_options PROGRAM PAGE [HELP...]: compare the long options of the help (printed by HELP, by
# default --help) with those of its manual page, or of a part of it.
same_options() {
	diff <("$1" --help | cat - <("${@:3}") | grep -oE -- '--[a-z][a-z-]+' | sort -u) \
		<(sed 's/\\-/-/g' "$2" | grep -oE -- '--[a-z][a-z-]+' | sort -u)
}
