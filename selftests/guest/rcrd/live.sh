#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# live.sh [QUIET [COMPUTE]] - the models in a running rcrd, on a machine whose rates change at known
# times: the output of 'rcrctl why' and 'rcrctl verdicts', its time and its readers; meters and marks;
# the end of rcrd; and its cost in QUIET seconds in which nothing is contended, after COMPUTE in which
# all CPUs compute. For the model fam15h.
. ./tap.sh
. ./rcrd_lib.sh
. ./phase_lib.sh
plan 53
quiet_seconds=${1:-60} compute=${2:-2}
TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null

# why: contention of both nodes, without unknown findings.
why() { rcrctl why 2>/dev/null | grep '^[0-9]'; }
is_found() { why | grep -q " node $1 $2: $3"; }
is_over() { [ -z "$(why)" ]; }

# meter_at METER PLACE: its line there.
meter_at() { rcrctl meter show "$1" | sed -n "s/^$2: //p"; }

# calls SECONDS: system calls of rcrd in this time.
calls()
{
	echo "$daemon" >$TRACING/set_event_pid
	echo >$TRACING/trace
	echo 1 >$TRACING/events/raw_syscalls/sys_enter/enable
	sleep "$1"
	echo 0 >$TRACING/events/raw_syscalls/sys_enter/enable
	grep -c 'sys_enter' $TRACING/trace
}

generation() { sed -n 's/^generation: //p' "$STATUS"; }

# cpu_ticks: CPU time of rcrd in clock ticks, which are 10 ms.
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$daemon/stat"; }

# A third user.
other=(setpriv --reuid 1002 --regid 1002 --clear-groups)

users
mkdir -p /etc/rcrtool
echo "network = off" >/etc/rcrtool/rcrtool.conf
says 1 "rcrd is not running" rcrctl why
says 1 "rcrd is not running" rcrctl verdicts
says 2 "why: unexpected argument 'x'" rcrctl why x
says 2 "use --since MARK, --job ID or --json" rcrctl verdicts x
says 2 "--since and --job are alternatives" rcrctl verdicts --since a --job b

load_set "ROWS=nb:event:0xe0,umask:0x3f;CONFLICTS=nb:event:0xe0,umask:0x24;WAITING=nb:event:0x1e2,umask:0xff;WAITED=nb:event:0x1e3,umask:0xff" \
	source=msr period_us=10000 budget_ppm=0
give_devices
assign nb/1 0xe0:0x3f 3 && assign nb/1 0xe0:0x24 4 && assign nb/1 0x1e2:0xff 5 && assign nb/1 0x1e3:0xff 6
result $? "events of one northbridge are of classes"
rows=$(base nb 0xe0 0x3f 1) conflicts=$(base nb 0xe0 0x24 1)
few=$(awk -v r="$rows" -v c="$conflicts" 'BEGIN { printf "%.6f\n", 0.1 * r / c }')
./phase schedule 4 "0:$few" >/tmp/out
memory=$(awk -v r="$rows" -v khz="$(tsc_khz)" 'BEGIN { printf "%.0f\n", 10 * 64 * r * khz * 1000 / 4294967296 }')
start
result $? "rcrd starts"
sleep 2
rcrctl why >/tmp/why
result $? "without a maximum: nothing is found"
sed 's/^/# /' /tmp/why
grep -q 'bandwidth.*: unknown on node 1: mem_bw has no maximum' /tmp/why
result $? "without a maximum bandwidth is unknown, and what to do is said"
rcrctl why --json | grep -q '"node": 1, "finding": "bandwidth", "state": "unknown"'
result $? "as JSON, too"
grep -q '^one, .*: unknown: the set does not count .*L3 misses (L3_MISSES=nb:event:0x4e1' /tmp/why
result $? "findings of the cache are unknown, and their events are named"
grep -q '"status": *"gap"\|gap' <<<"$(rcrctl meter show cache_verdict)"
result $? "the meter of the cache has no value"
rcrctl meter add mem_bw >/tmp/out 2>&1 || rcrctl meter load >/tmp/out 2>&1
rcrctl meter max mem_bw --maximum "$((2 * memory))"
result $? "a maximum for the machine"
sleep 2.5
rcrctl meter max mem_bw --maximum 0
sleep 2.5
rcrctl why | grep -q 'bandwidth.*: unknown on node 1: mem_bw has no maximum'
result $? "a maximum that is removed is not judged by"
rcrctl meter max mem_bw --maximum "$((2 * memory))"
sleep 2.5
! rcrctl why | grep -q 'unknown on node' && is_over
result $? "with a maximum: nothing is contended, and memory is judged"
rcrctl why | sed 's/^/# /'

