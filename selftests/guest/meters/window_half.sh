#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# window_half.sh [SCALE] - another program takes a counter for less than half of a meter's time
# scale, and then for more. The meter's values are compared with the virtual PMU's rate and with the
# samples.
. ./tap.sh
scale=${1:-2}
plan 14
CPU=1
FOREIGN=3 GAP=7		# enum rcr_status

# The rate of INS on that CPU, by rate.h.
rate=$((1 + (1009 * 0xc0 + 4099 * CPU) % 49999))
load_set INS=event:0xc0 period_us=5000 budget_ppm=0 ring_records=4096
full=$(awk -v rate=$rate -v khz="$(tsc_khz)" 'BEGIN { printf "%.0f", rate / 65536 * khz * 1000 }')
control=$(control_of INS)
value=$(rdmsr -p $CPU "$control")

# rest SCALES: sleeps for SCALES time scales.
rest()
{
	sleep "$(awk -v n="$1" -v scale="$scale" 'BEGIN { print n * scale }')"
}

# take SCALES: another program takes the counter for SCALES time scales. Sets TAKEN to the times
# before and after each of its two writes.
take()
{
	TAKEN=$(./takes $CPU "$control" $((0x$value ^ 0x8)) \
		"$(awk -v n="$1" -v scale="$scale" 'BEGIN { print 1000 * n * scale }')")
}

# look: reads the latest evaluation. field N: prints field N of that.
look()
{
	LATEST=$(tail -n 1 /tmp/log)
}
field()
{
	cut -d ' ' -f "$1" <<<"$LATEST"
}

# is_near GOT: true if GOT is within a hundredth of the rate.
is_near()
{
	awk -v got="$1" -v full="$full" 'BEGIN { exit !(got > 0.99 * full && got < 1.01 * full) }'
}

rcrctl meter add half 'rate(INS)' --over cpu --scale "${scale}s" --digits 0
mkfifo /tmp/end
cat /dev/rcrtool >/tmp/stream &
stream=$!
./subscriber log half cpu$CPU 10 </tmp/end >/tmp/log &
log=$!
exec 3>/tmp/end
rest 1.2
look
is "$(field 5)" 1 "half: the meter is ok before the counter is taken"
is_near "$(field 7)"
result $? "half: the average is the rate of the virtual PMU: $(field 7) of $full"

take 0.3
rest 0.1
look
is "$(field 5)" 1 "half: with a third of the window foreign the meter is ok"
is_near "$(field 7)"
result $? "half: the average is the rate of the counted part: $(field 7) of $full"
awk -v sum="$(field 8)" -v counted="$(field 4)" -v full="$full" \
	'BEGIN { exit !(sum > 0.99 * full * counted / 1e9 && sum < 1.01 * full * counted / 1e9) }'
result $? "half: the sum is the count of the counted part only: $(field 8)"
rest 1.2
look
is "$(field 5) $(($(field 1) - $(field 2) - $(field 4) < 50000000))" "1 1" \
	"half: a time scale later the whole window is counted"

take 0.75
statuses=$(awk -v taken="$TAKEN" -v scale="$scale" '
	BEGIN { split(taken, t, " ") }
	$1 > t[2] + 0.65 * scale * 1e9 && $1 < t[3] - 5e7 { print $5 }' /tmp/log | sort -u)
is "$statuses" $FOREIGN "half: while more than half of the window is foreign the meter is foreign"
rest 0.1
look
is "$(field 5)" $GAP "half: the status is gap when the counter is restored but half of the window is missing"
rest 1.1
look
is "$(field 5)" 1 "half: the status is ok again once the missing part has left the window"
exec 3>&-
wait $log
sleep 0.3
kill $stream
wait $stream 2>/dev/null
./window_half /tmp/stream /tmp/log $CPU "$((scale * 1000000000))" "$full" >/tmp/judged
sed 's/^#*/#/' /tmp/judged
read -r judged _ windows _ counted _ statuses _ averages _ < <(tail -n 1 /tmp/judged)
result $((judged < 50)) "half: $judged evaluations are compared with the samples"
is "$windows" 0 "half: the window begins with a mark, at most a time scale before the newest sample"
is "$counted" 0 "half: counted_ns is the time of the parts whose samples are all ok"
is "$statuses" 0 "half: the status is ok exactly if at least half of the window is counted"
is "$averages" 0 "half: the average of each evaluation that is ok is the virtual PMU's rate"
unload
finished
