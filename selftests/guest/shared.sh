#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# shared.sh MODEL - counters that several CPUs share, beside those of each core, in
# one stream: exact against the formula, handed over when their owner goes.
. ./tap.sh
. ./watching.sh
case $1 in
fam15h)
	# Table I of the LDMS MSR sampler paper.
	shared="L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7;DCT_PREFETCH=nb:event:0x1f0,umask:0x64;DCT_RD_TOT=nb:event:0x1f0,umask:0x62;DCT_WRT=nb:event:0x1f0,umask:0x19"
	core="TOT_CYC=event:0x76;TOT_INS=event:0xc0;RETIRED_FLOPS=event:0x03,umask:0xff;VEC_INS=event:0xcb,umask:0x04;L1_DCM=event:0x41,umask:0x01;TLB_DM=event:0x46,umask:0x07"
	first=L3_CACHE_MISSES last=DCT_WRT unit=nb
	controls_of_unit="c0010240 c0010242 c0010244 c0010246"
	select=140040f7e1
	;;
nehalem)
	# The power model of the RCRTool paper, section 6.3.2, core and uncore.
	shared="LLC_HITS=uncore:event:0x08,umask:0x03;LOCAL_READS=uncore:event:0x20,umask:0x10"
	core="INS=event:0xc0;CYC=event:0x3c;REF=event:0x00,umask:0x03;STALLS=event:0xa2,umask:0x01;L1D=event:0x43,umask:0x01"
	first=LLC_HITS last=LOCAL_READS unit=uncore
	controls_of_unit="3c0 3c1 3c2 3c3 3c4 3c5 3c6 3c7 391"
	select=400308
	;;
*) echo "Bail out! shared.sh: no model $1"; exit 1 ;;
esac
plan 27

unit_controls()
{
	local msr
	for msr in $controls_of_unit; do
		echo "$msr" "$(rdmsr -a 0x$msr | tr '\n' ' ')"
	done
}

# What the first package counts of NAME in a second.
rate_of()
{
	rcrstat -i 0.5 -n 2 | awk -F, -v "name=$1" '
		/^#/ { next }
		!column { for (i = 1; i <= NF && !column; i++) if ($i ~ "package0.*:" name "$") column = i; next }
		{ rate = $column }
		END { print rate }'
}

before=$(unit_controls)
load period_us=5000 budget_ppm=0 ring_records=8192 "events=$core;$shared"
is "$(status_of state)" sampling "core and shared counters are one set"
is "$(rdmsr -a "$(control_of $first)" | sort -u)" $select "$first is $select on every package"
watch_on
watched 1 "of each core and of each package"
is "$(went $first 0) / $(went $first 1)" "ok (counted) / elsewhere (stood still)" "its first CPU reads what a package shares"
is "$(went $last 2) / $(went $last 3)" "ok (counted) / elsewhere (stood still)" "on the other package, too"
is "$(status_in_ls $first)" ok "which is nobody's problem"

rate=$(rate_of $first)

echo "# the owner goes and comes back"
watch_on
echo 0 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
is "$(status_in_ls $first)" ok "another CPU takes over"
echo 1 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
watched 1 "while the owner goes and comes"
is "$(went $first 3)" "elsewhere gap ok (counted)" "which tells the gap"
is "$(went $first 2)" "ok elsewhere (counted)" "and keeps what it took over"
is "$(went $first 0)" "ok (counted)" "the other package does not notice"

echo "# a set that changes, somebody else at the registers"
watch_on
rcrctl remove $last && rcrctl add "OTHER=$unit:event:0x$([ $unit = nb ] && echo e9,umask:0x12 || echo 2c,umask:0x0f)" && rcrctl finalize
result $? "a shared counter is exchanged"
wrmsr -p 0 "$(control_of $first)" 0x400001
sleep 0.3
is "$(status_in_ls $first)" "foreign on 0" "what somebody programmed is foreign"
rcrctl rewrite all
sleep 0.3
is "$(status_in_ls $first)" ok "until it is rewritten"
watched 2 "through a change and an intruder"
is "$(went $first 3)" "ok (counted)" "the other package does not notice"
echo "# the same, read outside of the tick"
rcrctl reset
slow=$(sed 's/;/,slow;/g; s/$/,slow/' <<<"$shared")
unload
load period_us=2000 slow_period_us=20000 budget_ppm=0 ring_records=8192 "events=$core;$slow"
is "$(status_of state)" sampling "what is slow beside what is not"
watch_on
echo 0 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
is "$(status_in_ls $first)" ok "another CPU takes over"
echo 1 >/sys/devices/system/cpu/cpu2/online
wrmsr -p 0 "$(control_of $first)" 0x400001
sleep 0.3
is "$(status_in_ls $first)" "foreign on 0" "what somebody programmed is foreign"
rcrctl rewrite all
rcrctl halt $last
sleep 0.1
rcrctl continue $last
sleep 0.3
watched 1 "with a time of its own"
is "$(went $first 3)" "elsewhere gap ok (counted)" "the new owner tells the gap"
is "$(went $first 0)" "ok foreign ok (counted)" "the first sees the intruder"
is "$(went $last 0)" "ok halted ok (counted)" "halt and continue hold for what is slow"
is "$(echo "$(rate_of $first) $rate" | awk '{ print ($2 && $1 / $2 > 0.99 && $1 / $2 < 1.01) }')" 1 "its rate is that of the tick ($rate)"
says 1 "has no unit \"dram\"" rcrctl reassign $first X=dram:event:1
rcrctl reset
result $? "reset"
unload
is "$(unit_controls)" "$before" "unloaded, every control is as before"
finished
