# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# result.sh - TAP for scripts that run programs and judge their exit status.

number=0
result_log=	# whose end is shown of what went wrong

# result STATUS WHAT
result()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
		return
	fi
	echo "not ok $number - $2"
	[ -z "$result_log" ] || tail -n 20 "$result_log" | sed 's/^/# /'
}
