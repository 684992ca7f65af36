#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region.sh MODEL - librcrregion and rcrregion, run by an ordinary user on an installed machine with
# and without the module, on sections with a known number of instructions (sections.c), in the
# virtual PMU's exec mode. The cost of calls and totals of programs are compared with perf stat.
. ./defaults/common.sh
. ./region_lib.sh
machine "$1"
plan 52
PAIRS=10000 N=0

# begin: makes an empty directory of the user and changes to it.
begin()
{
	N=$((N + 1))
	mkdir /tmp/region.$N && chown user:user /tmp/region.$N && cd /tmp/region.$N || exit 1
}

sections() { as_user /rcr/tests/sections "$@"; }

# shown COLUMN SET...: prints a column of the row "instructions" of each set.
shown()
{
	local set
	rcrregion show ./*.rcr >/tmp/shown
	for set in "${@:2}"; do
		awk -F, -v set="$set" -v column="$1" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			$at["region"] == set && $at["counter"] == "instructions" { print $at[column] }' /tmp/shown
	done | xargs
}

# unharmed SENTENCE DESCRIPTION: the program printed SENTENCE and ended normally.
unharmed()
{
	is "$RC $(cat /tmp/out) $(grep -cF "$1" /tmp/err)" "42 unharmed 1" "$2"
}

# are_exact CALLS DESCRIPTION: each set has CALLS calls, sets 2 and 3 differ by 4,000 instructions
# per call, and no call includes another section.
are_exact()
{
	local min
	min=$(shown min 2 3)
	is "$((${min% *} - ${min#* })) $(shown calls 1 2 3 solve) $(shown lost 1 2 3 solve)" \
		"4000 $1 $1 $1 $1 0 0 0 0" "$2"
	awk -F, '$5 == "instructions" {
		off = ($9 - $7 * $10) / $9
		if ($4 != "solve" && (off > 0.002 || $11 - $10 > 1900)) { bad++; print "# " $0 }
	} END { exit NR < 2 || bad }' /tmp/shown
	result $? "$2, and no call contains another section"
}

# cost COUNTER: prints the cost of a pair of calls, which the file states.
cost()
{
	rcrregion show -t ./*.rcr | sed -n "s/^RCR_Start and RCR_Stop add:.* \([0-9]*\) $1.*/\1/p"
}

# least N: prints the fewest instructions of three runs. A pair of calls takes longer if the kernel
# has moved counters at a tick.
least()
{
	for _ in 1 2 3; do
		as_user perf stat -x, -e r00c0:uD -o perf /rcr/tests/sections pairs "$1" >/dev/null
		sed -n 's/^\([0-9]*\),.*/\1/p' perf
	done | sort -n | head -n 1
}

# Without rcrtool, with the counters of the kernel.
sysctl -qw kernel.perf_event_paranoid=3
begin
sections pairs 10
unharmed "kernel.perf_event_paranoid is 3: as root, 'sysctl kernel.perf_event_paranoid=2'" \
	"region: a user counts nothing with Debian's default, and one line names the command that changes it"
is "$(wc -l </tmp/err) $(ls)" "1 " "region: there is no other line and no file with Debian's default"
eval "$(sed -n "s/.*as root, '\(.*\)'$/\1/p" /tmp/err)" >/tmp/out
is "$(cat /proc/sys/kernel/perf_event_paranoid)" 2 "region: the named command allows users to count"
as_user /rcr/tests/userpmc 1000000
awk '{ exit !($1 == "rdpmc" && $2 >= 2000000 && $2 < 2000200 && $4 >= $2 && $4 - $2 < 200) }' /tmp/out
result $? "region: rdpmc in user mode returns the same as read(): $(cat /tmp/out)"

