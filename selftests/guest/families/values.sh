#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# values.sh - PMU events of the kernel that are values, not counts: a temperature, which may
# decrease, and the meters of rcrtool itself. Needs an Intel model with a thermal sensor (nehalem,
# snbep, ...).
. ./tap.sh
plan 16
MSR=/sys/bus/event_source/devices/msr
OWN=/sys/bus/event_source/devices/rcrtool
event=$(sed 's/event=//' $MSR/events/cpu_thermal_margin)
thermal="pmu:$(cat $MSR/type),config:$event"
NEVER=/nonexistent

# margins: prints the thermal margin of each CPU from its register.
margins()
{
	local cpu
	for cpu in 0 1 2 3; do
		echo $((0x$(rdmsr -p $cpu 0x19c) >> 16 & 0x7f))
	done
}

# falls DIR: until DIR/over exists, reads all margins in a loop; appends each CPU whose margin has
# decreased to DIR/fell, and a line per round to DIR/rounds.
falls()
{
	local before after cpu
	mapfile -t before < <(margins)
	while [ ! -e "$1/over" ]; do
		sleep 0.1
		mapfile -t after < <(margins)
		for cpu in 0 1 2 3; do
			[ "${after[cpu]}" -ge "${before[cpu]}" ] || echo "cpu$cpu" >>"$1/fell"
		done
		before=("${after[@]}")
		echo >>"$1/rounds"
	done
}

# grows FILE N: waits until FILE has N more lines, for at most 60 s.
grows()
{
	local want=$(($(wc -l <"$1") + $2)) end=$((SECONDS + 60))
	until [ "$(wc -l <"$1")" -ge $want ] || [ $SECONDS -ge $end ]; do
		sleep 0.1
	done
}

# foreign, largest: print the CPUs with status foreign in a row of THERMAL, and the largest cell.
foreign()
{
	grep -o 'cpu[0-9]*:THERMAL=foreign' /tmp/csv | cut -d: -f1 | sort -u
}
largest()
{
	awk -F, '/^#/ { next }
		!columns { columns = split($0, name, ","); next }
		{
			for (i = 6; i <= columns; i++)
				if (name[i] ~ /THERMAL/ && $i + 0 > most) most = $i + 0
		}
		END { printf "%.0f\n", most }' /tmp/csv
}

echo "# a temperature"
is "$(cat $MSR/events/cpu_thermal_margin.snapshot)" 1 "values: the kernel declares the thermal margin as a snapshot"
load_set "CYC=event:0x3c" source=perf
is "$(rcrctl list 'msr/*' | grep -c thermal) $(($(rcrctl list 'msr/*' | grep -c aperf) > 0))" "0 1" \
	"values: rcrctl list does not have the thermal margin"
says 1 "is a value, not a count: read it with 'perf stat -a -e msr/cpu_thermal_margin/'" \
	rcrctl add msr/cpu_thermal_margin/
says 1 "is a value, not a count" rcrctl add "X=msr/event=$event/"
says 1 "is a value, not a count" rcrctl add "X=$thermal"
unload

# Let an rcrctl that does not know about snapshots request the event.
RCR_SYSFS=$NEVER load_set "CYC=event:0x3c;THERMAL=$thermal" source=perf period_us=10000 budget_ppm=0
is "$(status_of state)" sampling "values: the module does not refuse a snapshot"
# Watch the registers for longer than the samples. A decrease before the first or after the last
# sample is not seen as foreign.
seen=/tmp/seen
mkdir -p $seen
: >$seen/fell
: >$seen/rounds
falls $seen &
follower=$!
rcrstat -i 0.5 >/tmp/csv &
reader=$!
grows /tmp/csv 2
grows $seen/rounds 2
already=$(wc -l <$seen/fell)
grows $seen/fell 1
inside=$(sed -n "$((already + 1))p" $seen/fell)
sleep 1.5
kill $reader
wait $reader 2>/dev/null
: >$seen/over
wait $follower
contains "$(foreign | tr '\n' ' ')" "${inside:-no CPU}" \
	"values: the sample after a decrease is foreign, seen on ${inside:-no CPU}"
is "$(foreign | grep -vxFf $seen/fell)" "" "values: no other CPU's register is foreign"
is "$(($(largest) < 1000))" 1 "values: no rate is computed across a decrease: the largest is $(largest)"
is "$(status_in_ls THERMAL)" ok "values: counting continues from a new baseline"
unload

echo "# rcrtool's own meters"
load_set "CYC=event:0x3c;INS=event:0xc0" source=perf
rcrctl meter load
is "$(rcrctl list 'rcrtool*' 2>/dev/null | grep -c rcrtool/)" 0 "values: rcrctl list does not have meters"
says 1 "is a meter of rcrtool, not an event: read a meter with 'rcrctl meter'" rcrctl add rcrtool/sampler_cost/
# Let an rcrctl that does not know the PMU of rcrtool request a meter.
RCR_SYSFS=$NEVER rcrctl add "X=pmu:$(cat $OWN/type),config:$(sed 's/meter=//' $OWN/events/sampler_cost),scope:package" 2>/tmp/err
is "$? $(cut -d: -f2- /tmp/err)" "1  X is a meter of rcrtool, not an event: read it with 'rcrctl meter'." \
	"values: the module itself refuses a meter as an event"
RCR_SYSFS=$NEVER rcrctl reassign INS "X=pmu:$(cat $OWN/type)" 2>/tmp/err
contains "$? $(cat /tmp/err)" "read it with 'rcrctl meter'" "values: the module refuses to reassign a counter to a meter"
rcrctl finalize
is "$(rcrctl ls | awk '{ print $1 }' | grep -c '^X$') $(status_of state)" "0 sampling" "values: the set is as before"
unload
is "$?" 0 "values: the module can be unloaded"
finished
