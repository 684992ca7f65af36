#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# selfcount.sh MODEL - free-running registers: clocks of each core and energy of each package.
. ./tap.sh
. ./watching.sh
case $1 in
fam15h) events="APERF=register:aperf;MPERF=register:mperf" energy=0 word=aperf ;;
fam17h) events="APERF=register:aperf;MPERF=register:mperf;register:energy-pkg" energy=1 word=energy-pkg ;;
*) echo "Bail out! selfcount.sh: no model $1"; exit 1 ;;
esac
plan $((9 + 5 * energy))

load_set "$events;CYC=event:0x76" period_us=5000 budget_ppm=0 ring_records=8192
is "$(status_of state)" sampling "selfcount: free-running registers are counted next to core events"
before=$(rdmsr -p 0 0xe8)
./watch 3 >/tmp/watch
is "$(tail -n 1 /tmp/watch)" "1 sets, 0 lost, many samples, 0 wrong" "P8: samples of free-running registers are exact"
grep '^wrong' /tmp/watch | sed 's/^/# /'
is "$(went APERF 3)" "ok (counted)" "selfcount: each core has its own clocks"
if [ $energy = 1 ]; then
	is "$(sed -n 's/^energy-pkg cpu[02]: //p' /tmp/watch | sort -u)" "ok (counted)" "selfcount: each package has its own energy"
	is "$(sed -n 's/^energy-pkg cpu[13]: //p' /tmp/watch | sort -u)" "elsewhere (stood still)" "selfcount: one CPU of a package reads its energy"
fi
unload
load_set register:aperf period_us=100000
perf stat -x, -a -e r00c0 sleep 0.2 2>&1 | grep -q '^[1-9]'
result $? "selfcount: a set of only these registers leaves all counters to perf"
unload

# The command of README.md.
load period_us=1000
rcrctl remove all && rcrctl add "OWN=register:$word" && rcrctl finalize
result $? "selfcount: a register is added by its name"
is "$(rcrctl ls | awk '$1 == "OWN" { print $5 }')" ok "selfcount: the added register is counted"
rcrctl save /tmp/set && rcrctl remove all && rcrctl initialize /tmp/set && rcrctl save /tmp/again
is "$(grep ^OWN= /tmp/again)" "OWN=register:$word" "selfcount: a saved register is loaded unchanged"
unload
[ $((0x$(rdmsr -p 0 0xe8))) -gt $((0x$before)) ]
result $? "selfcount: the module does not write to such a register"

if [ $energy = 1 ]; then
	# With one sample per minute, a register that would wrap in between is read before.
	load_set "register:energy-pkg" period_us=60000000
	is "$(status_of state)" sampling "selfcount: energy is sampled once a minute"
	unload
	load_set register:energy-pkg period_us=1000
	is "$(rcrctl ls | grep -c '^energy-pkg')" 1 "selfcount: energy alone needs no counter"
	unload
	load_set register:energy-pkg period_us=500000
	./hour >/tmp/hour
	result $? "selfcount: energy of more than an hour, through more than twenty wraps, is exact"
	sed 's/^/# /' /tmp/hour
	unload
fi
perf stat -x, -a -e r00c0 sleep 0.2 2>&1 | grep -q '^[1-9]'
result $? "selfcount: perf can allocate all counters after the unload"
finished
