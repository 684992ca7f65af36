#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest.sh ROUNDS - measures the rows of the bench that need a guest (AMD Family 15h, 4 CPUs) in one
# boot. Prints lines "bench|NAME|VALUE|UNIT|MEASUREMENTS[|BUDGET_PPM]", and for the plot
# "plot|PANEL|X|Y...". Polling programs run without the module, so that neither slows down the
# other.
set -u
cd /rcr/tests || exit 1
. ./tap.sh
programs=/rcr/programs
. $programs/scaled.sh
rounds=${1:-5}
tracing=/sys/kernel/tracing
# group.c has the same events.
events=(A=event:0x76 B=event:0xc0 'C=event:0x41,umask:1' D=event:0x29 E=event:0xc2 F=event:0xc3)
raw=r0076,r00c0,r0141,r0029,r00c2,r00c3

failed=0
prepared=

# ran COMMAND...: runs a command. Reports a failure, after which the table lacks its row.
ran()
{
	"$@" && return
	echo "# failed: $*"
	failed=1
	return 1
}

# tell NAME VALUE UNIT MEASUREMENTS [BUDGET_PPM]: prints a line of results.
tell()
{
	printf 'bench|%s|%s|%s|%s|%s\n' "$1" "$2" "$3" "$4" "${5-}"
}

# sampler COUNTERS PARAMETER...: loads the module with the first COUNTERS events; unloads it if they
# are refused. source=perf can use all counters only in the build "spare0".
sampler()
{
	local n=$1 list MODULE=$MODULE
	shift
	list=$(IFS=';'; echo "${events[*]:0:n}")
	case " $* " in
	*" source=perf "*)
		MODULE=${MODULE%.ko}-spare0.ko
		set -- "$@" spare=0
		;;
	esac
	ran load_set "$list" "$@" && rcrctl meter load && return
	unload
	return 1
}

# timer KIND CALLBACKS PERIOD_US CPU: runs one of the bench's own timers.
timer()
{
	insmod $programs/rcr_bench.ko kind="$1" callbacks="$2" period_us="$3" cpu="$4"
}

# tell_timer KIND: prints the cost of that timer.
tell_timer()
{
	timer "$1" 500 1000 1 || return
	tell "$1" "$(cat /sys/module/rcr_bench/parameters/median)" cycles \
		"$(cat /sys/module/rcr_bench/parameters/taken)"
	rmmod rcr_bench
}

# account: prints ticks and cycles of all CPUs since the module was loaded, and the shortest tick.
# The cycles include the sampler's estimate of the interrupt around each callback.
account()
{
	awk '/^cpu [0-9]+: sampling/ {
		for (i = 1; i < NF; i++) {
			if ($i == "ticks") n = $(i + 1)
			if ($i == "cycles_mean") mean = $(i + 1)
			if ($i == "cycles_min" && (!least || $(i + 1) < least)) least = $(i + 1)
		}
		ticks += n; cycles += n * mean
	}
	END { printf "%d %.0f %d\n", ticks, cycles, least }' $STATUS
}

# Tracepoints stay enabled: toggling them patches the kernel on all CPUs, after which a guest of 64
# CPUs sometimes hung.
prepare_trace()
{
	[ -z "$prepared" ] || return
	prepared=yes
	mount -t tracefs tracefs $tracing 2>/dev/null
	echo x86-tsc >$tracing/trace_clock
	echo $((32768 / $(nproc))) >$tracing/buffer_size_kb
	echo 0 >$tracing/tracing_on
	echo 1 >$tracing/events/timer/hrtimer_expire_entry/enable
	echo 1 >$tracing/events/timer/hrtimer_expire_exit/enable
}

