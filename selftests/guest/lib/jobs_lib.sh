# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# jobs_lib.sh - shared by the tests of rcrjob: records the stream and parses JSON reports.

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

# record: starts a recording of the stream in /tmp/rec; keep stops it.
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

# ticks FILE: prints each CPU of a report with its first and last tick, as jobcount reads them.
ticks()
{
	sed -n 's/^{"cpu": \([0-9]*\), "first": {"tick": \([0-9]*\),.*"last": {"tick": \([0-9]*\),.*/\1 \2 \3/p' "$1"
}

# totals FILE: prints NAME PART TOTAL COMPLETENESS per event and part; PART "all" is the whole job.
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

# part_of CPU core|package: prints the name that rcrjob gives the core or package of a CPU.
part_of()
{
	local topology=/sys/devices/system/cpu/cpu$1/topology
	case $2 in
	package) echo "package$(cat "$topology/physical_package_id")" ;;
	core) echo "package$(cat "$topology/physical_package_id")/die$(cat "$topology/die_id")/core$(cat "$topology/core_id")" ;;
	esac
}

# expected core|package: computes the expected output of totals from /tmp/counted.
expected()
{
	local cpu
	awk '$1 != "mark" { print $2 }' /tmp/counted | sort -u | while read -r cpu; do
		awk -v cpu="$cpu" -v part="$(part_of "$cpu" "$1")" '
			$1 != "mark" && $2 == cpu { print $1, part, $3; print $1, "all", $3 }' /tmp/counted
	done | awk '{ sum[$1 " " $2] += $3 } END { for (key in sum) printf "%s %.0f\n", key, sum[key] }' | sort
}

# is_exact core|package DESCRIPTION: each total in /tmp/json equals that of the recording between
# the ticks of the report, and each step of the recording matches the formula.
is_exact()
{
	ticks /tmp/json | ./jobcount /tmp/rec >/tmp/counted
	diff <(totals /tmp/json | cut -d' ' -f1-3 | sort) <(expected "$1") >/tmp/diff
	is "$? $(awk '$1 != "mark" { lines++; wrong += $6 } END { print (lines > 0), wrong + 0 }' /tmp/counted)" "0 1 0" "$2"
	sed 's/^/# /' /tmp/diff
}

# number KEY: prints a number of the report.
number() { sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" /tmp/json | head -n 1; }

# estimate JOB: prints the estimate of a job's own cycles and its error, from /tmp/JOB.json, and the
# true count, from the output of ./turns in /tmp/JOB.out: each process runs on one CPU, and its true
# count is its run time by the scheduler times the rate of that CPU (rate.h).
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

# within ERRORS: prints how many estimates in /tmp/estimates are at most ERRORS standard errors from
# the true count, plus 0.3 % by which the clocks of the guest may differ.
within()
{
	awk -v most="$1" 'NF == 3 { off = $1 - $3; if (off < 0) off = -off; if ($2 <= $1 / 10 && off <= most * $2 + 0.003 * $3) n++ }
		END { print n + 0 }' /tmp/estimates
}
