#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# mem_bw.sh MODEL [CHANNEL]... - memory bandwidth after a plain 'rcrctl meter add', on each family:
# compared with the virtual PMU's formula for all channels (default: those of a whole machine). On
# Xeons with the module's registers and with the kernel's driver. If the virtual PMU has no memory
# controllers, the missing event is named.
. ./tap.sh
model=$1
shift
channels=${*:-0 1 2 3}
METERS="mem_bw mem_read_bw mem_write_bw"
READS='' WRITES='' ALL='' REST='' boxes=1 driver=''
khz=$(tsc_khz)

# Events as "unit event umask", then the boxes, and their number in a package.
case $model in
fam10h) METERS=mem_bw_node ALL="1 0xe0 0x3f" channels=0 ;;
fam15h) READS="1 0x1f0 0x62" WRITES="1 0x1f0 0x19" channels=0 ;;
zen1) METERS=mem_bw ALL="3 0x07 0x38;3 0x47 0x38" channels=0 ;;
fam17h | fam19h)
	METERS="mem_bw_ch0_3 mem_bw_ch4_7" channels=0
	ALL="3 0x07 0x38;3 0x47 0x38;3 0x87 0x38;3 0xc7 0x38"
	REST="3 0x107 0x38;3 0x147 0x38;3 0x187 0x38;3 0x1c7 0x38"
	;;
zen4 | zen5)
	READS="4 0x0a 0x01" WRITES="4 0x0a 0x02" ALL="4 0x0a 0x00" boxes=12
	channels="0 1 2 3 4 5 6 7 8 9 10 11"
	;;
nehalem) METERS=mem_bw ALL="5 0x0a 0x0f" channels=0 ;;
snbep) READS="10 0x04 0x03" WRITES="10 0x04 0x0c" boxes=4 driver=yes ;;
ivbep | hswep | bdwep) READS="10 0x04 0x03" WRITES="10 0x04 0x0c" boxes=8 driver=yes ;;
skx | icx | spr) ;;
*) echo "Bail out! mem_bw.sh: no model $model"; exit 1 ;;
esac

# expected EVENTS: prints the bytes per second of both packages by rate.h.
expected()
{
	local package channel unit event umask rate sum=0
	for package in 0 1; do
		for channel in $channels; do
			while read -r unit event umask; do
				rate=$((1 + (1009 * event + 97 * umask + 4099 * (boxes * package + channel) + 12289 * unit) % 49999))
				sum=$((sum + rate))
			done < <(tr ';' '\n' <<<"$1")
		done
	done
	# On family 10h the memory meter is the mean of two nodes.
	[ "$model" != fam10h ] || sum=$((sum / 2))
	echo $((sum * khz * 1000 * 64 / 65536))
}

# values NAME: prints five values of a meter, each over a second.
values()
{
	for _ in 1 2 3 4 5; do
		rcrctl meter show "$1" | sed -n 's/^average: //p'
		sleep 0.5
	done
}

# near NAME EVENTS DESCRIPTION: the median of five values matches the formula: to 5 % on Xeons,
# whose channels a work item reads once per slow_period_us, which is late on a busy host; else to 1
# %. A missing channel would make a difference of an eighth.
near()
{
	local value status want
	want=$(expected "$2")
	value=$(values "$1" | sort -n | sed -n 3p)
	status=$(rcrctl meter show "$1" | sed -n 's/^status: //p')
	echo "# $1: $value, by the formula $want, $status"
	[ "$status" = ok ] && awk -v a="$value" -v b="$want" -v off="$off" \
		'BEGIN { exit !(a > (1 - off) * b && a < (1 + off) * b) }'
	result $? "$3"
}

# Check each meter by itself, as they do not all fit in one set.
judge()
{
	local meter events
	for meter in $METERS; do
		case $meter in
		mem_read_bw) events=$READS ;;
		mem_write_bw) events=$WRITES ;;
		mem_bw_ch4_7) events=$REST ;;
		*) events=${ALL:-$READS;$WRITES} ;;
		esac
		rcrctl set TOT_CYC TOT_INS && rcrctl meter add "$meter"
		result $? "mem_bw: $1: $meter is added by its name"
		sleep 2.5
		near "$meter" "$events" "mem_bw: $1: $meter is the sum of channels $channels, by the formula"
	done
}

count=$(wc -w <<<"$METERS")
case $model in
skx | icx | spr)
	plan 3
	load
	says 1 "has no unit 'imc0'" rcrctl meter add mem_bw
	contains "$(rcrctl meter -a | grep '^mem_bw ')" "'CAS_RD0' is not in the set" "mem_bw: the meter sleeps and names an event"
	unload
	load source=perf
	says 1 "has no unit 'imc0'" rcrctl meter add mem_bw
	unload
	finished
	exit
	;;
esac
passes=1
[ -z "$driver" ] || passes=2
plan $((count * 2 * passes))
off=0.01
[ -z "$driver" ] || off=0.05
load
judge msr
unload
if [ "$driver" ]; then
	insmod /rcr/intel-uncore.ko
	load source=perf
	judge perf
	unload
fi
finished
