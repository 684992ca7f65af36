#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# where.sh MODEL [RUNS] - 'rcrctl where' on an installed machine. Three loops cause 0.6, 0.3 and 0.1
# of the L2 misses by construction; rcrctl must print these shares and the loops' source lines after
# the program has ended, to root, a member of the group rcrtool and the program's user, but not to
# another user. The shares of the first run must be in the 99.9 % confidence intervals; of further
# runs, enough 95 % intervals must have them. For a guest of the model fam15h with two nodes
# (guest.sh -N), RCR_VPMU=exec, RCR_VPMU_CACHES=16,256,1024 and RCR_VPMU_STALL=1500.
. ./defaults/common.sh
machine "$1"
runs=${2:-1}
plan $((25 + (runs > 1)))

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
# Not user 65534: root parses files of other users as that user.
other=(setpriv --reuid 1002 --regid 1002 --clear-groups)
NOWHERE="nowhere: rcrd detected no contention"

# CPUs 2 and 3 share an L3. The loops run on CPU 2, and a program without misses runs on CPU 3 half
# of the time: the model compares times with more and fewer busy CPUs, so their number must vary.
vary()
{
	taskset -c 3 ./work nops 1000000000000 &
	spinner=$!
	while kill -STOP $spinner && sleep 0.3 && kill -CONT $spinner && sleep 0.3; do :; done 2>/dev/null &
	varier=$!
}

end_vary()
{
	kill -KILL $spinner $varier
	wait $spinner $varier 2>/dev/null
}

# run_loops SECONDS: runs the loops as the user, and writes to /tmp/json what rcrctl where prints
# about the finding "each" of node 1, without other findings that may have been there for a moment.
run_loops()
{
	vary
	as user taskset -c 2 /tmp/copy/loops "$1" >/tmp/phases
	end_vary
	rcrctl where cache --all --json 2>/tmp/err | tac | sed '/^{"model": .*"each", "node": 1,/q' | tac >/tmp/json
	sed 's/^/# /' /tmp/err
	grep '^{"model": ' /tmp/json | cut -c 1-250 | sed 's/^/# /'
}

# json_of KEY: prints a number of the finding in /tmp/json.
json_of() { sed -n "1s/.*\"$1\": \([0-9]*\).*/\1/p" /tmp/json; }

# judge SIGMAS: prints for each loop the interval of its share, of SIGMAS standard errors to either
# side, its true share of the lines that the loops read in the sampled time, and whether that is
# inside. The intervals are scaled to the loops, as a few of the lines are the kernel's.
judge()
{
	{
		echo "$1 $(json_of from_ns) $(json_of until_ns)"
		sed '/"lines": \[/,$d' /tmp/json |
			sed -n 's/.*"share": \([0-9.]*\), "error": \([0-9.]*\).*"function": "\(loop_[a-z]*\)".*/\3 \1 \2/p'
		grep '^[0-9]' /tmp/phases
	} | awk '
		NR == 1 { sigmas = $1 / 1.96; from = $2; to = $3; next }
		/^loop/ { share[$1] = $2; loops += $2; error[$1] = $3 * sigmas; next }
		{
			if ($2 == "begin") {
				last = $1
				next
			}
			begin = last
			a = begin > from ? begin : from
			b = $1 < to ? $1 : to
			if (b > a) {
				lines[$2] += $3 * (b - a) / ($1 - begin)
				all += $3 * (b - a) / ($1 - begin)
			}
			last = $1
		}
		END {
			for (name in lines) {
				low = (share[name] - error[name]) / loops
				high = (share[name] + error[name]) / loops
				is = lines[name] / all
				word = loops > 0.9 && share[name] > 0 && low <= is && is <= high ? "inside" : "outside"
				printf "%s %.3f %.3f %.3f %s\n", name, low, high, is, word
			}
		}' | sort
}

# main_line FUNCTION: prints the source line that has most samples of the function.
main_line()
{
	sed '1,/"lines": \[/d' /tmp/json | grep "\"function\": \"$1\"" | head -n 1 |
		sed 's/.*"source": "\([^"]*\)", "line": \([0-9]*\).*/\1 \2/;s/.*\///'
}

