#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh TEST... - runs tests, one after the other, in a guest or by area.mk. A TEST is a
# program under /rcr/tests and its arguments, in one word. One that dies without a
# "not ok" of its own gets one here, and so does one that prints no result at all, and one
# that takes longer than RCR_TEST_LIMIT seconds, which a slow kernel is given as a parameter.
tests=${RCR_TESTS:-/rcr/tests} tmp=${TMPDIR:-/tmp}
failed=0
loaded=
[ ! -e /sys/module/rcrtool ] || loaded=yes
for test in "$@"; do
	echo "# test: $test"
	start=$SECONDS
	# shellcheck disable=SC2086 # the words of a test are words
	(cd "$tests" && exec timeout "${RCR_TEST_LIMIT:-200}" ./$test) </dev/null >"$tmp/tap" 2>"$tmp/errors"
	rc=$?
	echo "# $test took $((SECONDS - start)) s"
	cat "$tmp/tap"
	sed 's/^/# /' "$tmp/errors"
	case $rc in
	0 | 4)
		if ! grep -q '^ok\|^not ok\|^1\.\.0' "$tmp/tap"; then
			failed=1
			echo "not ok - $test printed no result"
		fi
		;;
	*)
		failed=1
		grep -q '^not ok' "$tmp/tap" || echo "not ok - $test ended with status $rc"
		;;
	esac
	if [ -z "$loaded" ] && rmmod rcrtool 2>/dev/null; then
		echo "not ok - $test left the module loaded"
	fi
done
exit $failed
