#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# meters.sh MODEL [CASE]... - compares all values of every meter of the model, on blackboard 1 and
# in its file, with those that judge.c recomputes from the stream, to the last digit. Time scales
# are 16 sampling periods, a second and an hour. Rates are constant or change (vpmu/phase.h);
# counters are halted or foreign, CPUs are offline or idle, the clock is stepped, and the period and
# the set are changed. Leaves rates changed: run no other test in the guest.
#
# With RCR_SLOWER=n periods are n times as long, for kernels that cannot keep up.
. ./tap.sh
model=$1
shift
cases=${*:-steady phases halt clock hotplug period sets foreign idle}
CLASS=3
slower=${RCR_SLOWER:-1}

# For each model: the sets, of which the first one is used by most cases; events whose rates change;
# a meter of memory; and a core event whose counter another program takes.
BASE="TOT_CYC=event:0x76;TOT_INS=event:0xc0"
CLOCKS="APERF=register:aperf;MPERF=register:mperf"
case $model in
fam15h)
	SETS=("$BASE;RETIRED_FLOPS=event:0x03,umask:0xff;L2_DCM=event:0x43;L1_DCM=event:0x41,umask:0x01;DCT_RD_TOT=nb:event:0x1f0,umask:0x62;DCT_WRT=nb:event:0x1f0,umask:0x19;L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7;L3_CACHE_REQUESTS=nb:event:0x4e0,umask:0xf7;$CLOCKS"
		"$BASE;RW_DRAM_INT=nb:event:0x1e0,umask:0x00,pernode;RW_DRAM_EXT=nb:event:0x1e0,umask:0x0f,pernode;IO_DRAM_INT=nb:event:0x1e1,umask:0x00,pernode;IO_DRAM_EXT=nb:event:0x1e1,umask:0x0f,pernode"
		"$BASE;READ_LATENCY=nb:event:0x1e2,umask:0xff;READ_REQUESTS=nb:event:0x1e3,umask:0xff")
	METERS=("cpi ipc frequency flop_rate l2_miss_ratio l3_miss_ratio l3_to_l2_bw mem_bw mem_read_bw mem_write_bw mem_write_share"
		"cpi ipc mem_local_share mem_remote_share mem_io_share" "cpi ipc mem_concurrency mem_latency")
	CHANGING="core:0x76 nb:0x1f0 nb:0x4e1 clock:0xe8" MEMORY=mem_bw TAKEN=RETIRED_FLOPS
	;;
fam10h)
	SETS=("$BASE;RETIRED_FLOPS=event:0x03,umask:0x7f;DRAM_ACCESSES=event:0xe0,umask:0x3f")
	METERS=("cpi ipc flop_rate mem_bw_node")
	CHANGING="core:0x76 nb:0xe0" MEMORY=mem_bw_node TAKEN=RETIRED_FLOPS
	;;
