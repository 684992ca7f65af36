#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# wrap.sh - counters are preset so close to 2^48 that each wraps two seconds after the module has
# started it: all totals stay exact.
. ./tap.sh
khz=$(tsc_khz)

load
counters=$(sed -n 's/^counter [0-9]*: .* select \(0x[0-9a-f]*\) .* counter \(0x[0-9a-f]*\) .*/\1 \2/p' $STATUS)
unload
while read -r select counter; do
	for cpu in 0 1 2 3; do
		rate=$((1 + (1009 * (select & 0xff) + 97 * (select >> 8 & 0xff) + 4099 * cpu) % 49999))
		wrmsr -p $cpu "$counter" $(((1 << 48) - (rate * khz * 2000 >> 16)))
	done
done <<<"$counters"

load period_us=1000 ring_records=4096 budget_ppm=0
./exact 5 0 0
rc=$?
# exact has checked the totals; check that the registers have wrapped.
for counter in $COUNTERS; do
	for value in $(rdmsr -a -d 0x$counter); do
		[ "$value" -lt $((1 << 47)) ] || { echo "not ok - $counter has not wrapped: $value"; rc=1; }
	done
done
unload
for counter in $COUNTERS; do
	wrmsr -a 0x$counter 0
done
exit $rc
