#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# job_many.sh MODEL [JOBS [SECONDS]] - jobs of 0.1 s in a row, at a period of 10 ms. Job number i is
# another program than the others: from its begin on CPU 2 counts TOT_INS at i times its rate, by the
# virtual PMU's phases, whose integral is the oracle of each total.
. ./defaults/common.sh
. ./jobs_lib.sh
machine "$1"
jobs=${2:-50}
CLASS=3
plan 6

plain_load
rcrctl period 10ms
./phase assign core 0xc0 $CLASS >/dev/null
./phase schedule $CLASS 0:1 >/tmp/phases
cat >/tmp/program <<END
#!/bin/sh
./phase schedule $CLASS 0:\$1 >>/tmp/phases
exec sleep ${3:-0.1}
END
chmod +x /tmp/program
begin=$SECONDS reports=()
for ((i = 1; i <= jobs; i++)); do
	reports+=("/tmp/job.$i")
	taskset -c 2 rcrjob run -j -o "/tmp/job.$i" -- /tmp/program "$i" || echo "job $i"
done >/tmp/failed 2>&1
echo "# $jobs jobs took $((SECONDS - begin)) s"
is "$(cat /tmp/failed)" "" "many: $jobs jobs in a row exit with 0"
./phase schedule $CLASS 0:1 >>/tmp/phases

# JOB PROGRAM'S-NUMBER TICK TSC TSC_END TICK TSC TSC_END TOTAL COMPLETENESS of each, in order; those of
# a job without totals end after the second.
awk -v jobs="$jobs" '
	FNR == 1 { job = FILENAME; sub(/.*[.]/, "", job) }
	/^"\/tmp\/program",$/ { getline; gsub(/[^0-9]/, ""); program[job] = $0 }
	/^[{]"cpu": 2, / { gsub(/[^0-9]+/, " "); if ($2 != $6) ticks[job] = " " $2 " " $4 " " $5 " " $6 " " $8 " " $9 }
	/^[{]"name": "TOT_INS", / && match($0, /"total": [0-9]+/) {
		total[job] = " " substr($0, RSTART + 9, RLENGTH - 9)
		match($0, /"completeness": [0-9.]+/)
		total[job] = total[job] " " substr($0, RSTART + 16, RLENGTH - 16)
	}
	END { for (i = 1; i <= jobs; i++) print i " " program[i] ticks[i] total[i] }' "${reports[@]}" >/tmp/jobs
is "$(awk '$1 == $2' /tmp/jobs | wc -l)" "$jobs" "many: each report names its own program"
# A virtual CPU that the host stops for all of a job is not sampled meanwhile: that is printed.
awk 'NF == 2 { print $1 }' /tmp/jobs >/tmp/without
is "$(while read -r i; do grep -L '"no totals: ' "/tmp/job.$i"; done </tmp/without) $(($(wc -l </tmp/without) * 10 <= jobs))" " 1" \
	"many: each has its totals, or the reason why it was not sampled"
echo "# without totals: $(xargs </tmp/without)"

# The rate is rate.h's, of TOT_INS on CPU 2; phases have their TSC and multiplier in 2^-16.
awk -v rate=$((1 + (1009 * 192 + 4099 * 2) % 49999)) '
	# The count from one TSC to another.
	function count(from, to,  i, sum, begin, end) {
		for (i = 0; i < phases; i++) {
			begin = start[i] > from ? start[i] : from
			end = i + 1 < phases && start[i + 1] < to ? start[i + 1] : to
			if (end > begin) sum += (end - begin) * (multiplier[i] / 65536)
		}
		return sum * rate / 65536
	}
	NR == FNR { start[phases] = $1; multiplier[phases++] = $2; next }
	NF == 2 { next }
	{
		least = count($5, $7) - 2; most = count($4, $8) + 2
		if ($9 < least || $9 > most) { wrong++; print "# job " $1 ": " $9 ", expected " least " to " most }
		if ($9 > 0 && $10 == 1) complete++
		# With the rate of its own multiplier for most of the time.
		plain = (($7 + $8) / 2 - ($4 + $5) / 2) * rate / 65536
		if ($9 / plain > $1 - 0.6 && $9 / plain < $1 + 0.1) own++
		if ($3 <= before) shared++
		before = $6
		jobs++
	}
	END { print jobs + 0, wrong + 0, jobs - complete, shared + 0; print "# " own + 0 " of " jobs " had their own rate most of the time" }' \
	/tmp/phases /tmp/jobs >/tmp/result
grep '^#' /tmp/result
# shellcheck disable=SC2046 # words
set -- $(grep -v '^#' /tmp/result)
is "$2 $3" "0 0" "many: each total is that of its own program between the two ticks, and complete"
is "$4" 0 "many: no tick belongs to two jobs"
rmmod rcrtool
./phase clear >/dev/null
result $? "many: the machine's rates are as before"
finished
