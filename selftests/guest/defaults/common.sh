# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # variables of the scripts that source this
#
# common.sh - shared by the tests that use the module as documented, with all defaults, on an
# installed machine (qemu/installed.sh): loading, and checks that do not depend on the module, by
# rdmsr, perf and the virtual PMU's formula.
. ./tap.sh

# machine MODEL: sets variables for a model of the virtual PMU:
#	GENERAL			number of general counters of a core
#	GENERAL_CONTROLS	their control registers
#	USES			how many of them the default set uses when it is loaded now
#	CYCLES			an event that counts cycles
#	ANYWHERE		events that count on any general counter, but on no fixed one
#	FIXED			not empty if there are fixed counters
#	SHARED			control registers of units that several CPUs share
machine()
{
	local i
	GENERAL=6 USES=3 CYCLES=76 FIXED=
	GENERAL_CONTROLS=$CONTROLS
	ANYWHERE="r00c1 r00c2 r00c3 r00c4 r00c5 r00c6 r00c7"
	case $1 in
	# Debian's kernels ignore the counter masks of this family and allocate counters in order.
	# Of the three that can count cycles one is for perf's own event, and one for the watchdog,
	# on or off.
	fam15h)
		USES=1
		SHARED="c0010240 c0010242 c0010244 c0010246"
		;;
	fam17h | fam19h | zen4)
		SHARED="c0010230 c0010232 c0010234 c0010236 c0010238 c001023a c0010240 c0010242 c0010244 c0010246"
		;;
	nehalem) GENERAL=4 USES=1 SHARED="391 394 3c0 3c1 3c2 3c3 3c4 3c5 3c6 3c7" ;;
	hswep) GENERAL=8 USES=3 SHARED="e01 e02 e03 e04 e11 e12 e13 e14 711 712 713 714" ;;
	*)
		echo "Bail out! unknown model $1"
		exit 1
		;;
	esac
	case $1 in
	nehalem | hswep)
		CYCLES=3c FIXED=1
		GENERAL_CONTROLS=${CONTROLS% 38d}
		ANYWHERE="r00c4 r00c5 r01a2 r0280 r01c4 r02c4 r04c4 r08c4"
		;;
	esac
}

# plain_load: loads the module as documented, and waits until udev has set the groups of the
# devices.
plain_load()
{
	modprobe rcrtool && udevadm settle
}

# names: prints the names of the events that are counted.
names()
{
	rcrctl ls | sed '1d; /  staged$/d' | cut -d' ' -f1 | xargs
}

watchdog()
{
	sysctl -qw "kernel.nmi_watchdog=$1"
}

watchdog_is_on()
{
	[ "$(cat /proc/sys/kernel/nmi_watchdog)" = 1 ]
}

# perf_counts SECONDS EVENT,...: counts on all CPUs, each separately, into /tmp/perf.
perf_counts()
{
	perf stat -x, -a -A -e "$2" sleep "$1" 2>/tmp/perf
}

# perf_is_right ROWS: /tmp/perf has that many rows, none of them scaled, and each count matches the
# formula to 1 % for the time in which the event was enabled.
perf_is_right()
{
	awk -F, -v khz="$(tsc_khz)" -v want="$1" -v cycles=$((0x$CYCLES)) '
		function hex(s,  i, v) {
			for (i = 1; i <= length(s); i++)
				v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return v
		}
		/^CPU/ {
			rows++
			sub(/:.*/, "", $4)
			select = $4 == "cycles" ? cycles : $4 == "instructions" ? 192 : hex(substr($4, 2))
			rate = 1 + (1009 * (select % 256) + 97 * int(select / 256) + 4099 * substr($1, 4)) % 49999
			expected = rate / 65536 * khz * ($5 / 1e6)
			off = expected ? $2 / expected - 1 : 1
			if (off < -0.01 || off > 0.01 || $6 != 100) {
				bad++
				print "# " $0 ", expected " expected
			}
		}
		END {
			if (rows != want) print "# " rows + 0 " rows, expected " want
			exit rows != want || bad
		}' /tmp/perf
}

# perf_counts_right SECONDS EVENTS ROWS: one correct result in three is enough, as the host may stop
# a virtual CPU between perf's reads of the clock and of the counter.
perf_counts_right()
{
	local try
	for try in 1 2 3; do
		perf_counts "$1" "$2" && perf_is_right "$3" && return
		echo "# wrong count in try $try of 3"
	done
	return 1
}

# perf_works DESCRIPTION: a perf stat without options counts.
perf_works()
{
	perf_counts_right 0.5 cycles,instructions 8
	result $? "$1"
}

# pinned N: prints N pinned events, each of which needs a general counter of its own.
pinned()
{
	local event list=
	for event in $ANYWHERE; do
		[ "$(wc -w <<<"$list")" -eq "$1" ] || list="$list $event:D"
	done
	xargs <<<"$list" | tr ' ' ,
}

# Print the number of CPUs on which an event in /tmp/perf did not count.
cpus_without_room()
{
	sed -n 's/^\(CPU[0-9]*\),<not counted>.*/\1/p' /tmp/perf | sort -u | wc -l
}

