# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# judged_lib.sh - phases of the virtual PMU that test the contention models on families other than
# AMD's 15h; sourced by judged.sh, whose judge() records them. An event is "UNIT EVENT UMASK" and
# is counted by one or more boxes in each package; the events of one signal are separated by ";".
#
# Classes of events in a phase:
#	3, 11	lines of node 1, node 0
#	4 to 6	row conflicts, waiting cycles and waiting requests of node 1
#	7, 8	remote accesses of node 0, node 1
#	8, 15	requests of CPU 2, CPU 3
#	9	modified lines of CPU 2
#	12, 13	misses of CPU 2, CPU 3
#	14	instructions of CPU 3
#	10	events that are kept low

# family_of MODEL: sets the events of each signal, and the counter sets that have them.
family_of()
{
	local n
	CYCLES="core 0x3c 0" INSTRUCTIONS="core 0xc0 0" CORE="TOT_CYC=event:0x3c;TOT_INS=event:0xc0"
	REQUESTS="core 0x2e 0x4f" MISSES="core 0x2e 0x41" MEMORY='' DOUBT=''
	ASKED="LLC_REFERENCES=event:0x2e,umask:0x4f" MISSED="LLC_MISSES=event:0x2e,umask:0x41"
	case $1 in
	zen4)
		LINES="umc 0x0a 0" CONFLICTS="umc 0x06 0" WAITING="l3 0xac 0x03" WAITED="l3 0xad 0x03"
		MEMORY="WAITING=l3:event:0xac,umask:0x03;WAITED=l3:event:0xad,umask:0x03"
		LOCAL="l3 0xad 0x01" REMOTE="l3 0xad 0x02" READER=0
		FAR="LOCAL=l3:event:0xad,umask:0x01;REMOTE=l3:event:0xad,umask:0x02"
		for n in {0..11}; do
			MEMORY+=";CAS$n=umc$n:event:0x0a;PRECHARGE$n=umc$n:event:0x06"
			FAR+=";CAS$n=umc$n:event:0x0a"
		done
		CYCLES="core 0x76 0" CORE="TOT_CYC=event:0x76;TOT_INS=event:0xc0"
		REQUESTS="core 0x44 0xde" MISSES="l3 0x04 0x01" MODIFIED="core 0x44 0x14"
		ASKED="FILLS=event:0x44,umask:0xde" MISSED="L3_CACHE_MISSES=l3:event:0x04,umask:0x01"
		CONTESTED="FROM_CACHES=event:0x44,umask:0x14" DOUBT="clean lines of other core complexes"
		;;
	nehalem)
		LINES="nhm 0x2c 0x07;nhm 0x2f 0x07" CONFLICTS="nhm 0x62 1;nhm 0x62 2;nhm 0x62 4"
		WAITING="nhm 0x2a 1;nhm 0x2a 2;nhm 0x2a 4" WAITED=''
		MEMORY="READS=uncore:event:0x2c,umask:0x07;WRITES=uncore:event:0x2f,umask:0x07"
		LOCAL="nhm 0x20 0x30" REMOTE="nhm 0x20 0x0c" READER=1
		FAR="$MEMORY;LOCAL=uncore:event:0x20,umask:0x30;REMOTE=uncore:event:0x20,umask:0x0c"
		for n in 1 2 4; do
			MEMORY+=";WAITING$n=uncore:event:0x2a,umask:$n;CONFLICTS$n=uncore:event:0x62,umask:$n"
		done
		MODIFIED="core 0x0f 0x02" CONTESTED="HITM=event:0x0f,umask:0x02"
		DOUBT="modified lines of other packages are not counted" MISSED+=";NODES=uncore:event:0x08,umask:0x03"
		;;
	hswep)
		LINES="imc 0x04 0x0f" CONFLICTS="imc 0x02 0x01" WAITING="imc 0x80 0" WAITED="imc 0x10 0"
		LOCAL="ha 0x01 0x05" REMOTE="ha 0x01 0x0a" READER=1
		for n in 0 1; do
			FAR+="HOME_LOCAL$n=ha$n:event:0x01,umask:0x05;HOME_REMOTE$n=ha$n:event:0x01,umask:0x0a;"
		done
		for n in 0 1 4 5; do
			FAR+="CAS$n=imc$n:event:0x04,umask:0x0f;"
			MEMORY+="CAS$n=imc$n:event:0x04,umask:0x0f;PAGE_MISS$n=imc$n:event:0x02,umask:0x01;"
			MEMORY+="RPQ_OCC$n=imc$n:event:0x80;RPQ_INS$n=imc$n:event:0x10;"
		done
		MODIFIED="core 0xd2 0x04;core 0xd3 0x10" DOUBT="HSW150.*HSD29" MISSED+=";NODES=pcu:event:0x00"
		CONTESTED="HITM=event:0xd2,umask:0x04;FAR_HITM=event:0xd3,umask:0x10"
		;;
	skx)
		MODIFIED="core 0xd2 0x04;core 0xd3 0x04" MISSED+=";NODES=pcu:event:0x00"
		CONTESTED="HITM=event:0xd2,umask:0x04;FAR_HITM=event:0xd3,umask:0x04" DOUBT=SKL057
		;;
	*) echo "Bail out! judged.sh: no model $1"; exit 1 ;;
	esac
}

