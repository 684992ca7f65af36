#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# coexist.sh MODEL SOURCE [MOST] - rcrtool and five others at the core counters, each started
# and stopped in every state that up to MOST (2) of the others can be in, with rcrtool and
# without: perf stat, perf record, the NMI watchdog, likwid-perfctr, and msr-tools (rdmsr
# and wrmsr).
#
# Each has its letter: R is rcrtool by SOURCE, S perf stat, P perf record, W the watchdog, L
# likwid, M msr-tools. By source=msr R excludes perf and the watchdog and is excluded by
# them; likwid and msr-tools check whether a control is 0. They take registers that R does
# not use.
. ./tap.sh
case "$1 $2" in
"fam15h perf") plan 10 ;;
*) plan 9 ;;
esac

case $1 in
fam15h)
	ours="A=event:0xc0;B=event:0xc1" stat=r00c2 stat_rate=$((194 * 1009)) record=r00c3
	likwid=RETIRED_INSTRUCTIONS:PMC4 theirs=0xc0010208 their_rate=$((192 * 1009))
	msr=0xc001020a value=0x4300c5 rate=$((197 * 1009))
	;;
nehalem)
	# The events of perf stat, perf record and the watchdog that have fixed counters.
	ours="A=event:0xc0,umask:1;B=event:0x51,umask:1" stat=instructions stat_rate=$((192 * 1009)) record=cycles
	likwid=UOPS_RETIRED_ANY:PMC2 theirs=0x188 their_rate=$((194 * 1009 + 97))
	msr=0x189 value=0x4301c4 rate=$((196 * 1009 + 97))
	;;
*) echo "Bail out! coexist.sh: no model $1"; exit 1 ;;
esac
source=$2
# Of four counters two are for others, one of them for the watchdog while it is off.
spare=''
[ "$1" = fam15h ] || spare=spare=1
ALL="R S P W L M"	# R is the first
MOST=${3:-2}		# of the others at once

# The letters that run, and their states: R is "sampling" or "inert"; a refused one does not run.
declare -A runs
trail=''
odd()
{
	echo "$1, after $trail: $2" >>/tmp/odd
}

# The measured workload: it prints a line when it begins, and ends on a signal.
cat >/tmp/hold <<-'END'
	: >"/tmp/$1.on"
	until [ -e "/tmp/$1.off" ]; do sleep 0.05; done
END

# The time of the formula: MPERF, which equals the TSC here.
now()
{
	rdmsr -p 1 -d 0xe7
}

# begin LETTER COMMAND...: starts a program; returns whether it runs. It counts from some moment
# during this call on.
declare -A earliest latest paused
begin()
{
	local who=$1
	shift
	rm -f "/tmp/$who.on" "/tmp/$who.off"
	earliest[$who]=$(now)
	paused[$who]=''
	"$@" bash /tmp/hold "$who" >"/tmp/$who.out" 2>&1 &
	eval "job_$who=$!"
	until [ -e "/tmp/$who.on" ]; do
		kill -0 $! 2>/dev/null || return
		sleep 0.05
	done
	latest[$who]=$(now)
}

# end LETTER: ends a program and returns its status. It counts until some moment during this call.
end()
{
	local job=job_$1 rc
	ended_earliest=$(now)
	: >"/tmp/$1.off"
	wait "${!job}"
	rc=$?
	ended_latest=$(now)
	return $rc
}

# fits LETTER EVENT CPU COUNT QUARTERS: COUNT is what the event counts there (1009 event + 97 umask)
# from begin to end, or so many quarters of it.
fits()
{
	local rate=$((1 + ($2 + 4099 * $3) % 49999)) most least
	most=$((rate * (ended_latest - earliest[$1]) / 65536 + 1))
	least=$((rate * (ended_earliest - latest[$1]) * $5 / 4 / 65536 - 1))
	[ -z "${paused[$1]}" ] || least=0
	if [ "$4" -lt $least ] || [ "$4" -gt $most ]; then
		odd "$1" "CPU $3: $4 is not from $least to $most"
	fi
}