zen1 | fam17h | fam19h | zen4 | zen5)
	misses=0x04 l1=0xe8 flops=0x0f
	case $model in
	zen1 | fam17h) misses=0x06 l1=0xc8 ;;
	esac
	[ "$model" != zen1 ] || flops=0xff
	CACHES="$BASE;RETIRED_FLOPS=event:0x03,umask:$flops;L2_DCM=event:0x64,umask:0x08;L1_DCM=event:0x60,umask:$l1;L3_CACHE_MISSES=l3:event:$misses,umask:0x01;L3_CACHE_ACCESSES=l3:event:0x04,umask:0xff;$CLOCKS;ENERGY_PKG=register:energy-pkg;ENERGY_CORE=register:energy-core"
	FIRST="cpi ipc frequency flop_rate l2_miss_ratio l3_miss_ratio l3_to_l2_bw l3_fill_bw energy_pkg power_pkg energy_cores power_cores"
	ch=() all='' reads='' writes=''
	selects=(0x07 0x47 0x87 0xc7 0x107 0x147 0x187 0x1c7)
	for n in "${!selects[@]}"; do
		ch[n]=";DRAM_CH$n=df:event:${selects[n]},umask:0x38"
	done
	for n in {0..11}; do
		all="$all;CAS$n=umc$n:event:0x0a"
		reads="$reads;CAS_RD$n=umc$n:event:0x0a,umask:0x01"
		writes="$writes;CAS_WR$n=umc$n:event:0x0a,umask:0x02"
	done
	case $model in
	zen1)
		# On Zen 1 the kernel takes eight APIC ids for one L3, which here are both packages.
		SETS=("$BASE;RETIRED_FLOPS=event:0x03,umask:$flops;L2_DCM=event:0x64,umask:0x08;L1_DCM=event:0x60,umask:$l1;$CLOCKS${ch[0]}${ch[1]}")
		METERS=("cpi ipc frequency flop_rate l2_miss_ratio l3_to_l2_bw mem_bw") MEMORY=mem_bw
		;;
	fam17h | fam19h)
		SETS=("$CACHES${ch[0]}${ch[1]}${ch[2]}${ch[3]}" "$BASE${ch[4]}${ch[5]}${ch[6]}${ch[7]}")
		METERS=("$FIRST mem_bw_ch0_3" "cpi ipc mem_bw_ch4_7") MEMORY=mem_bw_ch0_3
		;;
	*)
		SETS=("$CACHES$all" "$BASE$all$writes"
			"$BASE$reads;DRAM_LATENCY=l3:event:0xac,umask:0x03;DRAM_READS=l3:event:0xad,umask:0x03")
		METERS=("$FIRST mem_bw" "cpi ipc mem_bw mem_write_bw mem_write_share" "cpi ipc mem_read_bw mem_latency") MEMORY=mem_bw
		;;
	esac
	CHANGING="core:0x76 l3:$misses:0x01 energy:0 clock:0xe8" TAKEN=RETIRED_FLOPS
	;;
nehalem)
	BASE="TOT_CYC=event:0x3c;TOT_INS=event:0xc0"
	SETS=("$BASE;FP_OPS=event:0x10,umask:0x05;L2_LINES_IN=event:0xf1,umask:0x07;L1_DCM=event:0x51,umask:0x01;LLC_MISS=event:0xcb,umask:0x10;UNC_LLC_LINES_IN=uncore:event:0x0a,umask:0x0f;$CLOCKS;TEMP_CORE=register:temp-core"
		"$BASE;L2_HIT_HITM=event:0xcb,umask:0x08;LLC_UNSHARED_HIT=event:0xcb,umask:0x04;LLC_MISSES=event:0x2e,umask:0x41;LLC_REFERENCES=event:0x2e,umask:0x4f;REF_CYC=event:0x00,umask:0x03;QMC_OCC0=uncore:event:0x2a,umask:0x01;QMC_OCC1=uncore:event:0x2a,umask:0x02;QMC_OCC2=uncore:event:0x2a,umask:0x04;QMC_READS=uncore:event:0x2c,umask:0x07")
	METERS=("cpi ipc frequency flop_rate l2_miss_ratio l3_miss_cycle_ratio l3_to_l2_bw mem_bw temp_core"
		"cpi ipc frequency l2_miss_cycle_ratio l3_miss_ratio mem_latency")
	CHANGING="core:0x3c nhm:0x0a clock:0xe8" MEMORY=mem_bw TAKEN=FP_OPS
	;;
snbep | ivbep | hswep | bdwep | skx | icx | spr)
	BASE="TOT_CYC=event:0x3c;TOT_INS=event:0xc0"
	channels='' queues='' clocks=''
	# The virtual PMU has no memory channels from Skylake-SP on.
	memory="mem_bw mem_read_bw mem_write_bw mem_write_share " MEMORY=mem_bw
	case $model in
	snbep) boxes="0 1 2 3" ;;
	skx | icx | spr) boxes='' memory='' MEMORY=l3_miss_ratio ;;
	*) boxes="0 1 2 3 4 5 6 7" ;;
	esac
	for n in $boxes; do
		channels="$channels;CAS_RD$n=imc$n:event:0x04,umask:0x03;CAS_WR$n=imc$n:event:0x04,umask:0x0c"
		queues="$queues;RPQ_OCC$n=imc$n:event:0x80;RPQ_INS$n=imc$n:event:0x10"
		clocks="$clocks;RPQ_OCC$n=imc$n:event:0x80;DCLK$n=imcclk$n:event:0"
	done
	# There is no energy of cores from Haswell-EP on.
	cores='' meters=''
	[[ $model != snbep && $model != ivbep ]] ||
		cores=";ENERGY_CORES=register:energy-cores" meters=" energy_cores power_cores"
	SETS=("$BASE;LLC_MISSES=event:0x2e,umask:0x41;LLC_REFERENCES=event:0x2e,umask:0x4f$channels;$CLOCKS;ENERGY_PKG=register:energy-pkg$cores;ENERGY_RAM=register:energy-ram;TEMP_CORE=register:temp-core;TEMP_PKG=register:temp-pkg")
	METERS=("cpi ipc frequency l3_miss_ratio ${memory}energy_pkg power_pkg$meters energy_dram power_dram temp_core temp_pkg")
	[ -z "$queues" ] || SETS+=("$BASE$queues" "$BASE$clocks")
	[ -z "$queues" ] || METERS+=("cpi ipc mem_latency" "cpi ipc mem_concurrency")
	CHANGING="core:0x3c imc:0x04 energy:0 clock:0xe8" TAKEN=LLC_MISSES
	;;
