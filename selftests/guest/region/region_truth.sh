#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_truth.sh MODEL SETTING [MPI]... - compares the counts of librcrregion with kernels whose
# operations and memory traffic are known (kernels.c), for an ordinary user in the virtual PMU's
# exec
# mode: one process on a CPU of its own, and four ranks of MPICH (mpich) or Open MPI (openmpi).
# SETTING is "default": rcrtool is loaded and the NMI watchdog on, as on an installed machine;
# "ranks": the same, but only the ranks; or "free": neither. The memory of the kernels exceeds the
# caches of the model fam15h (RCR_VPMU_CACHES), so each line that the L2 fetches is read from
# memory.
. ./defaults/common.sh
. ./mpi_lib.sh
machine "$1"
MODEL=$1 SETTING=$2
shift 2
# Number of tests of one process, and of four ranks.
ALONE=2 RANKS=2
if [ "$MODEL" = fam15h ]; then
	ALONE=3 RANKS=3
fi
case $SETTING in
free) ALONE=$((ALONE + 1)) ;;
ranks) ALONE=0 ;;
esac
plan $((ALONE + RANKS * $#))
FLOPS=1 MEMORY=2 MIX=5	# modes
CPU=3

# operations: prints "KERNEL KIND OPERATIONS" for each kernel and kind, by the formulas in
# kernels.c. The accepted pairs of ep are counted by computing its sequence.
operations()
{
	awk 'function has(kernel, add, multiply, divide, fused) {
		print kernel, "fp-add", add
		print kernel, "fp-multiply", multiply
		print kernel, "fp-divide", divide + 0
		print kernel, "fp-multiply-add", fused + 0
	}
	function draw() { number = number * 16807 % 2147483647; return number * (2 / 2147483647) - 1 }
	BEGIN {
		OFMT = "%.0f"
		n = 2 * 262144
		has("triad", n, n)
		n = 8 * 512 * 512
		has("product", n, n)
		has("fused", 0, 0, 0, 2 * 8 * 64 * 512)
		n = 4096 / 2 * 12
		has("fft", 6 * n, 4 * n)
		has("sort", 0, 0)
		n = 48 * 48
		z = 5 * n - 4 * 48
		has("cg", 20 * (z + 5 * n) + n, 20 * (z + 5 * n) + n, 20 * 2)
		number = 271828183
		for (n = 0; n < 20000; n++) {
			u = draw(); v = draw()
			k += u * u + v * v <= 1
		}
		has("ep", 3 * n + 2 * k, 4 * n, 3 * k)
		has("nothing", 0, 0)
	}'
}

# lines_of_memory: prints "KERNEL cache-misses LINES" for the kernels that exceed every cache.
lines_of_memory()
{
	echo triad cache-misses $((2 * 24 * 262144 / 64))
	echo product cache-misses $(((8 * 8 * 512 * 512 + 16 * 8 * 512) / 64))
	echo sort cache-misses $((2 * 12 * 524288 / 64))
}

# compare_counts PARTS TABLE...: compares lines "KERNEL EVENT COUNT..." with the table, to one part
# in PARTS, or exactly if PARTS is 0. Prints the counts that differ, and the number of lines.
compare_counts()
{
	awk -v parts="$1" 'NR == FNR { known[$1, $2] = $3; next }
	!(($1, $2) in known) { next }
	{
		n++
		for (i = 3; i <= NF; i++) {
			off = $i - known[$1, $2]
			off = off < 0 ? -off : off
			if (parts ? off * parts > known[$1, $2] : off)
				print $0, "for", known[$1, $2]
		}
	}
	END { print n + 0 }' "$2" -
}

# of_files EVENTS: prints "KERNEL EVENT LEAST GREATEST" over the processes with files here.
of_files()
{
	rcrregion join . | awk -F, -v events="^($1)\$" '$2 ~ events { print $1, $2, $5, $7 }'
}

# alone MODE [VARIABLE=VALUE]...: runs all kernels in one process on a CPU, with output in /tmp/out.
alone()
{
	begin_ranks alone
	as_user taskset -c $CPU env "${@:2}" /rcr/tests/kernels "$1" >&2
	[ "$(grep -c ' right ' /tmp/out)" -eq 8 ]
}

# groups: prints the number of groups of events in the mode.
groups()
{
	rcrregion show -t ./*.rcr | sed -n 's/.*, group [0-9]* of \([0-9]*\),.*/\1/p' | sort -u
}

# groups_alone MODE EVENTS: like alone, once for each group of events of the mode; prints what
# of_files prints.
groups_alone()
{
	local group n=1
	for ((group = 1; group <= n; group++)); do
		alone "$1" RCR_REGION_SPLIT=$group || echo "wrong results"
		n=$(groups)
		of_files "$2"
	done
}

# total_alone: compares the instructions of each section with those that a counter of the CPU, which
# neither perf nor rcrtool uses, has counted around it in user mode, less those around the empty
# section. Prints those that differ.
total_alone()
{
	# Use a group that leaves the sixth counter free; on Zen 4 operations take two counters.
	local group=("$FLOPS")
	[ "$MODEL" != zen4 ] || group=("$MIX" RCR_REGION_SPLIT=2)
	exec 7<>"/dev/cpu/$CPU/msr"
	# Event 0C0h (instructions), user mode, enabled.
	alone "${group[@]}" CPU_TOTAL="7 0xc001020b 0xc001020a 0x4100c0"
	exec 7<&-
	[ "$(rdmsr -p $CPU 0xc001020a)" = 4100c0 ] || echo "the sixth counter is in use"
	wrmsr -p $CPU 0xc001020a 0
	{
		of_files instructions | sort
		echo
		sort /tmp/out
	} | awk '!NF { totals = 1; next }
		!totals { of[$1] = $3; next }
		{ off[$1] = $3 - of[$1]; total[$1] = $3 }
		# The calls take about 140 instructions more if the kernel has moved counters.
		END { for (name in off) {
			n++
			d = off[name] - off["nothing"]
			print "# " name " " of[name] " of " total[name] > "/dev/stderr"
			if (total[name] < of[name] || d > 300 || d < -300) print name, of[name], "for", total[name]
		} print n }'
}

operations >/tmp/operations
lines_of_memory >/tmp/lines
# Keep other programs off that CPU: their instructions would count.
for process in /proc/[0-9]*; do
	taskset -apc 0-2 "${process#/proc/}" >/dev/null 2>&1
done
if [ "$SETTING" = free ]; then
	watchdog 0
else
	watchdog 1
	plain_load
fi

count_alone()
{
	groups_alone $MIX "fp-.*" >/tmp/mix
	is "$(compare_counts 0 /tmp/operations </tmp/mix)" 32 \
		"region_truth: $SETTING: all operations of eight kernels by their four kinds are exact"
	is "$(awk '{ print $2 }' /tmp/mix | sort -u | xargs)" "fp-add fp-divide fp-multiply fp-multiply-add" \
		"region_truth: $SETTING: the four kinds are those of floating-point operations"
	if [ "$SETTING" = free ]; then
		is "$(total_alone)" 8 "region_truth: instructions of sections match those that the CPU counts in user mode"
	fi
	[ "$MODEL" = fam15h ] || return 0
	groups_alone $MEMORY cache-misses >/tmp/memory
	sed 's/^/# /' /tmp/memory
	is "$(compare_counts 200 /tmp/lines </tmp/memory)" 3 \
		"region_truth: $SETTING: memory lines of triad, matrix product and sort are known to 0.5 %"
}

[ "$SETTING" = ranks ] || count_alone
for mpi; do
	begin_ranks mix
	as_ranks "$mpi" 4 "/usr/bin/kernels.$mpi" $MIX
	is "$(grep -c ' right ' /tmp/out) $(cat ranks)" "8 0 1 2 3" "region_truth: $mpi: the results of all kernels are right in four ranks"
	of_files "fp-.*" >/tmp/mix
	is "$(compare_counts 0 /tmp/operations </tmp/mix)" 32 \
		"region_truth: $SETTING, $mpi: the operations that four ranks count by turns are exact"
	[ "$MODEL" = fam15h ] || continue
	begin_ranks memory
	as_ranks "$mpi" 4 "/usr/bin/kernels.$mpi" $MEMORY triad product sort
	of_files cache-misses >/tmp/memory
	sed 's/^/# /' /tmp/memory
	is "$(compare_counts 200 /tmp/lines </tmp/memory)" 3 \
		"region_truth: $SETTING, $mpi: memory lines in each of four ranks are known to 0.5 %"
done
[ "$SETTING" = free ] || modprobe -r rcrtool
finished