# List the programs for which perf has counters; none gets any while R has taken all.
perf_counts()
{
	[ "${runs[S]}${runs[P]}${runs[W]}" ] || [ "$source${runs[R]}" = perfsampling ]
}

taken()
{
	[ "$source${runs[R]}" = msrsampling ]
}

# expect LETTER YES-OR-NO RUNS: RUNS is the result of begin.
expect()
{
	[ "$2" = "$3" ] || odd rules "$1: running $3, expected $2"
	[ "$3" = no ] || runs[$1]=yes
}

# begin_perf LETTER COMMAND...: like begin; if it is refused, registers are as before.
begin_perf()
{
	local who=$1 before running=no may=yes
	shift
	before=$(controls)
	taken && may=no
	begin "$who" "$@" && running=yes
	expect "$who" $may $running
	[ $running = yes ] || [ "$(controls)" = "$before" ] || odd untouched "$who"
}

start_R()
{
	local before state=sampling
	before=$(controls)
	[ "$source" = perf ] || ! perf_counts || state=inert
	# shellcheck disable=SC2086 # one word or none
	load_set "$ours" "source=$source" $spare period_us=5000 budget_ppm=0 ring_records=8192
	runs[R]=$(status_of state)
	[ "${runs[R]}" = $state ] || odd rules "R: ${runs[R]}, expected $state ($(status_of reason))"
	if [ "${runs[R]}" = inert ]; then
		[ "$(controls)" = "$before" ] || odd untouched R
		return
	fi
	our_controls=$(sed -n 's/^counter .* control 0x\([0-9a-f]*\) .*/\1/p' $STATUS | grep -v '^0$')
	were=$before
	./watch 1000 "$([ "$source" = msr ] || echo short)" >/tmp/watch &
	watcher=$!
	sleep 0.5
}

stop_R()
{
	local control now
	if [ "${runs[R]}" = sampling ]; then
		kill $watcher
		wait $watcher
		cat /tmp/watch >>/tmp/watches
		[ "$(tail -n 1 /tmp/watch)" = "1 sets, 0 lost, many samples, 0 wrong" ] ||
			odd exact "$(grep '^wrong' /tmp/watch | head -n 3) $(tail -n 1 /tmp/watch)"
	fi
	unload
	now=$(controls)
	for control in $our_controls; do
		[ "$(grep "^$control " <<<"$now")" = "$(grep "^$control " <<<"$were")" ] ||
			odd gone "$control is not as before"
	done
	our_controls=''
}

start_S()
{
	begin_perf S perf stat -x, -a -A -e $stat -o /tmp/stat
}

# perf stops perf stat for a moment whenever an event is added or removed.
stop_S()
{
	local cpu count
	end S || odd S "perf stat ended with $?"
	[ "$(grep -c '^CPU[0-3],' /tmp/stat)" = 4 ] || odd S "not four CPUs: $(cat /tmp/stat)"
	while IFS=, read -r cpu count _; do
		fits S $stat_rate "${cpu#CPU}" "$count" 3
		stats=$((stats + 1))
	done < <(grep '^CPU' /tmp/stat)
}

start_P()
{
	begin_perf P perf record -q -a -e $record -c 1000000000 -o /tmp/record
}

stop_P()
{
	end P || odd rules "perf record ended with $?: $(cat /tmp/P.out)"
}

# The watchdog counts cycles, which no other program counts.
armed()
{
	local control armed=''
	if [ "$1" = fam15h ]; then
		for control in $CONTROLS; do
			armed=$armed$(rdmsr -a "0x$control" | grep -c '5[0-9a-f]0076$')
		done
		[ "$(echo "$armed" | tr -d 0)" = 4 ]
	else
		[ "$(rdmsr -a 0x38d | grep -c '[1-9a-f][0-9a-f]$')" = 4 ]
	fi
}