for cpu in 0 1 2 3; do
	taskset -c $cpu sh -c 'while :; do :; done' &
	spinners[cpu]=$!
done
sleep "$compute"
kill "${spinners[@]}"
wait "${spinners[@]}" 2>/dev/null
before=$(generation)
spent=$(cpu_ticks)
quiet=$(calls "$quiet_seconds")
spent=$(($(cpu_ticks) - spent))
echo "# $quiet system calls and $((spent * 10)) ms of a CPU of rcrd in $quiet_seconds s"
[ "$quiet" -le $((2 * quiet_seconds)) ] && [ "$quiet" -ge $((quiet_seconds / 2)) ]
result $? "while nothing is contended: two system calls a second at most"
is "$(generation)" "$before" "and no change of the set"
is "$("${member[@]}" rcrctl verdicts)" "no verdicts: rcrd detected no contention" \
	"in $compute s of computing and $quiet_seconds s without work nothing is contended"

# phase_of MS: one memory at 93 % with three times the latency, from 1.5 s on until MS.
phase_of()
{
	seconds_at "$(./phase schedule 4 "1500:$(times "$few" 9.3)" "$1:$few" \
		3 1500:9.3 "$1:1" 5 1500:27.9 "$1:1" 6 1500:9.3 "$1:1" | head -n 1 | cut -d ' ' -f 1)"
}

cat /dev/rcrtool >/tmp/stream &
follower=$!
rcrctl mark begin 4711
begin=$(phase_of 4500)
soon is_found 1 bandwidth busy
result $? "one memory at 93 %, with three times the latency: why says so"
rcrctl why >/tmp/why
is $? 4 "the exit status of why: busy"
sed 's/^/# /' /tmp/why
is "$(grep -c '^[0-9]' /tmp/why)" 1 "and nothing else"
rcrctl why --json >/tmp/json
python3 -c 'import json; v = [v for v in json.load(open("/tmp/json")) if v["state"] == "busy"]; exit(not (len(v) == 1 and v[0]["finding"] == "bandwidth" and v[0]["node"] == 1))' 2>/dev/null ||
	grep -q '"finding": "bandwidth", "state": "busy"' /tmp/json
result $? "as JSON"
contains "$(meter_at memory_verdict "die 1")" "current 3" "its meter is busy there"
contains "$(meter_at memory_verdict "die 0")" "current 0" "and ok elsewhere"
"${member[@]}" rcrctl why | grep -q ' node 1 bandwidth: busy'
result $? "a member of the group sees it"
is "$("${nobody[@]}" rcrctl why)" "no contention found that involves your processes" \
	"another user sees nothing of others"
is "$("${nobody[@]}" rcrctl verdicts)" "no verdicts: rcrd detected no contention" \
	"nor in the list"
soon is_over
result $? "it is over when the phase is"
quiet=$(calls 5)
echo "# $quiet system calls of rcrd in 5 s"
[ "$quiet" -le 10 ]
result $? "and rcrd is as quiet as before"
rcrctl mark end 4711
kill $follower
wait $follower 2>/dev/null
rcrctl verdicts --job 4711 >/tmp/verdicts
is $? 4 "the exit status of verdicts is that of the worst"
sed 's/^/# /' /tmp/verdicts
./places marks /tmp/stream | grep kind=4 >/tmp/marks
sed 's/^/# /' /tmp/marks
awk -v begin="$begin" '
	/ busy since / { busy = $1; since = $8 }
	/: ok again/ { ok = $1 }
	END {
		off = since - begin
		print "# busy after " busy - begin " s, since " off " s, ok after " ok - begin - 3 " s"
		exit !(busy - begin <= 0.5 && off > -0.021 && off < 0.021 && ok && ok - begin - 3 <= 1)
	}' /tmp/verdicts