# each_event EVENTS WHERE COMMAND [ARGUMENT]...: runs "COMMAND UNIT EVENT UMASK INSTANCE
# ARGUMENT..." for each event, in each box of node WHERE, or on CPU WHERE. Each home agent of a
# Haswell-EP has two memory channels here.
each_event()
{
	local unit event umask box boxes
	while read -r unit event umask; do
		case $unit in
		umc) boxes=$(seq $((12 * $2)) $((12 * $2 + 11))) ;;
		imc) boxes="$((8 * $2)) $((8 * $2 + 1)) $((8 * $2 + 4)) $((8 * $2 + 5))" ;;
		ha) boxes="$((2 * $2)) $((2 * $2 + 1))" ;;
		*) boxes=$2 ;;
		esac
		for box in $boxes; do
			"$3" "$unit" "$event" "$umask" "$box" "${@:4}" || return
		done
	done < <(tr ';' '\n' <<<"$1")
}

add_base() { total=$((total + $(base "$1" "$2" "$3" "$4"))); }
assign_event() { assign "$1/$4" "$2:$3" "$5"; }

# total_of EVENTS WHERE: prints the sum of the rates of EVENTS on a node or CPU.
total_of()
{
	local total=0
	each_event "$1" "$2" add_base
	echo $total
}

# to_class EVENTS WHERE CLASS: assigns EVENTS of a node or CPU to a class.
to_class() { [ -z "$1" ] || each_event "$1" "$2" assign_event "$3"; }

# Set the maximum of memory to ten times the lines of node 1, and scale node 0 to as many lines.
prepare_lines()
{
	to_class "$LINES" 1 3 && to_class "$LINES" 0 11
	result $? "$1"
	lines=$(total_of "$LINES" 1)
	even=$(part_of 1 "$lines" "$(total_of "$LINES" 0)")
	memory=$(awk -v r="$lines" -v khz="$(tsc_khz)" 'BEGIN { printf "%.0f\n", 10 * 64 * r * khz * 1000 / 4294967296 }')
	echo "# $lines lines in 2^32 cycles, memory of $memory B/s"
}

judge_memory()
{
	local few lines even memory
	./phase clear >/dev/null
	load_set "${MEMORY%;}" source=msr period_us=10000 budget_ppm=0
	to_class "$CONFLICTS" 1 4 && to_class "$WAITING" 1 5 && to_class "$WAITED" 1 6
	prepare_lines "judged: the events of the memory model have classes"
	few=$(part_of 0.1 "$lines" "$(total_of "$CONFLICTS" 1)")
	judge "3:1:9.3 4:$few:$(times "$few" 9.3) 5:1:27.9 6:1:9.3 11:$even:$even" --memory "$memory"
	finds 1 bandwidth "memory of one node at 93 % with three times the latency"
	# At unchanged latency only 95 % counts as load. Stay above it even if a tick is late.
	judge "3:1:9.8 4:$few:$(times "$few" 9.8) 5:1:9.8 6:1:9.8 11:$even:$(times "$even" 9.8)" --memory "$((memory * 85 / 100))"
	finds "0 1" bandwidth "memory of both nodes at its maximum"
	judge "3:1:4 4:$few:$(times "$few" 28) 5:1:10 6:1:4 11:$even:$even" --memory "$memory"
	finds 1 conflicts "row conflicts of seven in ten accesses with 2.5 times the latency"
	unload
}

judge_far()
{
	local lines even memory none=() many=() node quiet=()
	./phase clear >/dev/null
	load_set "${FAR%;}" source=msr period_us=10000 budget_ppm=0
	to_class "$REMOTE" 0 7 && to_class "$REMOTE" 1 8
	prepare_lines "judged: local and remote accesses have classes"
	for node in 0 1; do
		none[node]=$(part_of 0.05 "$(total_of "$LOCAL" $node)" "$(total_of "$REMOTE" $node)")
		many[node]=$(times "${none[node]}" 60)
		quiet[node]=${none[node]}
	done
	# Remote accesses are counted at the node of the cores or at that of the memory, by family.
	quiet[READER]=${many[READER]}
	judge "3:1:9.8 7:${none[0]}:${quiet[0]} 8:${none[1]}:${quiet[1]} 11:$even:$even" --memory "$((memory * 85 / 100))"
	finds 1 imbalance "memory of one node at its maximum, used by the cores of the other node"
	judge "3:1:4 7:${none[0]}:${many[0]} 8:${none[1]}:${many[1]} 11:$even:$(times "$even" 4)" --memory "$memory"
	finds "0 1" remote "three remote accesses in four"
	unload
}

