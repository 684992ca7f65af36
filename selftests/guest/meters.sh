#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# meters.sh MODEL [CASE]... - every meter that the model has, on the blackboard and in
# its file, against the same quantity that judge.c computes from the stream: at rates
# that stand and at rates that change (vpmu/phase.h), over one period, 1 ms, 1 s, and
# the first seconds of an hour; across a halt, steps of the clock, CPUs that go and
# come back, another period, another set. Rates are changed for good, so this is the
# last test of a guest.
#
# On a kernel that cannot keep up with these periods the parameter RCR_SLOWER=n makes
# them n times as long: of ticks that are lost there is nothing to compare.
. ./tap.sh
model=$1
shift
cases=${*:-steady phases halt clock hotplug period sets}
CLASS=3
slower=${RCR_SLOWER:-1}

# The sets of a model, first that of which most is told; and what changes its rate.
BASE="TOT_CYC=event:0x76;TOT_INS=event:0xc0"
CLOCKS="APERF=register:aperf;MPERF=register:mperf"
case $model in
fam15h)
	SETS=("$BASE;RETIRED_FLOPS=event:0x03,umask:0xff;L2_DCM=event:0x43;L1_DCM=event:0x41,umask:0x01;DCT_RD_TOT=nb:event:0x1f0,umask:0x62;DCT_WRT=nb:event:0x1f0,umask:0x19;L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7;L3_CACHE_REQUESTS=nb:event:0x4e0,umask:0xf7;$CLOCKS"
		"$BASE;RW_DRAM_INT=nb:event:0x1e0,umask:0x00,pernode;RW_DRAM_EXT=nb:event:0x1e0,umask:0x0f,pernode;IO_DRAM_INT=nb:event:0x1e1,umask:0x00,pernode;IO_DRAM_EXT=nb:event:0x1e1,umask:0x0f,pernode"
		"$BASE;READ_LATENCY=nb:event:0x1e2,umask:0xff;READ_REQUESTS=nb:event:0x1e3,umask:0xff")
	METERS=("cpi ipc frequency flop_rate l2_miss_ratio l3_miss_ratio l3_to_l2_bw mem_bw mem_read_bw mem_write_bw mem_write_share"
		"cpi ipc mem_local_share mem_remote_share mem_io_share" "cpi ipc mem_concurrency mem_latency")
	CHANGING="core:0x76 nb:0x1f0 nb:0x4e1 clock:0xe8" MEMORY=mem_bw
	;;
zen4)
	SETS=("$BASE;RETIRED_FLOPS=event:0x03,umask:0x0f;L2_DCM=event:0x64,umask:0x08;L1_DCM=event:0x60,umask:0xc8;L3_CACHE_MISSES=l3:event:0x04,umask:0x01;L3_CACHE_ACCESSES=l3:event:0x04,umask:0xff;$CLOCKS;ENERGY_PKG=register:energy-pkg;ENERGY_CORE=register:energy-core")
	METERS=("cpi ipc frequency flop_rate l2_miss_ratio l3_miss_ratio l3_to_l2_bw l3_fill_bw energy_pkg power_pkg energy_cores power_cores")
	CHANGING="core:0x76 l3:0x04:0x01 energy:0 clock:0xe8" MEMORY=l3_fill_bw
	;;
nehalem)
	BASE="TOT_CYC=event:0x3c;TOT_INS=event:0xc0"
	SETS=("$BASE;FP_OPS=event:0x10,umask:0x05;L2_LINES_IN=event:0xf1,umask:0x07;L1_DCM=event:0x51,umask:0x01;LLC_MISS=event:0xcb,umask:0x10;UNC_LLC_LINES_IN=uncore:event:0x0a,umask:0x0f;$CLOCKS;TEMP_CORE=register:temp-core"
		"$BASE;L2_HIT_HITM=event:0xcb,umask:0x08;LLC_UNSHARED_HIT=event:0xcb,umask:0x04;LLC_MISSES=event:0x2e,umask:0x41;LLC_REFERENCES=event:0x2e,umask:0x4f;REF_CYC=event:0x00,umask:0x03")
	METERS=("cpi ipc frequency flop_rate l2_miss_ratio l3_miss_cycle_ratio l3_to_l2_bw mem_bw temp_core"
		"cpi ipc frequency l2_miss_cycle_ratio l3_miss_ratio")
	CHANGING="core:0x3c nhm:0x0a clock:0xe8" MEMORY=mem_bw
	;;
