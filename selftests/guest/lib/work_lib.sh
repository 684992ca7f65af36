# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# work_lib.sh - runs perf stat on the known work of work.c, in the virtual PMU's exec mode.

# run EVENTS KIND COUNT: prints the count of each event on one line. On an overloaded host the
# guest's clock may not advance during a run; perf then prints "not counted", and the run is
# repeated.
run()
{
	local try
	for try in 1 2 3 4 5; do
		perf stat -x, -e "$1" ./work "$2" "$3" 2>/tmp/run >/dev/null
		grep -q '^<not counted>' /tmp/run || break
		echo "# run $try: not counted" >&2
	done
	awk -F, '/^[0-9]/ { printf "%s%s", sep, $1; sep = " " }' /tmp/run
}

# each EVENTS KIND COUNT: prints the counts of one round of KIND: the difference of a run of
# 2 * COUNT rounds and one of COUNT rounds, divided by COUNT.
each()
{
	echo "$(run "$1" "$2" "$3") $(run "$1" "$2" $((2 * $3)))" |
		awk -v n="$3" '{
			for (i = 1; i <= NF / 2; i++)
				printf "%s%.10g", (i > 1 ? " " : ""), ($(i + NF / 2) - $i) / n
		}'
}

# near GOT EXPECTED PARTS DESCRIPTION: GOT differs from EXPECTED by at most EXPECTED / PARTS.
near()
{
	awk -v got="$1" -v expected="$2" -v parts="$3" 'BEGIN {
		off = got > expected ? got - expected : expected - got
		exit !(off * parts <= expected)
	}'
	result $? "$4: $1 for $2"
}