# Few, then many, of the lines that CPU 2 requests were modified by other cores.
judge_contested()
{
	local cycles requests modified few clean spinner cpu
	./phase clear >/dev/null
	load_set "$CORE;$ASKED;$CONTESTED" source=msr period_us=10000 budget_ppm=0
	for cpu in 0 1 3; do
		to_class "$MODIFIED" $cpu 10
	done
	to_class "$REQUESTS" 2 8 && to_class "$MODIFIED" 2 9
	result $? "judged: requests and modified lines of one CPU have classes"
	cycles=$(total_of "$CYCLES" 2) requests=$(total_of "$REQUESTS" 2) modified=$(total_of "$MODIFIED" 2)
	few=$(part_of 0.005 "$cycles" "$requests")
	clean=$(part_of 0.0001 "$cycles" "$modified")
	taskset -c 2 sh -c 'while :; do :; done' &
	spinner=$!
	./phase schedule 10 "0:0.0001" >/tmp/out
	judge "8:$few:$few 9:$clean:$(times "$clean" 30)"
	kill $spinner
	wait $spinner 2>/dev/null
	finds 0 lines "modified lines in six of ten requests"
	if [ "$DOUBT" ]; then
		grep ' lines: busy ' /tmp/verdicts | grep -q "; doubtful: .*$DOUBT" &&
			grep -q "^lines: unknown unless found: .*$DOUBT" /tmp/verdicts
		result $? "judged: a doubtful verdict states the reason, and without a finding the state is unknown"
	fi
	unload
}

# CPU 2 makes 16 times as many requests, all of which miss; half of the requests of CPU 3 miss, and
# it stalls on them. The set has a counter of the package, from which the model learns the packages.
judge_one()
{
	local ran=() asked=() rate=() cpu spinners=() misses=() work
	./phase clear >/dev/null
	load_set "$CORE;$ASKED;$MISSED" source=msr period_us=10000 budget_ppm=0
	to_class "$REQUESTS" 2 8 && to_class "$REQUESTS" 3 15 && to_class "$INSTRUCTIONS" 3 14
	result $? "judged: requests of two CPUs have classes"
	for cpu in 2 3; do
		ran[cpu]=$(total_of "$CYCLES" $cpu)
		rate[cpu]=$(part_of 0.01 "${ran[cpu]}" "$(total_of "$REQUESTS" $cpu)")
		asked[cpu]=$((ran[cpu] / 100))
		taskset -c $cpu sh -c 'while :; do :; done' &
		spinners+=($!)
	done
	work=$(part_of 1 "${ran[3]}" "$(total_of "$INSTRUCTIONS" 3)")
	if [ "${MISSES%% *}" = core ]; then
		to_class "$MISSES" 0 10 && to_class "$MISSES" 1 10 && to_class "$MISSES" 2 12 && to_class "$MISSES" 3 13
		misses=("12:$(part_of 0.02 "${asked[2]}" "$(total_of "$MISSES" 2)"):$(part_of 16 "${asked[2]}" "$(total_of "$MISSES" 2)")"
			"13:$(part_of 0.02 "${asked[3]}" "$(total_of "$MISSES" 3)"):$(part_of 0.5 "${asked[3]}" "$(total_of "$MISSES" 3)")")
	else
		to_class "$MISSES" 0 10 && to_class "$MISSES" 1 12
		misses=("12:$(part_of 0.02 "$((asked[2] + asked[3]))" "$(total_of "$MISSES" 1)"):$(part_of 1 "$((16 * asked[2] + asked[3] / 2))" "$(total_of "$MISSES" 1)")")
	fi
	./phase schedule 10 "0:0.0001" >/tmp/out
	judge "8:${rate[2]}:$(times "${rate[2]}" 16) 15:${rate[3]}:${rate[3]} 14:$work:$(times "$work" 0.4) ${misses[*]}"
	kill "${spinners[@]}"
	wait "${spinners[@]}" 2>/dev/null
	finds 1 one "a process whose requests all miss"
	unload
}

# If the kernel has no PMU for the memory controllers, their events cannot be counted.
judge_without_memory()
{
	load_set "$CORE;$ASKED;$MISSED" source=auto period_us=10000 budget_ppm=0
	users
	give_devices
	mkdir -p /etc/rcrtool
	echo "network = off" >/etc/rcrtool/rcrtool.conf
	start
	result $? "judged: rcrd starts"
	rcrctl why >/tmp/why
	is $? 0 "judged: nothing is found without memory controllers"
	sed 's/^/# /' /tmp/why
	grep '^bandwidth, .*: unknown: the set does not count ' /tmp/why | grep 'CAS#=imc#:event:0x04,umask:0x0f' |
		grep -q 'RPQ_OCC#=imc#:event:0x80'
	result $? "judged: findings of memory are unknown, and rcrctl why names the missing events"
	rcrctl why --json | grep '"finding": "bandwidth", "state": "unknown"' | grep -q 'RPQ_INS#=imc#'
	result $? "judged: rcrctl why --json names the missing events"
	stop
	unload
}

judge_family()
{
	family_of "$1"
	case $1 in
	skx) plan 11 ;;
	*) plan 19 ;;
	esac
	if [ "$MEMORY" ]; then
		judge_memory
		judge_far
	else
		judge_without_memory
	fi
	judge_one
	judge_contested
}
