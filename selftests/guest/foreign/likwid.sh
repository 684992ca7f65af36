#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# likwid.sh MODEL - Debian's likwid-perfctr next to rcrtool. likwid-perfctr reserves nothing: it
# checks whether a control is 0, and with -f not even that. On AMD it writes controls and counts of
# its own events; on Intel also the global and the fixed control, as if it were the only user.
. ./tap.sh

case $1 in
fam15h)
	events=RETIRED_INSTRUCTIONS:PMC0,CPU_CLOCKS_UNHALTED:PMC1
	free=CPU_CLOCKS_UNHALTED:PMC2,RETIRED_INSTRUCTIONS:PMC3
	theirs="0xc0010200 0xc0010202"
	tests=29
	;;
nehalem)
	events=L1D_REPL:PMC0,UOPS_RETIRED_ANY:PMC1
	free=UOPS_RETIRED_ANY:PMC2,UOPS_ISSUED_ANY:PMC3
	theirs="0x186 0x187 0x38d"
	tests=28
	;;
*) echo "Bail out! likwid.sh: no model $1"; exit 1 ;;
esac
plan $tests

# likwid ARGUMENT... PROGRAM: measures PROGRAM on all CPUs, and prints the results.
likwid()
{
	likwid-perfctr -M 0 -O -c 0-3 "$@" >/tmp/likwid 2>&1
}

# True if likwid's counts match the formula. All events of a CPU count for about the time of
# likwid's clock, which it reads after it has started the counters of all CPUs, and before it stops
# them. As it starts and stops counters one by one from user space, which takes milliseconds on a
# busy host, allow 2 %. Names are those of likwid's lists.
likwid_is_right()
{
	awk -F, '
	BEGIN {
		is["RETIRED_INSTRUCTIONS"] = 192 * 1009
		is["CPU_CLOCKS_UNHALTED"] = 118 * 1009
		is["INSTR_RETIRED_ANY"] = 192 * 1009
		is["CPU_CLK_UNHALTED_CORE"] = 60 * 1009
		is["CPU_CLK_UNHALTED_REF"] = 3 * 97
		is["L1D_REPL"] = 81 * 1009 + 97
		is["UOPS_RETIRED_ANY"] = 194 * 1009 + 97
		is["UOPS_ISSUED_ANY"] = 14 * 1009 + 97
	}
	/^CPU clock/ { hz = $2 * 1e9 }
	/^TABLE/ { raw = !/STAT/ }
	!raw { next }
	/^Runtime/ { ticks = $3 * hz }
	$1 in is {
		rows++
		for (cpu = 0; cpu < 4; cpu++) {
			t = $(cpu + 3) * 65536 / (1 + (is[$1] + 4099 * cpu) % 49999)
			if (rows == 1)
				first[cpu] = t
			apart = t / first[cpu] - 1
			if (apart < 0) apart = -apart
			if (apart > worst) worst = apart
			apart = t / ticks - 1
			if (apart < 0) apart = -apart
			if (apart > clock) clock = apart
		}
	}
	END {
		printf "# %d events, at most %.4f %% apart, %.2f %% from likwid'\''s clock\n", rows, worst * 100, clock * 100
		exit !(rows >= 2 && worst < 0.02 && clock < 0.1)
	}' /tmp/likwid
	result $? "likwid: likwid counts as the formula does"
}

# refused STATUS DESCRIPTION: checks that likwid has refused to run, and named both counters.
refused()
{
	is "$1 $(grep -c '^ERROR: The selected register PMC[01] is in use.$' /tmp/likwid)" "1 2" "$2"
}

# Print the status in the last line of rcrstat.
status_in()
{
	tail -n 1 | cut -d, -f5
}

one_line()
{
	rcrstat -i 0.5 -n 1 | grep -v "^#"
}

state()
{
	one_line | status_in
}

# foreign CONTROL...: prints the status of records in which these counters are foreign.
foreign()
{
	local cpu name names
	names=$(for control in "$@"; do
			sed -n "s/^counter \([0-9]*\): \([^ ]*\) .* control $control .*/\1 \2/p" $STATUS
		done | sort -n | cut -d' ' -f2)
	for cpu in 0 1 2 3; do
		for name in $names; do
			printf ';cpu%d:%s=foreign' $cpu "$name"
		done
	done | cut -c2-
}

# agree A B: true if two lines of rcrstat have common rates, and these agree.
agree()
{
	awk -F, '
	FNR != 2 { next }
	NR == FNR { for (i = 6; i <= NF; i++) was[i] = $i; next }
	{
		for (i = 6; i <= NF; i++) {
			if ($i == "")
				continue
			n++
			if ($i / was[i] > 1.005 || $i / was[i] < 0.995) bad++
		}
	}
	END { exit !(n && !bad) }' "$1" "$2"
}

all_of_ours()
{
	sed -n 's/^counter .* control \(0x[0-9a-f]*\) .*/\1/p' $STATUS | sort -u
}

# follow, followed: start and stop steady, which checks the totals of every record.
follow()
{
	./steady >/tmp/steady &
	follower=$!
}

followed()
{
	kill $follower
	wait $follower
}

# The program that likwid measures runs rcrstat.
echo "sleep 1; rcrstat -i 1 -n 1 | grep -v ^\# >/tmp/during" >/tmp/look

