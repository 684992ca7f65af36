#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# validate.sh PART - repeats section V of the LDMS MSR sampler paper: compares the results that
# STREAM, HPL and likwid-bench print with the records of rcrstat. For a guest of the model fam15h in
# exec mode with RCR_VPMU_CACHES=16,32,64 and build/hpcc copied over its root.
# Documentation/dev/validation.md explains the lines that begin with "# |". PART is one of
#
#	msr	hpcc, with all counters of Table I, including those of the northbridge
#	perf	hpcc next to perf stat
#	bench	likwid-bench
#
# The program runs on the last CPU, in the second package; everything else runs in the first one.
. ./tap.sh

N=${N:-1000}		# of HPL; STREAM's arrays have N^2 / 3 elements
CPU=3 NODE=1 MASK=8
HPCC=/tmp/hpcc
step=10ms
PATH=$PATH:/usr/sbin	# likwid looks for its daemon, though it needs none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl=self OMPI_MCA_pml=ob1
export OMPI_MCA_mca_base_component_show_load_errors=0
export OMPI_MCA_mca_base_component_path=/usr/lib/x86_64-linux-gnu/openmpi/lib/openmpi3

# record NAME, recorded: start and end a recording. The totals of each package by time are in
# /tmp/NAME.PACKAGE.csv; separate files, as a line lacks totals if one of its CPUs was late.
record()
{
	name=$1
	rcrstat -f raw -o "/tmp/$name.raw" &
	recorder=$!
	sleep 0.5
}

recorded()
{
	sleep 0.5
	kill -INT $recorder
	wait $recorder
	rcrstat -d "/tmp/$name.raw" -f ldms -i "$step" -c 0,1 -o "/tmp/$name.0.csv"
	rcrstat -d "/tmp/$name.raw" -f ldms -i "$step" -c 2,3 -o "/tmp/$name.1.csv"
}

# between COUNTER WHERE BEGIN END: prints the count from BEGIN to END. WHERE is a package and a
# column of its file, such as 1:c3. Totals are interpolated linearly between two lines.
between()
{
	awk -F, -v counter="$1" -v column="${2#*:}" -v begin="$3" -v end="$4" '
	function at(t) {
		return total + (t - time) * ($found - total) / ($1 - time)
	}
	/^#/ {
		for (i = 7; i <= NF; i++)
			column_of[$i] = i
		next
	}
	{
		for (i = 0; !found && ("Ctr" i "_name") in column_of; i++)
			if ($column_of["Ctr" i "_name"] == counter) {
				named = column_of["Ctr" i "_name"]
				found = column_of["Ctr" i "_" column]
			}
		if (!found || $named != counter)
			next
		if (time && time <= begin && begin < $1)
			first = at(begin)
		if (time && time <= end && end < $1)
			printf "%.0f\n", at(end) - first
		time = $1
		total = $found
	}' "/tmp/$name.${2%:*}.csv"
}

# line PROGRAM QUANTITY PRINTED COUNTED BOUND PAPER: prints a row of the table.
line()
{
	off=$(awk -v says="$3" -v counted="$4" 'BEGIN {
		if (says > 0 && counted > 0)
			printf "%.3f", (counted - says) / says * 100
	}')
	echo "# |$1|$2|${3:-nothing}|${4:-nothing}|$off|$5|$6"
}

# row PROGRAM QUANTITY PRINTED COUNTED BOUND PAPER: prints a row of the table, and checks that the
# two values differ by at most BOUND percent.
row()
{
	line "$@"
	awk -v off="$off" -v bound="$5" 'BEGIN {
		exit !(off != "" && off + 0 <= bound && -off <= bound)
	}'
	result $? "validate: $1: $2 as printed and as counted agree within $5 %"
}

# run_hpcc [COMMAND...]: runs 'COMMAND... hpcc' on the last CPU.
run_hpcc()
{
	rm -f hpccoutf.txt
	begin=$EPOCHREALTIME
	"$@" env LD_PRELOAD=/rcr/tests/wtime WTIME_LOG=times WTIME_OUTPUT=hpccoutf.txt \
		taskset $MASK hpcc >errors 2>&1
	end=$EPOCHREALTIME
	grep -q '^Success=1$' hpccoutf.txt || sed 's/^/# /' errors
}

# section NAME: writes a section of hpcc's output to the file "section".
section()
{
	sed -n "/^Begin of $1 section/,/^End of $1 section/p" hpccoutf.txt >section
}

# timed NAME N: prints the first and the last of the last N clock reads of hpcc in a section.
timed()
{
	awk -v name="$1" -v n="$2" '
	NR == FNR {
		length_so_far += length($0) + 1
		if (index($0, "Begin of " name " section") == 1)
			first = length_so_far
		if (index($0, "End of " name " section") == 1)
			last = length_so_far
		next
	}
	$2 >= first && $2 < last { time[++times] = $1 }
	END { print time[times - n + 1], time[times] }' hpccoutf.txt times
}

# traffic COUNTER NODE: prints the memory traffic of the timed region in bytes.
traffic()
{
	local lines
	lines=$(between "$1" "$2:n0" "$first" "$last")
	echo $((64 * ${lines:-0}))
}

