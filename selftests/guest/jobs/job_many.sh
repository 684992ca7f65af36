#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# job_many.sh MODEL [JOBS [SECONDS]] - jobs of 0.1 s in a row, at a period of 10 ms. Each job has a
# different rate of TOT_INS on CPU 2, set by a phase of the virtual PMU when the job begins; the
# integral of the phase is the oracle of its total.
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
is "$(cat /tmp/failed)" "" "many: $jobs jobs in a row exit with status 0"
./phase schedule $CLASS 0:1 >>/tmp/phases

# /tmp/jobs has a line per job: JOB PROGRAM TICK TSC TSC_END TICK TSC TSC_END TOTAL COMPLETENESS, or
# only JOB PROGRAM for a job without totals.
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
# A job has no totals, but a reason, if the host stopped the virtual CPU for all of it.
awk 'NF == 2 { print $1 }' /tmp/jobs >/tmp/without
is "$(while read -r i; do grep -L '"no totals: ' "/tmp/job.$i"; done </tmp/without) $(($(wc -l </tmp/without) * 10 <= jobs))" " 1" \
	"many: each report has totals, or the reason why the job was not sampled; at most 10 % lack totals"
echo "# without totals: $(xargs </tmp/without)"

# The rate of TOT_INS on CPU 2 is that of rate.h; multipliers of phases are in 2^-16.
awk -v rate=$((1 + (1009 * 192 + 4099 * 2) % 49999)) '
	# Return the count from one TSC to another.
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
		# Its own multiplier must apply for most of the time.
		plain = (($7 + $8) / 2 - ($4 + $5) / 2) * rate / 65536
		if ($9 / plain > $1 - 0.6 && $9 / plain < $1 + 0.1) own++
		if ($3 <= before) shared++
		before = $6
		jobs++
	}
	END { print jobs + 0, wrong + 0, jobs - complete, shared + 0; print "# " own + 0 " of " jobs " had their own rate most of the time" }' \
	/tmp/phases /tmp/jobs >/tmp/result
grep '^#' /tmp/result
# shellcheck disable=SC2046 # split into words
set -- $(grep -v '^#' /tmp/result)
is "$2 $3" "0 0" "many: each total matches its own program between the two ticks, and is complete"
is "$4" 0 "many: no tick is counted in two jobs"
rmmod rcrtool
./phase clear >/dev/null
result $? "many: the machine's rates are as before"
finished