*)
	echo "meters.sh: unknown model $model" >&2
	exit 1
	;;
esac

# Meters that are also added with other time scales.
SOME="cpi $MEMORY"
for meter in flop_rate energy_pkg temp_core; do
	[[ " ${METERS[0]} " != *" $meter "* ]] || SOME="$SOME $meter"
done

# more_scales SUFFIX SCALE METER...: adds METER.SUFFIX with another time scale for each meter.
more_scales()
{
	local suffix=$1 scale=$2 meter
	shift 2
	for meter; do
		rcrctl meter add "$meter.$suffix" "$meter" --digits 3 --scale "$scale" || return
	done
}

# with SUFFIX METER...: prints the names of the meters with the suffix.
with()
{
	local suffix=$1 meter
	shift
	for meter; do
		echo "$meter.$suffix"
	done
}

# begin PERIOD_US [PARAMETER]...: loads the module with the first set, records the stream from
# before the first mark on, adds meters with three time scales, and starts to record their values.
begin()
{
	local period=$(($1 * slower)) events
	shift
	load period_us=$period ring_records=8192 budget_ppm=0 "$@"
	cat /dev/rcrtool >/tmp/stream &
	follower=$!
	IFS=';' read -ra events <<<"${SETS[0]}"
	rcrctl set "${events[@]}" &&
		more_scales short $((16 * period))us $SOME && more_scales hour 60min $SOME
	result $? "meters: meters with time scales of 16 periods, a second and an hour are added"
	rcrctl meter reset all
	./snaps /tmp/snaps 60 &
	snaps=$!
	# After this windows of a second are entirely in the stream.
	sleep 1.5
}

# ended DESCRIPTION METER...: checks the records; each of the meters must have values.
ended()
{
	local description=$1 meter bad begun=$EPOCHREALTIME
	shift
	sleep 0.2
	kill "$snaps"
	wait "$snaps"
	sleep 0.3
	kill "$follower"
	wait "$follower" 2>/dev/null
	./judge /tmp/stream /tmp/snaps >/tmp/judged
	echo "# judged in $((${EPOCHREALTIME%.*} - ${begun%.*})) s"
	bad=$(sed -n 's/^\(.*\): [0-9]* judged, [1-9][0-9]* wrong,.*/ \1/p' /tmp/judged | tr -d '\n')
	for meter; do
		grep -q "^$meter: [1-9][0-9]* judged, 0 wrong," /tmp/judged || bad="$bad $meter"
	done
	is "$(sed -n 's/^stream: [0-9]* runs, //p' /tmp/judged)$bad" "0 times lost, 0 late" \
		"meters: $description"
	contains "$(grep '^forms:' /tmp/judged)" "as intended, 0 wrong" \
		"meters: each meter computes the quantity of its name"
	is "$(sed -n 's/^marks: [1-9][0-9]* by the rule, //p' /tmp/judged)" "0 wrong" \
		"meters: marks are the first samples after the sixteenths of their time scale"
	awk '/^all: / { exit !($2 > $6 && $2 > $8 && $12 > 0) }' /tmp/judged
	result $? "meters: most values are determined, some of them without a missed evaluation"
	sed 's/^#*/#/' /tmp/judged
	unload
}

# change_rates FROM_MS...: schedules phases with different rates that begin at these times.
change_rates()
{
	local list=() times=(0.4 1.75 0.1 1) n=0 at
	for at; do
		list+=("$at:${times[$((n++ % 4))]}")
	done
	./phase schedule $CLASS "${list[@]}" >/dev/null
}

