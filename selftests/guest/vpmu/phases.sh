#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# phases.sh - rates that change while the guest runs (vpmu/phase.h): rdmsr, perf and the sampler
# count by the schedule. Counters that went through phases differ from the plain formula by a
# constant afterwards: run no other test in the guest.
. ./tap.sh
plan 23
CLASS=3
rm -f /tmp/phase.log

# wait_for TSC: waits until the TSC is beyond that value.
wait_for()
{
	until [ "$(./phase now)" -gt "$1" ]; do
		sleep 0.02
	done
}

# expected UNIT EVENT UMASK INSTANCE FROM TO: prints the count between two TSCs.
expected()
{
	echo $(($(./phase expect "$1" "$2" "$3" "$4" "$6") - $(./phase expect "$1" "$2" "$3" "$4" "$5")))
}

# value CPU REGISTER: prints the value of a register.
value()
{
	echo $((0x$(rdmsr -p "$1" "$2")))
}

# pulse MULTIPLIER: schedules a phase at MULTIPLIER between two at 0, and sets begin and end to its
# TSCs. A count does not advance before and after, so its value is known exactly.
pulse()
{
	local line
	line=$(./phase schedule "$CLASS" 50:"$1" 150:0 | cut -d ' ' -f 1)
	begin=${line%%$'\n'*} end=${line##*$'\n'}
	wait_for "$end"
}

# follow NAME ARGUMENTS...: starts phased in the background. ready NAME...: waits until the named
# ones have begun.
follow()
{
	local name=$1
	shift
	./phased "$@" >"/tmp/phased.$name" 2>&1 &
}

ready()
{
	local name
	for name in "$@"; do
		until grep -q . "/tmp/phased.$name"; do
			sleep 0.05
		done
	done
}

# through NAME DESCRIPTION: checks that phased has compared some counts, none of them wrong.
through()
{
	local line
	line=$(tail -n 1 "/tmp/phased.$1")
	case $line in
	"phases "*" readings 0 "*) result 1 "$2: $line" ;;
	"phases "*" bad 0") result 0 "$2: $line" ;;
	*)
		result 1 "$2"
		tail -n 20 "/tmp/phased.$1" | sed 's/^/# /'
		;;
	esac
}

registers()
{
	wrmsr -p 1 0xc0010200 0x4300c0
	wrmsr -p 1 0xc0010202 0x430029
	wrmsr -p 2 0xc0010240 0x140040f7e1
	./phase assign core 0xc0 $CLASS >/tmp/out && ./phase assign nb 0x4e1:0xf7 $CLASS >/tmp/out &&
		./phase assign clock 0xe8 $CLASS >/tmp/out
	result $? "phases: a core event, a northbridge event and a clock are assigned to a class"
	follow core register $CLASS 4 1 0xc0010201 48 0 0xc0 0 1
	follow other register $CLASS 4 1 0xc0010203 48 0 0x29 0 1
	follow node register $CLASS 4 2 0xc0010241 48 1 0x4e1 0xf7 1
	follow clock register $CLASS 4 3 0xe8 64 65 0xe8 0 3
	ready core other node clock
	./phase schedule $CLASS 200:2.5 400:0 550:0.3 700:40 >/tmp/schedule
	wait
	through core "phases: a core event counts by the schedule"
	through other "phases: an event without a class counts by the plain formula"
	through node "phases: a northbridge event counts by the schedule"
	through clock "phases: APERF counts by the schedule"
}

# Compare exact counts.
pulses()
{
	local from before
	./phase schedule $CLASS 0:0 >/tmp/out
	for from in 1 2.5 0.001 300; do
		before=$(value 1 0xc0010201)
		pulse $from
		is "$(($(value 1 0xc0010201) - before))" "$(expected core 0xc0 0 1 "$begin" "$end")" \
			"phases: a phase between two at 0 counts exactly $from times the rate"
	done
	before=$(value 1 0xc0010201)
	sleep 0.05
	is "$(value 1 0xc0010201)" "$before" "phases: nothing is counted at a multiplier of 0"
	wrmsr -p 1 0xc0010200 0
	wrmsr -p 1 0xc0010202 0
	wrmsr -p 2 0xc0010240 0
}

# An event of one CPU and one of a single northbridge get a class of their own; the same events of
# other CPUs and nodes are not affected.
instances()
{
	local before
	./phase assign core/1 0xc1 4 >/tmp/out && ./phase assign nb/1 0x4e2:0xf7 4 >/tmp/out
	result $? "phases: an event of one CPU and one of a single northbridge are assigned to a class"
	wrmsr -p 1 0xc0010200 0x4300c1
	wrmsr -p 0 0xc0010200 0x4300c1
	wrmsr -p 2 0xc0010240 0x140040f7e2
	wrmsr -p 0 0xc0010240 0x140040f7e2
	CLASS=4 pulse 0
	before="$(value 1 0xc0010201) $(value 2 0xc0010241)"
	follow cpu0 register 4 2 0 0xc0010201 48 0 0xc1 0 0
	follow node0 register 4 2 0 0xc0010241 48 1 0x4e2 0xf7 0
	ready cpu0 node0
	CLASS=4 pulse 5
	wait
	is "$(($(value 1 0xc0010201) - ${before% *})) $(($(value 2 0xc0010241) - ${before#* }))" \
		"$(expected core 0xc1 0 1 "$begin" "$end") $(expected nb 0x4e2 0xf7 1 "$begin" "$end")" \
		"phases: both events count exactly 5 times their rates"
	through cpu0 "phases: the same event of another CPU is not affected"
	through node0 "phases: the same event of the other northbridge is not affected"
	wrmsr -p 1 0xc0010200 0
	wrmsr -p 0 0xc0010200 0
	wrmsr -p 2 0xc0010240 0
	wrmsr -p 0 0xc0010240 0
}

