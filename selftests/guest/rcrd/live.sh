#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# live.sh [QUIET [COMPUTE]] - the contention models in a running rcrd, on a machine whose rates
# change at known times: the output of 'rcrctl why' and 'rcrctl verdicts' and who may read it,
# meters, marks, evidence, and restarts of rcrd. Measures the cost of rcrd in QUIET seconds without
# contention, after COMPUTE seconds of load on all CPUs. For the model fam15h.
. ./tap.sh
. ./rcrd_lib.sh
. ./phase_lib.sh
plan 53
quiet_seconds=${1:-60} compute=${2:-2}
TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null

# why: prints the contention that rcrctl why reports, without unknown findings.
why() { rcrctl why 2>/dev/null | grep '^[0-9]'; }
is_found() { why | grep -q " node $1 $2: $3"; }
is_over() { [ -z "$(why)" ]; }

# meter_at METER PLACE: prints the values of a meter at one place.
meter_at() { rcrctl meter show "$1" | sed -n "s/^$2: //p"; }

# calls SECONDS: prints how many system calls rcrd makes in that time.
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

# cpu_ticks: prints the CPU time of rcrd in clock ticks of 10 ms.
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$daemon/stat"; }

# A user other than root and nobody.
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
result $? "live: the events of one northbridge have classes"
rows=$(base nb 0xe0 0x3f 1) conflicts=$(base nb 0xe0 0x24 1)
few=$(awk -v r="$rows" -v c="$conflicts" 'BEGIN { printf "%.6f\n", 0.1 * r / c }')
./phase schedule 4 "0:$few" >/tmp/out
memory=$(awk -v r="$rows" -v khz="$(tsc_khz)" 'BEGIN { printf "%.0f\n", 10 * 64 * r * khz * 1000 / 4294967296 }')
start
result $? "live: rcrd starts"
sleep 2
rcrctl why >/tmp/why
result $? "live: nothing is found without a maximum of mem_bw"
sed 's/^/# /' /tmp/why
grep -q 'bandwidth.*: unknown on node 1: mem_bw has no maximum' /tmp/why
result $? "live: without a maximum bandwidth is unknown, and the message names the remedy"
rcrctl why --json | grep -q '"node": 1, "finding": "bandwidth", "state": "unknown"'
result $? "live: bandwidth is unknown in JSON, too"
grep -q '^one, .*: unknown: the set does not count .*L3 misses (L3_MISSES=nb:event:0x4e1' /tmp/why
result $? "live: findings of the cache are unknown, and the missing events are named"
grep -q '"status": *"gap"\|gap' <<<"$(rcrctl meter show cache_verdict)"
result $? "live: the meter of cache verdicts has no value"
rcrctl meter add mem_bw >/tmp/out 2>&1 || rcrctl meter load >/tmp/out 2>&1
rcrctl meter max mem_bw --maximum "$((2 * memory))"
result $? "live: mem_bw takes a maximum for the machine"
sleep 2.5
rcrctl meter max mem_bw --maximum 0
sleep 2.5
rcrctl why | grep -q 'bandwidth.*: unknown on node 1: mem_bw has no maximum'
result $? "live: bandwidth is unknown again when the maximum is removed"
rcrctl meter max mem_bw --maximum "$((2 * memory))"
sleep 2.5
! rcrctl why | grep -q 'unknown on node' && is_over
result $? "live: memory is judged with a maximum, and nothing is contended"
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

# phase_of MS: memory of one node is at 93 % with three times the latency, from 1.5 s to MS.
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
result $? "live: rcrctl why reports memory of one node at 93 % with three times the latency"
rcrctl why >/tmp/why
is $? 4 "live: the exit status of rcrctl why is 4 for busy"
sed 's/^/# /' /tmp/why
is "$(grep -c '^[0-9]' /tmp/why)" 1 "live: rcrctl why reports nothing else"
rcrctl why --json >/tmp/json
python3 -c 'import json; v = [v for v in json.load(open("/tmp/json")) if v["state"] == "busy"]; exit(not (len(v) == 1 and v[0]["finding"] == "bandwidth" and v[0]["node"] == 1))' 2>/dev/null ||
	grep -q '"finding": "bandwidth", "state": "busy"' /tmp/json
result $? "live: the JSON of rcrctl why has the same finding"
contains "$(meter_at memory_verdict "die 1")" "current 3" "live: the meter of memory verdicts is 3 (busy) on that node"
contains "$(meter_at memory_verdict "die 0")" "current 0" "live: the meter of memory verdicts is 0 (ok) on the other node"
"${member[@]}" rcrctl why | grep -q ' node 1 bandwidth: busy'
result $? "a member of the group sees it"
is "$("${nobody[@]}" rcrctl why)" "no contention found that involves your processes" \
	"another user sees nothing of others"
is "$("${nobody[@]}" rcrctl verdicts)" "no verdicts: rcrd detected no contention" \
	"nor in the list"
