#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jobs_guest.sh ROUNDS - the guest's part of jobs.sh. Prints lines "bench|WHAT|VALUE|UNIT|GOAL".
set -u
rounds=$1

# median COMMAND...: prints the median time of a command, in us.
median()
{
	local i begin
	for ((i = 0; i < rounds; i++)); do
		begin=${EPOCHREALTIME/./}
		"$@" >/dev/null 2>&1
		echo $((${EPOCHREALTIME/./} - begin))
	done | sort -n | sed -n "$(((rounds + 1) / 2))p"
}

modprobe rcrtool && udevadm settle
true=$(type -P true)
for period in 10ms 100ms 1s; do
	rcrctl period $period
	plain=$(median "$true")
	run=$(median rcrjob run -- "$true")
	awk -v plain="$plain" -v run="$run" -v period=$period 'BEGIN {
		printf "bench|rcrjob run -- true adds, at a period of %s|%.3f|ms|50\n", period, (run - plain) / 1000 }'
done

# on_cpu PID...: prints the CPU time of these processes, in ns.
on_cpu()
{
	local pid
	for pid; do cat /proc/"$pid"/task/*/schedstat; done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

HOST=unix:///tmp/socket
SECONDS_MEASURED=30
export PCP_DERIVED_CONFIG='' PMCD_PORT=44321
rcrctl period 100ms
echo "rcr 300 pipe binary /rcr/pmdarcr -d 300 -U user -l /tmp/rcr.log" >/tmp/pmcd.conf
/usr/lib/pcp/bin/pmcd -f -U root -c /tmp/pmcd.conf -i 127.0.0.1 -s /tmp/socket -l /tmp/pmcd.log >/dev/null 2>&1 &
pmcd=$!
for ((i = 0; i < 300; i++)); do
	! /rcr/fetch_pcp $HOST 1 0 rcr.set.state 2>/dev/null | grep -q sampling || break
	sleep 0.1
done
agent=$(xargs <"/proc/$pmcd/task/$pmcd/children")
values=$(/rcr/fetch_pcp $HOST 1 0 rcr | wc -l)
fetch=$(/rcr/fetch_pcp $HOST 200 time rcr)
echo 'log mandatory on 1 sec { rcr }' >/tmp/config
cd /tmp && pmlogger -h $HOST -c config -l pmlogger.log archive >/dev/null 2>&1 &
sleep 3
logger=$(pidof pmlogger)
# shellcheck disable=SC2086 # one pid each
before=$(on_cpu $pmcd $agent $logger)
own=$(on_cpu "$agent")
sleep $SECONDS_MEASURED
# shellcheck disable=SC2086 # one pid each
after=$(on_cpu $pmcd $agent $logger)
own=$(($(on_cpu "$agent") - own))
awk -v values="$values" -v fetch="$fetch" -v all=$((after - before)) -v own="$own" -v seconds=$SECONDS_MEASURED \
	-v rss="$(awk '/^VmRSS/ { print $2 }' "/proc/$agent/status")" 'BEGIN {
	printf "bench|a fetch of %d values, with pmcd and the client|%.3f|ms|1\n", values, fetch / 1000
	printf "bench|agent, pmcd and pmlogger at 1 s, %d values|%.3f|%% of a core|1\n", values, all / seconds / 1e7
	printf "bench|of it the agent|%.3f|%% of a core|1\n", own / seconds / 1e7
	printf "bench|memory of the agent (RSS)|%.2f|MB|10\n", rss / 1024 }'
kill "$logger" $pmcd
wait 2>/dev/null
rmmod rcrtool
