#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# focus.sh - rcrd-set: a group of events in the configuration file is counted only while its model
# suspects contention; kills of rcrd and rcrd-set. For the model fam15h.
. ./tap.sh
. ./rcrd_lib.sh
. ./phase_lib.sh
kills=${1:-5}
plan $((28 + 4 * kills))
CONF=/etc/rcrtool/rcrtool.conf

why() { rcrctl why 2>/dev/null | grep '^[0-9]'; }
is_found() { why | grep -q " node $1 $2: $3"; }
is_over() { [ -z "$(why)" ]; }
is_held() { rcrctl ls | grep -q '^WAITING'; }
is_released() { ! is_held; }

# start_set: runs rcrd-set -f in the background; returns once rcrd serves. Sets $daemon to the
# process of rcrd, and $setter to that of rcrd-set, which keeps CAP_SYS_RAWIO.
start_set()
{
	(ulimit -l unlimited && exec rcrd-set -f) >/tmp/rcrd.log 2>&1 &
	daemon=$!
	soon serves || return
	setter=$(sed 's/ .*//' "/proc/$daemon/task/$daemon/children")
}

capabilities() { sed -n 's/^CapEff:\t*0*//p' "/proc/$1/status"; }
user_of() { stat -c %U "/proc/$1"; }

users
mkdir -p /etc/rcrtool
echo "group.disk = X=event:0x76" >$CONF
says 1 "$CONF:1: unknown model 'disk': there are memory and cache" rcrd-set -f
echo "network = off" >$CONF
load_set "READS=nb:event:0x1f0,umask:0x62;WRITES=nb:event:0x1f0,umask:0x19" source=msr \
	period_us=10000 budget_ppm=0
give_devices
assign nb/1 0x1f0:0x62 3 && assign nb/1 0x1f0:0x19 4 && assign nb/1 0x1e2:0xff 5 && assign nb/1 0x1e3:0xff 6
result $? "focus: the events of one northbridge have classes"
reads=$(base nb 0x1f0 0x62 1) writes=$(base nb 0x1f0 0x19 1)
memory=$(awk -v r="$((reads + writes))" -v khz="$(tsc_khz)" 'BEGIN { printf "%.0f\n", 10 * 64 * r * khz * 1000 / 4294967296 }')
# The formula of mem_bw uses the event names of the catalogue.
rcrctl set "DCT_RD_TOT=nb:event:0x1f0,umask:0x62" "DCT_WRT=nb:event:0x1f0,umask:0x19"
rcrctl meter add mem_bw
rcrctl meter max mem_bw --maximum "$memory" --at die1 && rcrctl meter max mem_bw --maximum "$memory" --at die0
result $? "focus: mem_bw has a maximum on each die"
counted() { rcrctl ls | tail -n +2; }
before=$(counted)

# Without a group, nothing is added.
start_set
result $? "focus: rcrd-set starts rcrd"
is "$(user_of "$daemon") $(user_of "$setter")" "rcrtool rcrtool" "focus: rcrd and rcrd-set run as the user rcrtool"
is "$(capabilities "$daemon") $(capabilities "$setter")" "4000000000 20000" \
	"rcrd has CAP_PERFMON alone, the other one CAP_SYS_RAWIO"
soon grep -q 'cannot count the events of the memory model: there is no such group' /tmp/rcrd.log
result $? "rcrd says that there is no group of the memory model"
rcrctl meter add l3_test "rate(DCT_RD_TOT)" && rcrctl meter max l3_test --contention 1
soon grep -q 'cannot count the events of the cache model: there is no such group' /tmp/rcrd.log
result $? "a refusal for one model does not delay the other"
rcrctl meter remove l3_test
is "$(counted)" "$before" "focus: nothing is added to the set without a group"
stop
is "$(cat "/proc/$setter/comm" 2>/dev/null)" "" "focus: rcrd-set exits when rcrd does"