# STREAM reads the clock before and after each of its four loops, ten times.
stream()
{
	local first last elements
	read -r first last <<<"$(timed "$1" 80)"
	section "$1"
	elements=$(sed -n 's/^Array size = \([0-9]*\),.*/\1/p' section)
	echo "#   $1: memory reads $(traffic DCT_RD_TOT $NODE) bytes, writes $(traffic DCT_WRT $NODE); L3_CACHE_MISSES of the other node $(traffic L3_CACHE_MISSES 0)"
	row "STREAM ($1)" "L3_CACHE_MISSES x 64" $((10 * (2 + 2 + 3 + 3) * 8 * elements)) \
		"$(traffic L3_CACHE_MISSES $NODE)" 0.5 "2.3 %"
}

# HPL reads the clock before and after it solves, and after its check. It divides 2/3 N^3 + 3/2 N^2
# by the time between the first two.
hpl()
{
	local first last
	read -r first _ <<<"$(timed HPL 3)"
	read -r last _ <<<"$(timed HPL 2)"
	section HPL
	echo "#   HPL: $(grep '^W[RC]' section)"
	row "HPL (N=$N)" "RETIRED_FLOPS, $1" \
		"$(awk -v n="$N" 'BEGIN { printf "%.0f", 2 / 3 * n * n * n + 3 / 2 * n * n }')" \
		"$(between RETIRED_FLOPS 1:c$CPU "$first" "$last")" 0.5 "0.6 %"
}

# whole COUNTER WHERE: prints the count from the start to the end of the program.
whole()
{
	between "$1" "1:$2" "$begin" "$end"
}

# bench KERNEL SIZE ITERATIONS: records likwid-bench on the first CPU of the second package; sets
# $flops and $bytes to the numbers that it prints.
bench()
{
	record "$1"
	begin=$EPOCHREALTIME
	taskset c likwid-bench -t "$1" -w "S1:$2:1" -i "$3" >bench 2>&1 || sed 's/^/# /' bench
	end=$EPOCHREALTIME
	recorded
	flops=$(sed -n 's/^Number of Flops:[[:space:]]*//p' bench)
	bytes=$(sed -n 's/^Data volume (Byte):[[:space:]]*//p' bench)
}

bench_flops()
{
	bench "$@"
	row "likwid-bench $1" "RETIRED_FLOPS" "$flops" "$(whole RETIRED_FLOPS c2)" 0.5 ""
}

# likwid-bench does not count the bytes of filling its arrays: use the difference to a run of twice
# as many iterations. Not checked, as other traffic of the node is a few percent of it.
bench_bytes()
{
	local says counted
	bench "$@"
	says=$bytes counted=$(whole L3_CACHE_MISSES n0)
	echo "#   likwid-bench: $3 iterations, $says bytes, counted $((64 * counted))"
	bench "$1" "$2" $((2 * $3))
	line "likwid-bench $1" "L3_CACHE_MISSES x 64" $((bytes - says)) \
		$((64 * ($(whole L3_CACHE_MISSES n0) - counted))) none ""
}

table_one()
{
	load period_us=5000 budget_ppm=0
	rcrctl add L3_CACHE_MISSES DCT_RD_TOT DCT_WRT DCT_PREFETCH && rcrctl finalize
	is "$(rcrctl ls | grep -c ' ok ')" 10 "validate: all ten counters of Table I count"
}

mkdir -p $HPCC
cd $HPCC || exit 1
sed "s/^1000  /$N  /; s/^2\( *[PQ]s\)/1\1/" /usr/bin/_hpccinf.txt >hpccinf.txt
taskset -p 1 $$ >/dev/null

case $1 in
msr)
	plan 5
	table_one
	record msr
	run_hpcc
	recorded
	result $? "validate: rcrstat records hpcc"
	stream StarSTREAM
	stream SingleSTREAM
	hpl source=msr
	echo "# hpcc as a whole: $(whole TOT_INS c$CPU) instructions in $(awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }') s"
	;;
perf)
	plan 4
	# perf allocates counters in order; only the fourth one can count operations.
	load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0;L1_DCM=event:0x41,umask:0x01;RETIRED_FLOPS=event:0x03,umask:0xff" \
		source=perf spare=1 period_us=10000
	step=20ms
	record perf
	run_hpcc perf stat -x, -o stat -C $CPU -e r00c0
	recorded
	result $? "validate: rcrstat records hpcc next to perf stat"
	says=$(sed -n 's/^\([0-9]*\),.*r00c0.*/\1/p' stat)
	row "hpcc, perf stat" "TOT_INS, source=perf" "$says" "$(whole TOT_INS c$CPU)" 0.1 ""
	hpl source=perf
	is "$(rcrctl ls | grep -c ' ok ')" 4 "validate: rcrtool has lost no counter to perf stat"
	;;
bench)
	plan 5
	table_one
	for kernel in peakflops peakflops_sse peakflops_avx triad; do
		bench_flops $kernel 64kB 2000
	done
	bench_bytes triad 16MB 100
	;;
*) echo "Bail out! validate.sh: unknown part $1"; exit 1 ;;
esac
unload
finished