start_W()
{
	local may=yes is=no
	taken && may=no
	# A watchdog that was refused stays on without a counter until it is toggled.
	sysctl -qw kernel.nmi_watchdog=0 kernel.nmi_watchdog=1
	[ "$1" = nehalem ] && [ "${runs[L]}${runs[P]}" ] && is=$may
	armed "$1" && is=yes
	expect W $may $is
	[ $may = $is ] || odd rules "the controls then: $(controls | tr '\n' ' ')"
}

stop_W()
{
	sysctl -qw kernel.nmi_watchdog=0
}

# free_stopped CONTROL: perf leaves controls stopped, not cleared, and likwid takes these for used ones:
# free such a control as Documentation/user/sharing.md says.
free_stopped()
{
	local value
	for value in $(rdmsr -a "$1"); do
		[ $((0x$value & 1 << 22)) -eq 0 ] || return
	done
	wrmsr -a "$1" 0
}

start_L()
{
	local before running=no may=no
	free_stopped $theirs
	before=$(controls)
	[ "$(rdmsr -a $theirs | tr -d '0\n')" ] || may=yes
	begin L likwid-perfctr -M 0 -O -c 0-3 -g $likwid && running=yes
	# On Intel it requests fixed counters, too.
	[ "$1" = nehalem ] && [ $running = no ] && grep -q 'is in use' /tmp/L.out && may=no
	expect L $may $running
	[ $running = yes ] || [ "$(controls)" = "$before" ] || odd untouched L
}

stop_L()
{
	local cpu counts
	end L || odd L "likwid ended with $?"
	IFS=, read -ra counts < <(awk '/^TABLE/ { raw = !/STAT/ } raw && /,PMC/' /tmp/L.out)
	for cpu in 0 1 2 3; do
		# The count was set meanwhile, to 0 (AAK100) or by perf for an event of its own, and is
		# less than at its beginning or about 2^47.
		[[ -z ${paused[L]} || ! ${counts[cpu + 2]:-0} =~ (e\+19$|^(1407|2814)[0-9]{11}$) ]] || continue
		fits L $their_rate $cpu "${counts[cpu + 2]:-0}" 4
		likwids=$((likwids + 1))
	done
	# After its global control was stopped, R must still own it.
	[ "$1" != nehalem ] || [ "${runs[R]}" != sampling ] || rcrctl rewrite all
}

# The count register of a control, on CPU 1.
count_of()
{
	case $1 in
	0x189) rdmsr -p 1 -d 0xc4 ;;
	*) rdmsr -p 1 -d $(($1 + 1)) ;;
	esac
}

start_M()
{
	[ -z "$(rdmsr -a $msr | tr -d '0\n')" ] || odd rules "M: another program has taken $msr"
	wrmsr -a $msr $value
	[ "$1" != nehalem ] || wrmsr -p 1 0x38f $((0x$(rdmsr -p 1 0x38f) | 8))
	earliest[M]=$(now)
	paused[M]=''
	first=$(count_of $msr)
	latest[M]=$(now)
	runs[M]=yes
}

stop_M()
{
	local last
	ended_earliest=$(now)
	last=$(count_of $msr)
	ended_latest=$(now)
	wrmsr -a $msr 0
	# The kernel works around an erratum of Nehalem (AAK100) by setting all counts to 0.
	[ -z "${paused[M]}" ] || return
	fits M $rate 1 $((last - first)) 4
	msrs=$((msrs + 1))
}

# Check the statuses of R: of these programs only likwid, which stops all counters on Intel, touches
# those of R.
check_status()
{
	local name word
	[ "${runs[R]}" = sampling ] || return
	sleep 0.1
	for name in A B; do
		word=$(status_in_ls $name)
		case $1${runs[L]}:$word in
		*:ok | nehalemyes:foreign*) ;;
		*) odd status "$name is $word" ;;
		esac
	done
}

