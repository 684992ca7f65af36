#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# parts.sh MODEL SOURCE [SECONDS] - parts between marks while other programs take the counters:
# compares the results of librcr, which uses only marks, with the samples. parts.c does not use the
# members by which librcr decides whether a part counts.
. ./tap.sh
model=$1 source=$2 seconds=${3:-8}
plan 41

# Three core events, the number of the third one, a shared event that CPU 2 reads, and another core
# event.
case $model in
fam15h) shared=nb:event:0xe0,umask:0x07 ;;
zen4) shared=l3:event:0x04,umask:0xff ;;
nehalem) shared=uncore:event:0x0a,umask:0x0f ;;
esac
case $model in
nehalem) set="A=event:0xc0,umask:1;B=event:0x3c;C=event:0xc4" third=0xc4 more=D=event:0xc5 ;;
*) set="A=event:0xc0;B=event:0x76;C=event:0xc1" third=0xc1 more=D=event:0xc2 ;;
esac
set="$set;S=$shared"
# On Nehalem the kernel's driver of the shared unit is a module. Instructions without a unit mask
# are counted on the fixed counter by perf, which leaves a counter for another event.
if [ "$model $source" = "nehalem perf" ]; then
	set=${set/,umask:1/}
	insmod /rcr/intel-uncore.ko
fi

# disturbed NAME LEAST all|some GAPS: runs the function NAME in a loop while parts of 4 CPUs are
# read. At least LEAST are checked; all of them count, or only some; GAPS is "some" if a CPU is
# silent at times, else "none".
disturbed()
{
	local gaps late parts counted uncounted unjudged wrong reader
	./parts 100 "$seconds" >/tmp/parts &
	reader=$!
	while kill -0 $reader 2>/dev/null; do
		"$1"
	done
	wait $reader
	read -r _ gaps _ late _ parts _ counted _ uncounted _ unjudged _ wrong < <(tail -n 1 /tmp/parts)
	echo "# $1: $(tail -n 1 /tmp/parts)"
	is "$((parts - unjudged >= $2)) $((unjudged < parts / 10)) $wrong" "1 1 0" \
		"parts: $1: parts follow from the samples"
	is "$late" 0 "parts: $1: records are in order of time"
	is "$((counted > 0)) $([ "$uncounted" = 0 ] && echo all || echo some)" "1 $3" \
		"parts: $1: parts that count: $3"
	is "$([ "$gaps" = 0 ] && echo none || echo some)" "$4" "parts: $1: gaps are found if a CPU is silent at times: $4"
	[ "$wrong" = 0 ] || grep -A20 wrong: /tmp/parts | sed 's/^/# /'
}

nobody()
{
	sleep 0.2
}

# control_with EVENT: prints the enabled control on CPU 1 that has the event; perf leaves events in
# disabled ones.
control_with()
{
	local register
	for register in $(controls | cut -d' ' -f1); do
		[ $((0x$(rdmsr -p 1 "0x$register") & 0x4000ff)) -ne $((0x400000 | $1)) ] ||
			echo "0x$register"
	done
}

# Another program counts its own event on the counter of C for a while.
foreign()
{
	wrmsr -p 1 "$control" $((0x$value ^ 0x8))
	sleep 0.05
	wrmsr -p 1 "$control" "0x$value"
	sleep 0.1
}

# With source=perf a rewrite pauses all counters of the core for a moment.
rewritten()
{
	rcrctl halt A
	rcrctl rewrite all
	rcrctl continue A
	sleep 0.2
}

halted()
{
	rcrctl halt A
	sleep 0.03
	rcrctl continue A
	sleep 0.1
}

hotplug()
{
	echo 0 >/sys/devices/system/cpu/cpu2/online
	sleep 0.05
	echo 1 >/sys/devices/system/cpu/cpu2/online
	sleep 0.3
}

# Counters that are in both sets continue to count.
another_set()
{
	rcrctl add "$more" && rcrctl finalize
	sleep 0.15
	rcrctl remove D && rcrctl finalize
	sleep 0.15
}

another_period()
{
	rcrctl period 2ms
	sleep 0.2
	rcrctl period 1ms
	sleep 0.2
}

# stride_of CPU: prints the number of ticks from one sample to the next.
stride_of()
{
	sed -n "s/^cpu $1: .* stride \([0-9]*\).*/\1/p" $STATUS
}

begin()
{
	# With one spare counter the set and another event fit.
	load_set "$set" source="$source" spare=1 ring_records=8192 "$@"
	rcrctl meter add parts A --scale 100ms
}

begin period_us=1000 budget_ppm=0
disturbed nobody $((120 * seconds)) all none
control=$(control_with "$third")
value=$(rdmsr -p 1 "$control")
disturbed foreign $((120 * seconds)) some none
disturbed halted $((120 * seconds)) some none
disturbed hotplug $((120 * seconds)) some some
disturbed another_set $((120 * seconds)) some none
# With source=perf shared counters are stopped while the period changes.
disturbed another_period $((120 * seconds)) "$([ "$source" = msr ] && echo all || echo some)" none
unload

# The sampler exceeds its budget at this period, and skips ticks.
begin period_us=100 budget_ppm=5000
disturbed halted $((120 * seconds)) some none
result "$([ "$(stride_of 1)" -gt 1 ]; echo $?)" "parts: a sampler that exceeds its budget skips ticks"
unload

# The owner of a shared unit does not skip samples: use core events only.
set=${set%;*}
begin period_us=1000 budget_ppm=0 idle=skip
disturbed halted $((60 * seconds)) some none
disturbed hotplug $((60 * seconds)) some some
disturbed rewritten $((60 * seconds)) some none
unload
finished
