#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# blame.sh [RUNS] - real programs in exec mode: rcrd names the program that empties the L3, its
# victim and the slowdown; names no process next to a program that only computes; names two
# processes that write words of one line; and reports whether fewer programs would help. For the
# guest of contended.sh. A busy host does not change cycles (RCR_VPMU_CYCLES=work), but it changes
# how programs take turns: a contention may end and begin again.
. ./tap.sh
. ./rcrd_lib.sh
runs=${1:-1}
plan $((3 + 9 * runs))
VICTIM=2 NEIGHBOUR=3
# The writers of a line run on two nodes, as the two cores of a module share their L2.
WRITERS="1 3"

is_over() { ! rcrctl why 2>/dev/null | grep -q "^[0-9].* node 1 "; }
lines_are_over() { ! rcrctl why 2>/dev/null | grep -q "^[0-9].* lines: "; }

# begin: makes found and contested ignore earlier findings.
begin() { read -r since _ </proc/uptime; }

# found: prints the findings about node 1 since begin; each line begins with a time.
found() { rcrctl verdicts | awk -v since="$since" '$1 >= since && $4 == 1 && / (contention|busy) since /'; }

# run_on CPU KIND: runs work on a CPU in the background; sets $started to its process id.
run_on()
{
	taskset -c "$1" ./work "$2" 1000000000000 &
	started=$!
}

# run_lines KIND: runs two processes in the background; sets $writers to their ids.
run_lines()
{
	# shellcheck disable=SC2086 # two words
	./lines "$1" 1000000000000 $WRITERS &
	until writers="$! $(cat /proc/$!/task/$!/children)" && [ "${writers#* }" ]; do :; done
	writers=${writers% }
}

# contested: prints the processes that findings about lines name since begin.
contested()
{
	rcrctl verdicts | awk -v since="$since" '$1 >= since' |
		sed -n 's/.* lines: \(contention\|busy\) since .*; process \([0-9]*\) (lines) .*/\2/p' | sort -un | xargs
}

both_are_named() { [ "$(contested)" = "$1" ]; }

end_work()
{
	kill "$@"
	wait "$@" 2>/dev/null
}

# would_help: prints the kinds of findings about running fewer programs. Ignores other kinds: for a
# moment rcrd may name the program that was not stopped as the cause.
would_help() { found | sed -n 's/.* node 1 \(sum\|each\|sharing\|overflow\): .*/\1/p' | sort -u | xargs; }

# together KIND: runs work twice, stopping one of them every second, until rcrd reports whether
# fewer would help; prints that. The other one needs a while to fill the L3, longer on a busy host.
together()
{
	local one two goer
	begin
	run_on $VICTIM "$1"
	one=$started
	run_on $NEIGHBOUR "$1"
	two=$started
	while sleep 0.5 && kill -STOP "$two" && sleep 0.5; do
		kill -CONT "$two"
	done &
	goer=$!
	soon helps_or_not
	end_work $goer
	kill -CONT "$two"
	end_work "$one" "$two"
	would_help
	# rcrd keeps what misses have shown about CPUs for a second.
	soon is_over && sleep 1.5
}

helps_or_not() { [ "$(would_help)" ]; }

# register_of NAME: prints the count register of a counter.
register_of() { rcrctl ls | awk -v name="$1" '$1 == name { print $4 }'; }

# cost: prints the victim CPU's cycles per 1,000 instructions over a second, by rdmsr. Counts have
# 48 bits.
cost()
{
	local cycles work
	cycles=$(rdmsr -d -p $VICTIM "$CYCLES") work=$(rdmsr -d -p $VICTIM "$WORK")
	sleep 1
	cycles=$((($(rdmsr -d -p $VICTIM "$CYCLES") - cycles) & (1 << 48) - 1))
	work=$((($(rdmsr -d -p $VICTIM "$WORK") - work) & (1 << 48) - 1))
	echo $((1000 * cycles / work))
}

# is_one: true if rcrd names the thrasher and its victim, with a slowdown within 20 % of the
# measured one.
is_one()
{
	found | sed -n "s/.* one: busy .*process $thrasher (work) causes it, .*process $victim (work) takes \([0-9.]*\) times.*/\1/p" |
		awk -v a="$alone" -v n="$now" '
			{ by = $1; found = by > 0.8 * n / a && by < 1.2 * n / a }
			END { print by; exit !found }' >/tmp/slowdown
}

# Run everything else on node 0: only the programs use the L3 of node 1.
taskset -pc 0,1 $$ >/tmp/out
users
mkdir -p /etc/rcrtool
echo "network = off" >/etc/rcrtool/rcrtool.conf
load_set "TOT_CYC;TOT_INS;L2_DCM;MODIFIED=event:0x6c,umask:0x2a;L3_MISS=nb:event:0x4e1,umask:0xf7" source=msr \
	period_us=10000 budget_ppm=0
result $? "blame: the events of the cache model are counted"
CYCLES=$(register_of TOT_CYC) WORK=$(register_of TOT_INS)
give_devices
start
result $? "blame: rcrd starts"

for ((i = 1; i <= runs; i++)); do
	begin
	run_on $VICTIM part
	victim=$started
	sleep 2
	alone=$(cost)
	begin
	run_on $NEIGHBOUR nops
	sleep 2
	is "$(found)" "" "blame: run $i: no process is named next to a program that only computes"
	end_work "$started"
	begin
	run_on $NEIGHBOUR write
	thrasher=$started
	sleep 1
	now=$(cost)
	echo "# cycles per 1,000 instructions: $alone alone, $now now"
	[ "$now" -gt $((2 * alone)) ]
	result $? "blame: run $i: a program that fits in the L3 is slower next to one that writes memory"
	soon is_one
	result $? "blame: run $i: the writer is named, and its victim with the slowdown"
	echo "# by rcrd $(cat /tmp/slowdown) times"
	[ -s /tmp/slowdown ] || rcrctl verdicts | sed 's/^/# /'
	end_work "$thrasher" "$victim"
	soon is_over
	result $? "blame: run $i: the finding ends when the programs have ended"

	begin
	run_lines words
	soon both_are_named "$writers"
	result $? "blame: run $i: two processes that write words of one line are named"
	echo "# $(contested) are named, of $writers"
	# shellcheck disable=SC2086 # two
	end_work $writers
	soon lines_are_over
	result $? "blame: run $i: the finding about lines ends when the processes have ended"
	begin
	run_lines apart
	sleep 2
	is "$(contested)" "" "blame: run $i: two processes that write different lines are not named"
	# shellcheck disable=SC2086 # two
	end_work $writers

	is "$(together part)" sum "blame: run $i: fewer would help two programs that each fit in the L3"
	is "$(together all)" each "blame: run $i: fewer would not help two programs that do not fit in the L3"
done
stop
unload
result $? "blame: the module unloads"
finished
