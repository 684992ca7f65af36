#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# shell_test.sh - tests "make shell" on a terminal: typed commands run in a guest with the requested
# model and kernel and the module installed, and "exit" ends it. Prints TAP.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

LIMIT=240
out=$RCR_BUILD/shell_test
rm -rf "$out"
mkdir -p "$out"
# shellcheck disable=SC2034 # of ktap.sh
TAP_LOG=$out/screen
mkfifo "$out/keys"

# comes TEXT: waits until the text is on the screen; fails after a timeout.
comes()
{
	local i
	for ((i = 0; i < LIMIT; i++)); do
		! grep -qF -- "$1" "$out/screen" || return 0
		kill -0 $terminal 2>/dev/null || return 1
		sleep 1
	done
	return 1
}

plan 5
rc=0
RCR_M='' RCR_K='' "$RCR_TOP/selftests/shell.sh" </dev/null >"$out/screen" 2>&1 || rc=$?
{ [ $rc -ne 0 ] && grep -q 'not a terminal' "$out/screen"; } && rc=0 || rc=1
result $rc "shell: without a terminal it is refused"
TERM=vt100 RCR_M=zen4 RCR_K=6.12 timeout $((2 * LIMIT)) script -qefc "$RCR_TOP/selftests/shell.sh" /dev/null \
	<"$out/keys" >"$out/screen" 2>&1 &
terminal=$!
exec 3>"$out/keys"
rc=0
comes 'guest# ' || rc=$?
result $rc "shell: a prompt comes"
# The screen shows typed text, too, so a command must not contain its expected output.
# shellcheck disable=SC2016 # expanded there
echo 'echo "kernel: $(uname -r | cut -d . -f 1-2)"; modprobe rcrtool && rcrctl ls' >&3
rc=0
comes 'kernel: 6.12' || rc=$?
result $rc "shell: a command runs, on that kernel"
rc=0
comes 'AMD PerfMonV2, source' || rc=$?
result $rc "shell: the module loads there, and has the family of that model"
echo exit >&3
exec 3>&-
rc=0
wait $terminal || rc=$?
result $rc "shell: exit ends it"
finished
