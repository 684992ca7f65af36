# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # guest.sh sets the variables used here
#
# scaled.sh - the part of guest.sh that runs in guests of any number of CPUs, which scale.sh boots.
# The names of its results contain that number, or SIZE. Instructions, which the virtual PMU counts
# in exec mode, do not depend on the CPU time that the host gives a guest, unlike times.
scaled_period=100000	# us; 64 CPUs miss shorter periods on a host of two cores
scaled_size=${SIZE:-$(nproc)}

tell_scaled()
{
	tell "$1_$scaled_size" "${@:2}"
}

# Instructions of the kernel between two ticks (the tick, leaving and entering the idle loop, and
# sometimes other work), and the bytes that a reader receives per tick. Called before tracepoints
# are enabled, as these execute instructions, too.
scaled_instructions()
{
	load_set "KERNEL=event:0xc0,os;$(IFS=';'; echo "${events[*]:1}")" \
		period_us=$scaled_period budget_ppm=0
	ran $programs/between "$scaled_size" 8
	unload
}

# Cost of a tick on all CPUs at once, from the sampler's account and from the trace.
scaled_cost()
{
	local rounds each share ticks
	sampler 6 period_us=$scaled_period budget_ppm=0
	# Trace at least 50 ticks over all CPUs.
	if ran trace_ticks $(($(nproc) > 4 ? 3 : 8)) 0; then
		tell_scaled tick_wall "$tick" cycles "$runs" 0
		tell_scaled least_wall "$least_own" cycles "$own_ticks" 0
	fi
	read -r _ _ rounds _ _ _ _ _ each < <(grep ^meters: $STATUS)
	tell_scaled round "$each" cycles "$rounds" 0
	awk '/^cpu [0-9]+: sampling/ { ticks += $5; missed += $7 }
		END { print ticks / (ticks + missed), ticks }' $STATUS >/tmp/kept
	read -r share ticks </tmp/kept
	tell_scaled fired "$share" "" "$ticks" 0
	unload
}

# Sum the lines RES and CAL over all CPUs, without the module and with it.
scaled_interrupts()
{
	local before
	before=$(interrupts RES: CAL:)
	sleep 6
	tell_scaled crossing_idle $(($(interrupts RES: CAL:) - before)) interrupts 1 0
	sampler 6 period_us=$scaled_period budget_ppm=0
	sleep 1
	before=$(interrupts RES: CAL:)
	sleep 6
	tell_scaled crossing $(($(interrupts RES: CAL:) - before)) interrupts 1 0
	unload
}

# Time of a change of the set that replaces 24 software events by 24 others on each CPU.
scaled_change()
{
	local i old='' begin
	for ((i = 1; i <= 24; i++)); do
		old="$old;OLD$i=software:context-switches"
	done
	load_set "${old:1}" source=perf period_us=$scaled_period
	rcrctl remove all
	for ((i = 1; i <= 24; i++)); do
		rcrctl add "NEW$i=software:page-faults"
	done
	begin=${EPOCHREALTIME/./}
	ran rcrctl finalize && tell_scaled change $(((${EPOCHREALTIME/./} - begin) / 1000)) ms 1
	unload
}

scaled_memory()
{
	local before vmalloc kmalloc
	before=$(kmalloced)
	sampler 6 period_us=$scaled_period
	kmalloc=$(($(kmalloced) - before)) vmalloc=$(vmalloced)
	tell_scaled memory $(((vmalloc + kmalloc) / 1024)) KiB 1
	tell_scaled mapped $((vmalloc / 1024)) KiB 1
	tell_scaled record "$(status_of record_size)" bytes 1
	unload
}

scale()
{
	scaled_memory
	scaled_change
	scaled_interrupts
	scaled_instructions
	scaled_cost
}
