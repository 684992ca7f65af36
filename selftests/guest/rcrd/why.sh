#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# why.sh MODEL - 'rcrctl why' and 'rcrctl verdicts' on an installed machine with all defaults, run
# by root, by a member of the group rcrtool and by another user.
. ./defaults/common.sh
machine "$1"
if [ "$1" = zen4 ]; then plan 19; else plan 15; fi

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

plain_load
for verb in why verdicts; do
	says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl $verb
done
rcrd-set
is $? 0 "why: rcrd-set starts rcrd, and returns"
sleep 2
rcrctl why >/tmp/why
is $? 0 "why: the exit status for root is 0, as nothing is contended"
sed 's/^/# /' /tmp/why
is "$(head -n 1 /tmp/why)" "no contention found" "it says so"
is "$(sed -n 's/^\([a-z]*\).*: unknown: the set does not count .*/\1/p' /tmp/why | head -n 1)" bandwidth \
	"why: bandwidth is unknown, as the set lacks its events"
# Each printed word that has an event; '#', the number of a box, becomes 0.
mapfile -t printed < <(grep -o '[A-Z_0-9#]*=[a-z0-9_#:]*event:[a-z0-9_:,]*[a-z0-9]' /tmp/why | tr '#' 0 | sort -u)
refused=''
for event in "${printed[@]}"; do
	rcrctl add "$event" >/tmp/out 2>&1 || refused+=" $event: $(cat /tmp/out)"
	rcrctl discard >/tmp/out 2>&1
done
echo "# ${#printed[@]} events"
is "$((${#printed[@]} > 8))$refused" 1 "each of these events can be added as it is printed"
is "$(as member rcrctl why)" "$(cat /tmp/why)" "a member of the group reads the same"
is "$(as user rcrctl why)" "no contention found that involves your processes" \
	"another user reads about his processes"
is "$(as member rcrctl verdicts)" "no verdicts: rcrd detected no contention" \
	"there are no verdicts"
rcrctl mark begin 4711
is "$(as member rcrctl verdicts --job 4711 --json | tr -d ' \n')" "[]" "why: rcrctl verdicts of a job is an empty list in JSON"
as user rcrctl verdicts --job 4711 >/tmp/out 2>&1
is "$? $(grep -c /dev/rcrtool /tmp/out)" "1 1" "why: another user cannot search the marks of jobs"
perf stat -e cycles,instructions sleep 0.1 >/tmp/perf 2>&1
! grep -q '<not' /tmp/perf && grep -q cycles /tmp/perf
result $? "why: perf stat counts at the same time"
is "$(rcrctl meter ls -a | grep -c '^memory_verdict\|^cache_verdict')" 2 "why: there is a meter of verdicts for each model"
kill "$(cat /run/rcrtool/rcrd.pid)"
soon modprobe -r rcrtool
result $? "why: modprobe -r unloads the module once rcrd has exited"

# Findings of memory are judged with the groups of the example configuration.
if [ "$1" = zen4 ]; then
	plain_load
	mkdir -p /etc/rcrtool
	sed -n '/^# Zen 4/,/^$/s/^# group/group/p' /usr/local/share/doc/rcrtool/examples/groups.conf \
		>/etc/rcrtool/rcrtool.conf
	rcrctl check
	is "$? $(grep -c ^group /etc/rcrtool/rcrtool.conf)" "0 2" "why: the example has two groups for this family"
	rcrctl meter add mem_bw && rcrctl meter max mem_bw --maximum 100TB/s
	is $? 0 "why: mem_bw has a maximum"
	rcrd-set
	held() { rcrctl ls | grep -q '^WAITING'; }
	soon held
	result $? "why: rcrd-set counts the group of memory, to learn the latency without load"
	known() { ! rcrctl why | grep -q '^\(bandwidth\|imbalance\|remote\).*unknown'; }
	soon known
	result $? "why: bandwidth, imbalance and remote accesses are judged with that group"
	rcrctl why | sed 's/^/# /'
	kill "$(cat /run/rcrtool/rcrd.pid)"
	soon modprobe -r rcrtool
fi
finished