snbep)
	BASE="TOT_CYC=event:0x3c;TOT_INS=event:0xc0"
	channels=
	for n in 0 1 2 3; do
		channels="$channels;CAS_RD$n=imc$n:event:0x04,umask:0x03;CAS_WR$n=imc$n:event:0x04,umask:0x0c"
	done
	SETS=("$BASE;LLC_MISSES=event:0x2e,umask:0x41;LLC_REFERENCES=event:0x2e,umask:0x4f$channels;$CLOCKS;ENERGY_PKG=register:energy-pkg;ENERGY_CORES=register:energy-cores;ENERGY_RAM=register:energy-ram;TEMP_CORE=register:temp-core;TEMP_PKG=register:temp-pkg")
	METERS=("cpi ipc frequency l3_miss_ratio mem_bw mem_read_bw mem_write_bw mem_write_share energy_pkg power_pkg energy_cores power_cores energy_dram power_dram temp_core temp_pkg")
	CHANGING="core:0x3c imc:0x04 energy:0 clock:0xe8" MEMORY=mem_bw
	;;
*)
	echo "no sets for $model" >&2
	exit 1
	;;
esac

# begin METER...: stream and meters are followed from here on, and meters begin anew.
begin()
{
	cat /dev/rcrtool >/tmp/stream &
	follower=$!
	sleep 0.2
	rcrctl meter reset all
	sleep 0.1
	./snaps /tmp/snaps 60 &
	snaps=$!
}

# ended DESCRIPTION METER...: what was followed is judged; each of the meters was there.
ended()
{
	local description=$1 meter missing=
	shift
	sleep 0.2
	kill "$snaps"
	wait "$snaps"
	sleep 0.3
	kill "$follower"
	wait "$follower" 2>/dev/null
	./judge /tmp/stream /tmp/snaps >/tmp/judged
	missing=$(sed -n 's/\(.*\): .* values, [1-9][0-9]* wrong,.*/ \1/p' /tmp/judged | tr -d '\n')
	for meter; do
		grep -q "^$meter: [1-9][0-9]* values, 0 wrong," /tmp/judged || missing="$missing $meter"
	done
	is "$(sed -n 's/^stream: [0-9]* runs, //p' /tmp/judged)$missing" "0 times lost" "$description"
	# Where nothing is said nothing is proved.
	awk '/ values, / { sure += $2; unsure += $6 } END { print "# " sure " values, " unsure " undecided"; exit !(sure > unsure) }' /tmp/judged
	result $? "of most of it something is said"
	sed 's/^#*/#/' /tmp/judged
}

# load_nth N PERIOD_US: the module, with the set of that number.
load_nth()
{
	load_set "${SETS[$1]}" period_us=$(($2 * slower)) ring_records=8192 budget_ppm=0
}

# change_rates FROM_MS...: phases that begin then, each unlike the one before.
change_rates()
{
	local list=() times=(0.4 1.75 0.1 1) n=0 at
	for at; do
		list+=("$at:${times[$((n++ % 4))]}")
	done
	./phase schedule $CLASS "${list[@]}" >/dev/null
}

# more_scales SUFFIX SCALE METER...: the same meters over another time scale.
more_scales()
{
	local suffix=$1 scale=$2 meter
	shift 2
	for meter; do
		rcrctl meter add "$meter.$suffix" "$meter" --digits 3 --scale "$scale" || return
	done
}

# with SUFFIX METER...
with()
{
	local suffix=$1 meter
	shift
	for meter; do
		echo "$meter.$suffix"
	done
}

# A meter of each sort, which are told over several time scales.
SOME="cpi $MEMORY"
for meter in flop_rate energy_pkg temp_core; do
	[[ " ${METERS[0]} " != *" $meter "* ]] || SOME="$SOME $meter"
done

