#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# unread.sh [SECONDS] - a meter that was not read for SECONDS has the same value as one that was
# read all the time, and matches the virtual PMU's schedule (vpmu/phase.h). Leaves rates changed:
# run no other test in the guest.
. ./tap.sh
seconds=${1:-20}
plan 12
CLASS=3
SCALE=4		# s
TRIES=5		# meters that are read once
rm -f /tmp/phase.log
khz=$(tsc_khz)

# counted FROM TO: prints the count of TOT_CYC on all CPUs between two TSCs, by the schedule.
counted()
{
	local cpu sum=0
	for cpu in 0 1 2 3; do
		sum=$((sum + $(./phase expect core 0x76 0 $cpu "$2") - $(./phase expect core 0x76 0 $cpu "$1")))
	done
	echo $sum
}

# field N LINE: prints field N. near A B: true if the two differ by at most a hundredth.
field()
{
	cut -d ' ' -f "$1" <<<"$2"
}
near()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }'
}

./phase assign core 0x76 $CLASS >/dev/null
load_set "TOT_CYC=event:0x76" period_us=20000 budget_ppm=0
rcrctl meter add followed 'rate(TOT_CYC)' --scale ${SCALE}s --digits 0 --over cpu
names=
for ((i = 0; i < TRIES; i++)); do
	rcrctl meter add unread$i 'rate(TOT_CYC)' --scale ${SCALE}s --digits 0 --over cpu
	names="$names unread$i"
done
rcrctl meter reset all
mkfifo /tmp/end
./subscriber log followed machine 20 </tmp/end >/tmp/log &
log=$!
exec 3>/tmp/end

# One burst ends long before the window begins, another one is in the last second.
early=$(((seconds - 3 * SCALE) * 500)) late=$((seconds * 1000 - 900))
./phase schedule $CLASS $early:5 $((early + 600)):1 $late:3 $((late + 600)):1 >/tmp/phases
sleep $((seconds - 1))
until [ "$(./phase now)" -gt "$(sed -n '4s/ .*//p' /tmp/phases)" ]; do
	sleep 0.02
done

# Read each meter once, until one was evaluated at the same sample as the followed meter.
for name in $names; do
	./subscriber once "$name" machine followed machine >/tmp/once
	unread=$(sed -n 1p /tmp/once) followed=$(sed -n 2p /tmp/once)
	[ "$(field 1 "$unread")" != "$(field 1 "$followed")" ] || break
done
exec 3>&-
wait $log
echo "# TIME BEGIN TSC COUNTED_NS STATUS CURRENT AVERAGE SUM PEAK HIGHEST UNSEEN"
sed 's/^/# /' /tmp/once
is "$(field 1-4 "$unread")" "$(field 1-4 "$followed")" \
	"unread: $name and the followed meter have the same window"
is "$(field 5 "$unread") $(field 5 "$followed")" "1 1" "unread: both meters are ok"
is "$(field 6 "$unread")" "$(field 6 "$followed")" "unread: the current value is the same"
is "$(field 7 "$unread")" "$(field 7 "$followed")" "unread: the average is the same"
is "$(field 8 "$unread")" "$(field 8 "$followed")" "unread: the sum is the same"
is "$(field 9 "$unread")" "$(field 9 "$followed")" "unread: the peak is the same"
result $(($(wc -l </tmp/log) < seconds * 5)) \
	"unread: the followed meter was evaluated $(wc -l </tmp/log) times in $seconds s"

# Compare with the schedule.
tsc=$(field 3 "$unread") ns=$(($(field 1 "$unread") - $(field 2 "$unread")))
begin=$((tsc - ns * khz / 1000000))
expected=$(awk -v n="$(counted $begin "$tsc")" -v ns=$ns 'BEGIN { printf "%.0f", n / ns * 1e9 }')
near "$(field 7 "$unread")" "$expected"
result $? "unread: the average is that of the schedule: $(field 7 "$unread"), expected $expected"
plain=$(awk -v khz="$khz" 'BEGIN {
	for (cpu = 0; cpu < 4; cpu++)
		sum += 1 + (1009 * 118 + 4099 * cpu) % 49999
	printf "%.0f", sum / 65536 * khz * 1000 }')
near "$(field 9 "$unread")" $((3 * plain))
result $? "unread: the peak is the burst of the last second: $(field 9 "$unread") of 3 times $plain"
is "$(field 10 "$unread")" "$(field 9 "$unread")" "unread: highest lacks the burst during which the meter was not evaluated"
near "$(field 10 "$followed")" $((5 * plain))
result $? "unread: highest of the followed meter has that burst: $(field 10 "$followed") of 5 times $plain"
# CPUs keep marks for twice the window.
result $(($(field 11 "$unread") < (seconds - 2 * SCALE) * 16 / SCALE - 4 || $(field 11 "$followed") > 8)) \
	"unread: parts without an evaluation are counted: $(field 11 "$unread"), and $(field 11 "$followed") of the followed meter"
unload
finished