# free_for_perf N: perf can allocate exactly N counters on every CPU.
free_for_perf()
{
	perf_counts_right 0.3 "$(pinned "$1")" $((4 * $1)) || return
	perf_counts 0.2 "$(pinned $(($1 + 1)))"
	[ "$(cpus_without_room)" -eq 4 ] || {
		echo "# $(($1 + 1)) pinned events count, one should not:"
		sed 's/^/# /' /tmp/perf
		return 1
	}
}

# enabled_on_each: prints the number of enabled general counters: one number if it is the same on
# all CPUs, else all different ones.
enabled_on_each()
{
	local msr value cpu
	local -a count=(0 0 0 0)
	for msr in $GENERAL_CONTROLS; do
		cpu=0
		for value in $(rdmsr -a "0x$msr"); do
			count[cpu]=$((count[cpu] + (0x$value >> 22 & 1)))
			cpu=$((cpu + 1))
		done
	done
	printf '%s\n' "${count[@]}" | sort -u | xargs
}

# count_of CONTROL: prints the count register that belongs to a general control register.
count_of()
{
	if grep -q AuthenticAMD /proc/cpuinfo; then
		printf '%x' $((0x$1 + 1))
	else
		printf '%x' $((0x$1 - 0x186 + 0xc1))
	fi
}

# cycle_counters: prints how many enabled counters of a CPU count cycles and advance: one number if
# it is the same on all CPUs, else all different ones. Without rcrtool and perf only the watchdog
# counts cycles; the module does, too.
cycle_counters()
{
	local cpu msr value moving each=
	for cpu in 0 1 2 3; do
		moving=0
		for msr in $GENERAL_CONTROLS; do
			value=$((0x$(rdmsr -p $cpu "0x$msr")))
			[ $((value >> 22 & 1)) -eq 1 ] && [ $((value & 0xffff)) -eq $((0x$CYCLES)) ] &&
				moves $cpu "$(count_of "$msr")" && moving=$((moving + 1))
		done
		case $CONTROLS in
		*38d)
			value=$((0x$(rdmsr -p $cpu 0x38d)))
			[ $((value >> 4 & 3)) -ne 0 ] && moves $cpu 30a && moving=$((moving + 1))
			;;
		esac
		each="$each $moving"
	done
	# shellcheck disable=SC2086 # split into words
	printf '%s\n' $each | sort -u | xargs
}

# moves CPU REGISTER: true if the register changes between two reads.
moves()
{
	local was
	was=$(rdmsr -p "$1" "0x$2")
	sleep 0.05
	[ "$(rdmsr -p "$1" "0x$2")" != "$was" ]
}

# Print the controls of the counters that several CPUs share.
shared_controls()
{
	local msr
	for msr in $SHARED; do
		echo "$msr $(rdmsr -a "0x$msr" 2>/dev/null | xargs)"
	done
}

# Print the enabled general controls of every CPU. Ignore disabled ones: perf leaves other bits set.
enabled_controls()
{
	local msr cpu
	for msr in $GENERAL_CONTROLS; do
		for cpu in 0 1 2 3; do
			[ $((0x$(rdmsr -p $cpu "0x$msr") >> 22 & 1)) -eq 0 ] || echo "$cpu $msr"
		done
	done
}

# core_counters_in_ls: prints what rcrctl ls states about the use of core counters.
core_counters_in_ls()
{
	rcrctl ls | sed -n '1s/.*core counters: //p'
}

# states_use TEXT: true if TEXT, from rcrctl ls, agrees with the registers. On Intel the watchdog
# may use the fixed counter of cycles instead of a general one.
states_use()
{
	local busy free
	busy=$(enabled_on_each)
	free=$((GENERAL - busy))
	echo "# \"$1\", and $busy are enabled"
	if ! watchdog_is_on; then
		[ "$1" = "$busy of $GENERAL used, $free free (1 for the watchdog)" ]
	elif [ "$1" != "$((busy - 1)) used, 1 watchdog, $free free" ]; then
		[ -n "$FIXED" ] && [ "$1" = "$busy of $GENERAL used, $free free" ]
	fi
}

# now_free: prints how many general counters others can allocate now.
now_free()
{
	echo $((GENERAL - $(enabled_on_each)))
}

# is_well: true if every status is ok, for soon.
is_well()
{
	[ "$(statuses)" = ok ]
}

# statuses: prints the status of the set over some samples.
statuses()
{
	rcrstat -i 0.2 -n 1 | tail -n 1 | cut -d, -f5
}

# selects: prints NAME=SELECT of each core event of the set, from the output of rcrctl ls, as the
# control of a fixed counter has no event select.
selects()
{
	local name event umask hex='\(0x[0-9a-f]*\)'
	rcrctl ls | sed -n "s/^\([^ ]*\) .* event:$hex\(,umask:$hex\)*.*/\1 \2 \4/p" |
		while read -r name event umask; do
			printf '%s=%#x\n' "$name" \
				$((event & 0xff | (event & 0xf00) << 24 | umask << 8))
		done
}

# counts_right DESCRIPTION: the rates of the set match the formula to 1 %.
counts_right()
{
	local rc
	# shellcheck disable=SC2046 # one word per event
	rcrstat -i 0.5 -n 1 >/tmp/csv &&
		./compare "$(tsc_khz)" $(selects) </tmp/csv >/tmp/compared 2>&1
	rc=$?
	result $rc "$1"
	[ $rc -eq 0 ] || sed 's/^/# /' /tmp/csv /tmp/compared
}
