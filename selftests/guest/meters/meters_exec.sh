#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# meters_exec.sh - memory bandwidth and FLOP rate of a program with known bytes and operations
# (triad.c) in the virtual PMU's exec mode (vpmu/exec.h), through each interface. For a guest of the
# model fam15h with RCR_VPMU=exec, and caches large enough for the memory that the kernel uses in a
# tick, so that hardly anything else is counted.
#
# Meters have a time scale longer than a run, and are added before it, so their windows begin with
# the run, and their sums are those of the run. They include other work up to the reading, about one
# in a thousand. A rate in CSV is a count between two samples, divided by the time between them. The
# interval in CSV is from one due time to the next, so rate times interval is wrong by the lateness
# of the samples.
. ./tap.sh
plan 32
METERS=/sys/kernel/debug/rcrtool/meters
CPU=3 DIE=1	# where the work is; all else is on the first CPU

# near WHAT GOT EXPECTED [MORE]: GOT differs from EXPECTED by at most 0.5 + MORE percent.
near()
{
	local off
	off=$(awk -v got="${2:-0}" -v expected="$3" -v most="${4:-0}" 'BEGIN {
		off = (got - expected) / expected * 100
		most += 0.5
		printf "%+.3f", off
		exit !(got > 0 && off <= most && off >= -most)
	}')
	result $? "meters_exec: $1: ${2:-nothing} for $3, off by $off %"
}

# in_file METER PLACE NUMBER: prints the sum from the meter's file.
in_file()
{
	if [ "$2" = machine ]; then
		sed -n 's/^sum: //p' "$METERS/$1"
	else
		sed -n "s/^$2 $3: .* sum \([0-9]*\) .*/\1/p" "$METERS/$1"
	fi
}

# on_board library|mapped METER PLACE NUMBER: prints the sum on the board, read with librcr or
# directly.
on_board()
{
	./boardread show "$2" "$3" "$4" | sed -n "s/^$1 .* sum \([0-9]*\) .*/\1/p"
}

# place_number METER PLACE NUMBER: prints the index of that place among the places of the meter.
place_number()
{
	if [ "$2" = machine ]; then
		echo 0
	else
		grep -E '^[a-z]+ [0-9]+: ' "$METERS/$1" | grep -n "^$2 $3: " | cut -d : -f 1
	fi
}

# by_perf METER PLACE NUMBER: prints the sum according to perf stat.
by_perf()
{
	local event=rcrtool/$1/
	[ "$2" = machine ] || event="rcrtool/$1,place=$(place_number "$@")/"
	perf stat -x, -a -e "$event" sleep 0.1 2>&1 | awk -F, '{ printf "%.0f\n", $1 }'
}

# in_csv FACTOR COLUMN...: prints the sum over the recorded run, from rates and intervals, or
# nothing if there is an empty cell (a gap).
in_csv()
{
	local factor=$1
	shift
	awk -F, -v factor="$factor" -v wanted=" $* " '
	/^#/ { next }
	!found {
		for (i = 1; i <= NF; i++)
			if (index(wanted, " " $i " ")) {
				is_wanted[i] = 1
				found++
			}
		next
	}
	{
		for (i in is_wanted) {
			gaps += $i == ""
			sum += $i * $2
		}
	}
	END { if (found && !gaps) printf "%.0f\n", sum * factor }' /tmp/csv
}

# Add the meters with a new time scale once each CPU was sampled without that, so that no CPU has
# marks for it yet.
add_meters()
{
	rcrctl meter remove run_bytes
	rcrctl meter remove run_flops
	sleep 0.5
	rcrctl meter add run_bytes mem_bw --scale 10min,sum --unit B/s --digits 0 --over die &&
		rcrctl meter add run_flops flop_rate --scale 10min,sum --unit flop/s --digits 0 \
			--over cpu
}

# begin KIND PASSES: starts triad, which waits, adds the meters and starts recording.
begin()
{
	coproc WORK { exec taskset -c $CPU ./triad "$@"; }
	worker=$WORK_PID
	read -r -u "${WORK[0]}" line
	if [ "$line" != ready ]; then
		echo "Bail out! meters_exec.sh: triad does not work"
		exit 1
	fi
	sleep 1
	add_meters
	cat /dev/rcrtool >/tmp/stream &
	follower=$!
	rcrstat -i 1 -o /tmp/csv &
	recorder=$!
	sleep 1.5
}