# With all six counters free.
begin
sections mode 2
is "$RC $(cat /tmp/err)" "42 " "region: all six events of the mode memory are counted if all counters are free"
[ "$(cost instructions)" -le 196 ]
result $? "region: a pair of calls with six events takes $(cost instructions) instructions, at most 196"
begin
each=$((($(least 3000) - $(least 1000)) / 2000))
# Each run must state the same cost.
find . -name '*.rcr' | tail -n +2 | xargs rm
stated=$((10000 + 4 * $(cost instructions)))
# The cost is measured by calls through pointers, and on a busy host some pairs take longer as
# counters were moved: allow a part of the 772 instructions of four pairs.
[ $each -le $((stated + 200)) ] && [ $((stated - each)) -lt 100 ]
result $? "region: perf stat counts $each instructions of four sections and calls, $stated with the stated cost"
begin
sections pairs $PAIRS
are_exact $PAIRS "nested and repeated sections have their instructions"
is "$(shown complete 1) $(shown threads 1)" "1 1" "region: the file is complete, and has one thread"
begin
sections stop 1000
sections stop 10000000
is "$(shown calls 1)" "2 2" "region: both runs have two calls, as nothing is counted after a stop"
totals=$(shown total 1)
[ $((${totals#* } - ${totals% *})) -lt 1000 ] && [ $((${totals% *} - ${totals#* })) -lt 1000 ]
result $? "region: 10,000,000 rounds outside sections are not counted"


# More events than counters: the mode all has more than six.
# means [GROUP]: prints the mean of each counter of set 1 over 8 ranks.
means()
{
	begin
	for rank in 0 1 2 3 4 5 6 7; do
		as_user env PMI_RANK=$rank ${1:+RCR_REGION_SPLIT=$1} /rcr/tests/sections ranks 1000 >/dev/null
		[ $rank -ne 0 ] || cp /tmp/err /tmp/err.0
	done
	rcrregion join . | awk -F, '$1 == 1 && $2 != "tsc" { print $2, $3, $9 }'
}
means >/tmp/split
groups=$(rcrregion show -t ./*.rcr | sed -n 's/.*, group [0-9]* of \([0-9]*\),.*/\1/p' | sort -u)
is "$(rcrregion show -t ./*.rcr | grep -c ", group [0-9]* of $groups, ")" 8 "region: 8 ranks count $groups groups of events by turns"
for ((group = 1; group <= ${groups:-0}; group++)); do
	means $group
done >/tmp/everywhere
is "$(wc -l </tmp/everywhere) $(awk '{ n += $2 } END { print n / NR }' /tmp/everywhere)" "$(wc -l </tmp/split) 8" \
	"region: each group alone, counted everywhere, has the same counters"
# Skip counts that vary from run to run, such as cache misses.
awk 'NR == FNR { of[$1] = $0; next } { print of[$1], $2, $3 }' /tmp/split /tmp/everywhere |
	tee /tmp/joined | sed 's/^/# /'
awk '$1 ~ /instructions|branches|fp-ops|loads$/ { n++; off = $5 ? $3 / $5 - 1 : 0 }
	off > 0.005 || off < -0.005 { bad++ }
	END { exit bad || n < 3 }' /tmp/joined
result $? "region: counts that ranks share are within 0.5 % of runs that count each group on all ranks"
[ "$(wc -l </tmp/joined)" -ge 12 ]
result $? "region: $(wc -l </tmp/joined) events are counted, at least twice as many as there are counters"
is "$(grep -c 'mode all: counted by turns: cycles, .* | ' /tmp/err.0)$(wc -l </tmp/err)" 10 \
	"region: only rank 0 names the groups, in one line"
begin
for rank in 0 1 2; do
	as_user env PMI_RANK=$rank RCR_REGION_SPLIT=even-odd /rcr/tests/sections ranks 10
done
is "$(rcrregion join . | awk -F, '$1 == 1 { print $3 }' | sort -n | uniq | xargs)" "1 2 3" \
	"region: even-odd: two ranks have the first group, one has the second, and all have tsc"

begin
sections open
is "$RC $(shown calls 1)" "42 2" "region: RCR_Finalize ends a section that another thread has open"
[ "$(shown max 1)" -ge 6000000 ] && [ "$(shown max 1)" -lt 6003000 ]
result $? "region: such a section has its instructions: $(shown max 1)"

# With rcrtool and its defaults.
plain_load
begin
sections pairs $PAIRS
is "$RC $(grep -c '^rcrregion: mode general: not counted: .*cache-references' /tmp/err) $(wc -l </tmp/err)" "42 1 1" \
	"region: with rcrtool one line names the events that are not counted"
are_exact $PAIRS "with rcrtool sections have their instructions"
is "$(statuses)" ok "region: rcrtool still counts next to regions"
begin
sections threads 1000
are_exact 8000 "sections of 8 threads that change CPUs have their instructions"
[ "$(shown threads 1)" -gt 1 ] && [ "$(shown threads 1)" -le 8 ]
result $? "region: threads that run at the same time are counted separately"

# Reads by system calls.
echo 0 >/sys/bus/event_source/devices/cpu/rdpmc
begin
sections pairs 1000
are_exact 1000 "without rdpmc sections have their instructions"
echo 1 >/sys/bus/event_source/devices/cpu/rdpmc

begin
sections fork
is "$RC $(shown calls 1 | tr ' ' '\n' | sort | xargs)" "42 1 3" "region: a child has a file of its own, without its parent's counts"
begin
sections exec
is "$RC $(cat /tmp/out) $(ls)" "0  " "region: a program that calls execve() runs unharmed"
for signal in 15 11; do
	begin
	sections die $signal
	is "$RC $(shown complete 1 2) $(shown calls 1 2)" "$((128 + signal)) 0 0 1 1" \
		"region: a program ended by signal $signal leaves an incomplete file with the section that was open"
	[ "$(shown total 2)" -ge 6000 ] && [ "$(shown total 2)" -lt 9000 ]
	result $? "region: the section that signal $signal ends has its instructions"
done
is "$(rcrregion join . 2>&1 >/dev/null | grep -c 'that a signal ended') $(rcrregion join --all . | wc -l)" "1 $(($(rcrregion show ./*.rcr | wc -l)))" \
	"region: rcrregion join skips incomplete files, except with --all"
begin
sections wrong
is "$RC $(grep -v 'mode general' /tmp/err | cut -d: -f2- | cut -c1-32)" "42  RCR_Start before RCR_Initialize
 RCR_Stop(1) without RCR_Start: 
 unknown set 1024: use a number 
 set 'set 1022' is not counted: 
 RCR_Start after RCR_Finalize: t" "each kind of a wrong call is reported once"
is "$(shown calls 7 "set 0" "set 1021")" "1 1 1" "region: invalid calls do not change what is counted"

# Directories where no file can be written.
begin
chmod 555 . && chown root:root .
sections pairs 10
unharmed "Permission denied: the counts of this process are lost" "an unwritable directory harms no program"
begin
mount -t tmpfs -o size=4k,mode=1777 none . && cd . && echo full >full
sections pairs 10
unharmed "No space left on device: the counts of this process are lost" "a full disk harms no program"
is "$(ls)" full "region: no partial file is left on a full disk"
cd /tmp && umount "/tmp/region.$N"
begin
printed=$(ulimit -f 0; exec setpriv --reuid=user --regid=user --init-groups /rcr/tests/sections pairs 10 2>/dev/null)
is "$? $printed $(ls)" "42 unharmed " "region: a limit on file size does not harm the program"

# Whole programs.
begin
# shellcheck disable=SC2016 # the inner shell expands it
loop='for ((i = 0; i < $1; i++)); do :; done'
for n in 1000 5000; do
	mkdir $n && chown user: $n
	# Count one execution with both, as the instructions of a shell depend on its memory layout.
	# The mode leaves a counter for perf.
	as_user perf stat -x, -e instructions:u -o perf.$n \
		rcrregion run -m flops -d $n -- bash -c "$loop; exit 9" - $n
done
is "$RC $(find 1000 5000 -name '*.rcr' | wc -l)" "9 2" "region: rcrregion run leaves a file, and has the exit status of the command"
by_us=$(($(cd 5000 && shown total program) - $(cd 1000 && shown total program)))
by_perf=$(($(sed -n 's/^\([0-9]*\),.*/\1/p' perf.5000) - $(sed -n 's/^\([0-9]*\),.*/\1/p' perf.1000)))
awk -v a=$by_us -v b=$by_perf 'BEGIN { off = a / b - 1; exit !(b > 0 && off > -0.0001 && off < 0.0001) }'
result $? "region: rcrregion run counts $by_us instructions of 4000 rounds of a shell, perf stat $by_perf"
begin
as_user rcrregion run -- bash -c '(:); :'
is "$RC $(shown complete program)" "0 1 1" "region: rcrregion run: each process of a command has a file"
begin
as_user rcrregion run -- /rcr/tests/sections threads 100
is "$RC $(shown calls program 1)" "42 9 800" "region: rcrregion run counts threads and a program's own sections"

# An MPI program, with an MPI library that has only the functions that are wrapped.
# Without LD_BIND_NOW the dynamic linker would resolve MPI_Finalize inside the section.
export LD_BIND_NOW=1
for rounds in 1000000 3000000; do
	for kind in c thread fortran ours; do
		begin
		if [ $kind = ours ]; then
			as_user env LD_PRELOAD="$(dirname "$(which rcrregion)")/../lib/librcrregion.so.1" /rcr/tests/mpi_work ours $rounds
		else
			as_user rcrregion run --mpi -- /rcr/tests/mpi_work $kind $rounds
		fi
		echo "$kind $RC $(cat /tmp/out) $(shown calls mpi) $(shown total mpi)"
	done
done >/tmp/printed
unset LD_BIND_NOW
grep -v '^#' /tmp/printed >/tmp/mpi
sed 's/^/# /' /tmp/mpi
is "$(cut -d' ' -f1-4 /tmp/mpi | sort -u | xargs)" \
	"c 42 unharmed 1 fortran 42 unharmed 1 ours 42 unharmed 1 thread 42 unharmed 1" \
	"region: rcrregion run --mpi: an MPI program in C or Fortran is counted once, and ends normally"
awk 'NR <= 4 { first[$1] = $5; next }
	# A call takes about 140 instructions more if counters were moved.
	$5 - first[$1] < 3999600 || $5 - first[$1] > 4000400 { bad++ }
	$1 == "ours" { ours = $5 }
	{ of[$1] = $5 }
	END { for (kind in of) if (of[kind] > ours + 400 || of[kind] < ours - 400) bad++; exit bad || NR != 8 }' /tmp/mpi
result $? "region: an MPI program has the instructions of the program with calls, less the calls"

# join, over processes.
begin
for n in 100 200 300; do
	sections pairs $n
done
is "$(rcrregion join . | awk -F, '$1 == "3" && $2 == "instructions" { print $3, $4 }')" "3 600" \
	"region: rcrregion join adds up the calls of all processes"

modprobe -r rcrtool
result $? "region: modprobe -r unloads the module"
modprobe rcrtool source=msr
begin
sections pairs 10
unharmed "rcrtool has the counters to itself: load it with source=perf" \
	"region: one line names the remedy if rcrtool has source=msr"
modprobe -r rcrtool
perf stat -x, -e instructions:u true 2>&1 | grep -q '^[1-9]'
result $? "region: perf stat counts at the end"
finished