# mark_paused LETTER: Intel's global control is shared. perf stops all counters by it for a moment
# when events come or go, and likwid those of other programs.
mark_paused()
{
	case $1 in
	L) paused[M]=yes paused[S]=yes ;;
	M) ;;
	*) paused[L]=yes paused[M]=yes ;;
	esac
}

# toggle LETTER: starts it or stops it.
toggle()
{
	if [[ " $on " == *" $1 "* ]]; then
		trail="$trail $1-"
		on=${on/ $1/}
		[ -z "${runs[$1]}" ] || "stop_$1" "$model"
		runs[$1]=''
	else
		trail="$trail $1+"
		on="$on $1"
		"start_$1" "$model"
	fi
	if [ "$model" != fam15h ]; then
		[ "$source$1" = msrR ] || mark_paused "$1"
	elif [ "$source$1" = perfR ]; then
		# Debian's kernels give out the counters of this family in turn, those of likwid and
		# msr-tools as well.
		paused[L]=yes paused[M]=yes
	fi
	[ ${#trail} -lt 40 ] || trail=${trail: -40}
	check_status "$model"
}

# Every step from every possible state, in both directions, in one walk: a circuit that follows each
# edge of the graph once in each direction.
walk()
{
	local letters stack=(0) path=() at next i b others
	local -A used
	read -ra letters <<<"$ALL"
	while [ ${#stack[@]} -gt 0 ]; do
		at=${stack[-1]}
		for ((i = 0; i < ${#letters[@]}; i++)); do
			next=$((at ^ 1 << i)) others=0
			[ -z "${used[$at.$i]}" ] || continue
			for ((b = next & ~1; b; b &= b - 1)); do others=$((others + 1)); done
			[ $others -gt $MOST ] || break
		done
		if [ $i -lt ${#letters[@]} ]; then
			used[$at.$i]=yes
			stack+=("$next")
		else
			[ ${#path[@]} -eq 0 ] || steps+=("$((path[-1] ^ at))")
			path+=("$at")
			unset 'stack[-1]'
		fi
	done
	for i in "${!steps[@]}"; do
		for ((b = 0; 1 << b < steps[i]; b++)); do :; done
		steps[i]=${letters[b]}
	done
}

# none OF DESCRIPTION [NUMBER]: nothing was wrong with OF, in so many cases.
none()
{
	is "$(grep -c "^$1, " /tmp/odd) of $((${3:-1} > 0))" "0 of 1" "$2"
	grep "^$1, " /tmp/odd | head -n 5 | sed 's/^/# /'
}

model=$1 on='' our_controls='' stats=0 likwids=0 msrs=0 steps=()
clear_controls
: >/tmp/odd
: >/tmp/watches
walk
for step in "${steps[@]}"; do
	toggle "$step"
done
for step in $on; do
	toggle "$step"
done

none rules "programs that may count do, and others are refused, in ${#steps[@]} steps"
none untouched "a refused program has changed no register"
none exact "each total is exact, or foreign"
none status "a total is foreign only where another program has taken it"
if [ "$source" = perf ]; then
	short=$(awk '/^short/ { n += $2; all += $4 } END { print n + 0, "of", all + 0 }' /tmp/watches)
	result $((${short% of *} * 10 >= ${short#* of })) \
		"what perf stops for others is a tenth of the samples at the most: $short"
fi
none gone "an unload leaves no control of ours"
none S "perf stat's own counts are the formula's, $stats of them" "$stats"
none L "likwid's counts are exact: $likwids" "$likwids"
# With source=perf, perf stops the counters of a Nehalem for a moment for each event.
[ "$model$source" = nehalemperf ] || none M "and $msrs that were read with rdmsr" "$msrs"
is "$(moving)" "" "at the end nobody counts"
finished
