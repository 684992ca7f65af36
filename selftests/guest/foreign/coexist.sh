#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# coexist.sh MODEL SOURCE [MOST] - rcrtool and five other users of core counters: each is started
# and stopped in every state of up to MOST (default 2) others, with and without rcrtool.
#
# Letters: R is rcrtool with SOURCE, S perf stat, P perf record, W the NMI watchdog, L
# likwid-perfctr, M msr-tools (rdmsr and wrmsr). With source=msr, R and the users of perf (S, P, W)
# exclude each other. L and M only check whether a control is 0, and use registers that R does not
# use.
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
	# Events of perf stat, perf record and the watchdog that are on fixed counters.
	ours="A=event:0xc0,umask:1;B=event:0x51,umask:1" stat=instructions stat_rate=$((192 * 1009)) record=cycles
	likwid=UOPS_RETIRED_ANY:PMC2 theirs=0x188 their_rate=$((194 * 1009 + 97))
	msr=0x189 value=0x4301c4 rate=$((196 * 1009 + 97))
	;;
*) echo "Bail out! coexist.sh: no model $1"; exit 1 ;;
esac
source=$2
# Of four counters two are left to others, one of them to the watchdog while it is off.
spare=''
[ "$1" = fam15h ] || spare=spare=1
ALL="R S P W L M"	# R is the first
MOST=${3:-2}		# of the others at once

# The letters that are running, and their states; R is "sampling" or "inert".
declare -A runs
trail=''
odd()
{
	echo "$1, after $trail: $2" >>/tmp/odd
}

# The measured workload: prints a line when it begins, and runs until a signal.
cat >/tmp/hold <<-'END'
	: >"/tmp/$1.on"
	until [ -e "/tmp/$1.off" ]; do sleep 0.05; done
END

# now: prints the time in the formula by MPERF, which equals the TSC here.
now()
{
	rdmsr -p 1 -d 0xe7
}

# begin LETTER COMMAND...: starts a program; true if it runs. It starts counting during this call.
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

# end LETTER: ends a program and returns its status. It stops counting during this call.
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

# fits LETTER EVENT CPU COUNT QUARTERS: notes an error unless COUNT is at most what the formula
# gives for EVENT (1009 event + 97 umask) from begin to end, and at least QUARTERS quarters of that.
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

# List the running users of perf that have counters: none while R has taken all of them.
perf_counts()
{
	[ "${runs[S]}${runs[P]}${runs[W]}" ] || [ "$source${runs[R]}" = perfsampling ]
}

taken()
{
	[ "$source${runs[R]}" = msrsampling ]
}

# expect LETTER YES-OR-NO RUNS: checks RUNS, the result of begin.
expect()
{
	[ "$2" = "$3" ] || odd rules "$1: running $3, expected $2"
	[ "$3" = no ] || runs[$1]=yes
}

# begin_perf LETTER COMMAND...: like begin; also checks that a refused program changes no register.
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

# perf pauses all its events for a moment when one is added or removed.
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

# armed: true if the watchdog counts. It is the only one here that counts cycles.
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

# free_stopped CONTROL: clears a control that perf has left disabled with an event, which likwid
# takes for used, as documented in Documentation/user/sharing.md.
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
	# On Intel likwid requests fixed counters, too.
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
		# If the count was set meanwhile, to 0 (AAK100) or by perf for its own event, it is
		# less than at the start, or about 2^47.
		[[ -z ${paused[L]} || ! ${counts[cpu + 2]:-0} =~ (e\+19$|^(1407|2814)[0-9]{11}$) ]] || continue
		fits L $their_rate $cpu "${counts[cpu + 2]:-0}" 4
		likwids=$((likwids + 1))
	done
	# Although likwid has stopped the global control, R must still own it.
	[ "$1" != nehalem ] || [ "${runs[R]}" != sampling ] || rcrctl rewrite all
}

# count_of CONTROL: prints the count register of a control.
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

# Check the statuses of R. Of these programs only likwid affects its counters: it stops all counters
# on Intel.
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

# mark_paused LETTER: notes that counters may have been stopped by Intel's global control, which is
# shared: perf clears it for a moment when events are added or removed, and likwid for its run.
mark_paused()
{
	case $1 in
	L) paused[M]=yes paused[S]=yes ;;
	M) ;;
	*) paused[L]=yes paused[M]=yes ;;
	esac
}

# toggle LETTER: starts or stops a program.
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
		# Debian's kernels allocate counters of this family in order, even those that likwid
		# and msr-tools use.
		paused[L]=yes paused[M]=yes
	fi
	[ ${#trail} -lt 40 ] || trail=${trail: -40}
	check_status "$model"
}

# Make every step from every possible state: a closed walk that follows each edge of the graph of
# states once in each direction.
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

# none OF DESCRIPTION [NUMBER]: checks that no error of kind OF was noted in NUMBER cases.
none()
{
	is "$(grep -c "^$1, " /tmp/odd) of $((${3:-1} > 0))" "0 of 1" "coexist: $2"
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

none rules "in ${#steps[@]} steps programs count if counters are free, and are refused otherwise"
none untouched "a refused program has changed no register"
none exact "each total is exact, or foreign"
none status "a total is foreign only where another program has taken it"
if [ "$source" = perf ]; then
	short=$(awk '/^short/ { n += $2; all += $4 } END { print n + 0, "of", all + 0 }' /tmp/watches)
	result $((${short% of *} * 10 >= ${short#* of })) \
		"coexist: perf pauses counters in at most a tenth of the samples: $short"
fi
none gone "an unload leaves no control of ours"
none S "$stats counts of perf stat match the formula" "$stats"
none L "likwid's counts are exact: $likwids" "$likwids"
# With source=perf, perf pauses the counters of Nehalem for a moment for each event.
[ "$model$source" = nehalemperf ] || none M "the counts that rdmsr reads are exact: $msrs" "$msrs"
is "$(moving)" "" "coexist: no counter advances at the end"
finished