# trace_ticks SECONDS CPU: traces the sampler's ticks, and empty timers on that CPU. Sets, from the
# trace: tick and tracepoint (medians), traced and least_traced (mean and minimum, without the cost
# of the tracepoint), runs (number of ticks). From the sampler's account of its callbacks: own
# (mean), least_own, own_ticks. metered: ratio of the meter sampler_cost to the traced cost of one
# CPU over the window of the meter, which ends at the mark in the trace.
trace_ticks()
{
	local before after count least middle mean least_empty meter average span n sum around
	prepare_trace
	around=$(sed -n 's/^interrupt_cycles: //p' $STATUS)
	echo >$tracing/trace
	before=$(account)
	echo 1 >$tracing/tracing_on
	timer empty $(($1 * 900 + 400)) 1100 "$2"
	echo >$tracing/trace_marker
	mapfile -t meter </sys/kernel/debug/rcrtool/meters/sampler_cost
	echo 0 >$tracing/tracing_on
	after=$(account)
	average=$(printf '%s\n' "${meter[@]}" | sed -n 's/^average: //p')
	span=$(printf '%s\n' "${meter[@]}" | sed -n 's/^window_ns: \([0-9]*\)...$/\1/p')
	# The trace contains the names of a module's functions only while it is loaded.
	$programs/pairs $((span * khz / 1000)) tick empty <$tracing/trace >/tmp/pairs
	rmmod rcr_bench
	read -r _ count least_empty tracepoint _ < <(grep ^empty /tmp/pairs)
	[ "$count" -gt 50 ] || return
	read -r _ runs least middle mean < <(grep ^tick /tmp/pairs)
	[ "$runs" -gt 50 ] || return
	tick=$((middle - tracepoint))
	least_traced=$((least - least_empty))
	least_own=$((${after##* } - around))
	traced=$(awk -v a="$mean" -v b="$tracepoint" 'BEGIN { printf "%.1f", a - b }')
	read -r own_ticks own < <(awk -v a="$before" -v b="$after" -v around="$around" 'BEGIN {
		split(a, x); split(b, y)
		n = y[1] - x[1]
		printf "%d %.1f\n", n, n ? (y[2] - x[2]) / n - around : 0
	}')
	read -r _ n sum < <(grep ^window /tmp/pairs)
	metered=$(awk -v average="$average" -v us="$span" -v khz="$khz" -v n="$n" -v sum="$sum" \
		-v each="$tracepoint" -v around="$around" 'BEGIN {
		due = (sum - n * (each - around)) / (us * khz / 1000) * 1e6
		printf "%.4f", (due > 0 ? average / due : 0)
	}')
}

# cpu_time COMMAND...: sets spent to the CPU time of a command and its children, in ns.
cpu_time()
{
	spent=$($programs/spent - 1 "$@" | cut -d'|' -f3)
	[ -n "$spent" ]
}

# Measure the tick, and the rows that it is compared with, ROUNDS times.
compared()
{
	local i
	for ((i = 0; i < rounds; i++)); do
		ran $programs/kept kept 500 1000 6 1
		ran $programs/reopen reopen 300
		ran $programs/kept across 300 1000 6 2
		ran $programs/group group_own 500 1
		ran $programs/group group_other 500 2
		clear_controls
		ran tell_timer zeroing
		ran tell_timer bare
		ran tell_timer empty
		# Sample one CPU, as the other programs here do: the host has too few CPUs for four.
		sampler 6 period_us=1000 budget_ppm=0 cpus=1
		if ran trace_ticks 1 1; then
			tell tick "$tick" cycles "$runs" 0
			tell tracepoint "$tracepoint" cycles 900 0
			tell traced "$traced" cycles "$runs" 0
			tell own "$own" cycles "$own_ticks" 0
			tell metered "$metered" times "$runs" 0
			tell least_traced "$least_traced" cycles "$runs" 0
			tell least_own "$least_own" cycles "$own_ticks" 0
		fi
		unload
		sampler 6 period_us=1000 budget_ppm=0
		ran trace_ticks 1 1 && tell tick_all "$tick" cycles "$runs" 0
		unload
		sampler 6 source=perf period_us=1000 budget_ppm=0 cpus=1
		ran trace_ticks 1 1 && tell tick_perf_source "$tick" cycles "$runs" 0
		unload
		clear_controls
		busy 1
		sampler 6 period_us=1000 budget_ppm=0 cpus=1
		ran trace_ticks 1 1 && tell tick_busy "$tick" cycles "$runs" 0
		unload
		idle
	done
}

# Measure whole programs: CPU time per interval and CPU, less the CPU time without intervals.
whole_programs()
{
	local without n
	cpu_time perf stat -a -e $raw -x, -o /tmp/stat sleep 3 || return
	without=$spent
	cpu_time perf stat -I 10 -a -e $raw -x, -o /tmp/stat sleep 3 || return
	n=$(cut -d, -f1 /tmp/stat | grep -c '^ *[0-9]')
	n=$((n / 6))
	[ $n -gt 10 ] && tell perf_stat $(((spent - without) / (4 * n))) ns $n
	clear_controls
	cat >/tmp/timeline <<-'END'
		exec likwid-perfctr -M 0 -f -c 0-3 -g RETIRED_INSTRUCTIONS:PMC0,CPU_CLOCKS_UNHALTED:PMC1,RETIRED_INSTRUCTIONS:PMC2,CPU_CLOCKS_UNHALTED:PMC3,RETIRED_INSTRUCTIONS:PMC4,CPU_CLOCKS_UNHALTED:PMC5 -t "$1" sleep 4 >/tmp/likwid 2>&1
	END
	cpu_time bash /tmp/timeline 2s || return
	without=$spent
	cpu_time bash /tmp/timeline 10ms || return
	n=$(grep -cE '^1( |,|\|)' /tmp/likwid)
	[ "$n" -gt 10 ] && tell likwid $(((spent - without) / (4 * n))) ns "$n"
	clear_controls
}

# interrupts LINE...: prints the sum of these lines of /proc/interrupts over all CPUs.
interrupts()
{
	awk -v lines=" $* " 'index(lines, " " $1 " ") {
		for (i = 2; $i ~ /^[0-9]+$/; i++)
			n += $i
	} END { print n }' /proc/interrupts
}

# crossing NAME: counts the interrupts between CPUs in 2 s, in total and by kind.
crossing()
{
	local res cal tlb before
	sleep 1
	res=$(interrupts RES:) cal=$(interrupts CAL:) tlb=$(interrupts TLB:)
	before=$(interrupts RES: CAL: TLB:)
	sleep 2
	tell "$1" $(($(interrupts RES: CAL: TLB:) - before)) interrupts 1 0
	echo "# $1: RES $(($(interrupts RES:) - res)) CAL $(($(interrupts CAL:) - cal)) TLB $(($(interrupts TLB:) - tlb))"
}

# online STATE CPU...: takes CPUs offline (0) or online (1).
online()
{
	local cpu
	for cpu in "${@:2}"; do
		echo "$1" >"/sys/devices/system/cpu/cpu$cpu/online"
	done
}

# Alternate, so that other load of the host affects all rows alike. Two CPUs are online, as many as
# the host has: a CPU that the host preempts in the middle of a task is busy at the next scheduler
# tick, which then interrupts another CPU for load balancing. Rows with four CPUs end in "_4".
cross_interrupts()
{
	local i
	for ((i = 0; i < rounds; i++)); do
		online 0 2 3
		crossing ipi_idle
		sampler 6 period_us=1000 budget_ppm=0
		crossing ipi_sampling
		unload
		online 1 2 3
		crossing ipi_idle_4
		sampler 6 period_us=1000 budget_ppm=0
		crossing ipi_sampling_4
		unload
	done
}

# busy CPU...: runs a busy loop on each CPU until idle() is called.
busy()
{
	local cpu
	loops=()
	for cpu in "$@"; do
		taskset -c "$cpu" bash -c 'while :; do :; done' &
		loops+=($!)
	done
}

idle()
{
	kill "${loops[@]}"
	wait "${loops[@]}" 2>/dev/null
}

fires()
{
	ran $programs/poller poller_idle grid 1000 5 4
	ran $programs/poller poller_pause pause 1000 5 4
	ran $programs/poller poller_each each 1000 5 4
	sampler 6 period_us=1000 budget_ppm=0 ring_records=16384
	ran $programs/fires idle 5
	ran $programs/wakeups wakeups 5
	unload
	sampler 6 period_us=1000 budget_ppm=0 cpus=1
	ran $programs/wakeups wakeups_1 5
	unload
	busy 0 1 2 3
	ran $programs/poller poller_busy grid 1000 5 4
	sampler 6 period_us=1000 budget_ppm=0 ring_records=16384
	ran $programs/fires busy 5
	idle
	unload
}

# Print the CPU time that ticks take with the shortest period and the default budget.
backoff()
{
	local before begin end after
	sampler 6 period_us=20 budget_ppm=25000
	sleep 3
	before=$(account) begin=$(cut -d' ' -f1 /proc/uptime)
	sleep 4
	after=$(account) end=$(cut -d' ' -f1 /proc/uptime)
	unload
	awk -v a="$before" -v b="$after" -v s="$begin" -v e="$end" -v khz="$khz" 'BEGIN {
		split(a, x); split(b, y)
		printf "bench|backoff_ppm|%.0f|ppm|%d|25000\n", (y[2] - x[2]) / (4 * (e - s) * khz * 1000) * 1e6, y[1] - x[1]
	}'
	tell backoff_budget 25000 ppm 1
}

boards()
{
	local i
	sampler 6 period_us=1000 budget_ppm=0
	sleep 0.5
	for ((i = 0; i < rounds; i++)); do
		ran $programs/board sampler_cost /sys/kernel/debug/rcrtool/meters/sampler_cost 300
	done
	unload
	taskset -c 0 insmod $MODULE source=msr period_us=20 budget_ppm=0 cpus=3
	taskset -c 0 rcrctl set "${events[0]}"
	rcrctl meter load
	sleep 0.5
	ran $programs/torn sampler_cost 100000000 1 2
	unload
}

vmalloced()
{
	awk '/rcr_|\[rcrtool\]/ { n += $2 } END { print n + 0 }' /proc/vmallocinfo
}

kmalloced()
{
	awk '/^kmalloc-/ { n += $2 * $4 } END { printf "%d\n", n }' /proc/slabinfo
}

memory()
{
	local before loaded
	before=$(kmalloced)
	sampler 6 period_us=1000
	loaded=$(vmalloced)
	tell memory $(((loaded + $(kmalloced) - before) / 4096)) KiB 1
	tell ring $(($(status_of ring_bytes) / 1024)) KiB 1
	timeout 3 rcrstat -f raw >/dev/null
	tell memory_grown $((($(vmalloced) - loaded) / 1024)) KiB 1
	unload
}

# plotted PANEL X COUNTERS PARAMETER...: prints the cost of a tick from the trace and from the
# sampler's account.
plotted()
{
	local panel=$1 x=$2 n=$3
	shift 3
	sampler "$n" budget_ppm=0 "$@"
	if ran trace_ticks 1 1; then
		printf 'plot|%s|%s|tick|%s\n' "$panel" "$x" "$tick"
		printf 'plot|%s|%s|own|%s\n' "$panel" "$x" "$own"
	fi
	unload
}

# peer PANEL X PERIOD_US COUNTERS CPU...: prints the cost of a sample of these CPUs by a polling
# program.
peer()
{
	local panel=$1 x=$2
	shift 2
	ran $programs/kept "$panel" 200 "$@" | awk -F'|' -v p="$panel" -v x="$x" \
		'{ printf "plot|%s|%s|kept|%s\n", p, x, $3 }'
}

plots()
{
	local n period cpus=1,0,2,3
	for n in 1 2 3 4 5 6; do
		peer counters $n 1000 $n 1
		plotted counters $n $n period_us=1000 cpus=1
	done
	for period in 10000 4000 2000 1000 500 200 100; do
		peer period $period $period 6 1
		plotted period $period 6 period_us=$period cpus=1
	done
	peer cpus 1 1000 6 1
	peer cpus 2 1000 6 1 0
	peer cpus 3 1000 6 1 0 2
	peer cpus 4 1000 6 1 0 2 3
	for n in 1 2 3 4; do
		plotted cpus $n 6 period_us=1000 "cpus=${cpus:0:2 * n - 1}"
	done
}

khz=$(tsc_khz)
tell khz "$khz" kHz 1

parts=("${@:2}")
[ ${#parts[@]} -gt 0 ] || parts=(compared whole_programs cross_interrupts fires backoff boards memory plots)
for part in "${parts[@]}"; do
	echo "# $part at $(cut -d' ' -f1 /proc/uptime) s"
	$part
done
echo "# done at $(cut -d' ' -f1 /proc/uptime) s"
[ $failed -eq 0 ]
