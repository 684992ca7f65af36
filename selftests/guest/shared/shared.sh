#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# shared.sh MODEL - counters that several CPUs share, next to core counters in one stream: they
# match the formula, and another CPU takes over when their owner goes offline.
. ./tap.sh
. ./watching.sh
case $1 in
fam15h)
	# Table I of the LDMS MSR sampler paper.
	shared="L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7;DCT_PREFETCH=nb:event:0x1f0,umask:0x64;DCT_RD_TOT=nb:event:0x1f0,umask:0x62;DCT_WRT=nb:event:0x1f0,umask:0x19"
	core="TOT_CYC=event:0x76;TOT_INS=event:0xc0;RETIRED_FLOPS=event:0x03,umask:0xff;VEC_INS=event:0xcb,umask:0x04;L1_DCM=event:0x41,umask:0x01;TLB_DM=event:0x46,umask:0x07"
	first=L3_CACHE_MISSES last=DCT_WRT column=package0/die0
	controls_of_unit="c0010240 c0010242 c0010244 c0010246"
	select=140040f7e1 other=nb:event:0xe9,umask:0x12
	;;
fam17h | fam19h | zen4)
	# Three or four kinds of units, which different CPUs share.
	shared="L3_MISSES=l3:event:0x04,umask:0x01;L3_ACCESSES=l3:event:0x04,umask:0xff"
	core="TOT_CYC=event:0x76;TOT_INS=event:0xc0;L1_DCM=event:0x60,umask:0xc8;register:aperf;register:energy-core;register:energy-pkg"
	controls_of_unit="c0010230 c0010232 c0010234 c0010236 c0010238 c001023a c0010240 c0010242 c0010244 c0010246"
	select=300c00000400104
	first=L3_MISSES last=DF_DRAM column=llc0 other=df:event:0xc7,umask:0x02
	case $1 in
	fam17h)
		shared+=";DF_HIGH=df:event:0x37c7,umask:0x02;DF_DRAM=df:event:0x07,umask:0x38"
		select=ff0f000000400104
		;;
	fam19h)
		shared+=";DF_HIGH=df:event:0x37c7,umask:0x02;DF_DRAM=df:event:0x07,umask:0x38"
		;;
	zen4)
		shared+=";UMC0_CLK=umc0:event:0x00;UMC0_RD=umc0:event:0x0a,umask:1;UMC11_WR=umc11:event:0x0a,umask:2"
		shared+=";DF_HIGH=df:event:0x3f1f,umask:0x7fe;DF_DRAM=df:event:0x1f,umask:0xffe"
		controls_of_unit+=" c0010800 c0010802 c0010804 c0010858 c001085a c001085e"
		;;
	esac
	;;
nehalem)
	# The power model of the RCRTool paper, section 6.3.2, core and uncore.
	shared="LLC_HITS=uncore:event:0x08,umask:0x03;LOCAL_READS=uncore:event:0x20,umask:0x10"
	core="INS=event:0xc0;CYC=event:0x3c;REF=event:0x00,umask:0x03;STALLS=event:0xa2,umask:0x01;L1D=event:0x43,umask:0x01"
	first=LLC_HITS last=LOCAL_READS column=package0
	controls_of_unit="3c0 3c1 3c2 3c3 3c4 3c5 3c6 3c7 391"
	select=400308 other=uncore:event:0x2c,umask:0x0f
	;;
snbep)
	# The intel_snb rows of Table I of the TACC Stats paper, with events of that
	# program: core, slices of the last level cache, home agent, memory channels,
	# power control, links, and the ring's way to PCI Express: 32 counters.
	core="INS=event:0xc0;CYC=event:0x3c;REF=event:0,umask:3"
	core+=";LOADS=event:0xd0,umask:0x81;L1_HITS=event:0xd1,umask:1"
	core+=";LLC_HITS=event:0xd1,umask:4;SSE_PACKED=event:0x10,umask:0x10;AVX_PACKED=event:0x11,umask:2"
	shared="LOOKUP_RD0=cbo0:event:0x34,umask:3,filter:0x7c0000;LOOKUP_WR0=cbo0:event:0x34,umask:5"
	shared+=";RING_IV0=cbo0:event:0x1e,umask:15;LOOKUP_RD7=cbo7:event:0x34,umask:3"
	shared+=";REQUESTS_RD=ha:event:1,umask:3;REQUESTS_WR=ha:event:1,umask:12;IMC_WRITES=ha:event:0x1a,umask:15"
	for box in 0 1 2 3; do
		shared+=";CAS_RD$box=imc$box:event:4,umask:3;CAS_WR$box=imc$box:event:4,umask:12"
	done
	for box in 0 1; do
		shared+=";DRS_DATA$box=qpi$box:event:0x102,umask:8;NCB_DATA$box=qpi$box:event:0x103,umask:4"
	done
	shared+=";TXR_INSERTS=r2pcie:event:0x24,umask:4;RING_BL=r2pcie:event:9,umask:15"
	shared+=";FREQ_TEMP=pcu:event:4;FREQ_POWER=pcu:event:5;FREQ_CURRENT=pcu:event:7"
	first=LOOKUP_RD0 last=FREQ_CURRENT column=package0
	controls_of_unit="d04 d14 d10 d11 d12 d13 dc4 dd0 c24 c30 c31 c32 c33"
	select=400334 other=pcu:event:0x80,umask:0x02
	;;