soon is_over
result $? "live: the finding ends with the phase"
quiet=$(calls 5)
echo "# $quiet system calls of rcrd in 5 s"
[ "$quiet" -le 10 ]
result $? "live: rcrd makes as few system calls after the phase as before"
rcrctl mark end 4711
kill $follower
wait $follower 2>/dev/null
rcrctl verdicts --job 4711 >/tmp/verdicts
is $? 4 "live: the exit status of rcrctl verdicts is that of the worst verdict"
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
result $? "live: busy within 50 ticks of the begin of the phase, ok within 100 of its end"
is "$(sed 's/.*text=//;s/ [0-9]*$//' /tmp/marks | sort -u | grep -v contention)" "bandwidth busy die/1
bandwidth ok die/1" "live: the stream has marks for the begin and end of the finding"
rcrctl verdicts --job 4712 >/tmp/out 2>/tmp/err
is "$? $(grep -c "no mark begin '4712'" /tmp/err)" "1 1" "live: rcrctl verdicts fails for a job without a mark"

# Evidence: the recorded samples give the same verdict on each replay.
set -- /var/lib/rcrtool/evidence/*
is "$# $(stat -c '%U %G %a' "$1")" "1 rcrtool rcrtool 640" "live: rcrd leaves one file of evidence, with owner and mode"
rcrd --replay "$1" >/tmp/first
rcrd --replay "$1" >/tmp/second
sed 's/^/# /' /tmp/first
cmp -s /tmp/first /tmp/second
result $? "live: two replays of the evidence give the same output"
is "$(grep ' busy since ' /tmp/first | head -n 1)" "$(grep ' busy since ' /tmp/verdicts | head -n 1)" \
	"live: a replay of the evidence gives rcrd's verdict"
"${member[@]}" rcrd --replay "$1" >/tmp/second
result $? "live: a member of the group can replay the evidence"
! "${nobody[@]}" rcrd --replay "$1" >/tmp/second 2>/tmp/err
result $? "live: another user cannot read the evidence"

# rcrd is killed while something is contended.
phase_of 6500 >/tmp/out
soon is_found 1 bandwidth busy
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
says 1 "rcrd is not running" rcrctl why
: >/var/lib/rcrtool/evidence/20260101T000000-bandwidth-1.rcr.new
start
result $? "live: rcrd starts again after it was killed during contention"
sleep 1.2
! meter_at memory_verdict "die 1" | grep -q "current 0.* ok"
result $? "live: the meter is not ok after that restart"
soon is_over
result $? "live: after that restart the finding ends with the phase"

is "$(find /var/lib/rcrtool/evidence -name '*.new')" "" "live: rcrd removes an incomplete file of evidence when it starts"

# Replace the directory of evidence: rcrd writes to the one that it has opened.
truncate -s 64M /var/lib/rcrtool/evidence/00000000T000000-sum-0.rcr
mv /var/lib/rcrtool/evidence /var/lib/rcrtool/moved && mkdir /var/lib/rcrtool/evidence

# A process that writes cache lines of other CPUs: its own user sees it.
assign core/2 0x43 8 && assign core/2 0x6c:0x2a 9 && assign core/0 0x6c:0x2a 10 &&
	assign core/1 0x6c:0x2a 10 && assign core/3 0x6c:0x2a 10
cycles=$(base core 0x76 0 2) requests=$(base core 0x43 0 2) modified=$(base core 0x6c 0x2a 2)
few=$(awk -v a="$cycles" -v b="$requests" 'BEGIN { printf "%.6f\n", 0.005 * a / b }')
clean=$(awk -v a="$cycles" -v b="$modified" 'BEGIN { printf "%.6f\n", 0.0001 * a / b }')
"${nobody[@]}" taskset -c 2 sh -c 'while :; do :; done' &
spinner=$!
./phase schedule 10 "0:$clean" 9 "0:$clean" >/tmp/out
rcrctl set TOT_CYC TOT_INS L2_DCM "MODIFIED=event:0x6c,umask:0x2a"
result $? "live: the set has the events of the cache model"
./phase schedule 8 "0:$few" "1500:$few" 9 "0:$clean" "1500:$(times "$clean" 30)" "6500:$clean" >/tmp/out
soon is_found 1 lines busy
result $? "live: rcrctl why reports modified lines in six of ten requests"
why | sed 's/^/# /'
contains "$(why)" "process $spinner (sh)" "live: rcrctl why names the process"
is "$(find /var/lib/rcrtool/moved -size +32768k)" "" "live: rcrd keeps to the size limit of evidence in a renamed directory"
"${nobody[@]}" rcrctl why >/tmp/own
is $? 4 "its user sees it"
contains "$(cat /tmp/own)" "process $spinner (sh)" "with his process"
is "$("${other[@]}" rcrctl why)" "no contention found that involves your processes" \
	"a third user does not"
kill $spinner
wait $spinner 2>/dev/null

stop
is "$ended" 0 "live: rcrd exits with status 0"
contains "$(meter_at cache_verdict "die 0")" "gap" "live: verdict meters have no value once rcrd has exited"
sed 's/^/# /' /tmp/rcrd.log
unload
result $? "live: the module unloads"
finished
