# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# common.sh - paths and functions for all scripts of the selftests. Needs bash with -eu.

RCR_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
RCR_BUILD=${RCR_BUILD:-$RCR_TOP/build}
# shellcheck disable=SC2034 # used by scripts that source this
RCR_DOWNLOADS=$RCR_BUILD/downloads
# The kernels that the module is built for and that guests run.
# shellcheck disable=SC2034 # used by scripts that source this
RCR_SERIES=(6.1 6.12)
# The value that Makefile uses for tests: with another one each module would be compiled again.
export KCFLAGS=${KCFLAGS--g1}

say()
{
	printf '%s\n' "$*" >&2
}

die()
{
	say "${0##*/}: $*"
	exit 1
}

# step WHAT LOG COMMAND...: runs a long command with its output in LOG, prints the time that it
# took, and the end of LOG if it failed. On a terminal it shows the elapsed seconds.
step()
{
	local what=$1 log=$2 start=$SECONDS rc=0 pid
	shift 2
	mkdir -p "$(dirname "$log")"
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	if [ -t 2 ]; then
		while kill -0 "$pid" 2>/dev/null; do
			printf '\r%s ... %ds ' "$what" $((SECONDS - start)) >&2
			sleep 1
		done
		printf '\r' >&2
	fi
	wait "$pid" || rc=$?
	if [ "$rc" -ne 0 ]; then
		say "$what: failed (status $rc); the end of $log:"
		tail -n 25 "$log" >&2
		return "$rc"
	fi
	say "$what: done in $((SECONDS - start)) s"
}

# fingerprint FILE...: prints a word that changes with the content of the files.
fingerprint()
{
	cat "$@" | sha256sum | cut -c1-16
}