# what_ticks_write: prints "places" if ticks wrote places three quarters of a second ago, else "none".
# Only older samples count, as ticks write places while ./places reads the log.
what_ticks_write()
{
	sleep 1
	./places log 0 >/tmp/log
	awk '$1 == 0 { place[++n] = $5 } END { print n < 100 ? "few" : place[n - 75] == "-" ? "none" : "places" }' /tmp/log
}

# as_service COMMAND...: runs COMMAND with the capability bounding set of rcrd.service.
as_service()
{
	local words
	words=$(sed -n 's/^CapabilityBoundingSet=//p' /usr/lib/systemd/system/rcrd.service | sed 's/CAP_/+/g' | tr 'A-Z ' 'a-z,')
	setpriv --bounding-set "-all,$words" --no-new-privs "$@"
}

# judge_by MISSES: sets the threshold, in misses per 1,000 instructions. With 1000 nothing is
# contended, even if idle CPUs execute few instructions per miss after a run.
judge_by()
{
	echo "cache.misses = $1" >/etc/rcrtool/bounds.conf
	kill -HUP "$daemon"
}

taskset -pc 0 $$ >/dev/null
mkdir -p /etc/rcrtool && echo "cache.misses = 1000" >/etc/rcrtool/bounds.conf
mkdir /tmp/copy && cp ./loops /tmp/copy/
plain_load
rcrctl set TOT_CYC TOT_INS L2_DCM "L3_MISSES=nb:event:0x4e1,umask:0xf7"
result $? "a set of the cache model"
says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl where
says 2 "where: unknown argument 'disk': use memory, cache, --all or --json" rcrctl where disk
as_service rcrd-set
is $? 0 "where: rcrd-set starts rcrd with the capabilities of its unit, and returns"
daemon=$(cat /run/rcrtool/rcrd.pid)
sleep 2
is "$(rcrctl where memory)" "$NOWHERE" "where: rcrctl where prints 'nowhere' while nothing is contended"
is "$(what_ticks_write)" none "where: no tick writes a place while nothing is contended"

# The program without misses executes ten times as many instructions as the loops: with the default
# threshold of 1 miss per 1,000 instructions the contention, and sampling, would end when it runs.
judge_by 0.3
run_loops 15
judge 3.29 >/tmp/judged
sed 's/^/# /' /tmp/judged
is "$(grep -c ' inside' /tmp/judged)" 3 "where: the process has ended: intervals of 99.9 % have the shares of its three loops"
for loop in loop_first loop_second loop_third; do
	is "$(main_line $loop)" "loops.c $(sed -n "s/^$loop //p" /tmp/phases)" "where: most samples of $loop are at its source line"
done
rcrctl where cache --all >/tmp/root 2>/tmp/err
sed 's/^/# /' /tmp/root /tmp/err
contains "$(cat /tmp/root)" "loop_first" "where: the table lists the loops"

# What other users see after the contention has ended.
has_ended() { ! rcrctl where --all --json 2>/dev/null | grep -q '"node": 1,.*"lasts": true'; }
judge_by 1000
soon has_ended
rcrctl where --all --json 2>/dev/null | grep '"name": "loops"' >/tmp/root
as member rcrctl where --all --json 2>/dev/null | grep '"name": "loops"' >/tmp/member
cmp /tmp/root /tmp/member && grep -q loop_first /tmp/root
result $? "where: a member of the group sees what root sees"
before=$(rcrctl ls)
for ((i = 0; i < 100; i++)); do
	as member ./clamor ask "where any 0" >/tmp/answer
	head -n 1 /tmp/answer
done >/tmp/answers
is "$(grep -c '^ok' /tmp/answers) $(rcrctl ls | cmp -s - <(echo "$before") && echo same)" "100 same" \
	"where: requests of a member do not change the set"
# Columns of "place": kind, process, name, samples, two sums, build id, device, offset and path.
# Offsets in these files are below 4 GiB, addresses of programs above.
awk '$1 == "place" && $10 != "" { n++; if ($10 >= 4294967296) print $10 } END { if (!n) print "none" }' \
	/tmp/answer >/tmp/addresses