skx)
	core="INS=event:0xc0;CYC=event:0x3c;LOADS=event:0xd0,umask:0x81;FP=event:0xc7,umask:0x3f"
	shared="CLOCK=cha0:event:0x00;TOR=cha0:event:0x36,umask:0x21;DIR27=cha27:event:0x53,umask:0x01"
	shared+=";PCU=pcu:event:0x00;RAM=register:energy-ram"
	first=CLOCK last=PCU column=package0
	controls_of_unit="e00 e01 e02 e03 e04 fb0 fb1 710 711 712 713 714"
	select=400000 other=pcu:event:0x60,umask:0x02
	;;
*) echo "Bail out! shared.sh: no model $1"; exit 1 ;;
esac
case $1 in
zen4) plan 32 ;;
snbep) plan 28 ;;
skx) plan 23 ;;
*) plan 29 ;;
esac

unit_controls()
{
	local msr
	for msr in $controls_of_unit; do
		echo "$msr" "$(rdmsr -a 0x$msr | tr '\n' ' ')"
	done
}

# Print the rate of NAME on the first unit.
rate_of()
{
	rcrstat -i 0.5 -n 2 | awk -F, -v "name=$column:$1" '
		/^#/ { next }
		!column { for (i = 1; i <= NF && !column; i++) if ($i == name) column = i; next }
		{ rate = $column }
		END { print rate }'
}

# Print the shared counters that a CPU reads.
units_of()
{
	local name
	while IFS='=' read -r name _; do
		[ "$(went "$name" "$1")" != "ok (counted)" ] || echo "$name"
	done < <(tr ';' '\n' <<<"$shared") | tr '\n' ' '
}

# A package's filter is restored, not set to 0.
[ "$1" != snbep ] || wrmsr -a 0xd14 0x40000
before=$(unit_controls)
load_set "$core;$shared" period_us=5000 budget_ppm=0 ring_records=8192
is "$(status_of state)" sampling "shared: core and shared counters are one set"
is "$(rdmsr -a "$(control_of $first)" | sort -u)" $select "shared: the control of $first is $select on every package"
watch_on
watched 1 "on each core and each package"
is "$(went $first 0) / $(went $first 1)" "ok (counted) / elsewhere (stood still)" "shared: the first CPU of a package reads its shared counters"
is "$(went $last 2) / $(went $last 3)" "ok (counted) / elsewhere (stood still)" "shared: the first CPU of the other package reads its shared counters"
is "$(status_in_ls $first)" ok "shared: ls shows the shared counter as ok"
names=$(tr ';' '\n' <<<"$shared" | sed 's/=.*//' | tr '\n' ' ')
is "$(units_of 0)/ $(units_of 2)" "$names/ $names" "shared: each unit counts in both packages: $names"
header=$(rcrstat -i 0.1 -n 1 | head -n 1)
contains "$header" ",$column:$first," "shared: rcrstat prints a shared counter for the sharing unit: $column:$first"

rate=$(rate_of $first)

echo "# the owner goes offline and comes back"
watch_on
echo 0 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
is "$(status_in_ls $first)" ok "shared: another CPU takes over"
echo 1 >/sys/devices/system/cpu/cpu2/online
sleep 0.5
watched 1 "while the owner goes offline and comes back"
is "$(went $first 3)" "elsewhere gap ok (counted)" "shared: the new owner has a gap"
is "$(went $first 2)" "ok elsewhere (counted)" "shared: the old owner keeps its total"
is "$(went $first 0)" "ok (counted)" "shared: the other package is not interrupted"

