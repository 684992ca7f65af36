#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# live.sh - the models in a running rcrd, on a machine whose rates change at known times: what
# 'rcrctl why' and 'rcrctl verdicts' say, when, and to whom; meters and marks; how rcrd ends; and
# what it costs while nothing is contended. For the model fam15h.
. ./tap.sh
. ./rcrd_lib.sh
. ./phase_lib.sh
plan 33
TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null

# why: what is contended on node 1 or 0, without what is unknown.
why() { rcrctl why | grep '^[0-9]'; }
is_found() { why | grep -q " node $1 $2: $3"; }
is_over() { [ -z "$(why)" ]; }

# posted METER NODE: the value of a model's meter there.
posted() { rcrctl meter show "$1" --json | tr -d ' \n' | grep -o "\"place\":\"$2\"[^}]*" | head -n 1; }

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

# as USER COMMAND...: in the group rcrtool or not.
other=(setpriv --reuid 1002 --regid 1002 --clear-groups)

users
mkdir -p /etc/rcrtool
echo "network = off" >/etc/rcrtool/rcrtool.conf
says 1 "rcrd, which judges, is not running" rcrctl why
says 1 "rcrd, which judges, is not running" rcrctl verdicts
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
grep -q '^one, .*: unknown: the set does not count .*L3 misses (nb:event:0x4e1' /tmp/why
result $? "findings of the cache are unknown, and their events are named"
grep -q '"status": *"gap"\|gap' <<<"$(rcrctl meter show cache_verdict)"
result $? "the meter of the cache has no value"
rcrctl meter add mem_bw >/tmp/out 2>&1 || rcrctl meter load >/tmp/out 2>&1
rcrctl meter max mem_bw --maximum "$((2 * memory))"
result $? "a maximum for the machine"
sleep 2.5
! rcrctl why | grep -q 'unknown on node' && is_over
result $? "with a maximum: nothing is contended, and memory is judged"
rcrctl why | sed 's/^/# /'

quiet=$(calls 20)
echo "# $quiet system calls of rcrd in 20 s"
[ "$quiet" -le 40 ] && [ "$quiet" -ge 10 ]
result $? "while nothing is contended: two system calls a second at most"

cat /dev/rcrtool >/tmp/stream &
follower=$!
rcrctl mark begin 4711
begin=$(seconds_at "$(./phase schedule 4 "1500:$(times "$few" 9.3)" "4500:$few" \
	3 1500:9.3 4500:1 5 1500:27.9 4500:1 6 1500:9.3 4500:1 | head -n 1 | cut -d ' ' -f 1)")
soon is_found 1 bandwidth busy
result $? "one memory at 93 %, with three times the latency: why says so"
rcrctl why >/tmp/why
is $? 4 "the exit status of why: busy"
sed 's/^/# /' /tmp/why
is "$(grep -c '^[0-9]' /tmp/why)" 1 "and nothing else"
rcrctl why --json >/tmp/json
grep -q '"finding": "bandwidth", "state": "busy"' /tmp/json
result $? "as JSON"
posted memory_verdict node1 | sed 's/^/# /'
"${member[@]}" rcrctl why | grep -q ' node 1 bandwidth: busy'
result $? "a member of the group sees it"
is "$("${nobody[@]}" rcrctl why)" "nothing is contended that processes of yours take part in" \
	"another user sees nothing of others"
is "$("${nobody[@]}" rcrctl verdicts)" "no verdicts: nothing was contended, as far as it was judged" \
	"nor in the list"
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
says 1 "rcrd, which judges, is not running" rcrctl why
start
result $? "killed while something is contended, rcrd starts again"
soon is_over
result $? "it is over when the phase is"
rcrctl mark end 4711
rcrctl verdicts --job 4711 >/tmp/verdicts
status=$?
sed 's/^/# /' /tmp/verdicts
echo "# $status"
kill $follower
wait $follower 2>/dev/null
./places marks /tmp/stream >/tmp/marks
sed 's/^/# /' /tmp/marks
echo "# the phase began at $begin s"
stop
is "$ended" 0 "rcrd ends"
sed 's/^/# /' /tmp/rcrd.log
unload
result $? "and the module unloads"
finished
