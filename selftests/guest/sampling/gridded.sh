#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# gridded.sh SECONDS FROM - one of two machines of selftests/nodes.sh: sets its wall clock by its
# RTC, which is the host's, waits for the second FROM, and writes when it samples for
# SECONDS. In the middle of these the clock is set one second on.
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
result $rc "gridded: written, from $from on"
unload
exit $rc
