# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# scaled.sh - the part of guest.sh that goes into guests of any number of CPUs, which
# scale.sh boots. Its results have that number in their names, or what SIZE says.
#
# What is executed does not depend on how much of the host a guest has; the virtual
# PMU counts it in its mode "exec". The sixth counter, which the sampler leaves alone
# here, counts what the kernel executes on each CPU, whoever it is that does.
scaled_period=100000	# us: what 64 CPUs on a host of two cores can keep to
scaled_size=${SIZE:-$(nproc)}

tell_scaled()
{
	tell "$1_$scaled_size" "${@:2}"
}

# executed: for each CPU what its kernel has executed and its ticks, and its time.
executed()
{
	paste -d ' ' <(rdmsr -a -u 0xc001020b) \
		<(awk '/^cpu [0-9]+: sampling/ { print $5 }' $STATUS)
}

# each_executes PERIOD_US: by CPU, what its kernel executes in 6 s, and its ticks.
each_executes()
{
	sampler 5 period_us="$1" board_period_us=10000000 budget_ppm=0
	wrmsr -a 0xc001020a 0x4200c0
	sleep 1
	executed >/tmp/first
	sleep 6
	executed >/tmp/second
	wrmsr -a 0xc001020a 0
	unload
	paste -d ' ' /tmp/first /tmp/second | awk '{ print $3 - $1, $4 - $2 }'
}

# What a tick adds, from the end of the idle loop back to it: beside ticks every 10 s,
# in which all else is the same. The median of the CPUs.
scaled_instructions()
{
	echo 0 >$tracing/events/timer/enable
	each_executes 10000000 >/tmp/seldom
	each_executes $scaled_period >/tmp/often
	paste -d ' ' /tmp/seldom /tmp/often |
		awk '$4 - $2 > 10 { printf "%.0f %d\n", ($3 - $1) / ($4 - $2), $4 - $2 }' |
		sort -n >/tmp/added
	sed 's/^/# executed: /' /tmp/added
	awk '{ each[NR] = $1; ticks += $2 }
		END { if (NR) print each[int((NR + 1) / 2)], ticks }' /tmp/added >/tmp/median
	read -r each ticks </tmp/median || return
	tell_scaled executed "$each" instructions "$ticks" 0
}

# By the clock, all CPUs at once: the sampler's own account, and the bench's.
scaled_cost()
{
	sampler 6 period_us=$scaled_period budget_ppm=0
	if ran trace_ticks 8 0; then
		tell_scaled tick_wall "$tick" cycles "$runs" 0
		tell_scaled least_wall "$least_own" cycles "$own_ticks" 0
	fi
	awk '/^cpu [0-9]+: sampling/ { ticks += $5; missed += $7 }
		END { print ticks / (ticks + missed), ticks }' $STATUS >/tmp/kept
	read -r share ticks </tmp/kept
	tell_scaled fired "$share" "" "$ticks" 0
	unload
}

# What a reader is given for each tick of a CPU.
scaled_bytes()
{
	local before after reader bytes
	sampler 6 period_us=$scaled_period budget_ppm=0
	tell_scaled record "$(status_of record_size)" bytes 1
	rcrstat -f raw -o /tmp/raw &
	reader=$!
	sleep 2
	before="$(stat -c %s /tmp/raw) $(account)"
	sleep 6
	after="$(stat -c %s /tmp/raw) $(account)"
	kill -INT $reader
	wait $reader
	bytes=$(awk -v a="$before" -v b="$after" 'BEGIN {
		split(a, x); split(b, y)
		print (y[1] - x[1]) / (y[2] - x[2]), y[2] - x[2]
	}')
	rm /tmp/raw
	# shellcheck disable=SC2086 # two words
	set -- $bytes
	tell_scaled bytes "$1" bytes "$2" 0
	unload
}

# scaled_lines: RES and CAL lines of all CPUs, without the module and with it.
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

scaled_memory()
{
	local before
	before=$(kmalloced)
	sampler 6 period_us=$scaled_period "$@"
	echo "# vmalloc $(vmalloced) kmalloc $(($(kmalloced) - before)) of $(grep -c ^cpu $STATUS) rows"
	tell_scaled memory $((($(vmalloced) + $(kmalloced) - before) / 1024)) KiB 1
	unload
}

scale()
{
	scaled_memory
	scaled_bytes
	scaled_interrupts
	scaled_cost
	scaled_instructions
}
