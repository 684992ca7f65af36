#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# demo.sh - what 'make demo' runs in the guest.
. ./tap.sh
khz=$(tsc_khz)

echo "== insmod rcrtool.ko period_us=1000"
load period_us=1000 ring_records=4096 || exit 1
last_words
echo
echo "== cat $STATUS"
grep -v "^cpu [0-9]" $STATUS
selects=$(sed -n 's/^counter [0-9]*: \(.*\) select \(0x[0-9a-f]*\) .*/\1=\2/p' $STATUS)
echo
echo "== rcrstat -i 1 -n 5, while two CPUs are kept busy"
for i in 1 2; do
	timeout 60 bash -c 'while :; do :; done' &
done
rcrstat -i 1 -n 5 | tee /tmp/csv
rc=${PIPESTATUS[0]}
kill $(jobs -p) 2>/dev/null
echo
echo "== comparison with the virtual PMU's formula"
# shellcheck disable=SC2086 # one word per event
./compare "$khz" $selects </tmp/csv || rc=1
unload || rc=1
exit "$rc"
