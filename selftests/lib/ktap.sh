# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# ktap.sh - TAP for shell scripts, in guests and elsewhere. A script calls plan with its number of
# results, prints each, and calls finished at the end. Status 4: it was skipped.

TAP_NUMBER=0 TAP_FAILED=0
TAP_AREA=${0##*/}	# begins each description that has no area of its own
TAP_AREA=${TAP_AREA%.sh}
TAP_LOG=	# a file whose end is shown after "not ok"

plan()
{
	printf 'TAP version 13\n1..%d\n' "$1"
}

# result STATUS DESCRIPTION: prints a line "area: what holds", ok if STATUS is 0.
result()
{
	local text=$2
	[[ $text =~ ^[A-Za-z0-9_=-]+:\  ]] || text="$TAP_AREA: $text"
	TAP_NUMBER=$((TAP_NUMBER + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' "$TAP_NUMBER" "$text"
		return
	fi
	TAP_FAILED=1
	printf 'not ok %d - %s\n' "$TAP_NUMBER" "$text"
	[ -z "$TAP_LOG" ] || tail -n 20 "$TAP_LOG" | sed 's/^/# /'
}

# is GOT EXPECTED DESCRIPTION
is()
{
	if [ "$1" = "$2" ]; then
		result 0 "$3"
	else
		result 1 "$3"
		printf '# got      "%s"\n# expected "%s"\n' "$1" "$2"
	fi
}

# contains TEXT PART DESCRIPTION
contains()
{
	case $1 in
	*"$2"*) result 0 "$3" ;;
	*)
		result 1 "$3"
		printf '# "%s" is not in "%s"\n' "$2" "$1"
		;;
	esac
}

# is_empty FILE DESCRIPTION: prints the first lines of the file if it is not empty.
is_empty()
{
	if [ ! -s "$1" ]; then
		result 0 "$2"
	else
		result 1 "$2"
		head -n 40 "$1" | sed 's/^/# /'
	fi
}

# skip_all REASON: ends a test that cannot run here.
skip_all()
{
	printf 'TAP version 13\n1..0 # SKIP %s: %s\n' "$(basename "$0")" "$1"
	exit 4
}

finished()
{
	exit "$TAP_FAILED"
}