result $? "busy within 50 ticks, since the phase began, and ok within 100 of its end"
is "$(sed 's/.*text=//;s/ [0-9]*$//' /tmp/marks | sort -u | grep -v contention)" "bandwidth busy die/1
bandwidth ok die/1" "marks in the stream say the same"
rcrctl verdicts --job 4712 >/tmp/out 2>/tmp/err
is "$? $(grep -c "no mark of the job '4712'" /tmp/err)" "1 1" "a job without a mark is an error"

# Evidence: the samples from before it, which give the same verdict each time.
set -- /var/lib/rcrtool/evidence/*
is "$# $(stat -c '%U %G %a' "$1")" "1 rcrtool rcrtool 640" "there is a file of evidence"
rcrd --replay "$1" >/tmp/first
rcrd --replay "$1" >/tmp/second
sed 's/^/# /' /tmp/first
cmp -s /tmp/first /tmp/second
result $? "it gives the same bytes twice"
is "$(grep ' busy since ' /tmp/first | head -n 1)" "$(grep ' busy since ' /tmp/verdicts | head -n 1)" \
	"and the verdict that rcrd gave"
"${member[@]}" rcrd --replay "$1" >/tmp/second
result $? "a member of the group may judge it"
! "${nobody[@]}" rcrd --replay "$1" >/tmp/second 2>/tmp/err
result $? "another user may not read it"

# rcrd is killed while something is contended.
phase_of 6500 >/tmp/out
soon is_found 1 bandwidth busy
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
says 1 "rcrd is not running" rcrctl why
: >/var/lib/rcrtool/evidence/20260101T000000-bandwidth-1.rcr.new
start
result $? "killed while something is contended, rcrd starts again"
sleep 1.2
! meter_at memory_verdict "die 1" | grep -q "current 0.* ok"
result $? "its meter does not say ok"
soon is_over
result $? "and it is over when the phase is"

is "$(find /var/lib/rcrtool/evidence -name '*.new')" "" "the rest of an incomplete file is removed"

# The directory is replaced: files are written to that which was opened.
truncate -s 64M /var/lib/rcrtool/evidence/00000000T000000-sum-0.rcr
mv /var/lib/rcrtool/evidence /var/lib/rcrtool/moved && mkdir /var/lib/rcrtool/evidence

# Processes that write lines of others: their user sees his own.
assign core/2 0x43 8 && assign core/2 0x6c:0x2a 9 && assign core/0 0x6c:0x2a 10 &&
	assign core/1 0x6c:0x2a 10 && assign core/3 0x6c:0x2a 10
cycles=$(base core 0x76 0 2) requests=$(base core 0x43 0 2) modified=$(base core 0x6c 0x2a 2)
few=$(awk -v a="$cycles" -v b="$requests" 'BEGIN { printf "%.6f\n", 0.005 * a / b }')
clean=$(awk -v a="$cycles" -v b="$modified" 'BEGIN { printf "%.6f\n", 0.0001 * a / b }')
"${nobody[@]}" taskset -c 2 sh -c 'while :; do :; done' &
spinner=$!
./phase schedule 10 "0:$clean" 9 "0:$clean" >/tmp/out
rcrctl set TOT_CYC TOT_INS L2_DCM "MODIFIED=event:0x6c,umask:0x2a"
result $? "a set of the cache model"
./phase schedule 8 "0:$few" "1500:$few" 9 "0:$clean" "1500:$(times "$clean" 30)" "6500:$clean" >/tmp/out
soon is_found 1 lines busy
result $? "six of ten requests find a line modified: why says so"
why | sed 's/^/# /'
contains "$(why)" "process $spinner (sh)" "and names the process"
is "$(find /var/lib/rcrtool/moved -size +32768k)" "" "a replaced directory has no more bytes than before"
"${nobody[@]}" rcrctl why >/tmp/own
is $? 4 "its user sees it"
contains "$(cat /tmp/own)" "process $spinner (sh)" "with his process"
is "$("${other[@]}" rcrctl why)" "no contention found that involves your processes" \
	"a third user does not"
kill $spinner
wait $spinner 2>/dev/null

stop
is "$ended" 0 "rcrd ends"
contains "$(meter_at cache_verdict "die 0")" "gap" "its meters have no value then"
sed 's/^/# /' /tmp/rcrd.log
unload
result $? "and the module unloads"
finished