echo "# a changed set, and another program that writes registers"
watch_on
rcrctl remove $last && rcrctl add "OTHER=$other" && rcrctl finalize
result $? "shared: a shared counter is replaced"
wrmsr -p 0 "$(control_of $first)" 0x400001
sleep 0.3
is "$(status_in_ls $first)" "foreign on 0" "shared: a counter that another program has programmed is foreign"
rcrctl rewrite all
sleep 0.3
is "$(status_in_ls $first)" ok "shared: a foreign counter is ok again after a rewrite"
watched 2 "while the set is changed and another program writes a register"
is "$(went $first 3)" "ok (counted)" "shared: the other package is not interrupted"
if [ "$1" = zen4 ]; then
	echo "# a count that would end at 48 bits"
	watch_on
	count=$(($(control_of UMC0_CLK) + 1))
	wrmsr -p 0 $count 0x7fffffff0000
	watched 1 "while a count passes half of its range"
	[ $((0x$(rdmsr -p 0 $count))) -lt $((1 << 46)) ]
	result $? "shared: the counter is restarted before it is full: $(went UMC0_CLK 0)"
	says 1 "there are 12 units 'umc': name one of umc0 to umc11" rcrctl reassign $first X=umc:event:1
fi
if [ "$1" = snbep ]; then
	echo "# the filter of a slice"
	filters()
	{
		rdmsr -a 0xd14 | sort -u | tr '\n' ' '
	}
	is "$(filters)" "7c0000 " "shared: a filter is written on every package"
	says 1 "need different filters (0x7c0000, 0x40000)" rcrctl reassign RING_IV0 X=cbo0:event:0x1b,umask:0x0f,filter:0x40000
	rcrctl reassign RING_IV0 X=cbo0:event:0x1e,umask:0x01
	result $? "shared: an event without a filter counts next to one with a filter"
	wrmsr -p 0 0xd14 0x80000
	sleep 0.3
	is "$(status_in_ls $first)" "foreign on 0" "shared: a counter is foreign if another program has written its filter"
	rcrctl rewrite all
	sleep 0.3
	is "$(status_in_ls $first)" ok "shared: a foreign counter is ok again after a rewrite"
	says 1 "no field 'filter'" rcrctl reassign X Y=cbo0:event:0x1e,filter:0x20
	rcrctl remove $first && rcrctl finalize
	is "$(filters)" "40000 " "shared: a filter is restored when no event needs it"
fi
if [ "$1" = skx ]; then
	echo "# boxes that do not exist"
	unload
	for cpu in 0 1 2 3; do
		break_register $cpu 0xe71 faults
	done
	load_set "CLOCK=cha6:event:0x00" period_us=5000 budget_ppm=0
	is "$(status_of state)" sampling "shared: seven slices can be read"
	says 1 "there are 7 units 'cha': name one of cha0 to cha6" rcrctl add X=cha:event:0
	for cpu in 0 1 2 3; do
		mend_registers $cpu
	done
fi
case $1 in
snbep | skx) ;;
*)
	echo "# the same, read outside of the tick"
	rcrctl reset
	slow=$(sed 's/;/,slow;/g; s/$/,slow/' <<<"$shared")
	unload
	load_set "$core;$slow" period_us=2000 slow_period_us=20000 budget_ppm=0 ring_records=8192
	is "$(status_of state)" sampling "shared: slow counters are counted next to others"
	watch_on
	echo 0 >/sys/devices/system/cpu/cpu2/online
	sleep 0.5
	is "$(status_in_ls $first)" ok "shared: another CPU takes over"
	echo 1 >/sys/devices/system/cpu/cpu2/online
	wrmsr -p 0 "$(control_of $first)" 0x400001
	sleep 0.3
	is "$(status_in_ls $first)" "foreign on 0" "shared: a slow counter that another program has programmed is foreign"
	rcrctl rewrite all
	rcrctl halt $last
	sleep 0.1
	rcrctl continue $last
	sleep 0.3
	watched 1 "with timestamps of their own"
	is "$(went $first 3)" "elsewhere gap ok (counted)" "shared: the new owner has a gap"
	is "$(went $first 0)" "ok foreign ok (counted)" "shared: a slow counter was foreign until the rewrite"
	is "$(went $last 0)" "ok halted ok (counted)" "shared: slow counters can be halted and continued"
	is "$(echo "$(rate_of $first) $rate" | awk '{ print ($2 && $1 / $2 > 0.99 && $1 / $2 < 1.01) }')" 1 "shared: a slow counter has the same rate as one that ticks read ($rate)"
	;;
esac
says 1 "has no unit 'dram'" rcrctl add Z=dram:event:1
rcrctl reset
result $? "shared: a reset succeeds"
unload
is "$(unit_controls)" "$before" "shared: unloaded, every control is as before"
finished
