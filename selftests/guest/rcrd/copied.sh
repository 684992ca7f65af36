#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# copied.sh - the rings of many CPUs are copied before they are overwritten. The recorder is
# armed for the longest window that it accepts, which leaves room for one second in each ring;
# the test counts how many records of that room were left. As guests are slow, the period grows
# with the number of CPUs.
. ./tap.sh
ROUNDS=3
plan $((3 + 5 * ROUNDS))

. ./rcrd_lib.sh

cpus=$(nproc) period_us=$(($(nproc) * 250)) records=512
users
load period_us=$period_us ring_records=$records budget_ppm=0
give_devices
start
says 1 "at this period the rings hold a window of" rcrctl record --last 600s
holds=$(sed -n 's/.*window of \([0-9]*\) ms.*/\1/p' /tmp/err)
says 1 "at this period the rings hold a window of" rcrctl record --last "$((holds + 1))ms"
rcrctl record --last "${holds}ms" --on mark
result $? "copied: armed for the longest window of the rings of $cpus CPUs: $holds ms at $period_us us"
# Wait until every ring is full.
sleep $((records * period_us * 3 / 2000000 + 1))
for ((round = 1; round <= ROUNDS; round++)); do
	seen=$(wc -l </tmp/rcrd.log)
	follow_on
	sleep $((holds / 1000 + 2))
	rcrctl mark "round $round"
	rcrctl record fetch /tmp/window
	is $? 0 "copied: round $round: a window is kept"
	follow_off
	./window /tmp/window /tmp/stream "$holds" >/tmp/judged
	is "$(sed -n 2p /tmp/judged)" "window: 1 set, 0 lost, 0 holes, 0 out of order, 0 outside" \
		"copied: round $round: no record of the window was overwritten"
	contains "$(sed -n 3p /tmp/judged)" "compared: $cpus cpus, 1 marks, 0 missing, 0 different, 0 more" \
		"copied: round $round: every record of every CPU is the same, byte for byte"
	is "$(sed -n 5p /tmp/judged)" "sampling: 0 lost, 0 holes, 0 ticks unaccounted" \
		"copied: round $round: sampling continued"
	tail -n +$((seen + 1)) /tmp/rcrd.log >/tmp/log
	sed 's/^/# /' /tmp/log
	left=$(sed -n 's/.*each copy has at least \([0-9]*\) older records.*/\1/p' /tmp/log)
	result $((${left:-0} < 1)) "copied: round $round: each ring had room for $left more records when it was copied"
done
rcrctl record off
stop
soon rmmod rcrtool
finished
