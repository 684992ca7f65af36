# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# jobs_lib.sh - shared by the tests of rcrjob: recordings, and what a report in JSON has.

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

# record: starts a recording of the stream in /tmp/rec; keep ends it.
record()
{
	rm -f /tmp/rec
	rcrstat -f raw -o /tmp/rec &
	recorder=$!
	soon test -s /tmp/rec
}

keep()
{
	sleep 0.3
	kill -INT "$recorder"
	wait "$recorder"
}

# ticks FILE: prints the CPUs of a report and their ticks, for jobcount.
ticks()
{
	sed -n 's/^{"cpu": \([0-9]*\), "first": {"tick": \([0-9]*\),.*"last": {"tick": \([0-9]*\),.*/\1 \2 \3/p' "$1"
}

# totals FILE: prints NAME PART TOTAL COMPLETENESS for each event and part; PART is all for the job.
totals()
{
	awk '
		function value(key,  text) {
			if (!match($0, "\"" key "\": \"?[^,\"}]*")) return "none"
			text = substr($0, RSTART, RLENGTH)
			sub(/.*": "?/, "", text)
			return text
		}
		/^[{]"name": .*"shared":/ { name = value("name"); print name, "all", value("total"), value("completeness") }
		/^[{]"part": / { print name, value("part"), value("total"), value("completeness") }' "$1"
}

# part_of CPU PART: the core or package of a CPU, as rcrjob names it.
part_of()
{
	local topology=/sys/devices/system/cpu/cpu$1/topology
	case $2 in
	package) echo "package$(cat "$topology/physical_package_id")" ;;
	core) echo "package$(cat "$topology/physical_package_id")/die$(cat "$topology/die_id")/core$(cat "$topology/core_id")" ;;
	esac
}

# expected PART: prints from /tmp/counted what totals must print for that kind of part.
expected()
{
	local cpu
	awk '$1 != "mark" { print $2 }' /tmp/counted | sort -u | while read -r cpu; do
		awk -v cpu="$cpu" -v part="$(part_of "$cpu" "$1")" '
			$1 != "mark" && $2 == cpu { print $1, part, $3; print $1, "all", $3 }' /tmp/counted
	done | awk '{ sum[$1 " " $2] += $3 } END { for (key in sum) printf "%s %.0f\n", key, sum[key] }' | sort
}

# is_exact PART DESCRIPTION: each total of /tmp/json is that of the recording between the ticks that
# it prints, whose steps are all the formula's.
is_exact()
{
	ticks /tmp/json | ./jobcount /tmp/rec >/tmp/counted
	diff <(totals /tmp/json | cut -d' ' -f1-3 | sort) <(expected "$1") >/tmp/diff
	is "$? $(awk '$1 != "mark" { lines++; wrong += $6 } END { print (lines > 0), wrong + 0 }' /tmp/counted)" "0 1 0" "$2"
	sed 's/^/# /' /tmp/diff
}

# number KEY: prints a number of the report.
number() { sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" /tmp/json | head -n 1; }

# estimate JOB: prints a job's part of the cycles, its error, and the true count, from its report
# /tmp/JOB.json and what ./turns printed, /tmp/JOB.out: each process runs on one CPU, and its time there,
# from the scheduler, times that CPU's rate (rate.h) is its true count.
estimate()
{
	sed -n 's/^{"name": "TOT_CYC",.*"estimate": \([0-9]*\), "estimate_error": \([0-9]*\),.*/\1 \2/p' "/tmp/$1.json" |
		awk -v khz="$(tsc_khz)" -v select=$((0x$CYCLES)) -v out="/tmp/$1.out" '{
			while ((getline line <out) > 0) {
				split(line, word, " ")
				rate = (1 + (1009 * (select % 256) + 97 * int(select / 256) + 4099 * word[1]) % 49999) / 65536
				truth += word[2] / 1e6 * khz * rate
			}
			printf "%s %s %.0f\n", $1, $2, truth }'
}

# within ERRORS: of the lines of /tmp/estimates, those whose estimate is so near to the true count; the
# clocks of the guest agree within 0.3 %.
within()
{
	awk -v most="$1" 'NF == 3 { off = $1 - $3; if (off < 0) off = -off; if ($2 <= $1 / 10 && off <= most * $2 + 0.003 * $3) n++ }
		END { print n + 0 }' /tmp/estimates
}
