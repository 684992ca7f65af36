# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# tap.sh - functions that the guest's shell tests share, in addition to those of ktap.sh.

# shellcheck disable=SC1091 # installed in the same directory
. ./ktap.sh
MODULE=${RCR_MODULE:-/rcr/rcrtool.ko}

# Tests that source this as ". ./tap.sh any-machine" need only the module. All others compare with
# the virtual PMU, or change files and users of the machine, so they run in guests only.
if [ ! -d /rcr/tests ]; then
	[ "${1:-}" = any-machine ] || skip_all "needs a guest: run it with 'make check'"
	[ "$(id -u)" -eq 0 ] || skip_all "needs root"
	[ ! -e /sys/module/rcrtool ] || skip_all "rcrtool is loaded: unload it with 'modprobe -r rcrtool', the test loads it itself"
	[ -e "$MODULE" ] || skip_all "$MODULE not found: build it with 'make'"
fi

STATUS=/sys/kernel/debug/rcrtool/status
if grep -q GenuineIntel /proc/cpuinfo; then
	CONTROLS="186 187 188 189 38d"
	COUNTERS="c1 c2 c3 c4 309 30a 30b"
	if grep -qE '^model\s*: (45|62|63|79|85|106|143|207)$' /proc/cpuinfo; then
		CONTROLS="186 187 188 189 18a 18b 18c 18d 38d"
		COUNTERS="c1 c2 c3 c4 c5 c6 c7 c8 309 30a 30b"
	fi
	if grep -qE '^model\s*: (106|143|207)$' /proc/cpuinfo; then
		COUNTERS="$COUNTERS 30c"
	fi
elif grep -qE '^cpu family\s*: 16$' /proc/cpuinfo; then
	CONTROLS="c0010000 c0010001 c0010002 c0010003"
	COUNTERS="c0010004 c0010005 c0010006 c0010007"
else
	CONTROLS="c0010200 c0010202 c0010204 c0010206 c0010208 c001020a"
	COUNTERS="c0010201 c0010203 c0010205 c0010207 c0010209 c001020b"
fi

# soon COMMAND...: repeats a command until it succeeds, for about 20 s.
soon()
{
	local i
	for ((i = 0; i < 200; i++)); do
		"$@" && return
		sleep 0.1
	done
	return 1
}

# once_in TIMES COMMAND...: runs a command up to TIMES times, until it succeeds.
once_in()
{
	local try
	for ((try = 0; try < $1; try++)); do
		"${@:2}" && return
	done
	return 1
}

# watches PID: true once 'rcrctl on' waits, that is, has its signalfd.
watches()
{
	local fd
	for fd in "/proc/$1/fd/"*; do
		case $(readlink "$fd") in
		*signalfd*) return 0 ;;
		esac
	done
	return 1
}

# says STATUS SENTENCE COMMAND...: the command exits with STATUS and prints one line to standard
# error, which contains SENTENCE.
says()
{
	local status=$1 sentence=$2 rc
	shift 2
	"$@" >/tmp/out 2>/tmp/err
	rc=$?
	if [ $rc -eq "$status" ] && [ "$(wc -l </tmp/err)" -eq 1 ] &&
	   grep -qF -- "$sentence" /tmp/err; then
		result 0 "$*: $(cat /tmp/err)"
	else
		result 1 "$*: status $rc"
		sed 's/^/# /' /tmp/err
	fi
}

# The virtual PMU can break registers (kinds: vpmu/fault.h). These functions return 0, or another
# status if they changed nothing.
#
# break_register CPU REGISTER KIND
#	breaks a register (0x...) of one CPU; a new KIND replaces the previous one. KIND:
#	read-faults	rdmsr raises #GP
#	write-faults	wrmsr raises #GP
#	faults		both of these
#	sticks		reads return the current value; writes are ignored
#	ones		reads return 2^64 - 1
# mend_register CPU REGISTER, mend_registers CPU
#	repairs one register or all of them; a broken counter has kept counting
# broken_registers CPU
#	prints how many are broken (8 at most)
#
# This does not affect rdpmc, the alias of a register on AMD (C001_0000 for C001_0200), or registers
# that QEMU emulates itself. A register stays broken after the test unless it is mended.
FAULTS=0x52435200