# all_meters: prints the meters of the first set, with all time scales.
all_meters()
{
	echo "${METERS[0]} sampler_cost $(with short $SOME) $(with hour $SOME)"
}

steady()
{
	begin 500
	rcrctl meter add cycles TOT_CYC --over core --scale 10ms,sum
	rcrctl meter add ins_rate 'rate(TOT_INS)' --scale 100ms,peak
	result $? "meters: meters that are not in the catalogue are added"
	sleep 1
	ended "steady: values follow from the stream" $(all_meters) cycles ins_rate
}

phases()
{
	begin 2000
	change_rates 300 600 700 1200
	sleep 2
	# Check that values in this case have changed.
	awk -v name="$MEMORY" '
		/^current:/ { current = $2 } /^average:/ { average = $2 } /^peak:/ { peak = $2 }
		/^highest:/ { highest = $2 }
		END { print "# current " current " average " average " peak " peak " highest " highest
			exit !(highest > 1.3 * average) }' /sys/kernel/debug/rcrtool/meters/$MEMORY.short
	result $? "meters: the highest part differs from the average"
	ended "phases: values are exact when rates change" $(all_meters)
}

halt()
{
	begin 2000
	rcrctl halt TOT_INS && sleep 0.3 && rcrctl continue TOT_INS && sleep 0.3 &&
		rcrctl halt all && sleep 0.3 && rcrctl continue all
	result $? "meters: counters are halted and continued"
	sleep 0.6
	ended "halt: the time of a halted counter is in no meter" $(all_meters)
}

clock()
{
	begin 2000
	date -s "@$(($(date +%s) + 4000))" >/dev/null
	sleep 0.4
	date -s "@$(($(date +%s) - 4003))" >/dev/null
	sleep 0.6
	ended "clock: steps of the wall clock change no value" $(all_meters)
}

# online CPU 0|1: takes a CPU offline or online.
online()
{
	echo "$2" >/sys/devices/system/cpu/cpu"$1"/online
}

hotplug()
{
	begin 2000
	online 1 0 && sleep 0.3 && online 1 1 && sleep 0.3 && online 2 0 && sleep 0.4 && online 2 1
	result $? "meters: CPUs go offline and come back, one of them the owner of a package's counters"
	sleep 0.6
	ended "hotplug: meters continue with the other CPUs and the next owner" $(all_meters)
}

period()
{
	begin 2000
	rcrctl period $((10 * slower))ms && sleep 0.6 && rcrctl period ${slower}ms
	result $? "meters: the period is changed twice"
	sleep 0.6
	ended "period: meters continue after a change of the period" $(all_meters)
}

# events_of N: prints the events of set N.
events_of()
{
	echo "${SETS[$1]}" | tr ';' '\n'
}

sets()
{
	local n
	begin 2000
	for n in $(seq 1 $((${#SETS[@]} - 1))) 0; do
		rcrctl remove all && rcrctl add $(events_of $n) && rcrctl finalize
		result $? "meters: the set is changed"
		sleep 0.6
	done
	sleep 0.6
	ended "sets: meters continue if both sets have their counters" \
		$(printf '%s\n' "${METERS[@]}" | tr ' ' '\n' | sort -u)
}

# Another program takes the counter on one CPU for a while, twice.
foreign()
{
	local control value n
	begin 2000
	control=$(control_of $TAKEN)
	value=$(rdmsr -p 1 "$control")
	for n in 1 2; do
		wrmsr -p 1 "$control" $((0x$value ^ 0x8))
		sleep 0.2
		wrmsr -p 1 "$control" "0x$value"
		sleep 0.3
	done
	ended "foreign: counts of other programs are in no meter" $(all_meters)
}

# Idle CPUs are sampled less often, and at each period again when they are busy.
idle()
{
	begin 2000 idle=skip
	sleep 0.5
	timeout 0.7 taskset -c 3 sh -c 'while :; do :; done'
	sleep 0.6
	ended "idle: values are exact when idle CPUs are sampled less often" $(all_meters)
}

declare -A tests=([steady]=6 [phases]=6 [halt]=6 [clock]=5 [hotplug]=6 [period]=6 [sets]=$((5 + ${#SETS[@]}))
	[foreign]=5 [idle]=5)
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
finished