# In the background neither process keeps the output of the caller open.
# shellcheck disable=SC2016 # the inner shell expands it
(ulimit -l unlimited && timeout 20 sh -c ': "$(rcrd-set 2>&1)"')
result $? "focus: rcrd-set goes to the background, and closes its output"
daemon=$(cat /run/rcrtool/rcrd.pid)
soon serves
result $? "focus: rcrd serves in the background"
kill "$daemon"
soon [ ! -d "/proc/$daemon" ]
result $? "focus: rcrd in the background exits on SIGTERM"

echo "group.memory = WAITING=nb:event:0x1e2,umask:0xff;WAITED=nb:event:0x1e3,umask:0xff" >>$CONF
rcrctl check >/tmp/out 2>&1
result $? "focus: rcrctl check accepts the group"
start_set
soon is_held
result $? "focus: the events are added to learn the latency without load"
rcrctl ls | sed 's/^/# /'
soon is_released
result $? "focus: the events are released once the latency is known"
is "$(counted)" "$before" "focus: the set is as before once the latency is known"
rcrctl set "DCT_RD_TOT=nb:event:0x1f0,umask:0x62" "DCT_WRT=nb:event:0x1f0,umask:0x19" 2>/dev/null

phase_of()
{
	./phase schedule 3 1500:9.3 "$1:1" 4 1500:9.3 "$1:1" 5 1500:27.9 "$1:1" 6 1500:9.3 "$1:1" >/tmp/out
}
sleep 10
phase_of 9500
soon is_found 1 bandwidth busy
result $? "focus: rcrctl why reports memory of one node at 93 % with three times the latency"
why | sed 's/^/# /'
is_held
result $? "focus: the events are held in the phase"
rcrctl ls | grep -q 'rcrd-set'
result $? "focus: rcrctl ls names rcrd-set as the holder"
soon is_over
result $? "focus: the verdict ends with the phase"
set -- /var/lib/rcrtool/evidence/*-bandwidth-1.rcr
is "$# $([ -e "$1" ] && echo exists)" "1 exists" "focus: rcrd leaves one file of evidence"
rcrd --replay "$1" >/tmp/replay
said=$(rcrctl verdicts | grep -m 1 ' bandwidth: busy since ')
is "$(grep -m 1 ' bandwidth: busy since ' /tmp/replay)" "${said:-rcrd found it}" \
	"focus: a replay of the evidence gives rcrd's verdict, for which it had learned the latency earlier"
soon is_released
result $? "focus: the events are released after the phase"
is "$(counted)" "$before" "focus: the set is as before after the phase"
stop

# Kill either process at random moments.
for ((i = 0; i < kills; i++)); do
	start_set
	soon is_held
	sleep "0.$((RANDOM % 10))"
	if [ $((i % 2)) -eq 0 ]; then
		kill -KILL "$daemon"
		wait "$daemon" 2>/dev/null
		what=rcrd
	else
		kill -KILL "$setter"
		what=rcrd-set
	fi
	once_in 10 is_released
	result $? "focus: kill $i, of $what: the events are released at once"
	is "$(counted)" "$before" "focus: kill $i, of $what: the set is as before"
	if [ $what = rcrd ]; then
		says 1 "is not running" rcrctl why
	else
		rcrctl why >/tmp/out
		result $? "focus: kill $i, of $what: rcrd continues"
	fi
	soon [ ! -d "/proc/$setter" ]
	result $? "focus: kill $i, of $what: rcrd-set has exited"
	stop 2>/dev/null
done

# rcrd-set does not finalize changes that others have staged.
rcrctl add "STAGED=event:0x76"
start_set
soon grep -q 'changes of the set are staged' /tmp/rcrd.log && is_released
result $? "focus: while changes are staged, nothing is added"
contains "$(rcrctl ls)" STAGED "focus: the staged changes stay staged"
stop
unload
result $? "focus: the module unloads"
finished