break_register()
{
	local kind
	case $3 in
	read-faults) kind=1 ;;
	write-faults) kind=2 ;;
	faults) kind=3 ;;
	sticks) kind=4 ;;
	ones) kind=5 ;;
	*)
		echo "break_register: unknown kind '$3'" >&2
		return 1
		;;
	esac
	wrmsr -p "$1" $FAULTS $((kind << 32 | $2))
}

mend_register()
{
	wrmsr -p "$1" $FAULTS "$2"
}

mend_registers()
{
	wrmsr -p "$1" $FAULTS 0
}

broken_registers()
{
	rdmsr -p "$1" $FAULTS
}

# The virtual PMU's register log: when each core counter of a CPU was enabled, and for
# which event (vpmu/register_log.h). changes.h reads it for programs.
#
# log_registers CPU	empties the log and starts it
# log_nothing CPU	stops it
# changes CPU		prints one line per change: TSC, counter N, event, umask,
#			enabled or disabled, and "counts" if the counter counts
REGISTER_LOG=0x52435203

log_registers()
{
	wrmsr -p "$1" $REGISTER_LOG 1
}

log_nothing()
{
	wrmsr -p "$1" $REGISTER_LOG 0
}

changes()
{
	./changes "$1"
}

# status_of KEY: prints a field of the status file. A kernel without CONFIG_SYMBOLIC_ERRNAME
# prints error numbers there, which are converted to names.
status_of()
{
	sed -n "/^$1: /{
		s///
		s/^-1\$/-EPERM/; s/^-16\$/-EBUSY/; s/^-19\$/-ENODEV/; s/^-61\$/-ENODATA/
		p
	}" $STATUS
}

# control_of NAME: prints the control register value of an event that is being counted.
control_of()
{
	sed -n "s/^counter [0-9]*: $1 .* control \(0x[0-9a-f]*\) .*/\1/p" $STATUS
}

# status_in_ls NAME: prints the status of a counter and, if not ok, the CPUs.
status_in_ls()
{
	sed -n "s/^$1 0x[0-9a-f]* //p" /sys/kernel/debug/rcrtool/counters
}

# perf leaves its events in disabled controls. Clear them, so that only controls of rcrtool are not
# 0.
clear_controls()
{
	local msr
	for msr in $CONTROLS; do
		wrmsr -a 0x$msr 0
	done
}

# controls, counts: print the control or count registers of all CPUs, for comparison.
controls()
{
	on_each_cpu $CONTROLS
}

counts()
{
	on_each_cpu $COUNTERS
}

# on_each_cpu REGISTER...: prints one line per register, with its value on each CPU. Called often,
# so it starts few processes.
on_each_cpu()
{
	local msr values
	for msr; do
		values=$(rdmsr -a "0x$msr")
		echo "$msr ${values//$'\n'/ } "
	done
}

# moving: prints the CPUs on which some counter advances. The "x" keeps awk from comparing numbers:
# hexadecimal digits can form a decimal float (80000096e400).
moving()
{
	counts >/tmp/counts
	sleep 0.1
	counts | awk '
		NR == FNR { for (i = 2; i <= NF; i++) was[$1, i] = "x" $i; next }
		{ for (i = 2; i <= NF; i++) if ("x" $i != was[$1, i]) moves[i] = 1; n = NF }
		END { for (i = 2; i <= n; i++) if (moves[i]) printf " %d", i - 2 }' /tmp/counts -
}

# load PARAMETER...: loads the module; in a guest with source=msr unless a PARAMETER sets the
# source.
load()
{
	case " $* " in
	*" source="*) ;;
	*) [ ! -d /rcr/tests ] || set -- source=msr "$@" ;;
	esac
	insmod $MODULE "$@"
}

# load_set EVENTS [PARAMETER...]: loads the module and replaces the default set by EVENTS
# (EVENT;EVENT...). If rcrctl fails, the module stays loaded with the default set.
load_set()
{
	local events
	IFS=';' read -ra events <<<"$1"
	load "${@:2}" && rcrctl set "${events[@]}"
}

unload()
{
	rmmod rcrtool
}

# tsc_khz: prints the TSC frequency that the kernel uses: the last one logged, as it may log an
# earlier estimate.
tsc_khz()
{
	dmesg | sed -n 's/.*tsc: Detected \([0-9]*\)\.\([0-9]*\) MHz.*/\1\2/p' | tail -n 1
}

# last_words: prints the last message of the module in the kernel log.
last_words()
{
	dmesg | sed -n 's/^\[[^]]*\] rcrtool: //p' | tail -n 1
}