# Rates that stand: every value is what was counted, and peaks are of what was counted.
steady()
{
	load_nth 0 500
	more_scales period $((500 * slower))us $SOME && more_scales ms ${slower}ms $SOME
	result $? "meters over a period, and over a millisecond"
	rcrctl meter add cycles TOT_CYC --over core --scale 10ms,sum
	rcrctl meter add ins_rate 'rate(TOT_INS)' --scale 100ms,peak
	result $? "and some of no resource"
	begin
	sleep 2
	ended "steady: all of them are what the stream says" ${METERS[0]} \
		$(with period $SOME) $(with ms $SOME) cycles ins_rate
	unload
}

# hourly: the module, with meters over a period and an hour, unless it is there already.
hourly()
{
	[ ! -e $STATUS ] || return 0
	load_nth 0 2000
	more_scales period $((2 * slower))ms $SOME && more_scales hour 60min $SOME
}

phases()
{
	hourly
	result $? "meters over a period, and over an hour"
	begin
	change_rates 300 600 700 1200
	sleep 2
	ended "phases: so they are when rates change" ${METERS[0]} $(with period $SOME) \
		$(with hour $SOME)
	# The judge is only as good as what it has seen: what changed was not constant.
	awk -v name="$MEMORY" '
		/^current:/ { current = $2 } /^average:/ { average = $2 } /^peak:/ { peak = $2 }
		/^highest:/ { highest = $2 }
		END { print "# current " current " average " average " peak " peak " highest " highest
			exit !(highest > 1.3 * average) }' /sys/kernel/debug/rcrtool/meters/$MEMORY.hour
	result $? "and the highest of an hour is not its average"
}

halt()
{
	hourly
	begin
	sleep 0.5
	rcrctl halt TOT_INS && sleep 0.3 && rcrctl continue TOT_INS && sleep 0.3 &&
		rcrctl halt all && sleep 0.3 && rcrctl continue all
	result $? "halt, and continue"
	sleep 0.6
	ended "halt: what was not counted is in no meter" ${METERS[0]} $(with hour $SOME)
}

clock()
{
	hourly
	begin
	sleep 0.4
	date -s "@$(($(date +%s) + 4000))" >/dev/null
	sleep 0.4
	date -s "@$(($(date +%s) - 4003))" >/dev/null
	sleep 0.6
	ended "clock: steps of the wall clock are not seen" ${METERS[0]} $(with hour $SOME)
}

# online CPU 0|1
online()
{
	echo "$2" >/sys/devices/system/cpu/cpu"$1"/online
}

hotplug()
{
	hourly
	begin
	sleep 0.3
	online 1 0 && sleep 0.3 && online 1 1 && sleep 0.3 && online 2 0 && sleep 0.4 && online 2 1
	result $? "CPUs go and come back, one of them the owner of a package's counters"
	sleep 0.6
	ended "hotplug: what others tell goes on" ${METERS[0]} $(with hour $SOME)
}

period()
{
	hourly
	begin
	sleep 0.4
	rcrctl period $((10 * slower))ms && sleep 0.6 && rcrctl period ${slower}ms
	result $? "another period, and another"
	sleep 0.6
	ended "period: meters go on" ${METERS[0]} $(with hour $SOME)
}

# events_of N
events_of()
{
	echo "${SETS[$1]}" | tr ';' '\n'
}

sets()
{
	local n
	hourly
	begin
	sleep 0.3
	for n in $(seq 1 $((${#SETS[@]} - 1))) 0; do
		rcrctl remove all && rcrctl add $(events_of $n) && rcrctl finalize
		result $? "another set"
		sleep 0.5
	done
	ended "sets: meters that live in both go on" $(printf '%s\n' "${METERS[@]}" | tr ' ' '\n' | sort -u)
}

declare -A tests=([steady]=4 [phases]=4 [halt]=3 [clock]=2 [hotplug]=3 [period]=3 [sets]=$((2 + ${#SETS[@]})))
count=0
for name in $cases; do
	count=$((count + tests[$name]))
done
plan $count
rm -f /tmp/phase.log
for event in $CHANGING; do
	./phase assign "${event%%:*}" "${event#*:}" $CLASS >/dev/null
done
for name in $cases; do
	$name
	./phase clear >/dev/null
done
rmmod rcrtool 2>/dev/null
finished
