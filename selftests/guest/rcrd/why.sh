#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# why.sh MODEL - 'rcrctl why' and 'rcrctl verdicts' on an installed machine, with all defaults, as
# root, as a member of the group rcrtool and as another user.
. ./defaults/common.sh
machine "$1"
if [ "$1" = zen4 ]; then plan 19; else plan 15; fi

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

plain_load
for verb in why verdicts; do
	says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl $verb
done
rcrd-set
is $? 0 "rcrd-set starts rcrd, and returns"
sleep 2
rcrctl why >/tmp/why
is $? 0 "root asks why: nothing is contended"
sed 's/^/# /' /tmp/why
is "$(head -n 1 /tmp/why)" "no contention found" "it says so"
is "$(sed -n 's/^\([a-z]*\).*: unknown: the set does not count .*/\1/p' /tmp/why | head -n 1)" bandwidth \
	"and that the set lacks events for it"
# Each word with an event, of box 0 where boxes have numbers.
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
is "$(as member rcrctl verdicts --job 4711 --json | tr -d ' \n')" "[]" "nor of a job, as JSON"
as user rcrctl verdicts --job 4711 >/tmp/out 2>&1
is "$? $(grep -c /dev/rcrtool /tmp/out)" "1 1" "another user may not look for marks of jobs"
perf stat -e cycles,instructions sleep 0.1 >/tmp/perf 2>&1
! grep -q '<not' /tmp/perf && grep -q cycles /tmp/perf
result $? "perf stat counts beside it"
is "$(rcrctl meter ls -a | grep -c '^memory_verdict\|^cache_verdict')" 2 "there is a meter for each model"
kill "$(cat /run/rcrtool/rcrd.pid)"
soon modprobe -r rcrtool
result $? "once rcrd has ended modprobe -r takes the module away"

# With the example's groups findings of memory are judged.
if [ "$1" = zen4 ]; then
	plain_load
	mkdir -p /etc/rcrtool
	sed -n '/^# Zen 4/,/^$/s/^# group/group/p' /usr/local/share/doc/rcrtool/examples/groups.conf \
		>/etc/rcrtool/rcrtool.conf
	rcrctl check
	is "$? $(grep -c ^group /etc/rcrtool/rcrtool.conf)" "0 2" "the example has two groups for this family"
	rcrctl meter add mem_bw && rcrctl meter max mem_bw --maximum 100TB/s
	is $? 0 "mem_bw has a maximum"
	rcrd-set
	held() { rcrctl ls | grep -q '^WAITING'; }
	soon held
	result $? "rcrd-set counts the group of memory, to learn the latency without load"
	known() { ! rcrctl why | grep -q '^\(bandwidth\|imbalance\|remote\).*unknown'; }
	soon known
	result $? "with it bandwidth, imbalance and remote accesses are judged"
	rcrctl why | sed 's/^/# /'
	kill "$(cat /run/rcrtool/rcrd.pid)"
	soon modprobe -r rcrtool
fi
finished
