#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jobs_guest.sh ROUNDS - measures for jobs.sh: lines "bench|WHAT|MS".
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
		printf "bench|rcrjob run -- true adds, at a period of %s|%.3f\n", period, (run - plain) / 1000 }'
done
rmmod rcrtool
