#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# gridded.sh SECONDS FROM - runs on both machines of selftests/nodes.sh: sets the wall clock from
# the RTC, which is the host's, waits until it is FROM, and prints when CPUs are sampled for
# SECONDS. In the middle the clock is set forward by one second.
. ./tap.sh
rtc=/sys/class/rtc/rtc0/since_epoch
before=$(cat $rtc)
while now=$(cat $rtc) && [ "$now" = "$before" ]; do
	:
done
date -s "@$now" >/dev/null
load period_us=30000 ring_records=4096 budget_ppm=0
from=$2
sleep $((from - $(date +%s)))
./gridded $((from + $1)) $((from + $1 / 2)) >/tmp/points
rc=$?
sed 's/^/# point: /' /tmp/points
plan 1
result $rc "gridded: the times of samples are printed from $from on"
unload
exit $rc