is "$(cat /tmp/addresses)" "" "where: no answer has an address of a process"
as user rcrctl where --all --json >/tmp/own 2>/dev/null
is "$(grep -o '"process": [0-9]*' /tmp/own | sort -u | wc -l) $(grep -c '"name": "loops"' /tmp/own | sed 's/[1-9].*/some/')" "1 some" "where: the user of the loops sees that process, and no other one"
is "$("${other[@]}" rcrctl where --all 2>&1)" "$NOWHERE" "where: another user sees nothing"

# Files that the caller may not read, or that were replaced since they were executed.
chmod 700 /tmp/copy
as user rcrctl where cache --all >/tmp/out 2>/tmp/err
id=$(sed -n 's/.*"file": "\/tmp\/copy\/loops", "build_id": "\([0-9a-f]*\)".*/\1/p' /tmp/root | head -n 1)
is "$(grep copy /tmp/err)" "rcrctl: /tmp/copy/loops, build id $id: cannot be read: Permission denied" \
	"where: a file that the caller may not read is reported, with its build id"
contains "$(cat /tmp/out)" "/tmp/copy/loops" "where: code in such a file is printed as an offset"
cp ./work /tmp/copy/loops
rcrctl where cache --all >/tmp/out 2>/tmp/err
contains "$(cat /tmp/err)" "/tmp/copy/loops, build id $id: was replaced" "so is one that was replaced"
grep -q '+0x' /tmp/out && ! grep -q loop_first /tmp/out
result $? "and another file does not name its code"
cp ./loops /tmp/copy/loops && chmod 755 /tmp/copy

# More runs, each with contention that begins and ends.
inside=0
for ((run = 1; run < runs; run++)); do
	sleep 8
	judge_by 0.3
	run_loops 15
	judge_by 1000
	judge 1.96 >/tmp/judged
	sed "s/^/# $run: /" /tmp/judged
	inside=$((inside + $(grep -c ' inside' /tmp/judged)))
done
# 57 of 60 intervals are expected to have the share; by chance, fewer than 52 do in 1 of 40 tests.
if [ "$runs" -gt 1 ]; then
	echo "# $inside of $((3 * (runs - 1))) intervals of 95 %"
	[ $((60 * inside)) -ge $((52 * 3 * (runs - 1))) ]
	result $? "where: at least 52 of 60 intervals of 95 % have the true share"
fi

writes_places() { [ "$(what_ticks_write)" = places ]; }
is_over() { sleep 2 && [ "$(what_ticks_write)" = none ]; }

# begins_there SECONDS NAME: true if rcrd knows a program that starts on CPU 3 after it was offline.
begins_there()
{
	echo 0 >/sys/devices/system/cpu/cpu3/online
	sleep "$1"
	echo 1 >/sys/devices/system/cpu/cpu3/online
	sleep 0.2
	cp ./work "/tmp/copy/$2"
	as user taskset -c 3 "/tmp/copy/$2" nops 300000000 >/tmp/out
	rcrctl where cache --all --json 2>/dev/null | grep -q "\"file\": \"/tmp/copy/$2\""
}

# perf events of executed programs end on a CPU that goes offline; rcrd must open them again. The
# low threshold keeps the finding alive whatever the host does to the ratio of instructions.
sleep 8
judge_by 0.05
vary
as user taskset -c 2 /tmp/copy/loops 60 >/tmp/phases &
loops=$!
soon writes_places
end_vary
begins_there 0 soon
result $? "where: a program is known that begins on a CPU that was offline for a moment"
begins_there 2 late
result $? "where: a program is known that begins on a CPU that was offline for two seconds"
writes_places
result $? "where: ticks still write places after that CPU was offline"
kill $loops
wait $loops 2>/dev/null
judge_by 1000

once_in 10 is_over
result $? "where: ticks write no places once nothing is contended"
rcrctl why | sed 's/^/# /'
kill "$daemon"
soon modprobe -r rcrtool
result $? "where: modprobe -r unloads the module once rcrd has exited"
finished
