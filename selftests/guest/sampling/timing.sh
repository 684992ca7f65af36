#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# timing.sh - the offset of samples from multiples of the period on the wall clock, and how often
# energy is read, on Family 17h.
. ./tap.sh
plan 9

# phase PERIOD_US OFFSET_US: prints the offset of samples from multiples of the period.
phase()
{
	load_set A=event:0xc0 period_us="$1" offset_us="$2" budget_ppm=0
	./samples 500 | sed 's/.*phase_us \(-*[0-9]*\).*/\1/'
	unload
}

is "$(phase 10000 0)" 0 "timing: samples come at the multiples of the period on the wall clock"
is "$(phase 10000 2500)" 2500 "timing: samples are at the wanted offset from these multiples"
is "$(phase 1000 7300)" 300 "timing: the offset may exceed a period"

# energy PARAMETER...: prints how often the energy registers are read in 2 s.
events=register:energy-pkg
energy()
{
	load_set "A=event:0xc0;$events" budget_ppm=0 "$@" &&
		./samples 2000 | sed 's/.*readings \([0-9]*\).*/\1/'
	unload
}

readings=$(energy period_us=1000)
echo "# $readings readings in 2 s at 1 ms"
is "$((readings > 20)) $((readings <= 202))" "1 1" "timing: energy is read at most 100 times a second"
readings=$(energy period_us=1000 slow_period_us=1000)
is "$((readings > 20)) $((readings <= 202))" "1 1" "timing: energy is read at most 100 times a second even if slow counters are read more often"
readings=$(energy period_us=1000 energy_period_us=50000)
is "$((readings > 5)) $((readings <= 42))" "1 1" "timing: energy is read at most every energy_period_us"
load source=auto period_us=1000 budget_ppm=0
msr=$(cat /sys/bus/event_source/devices/msr/type)
rcrctl set register:energy-pkg "X=pmu:$msr,config:0,scope:package,joules,slow"
./samples 2000 >/tmp/samples
read -r _ _ _ _ _ readings _ slow </tmp/samples
is "$((readings > 20)) $((readings <= 202)) $slow" "1 1 3" "timing: energy is read at most 100 times a second next to energy counters that are slow already"
unload
is "$(energy period_us=1000 energy_period_us=1000)" 0 "timing: energy is read with each sample if energy_period_us is the period"
is "$(energy period_us=10000)" 0 "timing: by default energy is not read with each sample"
finished