# likwid takes a control that is not 0 for used.
clear_controls
likwid -g $events sleep 2
is $? 0 "likwid: likwid counts without rcrtool"
likwid_is_right

echo "# source=msr"
load period_us=1000 budget_ppm=0
before=$(controls)
./exact 3 0 0 >/tmp/exact &
exact=$!
sleep 1
likwid -g $events sleep 2
refused $? "likwid: likwid reports that counters of rcrtool are in use"
is "$(controls)" "$before" "likwid: likwid changes no control if it refuses to run"
wait $exact
result $? "likwid: totals of rcrtool are exact in the meantime"
sed -n 's/^not ok/# &/p' /tmp/exact

one_line >/tmp/before
follow
likwid -f -g $events bash /tmp/look
is $? 0 "likwid: likwid counts with -f"
likwid_is_right
case $1 in
fam15h)
	# shellcheck disable=SC2086 # a list of words
	taken=$(foreign $theirs)
	is "$(status_in </tmp/during)" "$taken" "likwid: only the counters that likwid took are foreign: $taken"
	agree /tmp/before /tmp/during
	result $? "likwid: the other counters continue"
	;;
nehalem)
	# likwid overwrites the whole global control.
	# shellcheck disable=SC2046 # a list of words
	taken=$(foreign $(all_of_ours))
	is "$(status_in </tmp/during)" "$taken" "likwid: every counter is foreign, as likwid stops all others"
	is "$(tail -n 1 /tmp/during | cut -d, -f6- | tr -d ,)" "" "likwid: no counter has a rate"
	;;
esac
is "$(for control in $theirs; do rdmsr -a "$control"; done | sort -u)" 0 "likwid: likwid leaves zeros in the controls that it took"
is "$(state)" "$taken" "likwid: the counters that it took stay foreign"

rcrctl rewrite all
is $? 0 "likwid: rcrctl rewrite succeeds"
is "$(controls)" "$before" "likwid: the rewrite restores the controls"
is "$(state)" ok "likwid: all counters are ok after the rewrite"
one_line >/tmp/after
agree /tmp/before /tmp/after
result $? "likwid: all rates are as before after the rewrite"
followed
is "$(sed 's/,.*,//' /tmp/steady)" "back 0 counting 0 1 2 3" "likwid: no total has decreased"
unload
is "$(controls | cut -d' ' -f2- | tr -d '\n ' | tr -d 0)" "" "likwid: unloaded, every control is 0"

# likwid can request the event that is already counted there (:KERNEL sets the OS bit). Then it
# clears the count between two samples, but the control is that of rcrtool.
if [ "$1" = fam15h ]; then
	load_set "CYC=event:0x76;INS=event:0xc0"
	./watch 6 >/tmp/watch &
	sleep 1
	likwid -f -g CPU_CLOCKS_UNHALTED:PMC0:KERNEL sleep 1
	wait $!
	contains "$(tail -n 1 /tmp/watch)" "0 wrong" \
		"likwid: a cleared count does not make a total wrong"
	unload
fi

# likwid needs no -f for counters that rcrtool does not use.
load_set "A=event:0xc0;B=event:$([ "$1" = fam15h ] && echo 0x76 || echo 0x51,umask:1)"
likwid -g $free bash /tmp/look
is $? 0 "likwid: without -f likwid takes counters that rcrtool leaves free"
likwid_is_right
if [ "$1" = fam15h ]; then
	is "$(status_in </tmp/during) $(state)" "ok ok" "likwid: the counters of rcrtool continue"
else
	# shellcheck disable=SC2046 # a list of words
	taken=$(foreign $(all_of_ours))
	is "$(status_in </tmp/during) $(state)" "$taken $taken" \
		"likwid: counters of rcrtool that likwid stops by the global control are foreign"
fi
unload
clear_controls

echo "# source=perf"
if [ "$1" = fam15h ]; then
	load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0;L1_DCM=event:0x41,umask:1;VEC_INS=event:0xcb,umask:4" \
		source=perf spare=1 period_us=1000
else
	load source=perf spare=1 period_us=1000
fi
one_line >/tmp/before
likwid -g $events sleep 1
refused $? "likwid: likwid reports that counters are in use that perf allocated for rcrtool"
is "$(state)" ok "likwid: all counters of rcrtool continue"
likwid -f -g $events bash /tmp/look
is $? 0 "likwid: likwid counts with -f"
likwid_is_right
# perf does not detect that its registers were written, but rcrtool does.
names=$(status_in </tmp/during | tr ';' '\n' | sed -n 's/^cpu0:\([^=]*\)=foreign.*/\1/p' | tr '\n' ' ')
[ -n "$names" ]
result $? "likwid: the counters that likwid took from perf are foreign: $names"
if [ "$1" = fam15h ]; then
	agree /tmp/before /tmp/during
	result $? "likwid: the other counters continue"
else
	is "$(tail -n 1 /tmp/during | cut -d, -f6- | tr -d ,)" "" "likwid: no counter has a rate, as likwid stops all of them"
fi
rcrctl rewrite all
is "$(state)" ok "likwid: rcrctl rewrite makes perf program its counters again"
one_line >/tmp/after
agree /tmp/before /tmp/after
result $? "likwid: all rates are as before after perf has programmed its counters"
unload
finished