# run: lets triad work, sets $bytes, $flops and $ns, and reads every interface.
run()
{
	echo >&"${WORK[1]}"
	read -r -u "${WORK[0]}" bytes flops ns
	sleep 2.5
	kill -INT $recorder
	wait $recorder
	kill $follower
	wait $follower 2>/dev/null
	# The samples at both ends of the first and last interval may be late.
	more=$(awk -v late="$(./lateness </tmp/stream)" -v ns="$ns" 'BEGIN { print 400 * late / ns }')
	echo "# samples were late by up to $more % of the work"
	echo "# $(awk -v b="$bytes" -v f="$flops" -v ns="$ns" 'BEGIN {
		printf "%.0f ms, %.1f MB/s, %.1f Mflop/s", ns / 1e6, b / ns * 1e3, f / ns * 1e3
	}'), lines with gaps: $(grep -v '^#' /tmp/csv | tail -n +2 | cut -d , -f 5 | grep -vc '^ok$')"
}

end()
{
	echo >&"${WORK[1]}"
	wait "$worker"
}

# by_each_interface METER EXPECTED PLACE NUMBER CSV: checks each interface at one place; CSV is the
# sum from the recorded stream.
by_each_interface()
{
	local at="$1 of $3 $4"
	near "$at, file" "$(in_file "$1" "$3" "$4")" "$2"
	near "$at, blackboard by librcr" "$(on_board library "$1" "$3" "$4")" "$2"
	near "$at, blackboard as mapped" "$(on_board mapped "$1" "$3" "$4")" "$2"
	near "$at, perf stat" "$(by_perf "$1" "$3" "$4")" "$2"
	near "$at, CSV" "$5" "$2" "$more"
}

# rate METER EXPECTED PLACE NUMBER: checks the average rate. Average and window are from one read of
# the file.
rate()
{
	local average window
	cat "$METERS/$1" >/tmp/meter
	average=$(sed -n "s/^$3 $4: .* average \([0-9]*\) .*/\1/p" /tmp/meter)
	window=$(sed -n 's/^window_ns: //p' /tmp/meter)
	result $((window < ns)) "meters_exec: the window of $1 ($window ns) is longer than the work"
	near "$1 of $3 $4, its rate times its window" \
		"$(awk -v a="$average" -v ns="$window" 'BEGIN { printf "%.0f", a * ns / 1e9 }')" "$2"
}

cpu_flops()
{
	in_csv 1 "cpu$CPU:RETIRED_FLOPS"
}

machine_flops()
{
	in_csv 1 cpu0:RETIRED_FLOPS cpu1:RETIRED_FLOPS cpu2:RETIRED_FLOPS cpu3:RETIRED_FLOPS
}

die_bytes()
{
	in_csv 64 "package1/die$DIE:DCT_RD_TOT" "package1/die$DIE:DCT_WRT"
}

# perf stat runs on the other die, and causes some megabytes of traffic: only compare the machine
# with the sum of its dies.
dies_are_the_machine()
{
	awk '
	/^sum: / { machine = $2 }
	/^die / { for (i = 1; i < NF; i++) if ($i == "sum") dies += $(i + 1) }
	END { print "# machine " machine " dies " dies; exit !(machine && machine == dies) }' \
		$METERS/run_bytes
	result $? "meters_exec: the traffic of all dies adds up to that of the machine"
}

taskset -p 1 $$ >/dev/null
load period_us=100000 budget_ppm=0
rcrctl meter add mem_bw
result $? "meters_exec: the counters of memory bandwidth are in the set"
add_meters 2>/dev/null
result $? "meters_exec: meters with a time scale longer than the work are added"

begin triad 30
run
dies_are_the_machine
by_each_interface run_bytes "$bytes" die $DIE "$(die_bytes)"
by_each_interface run_flops "$flops" machine 0 "$(machine_flops)"
by_each_interface run_flops "$flops" cpu $CPU "$(cpu_flops)"
rate run_bytes "$bytes" die $DIE
end

begin flops 20
run
by_each_interface run_flops "$flops" machine 0 "$(machine_flops)"
by_each_interface run_flops "$flops" cpu $CPU "$(cpu_flops)"
rate run_flops "$flops" cpu $CPU
end
unload
finished