perf_counts()
{
	perf stat -x, -a -A -e r00c0,r0029 -o /tmp/perf -- bash -c "
		./phase schedule $CLASS 100:7.25 200:0 >/tmp/schedule
		end=\$(tail -n 1 /tmp/schedule | cut -d ' ' -f 1)
		until [ \$(./phase now) -gt \$end ]; do sleep 0.02; done"
	local begin end cpu
	begin=$(head -n 1 /tmp/schedule | cut -d ' ' -f 1)
	end=$(tail -n 1 /tmp/schedule | cut -d ' ' -f 1)
	is "$(awk -F, '$4 == "r00c0" { print $1, $2 }' /tmp/perf)" \
		"$(for cpu in 0 1 2 3; do echo "CPU$cpu $(expected core 0xc0 0 $cpu "$begin" "$end")"; done)" \
		"phases: perf stat counts by the schedule on every CPU"
	./phase schedule $CLASS 0:2.5 >/tmp/schedule
	perf stat -x, -a -A -e r00c0,r0029 -o /tmp/perf sleep 0.5
	awk -F, '
		/^CPU/ {
			cpu = substr($1, 4)
			event = $4 == "r00c0" ? 192 : 41
			rows++
			count[event, cpu] = $2 / (1 + (1009 * event + 4099 * cpu) % 49999)
		}
		END {
			for (cpu = 0; cpu < 4; cpu++) {
				times = count[192, cpu] / count[41, cpu]
				print "# cpu " cpu " " times
				if (times < 2.475 || times > 2.525) bad++
			}
			exit !(rows == 8 && !bad)
		}' /tmp/perf
	result $? "phases: perf stat counts 2.5 times the rate, next to an event without a class"
}

stream()
{
	load_set "INS=event:0xc0;CYC=event:0x76;L1=event:0x41,umask:0x01;L3=nb:event:0x4e1,umask:0xf7;APERF=register:aperf;MPERF=register:mperf" \
		period_us=1000 budget_ppm=0 ring_records=8192
	is "$(status_of state)" sampling "phases: events of a class are sampled at 1 kHz"
	follow stream stream $CLASS 3
	ready stream
	# Use low rates: the module drops the value of a clock that is eight times as fast as the
	# TSC.
	./phase schedule $CLASS 100:0.5 300:0 450:2.125 >/tmp/schedule
	wait
	through stream "phases: every total of the stream follows the schedule"
	unload
}

# offered LEVEL KNEE: applies a load for a moment, and compares throughput and occupancy with a
# formula that is independent of vpmu/phase.h.
offered()
{
	local before_x before_n begin end
	before_x=$(value 0 0xc0010241) before_n=$(value 0 0xc0010243)
	begin=$(./phase load write "$1" | cut -d ' ' -f 1)
	sleep 0.05
	end=$(./phase load write 0 | cut -d ' ' -f 1)
	awk -v x=$(($(value 0 0xc0010241) - before_x)) -v n=$(($(value 0 0xc0010243) - before_n)) \
		-v ticks=$((end - begin)) -v level="$1" -v knee="$2" 'BEGIN {
		part = (level < knee ? level : knee) / 65536
		latency = level > knee ? level / knee : 1
		rate_x = 1 + (1009 * 496 + 97 * 98 + 12289) % 49999
		rate_n = 1 + (1009 * 496 + 97 * 25 + 12289) % 49999
		off_x = x / (rate_x * ticks * part / 65536) - 1
		off_n = n / (rate_n * ticks * part * latency / 65536) - 1
		print "# level " level ": throughput off by " off_x ", occupancy by " off_n
		exit !(x > 0 && off_x * off_x < 1e-10 && off_n * off_n < 1e-10)
	}'
	result $? "phases: throughput and occupancy at level $1 match a knee at $2"
}

loads()
{
	wrmsr -p 0 0xc0010240 0x11004062f0
	wrmsr -p 0 0xc0010242 0x11004019f0
	./phase assign nb 0x1f0:0x62 1 >/tmp/out && ./phase assign nb 0x1f0:0x19 2 >/tmp/out &&
		./phase knee write 40000 && ./phase load write 0 >/tmp/out
	result $? "phases: a resource with a knee is set up without a load"
	offered 10000 40000
	offered 60000 40000
	wrmsr -p 0 0xc0010240 0
	wrmsr -p 0 0xc0010242 0
}

refusals()
{
	./phase clear >/tmp/out
	./phase schedule $CLASS 5000:2 >/tmp/out
	says 1 "the virtual PMU refuses the request" ./phase schedule $CLASS 1000:3
	./phase clear >/tmp/out
	./phase schedule $CLASS 0:3 >/tmp/out
	result $? "phases: after a clear the next schedule is accepted"
	./phase clear >/tmp/out
}

registers
pulses
instances
perf_counts
stream
loads
refusals
finished
