#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# members.sh - a member of the devices' group cannot affect others: it cannot trigger or block the
# flight recorder that root armed, keep the meters' worker busy, hold the lock under which all misc
# devices are opened, or use memory that is not charged to it. The latter is measured by
# VmallocUsed.
. ./tap.sh
plan 26

. ./rcrd_lib.sh

TRACING=/sys/kernel/tracing
NOISE=2048	# KiB of VmallocUsed that stacks of processes and the like come and go with
member=(setpriv --reuid 65534 --regid 65534 --groups "$GROUP")
other=(setpriv --reuid 65533 --regid 65533 --groups "$GROUP")
third=(setpriv --reuid 65532 --regid 65532 --groups "$GROUP")
grep -q " $TRACING " /proc/mounts || mount -t tracefs none $TRACING

vmalloc_kib()
{
	sed -n 's/^VmallocUsed: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# grown: prints the KiB since "begin".
grown()
{
	echo $(($(vmalloc_kib) - begin))
}

# talk NAME COMMAND...: starts a process that reads a pipe, which hush NAME closes.
declare -A talking talker
talk()
{
	local name=$1 fd
	shift
	rm -f "/tmp/$name.in"
	mkfifo "/tmp/$name.in"
	: >"/tmp/$name.out"
	"$@" <"/tmp/$name.in" >>"/tmp/$name.out" 2>&1 &
	talker[$name]=$!
	exec {fd}>"/tmp/$name.in"
	talking[$name]=$fd
}

# ask NAME LINE: sends a line to the process and prints the next line of its answer.
ask()
{
	local before
	before=$(wc -l <"/tmp/$1.out")
	echo "$2" >&"${talking[$1]}"
	soon has_lines "$1" $((before + 1))
	sed -n "$((before + 1))p" "/tmp/$1.out"
}

has_lines()
{
	[ "$(wc -l <"/tmp/$1.out")" -ge "$2" ]
}

# first NAME: prints the first line of the process's output.
first()
{
	soon has_lines "$1" 1
	sed -n 1p "/tmp/$1.out"
}

hush()
{
	local fd=${talking[$1]}
	exec {fd}>&-
	wait "${talker[$1]}"
}

# A recorder armed for a crossing is not triggered by watches of a member.
users
load_set TOT_CYC=event:0x76 source=perf period_us=1000 ring_records=16384 budget_ppm=0
rcrctl meter load
give_devices
start
rcrctl meter add quiet --posted --digits 0
rcrctl record --last 14s --crossing "quiet > 10"
result $? "recorder: root arms the recorder for a crossing"
begin=$(vmalloc_kib) locked=$(locked)
talk attack "${member[@]}" ./member crossings 12 sampler_cost
for ((i = 0; i < 10; i++)); do
	soon has_lines attack 1 && break
done
is "$(first attack)" "12 crossed" "recorder: 12 watches of a member are crossed"
result $(($(grown) > NOISE)) "recorder: kernel memory has grown by $(grown) KiB, at most $NOISE"
is "$(recorder) $(missed) $(locked)" "armed 0 $locked" \
	"recorder: crossings of a member's watches do not trigger the recorder, which keeps its $locked KiB"
hush attack
rcrctl meter post quiet 11
soon has_kept
contains "$(kept)" "trigger: quiet crossed" "recorder: a crossing of the recorder's watch triggers it"

# A recorder armed for a mark: a window that a member reads is still kept for root.
rcrctl record --last 14s --on mark
begin=$(vmalloc_kib)
rcrctl mark first
soon has_kept
"${member[@]}" rcrctl record fetch - >/tmp/window
talk reader "${member[@]}" ./member fetch
bytes=$(ask reader fetch)
for ((i = 0; i < 11; i++)); do
	ask reader fetch >/dev/null
	rcrctl mark "number $i"
done
result $((bytes < 100000 || bytes != $(stat -c %s /tmp/window))) \
	"recorder: a member reads the window ($bytes bytes)"
is "$(sort -u /tmp/reader.out | wc -l)" 1 "recorder: a member reads the same window 12 times"
is "$(recorder) $(missed)" "kept 11" "recorder: a window that a member has read is not replaced by a later one"
result $(($(grown) > NOISE)) "recorder: kernel memory has grown by $(grown) KiB, at most $NOISE"
rcrctl record fetch /tmp/window
is "$? $(stat -c %s /tmp/window)" "0 $bytes" "recorder: root fetches the whole first window"
is "$(recorder) $(locked)" "armed $locked" "recorder: the recorder is armed again, with the same memory"
rcrctl mark second
soon has_kept
contains "$(kept)" "trigger: mark second" "recorder: the next window replaces the fetched one"
is "$(ask reader again)" 0 "recorder: a replaced window takes no space, though a member has it open 12 times"
hush reader
rcrctl record off
is "$(locked)" 0 "recorder: a recorder that is off has no memory"
stop

# ->open() must not sleep for long, as all misc devices share a lock for it.
echo 0 >$TRACING/tracing_on
echo misc_open >$TRACING/set_graph_function
echo function_graph >$TRACING/current_tracer
echo 1 >$TRACING/tracing_on
"${member[@]}" ./member opens 50
echo 0 >$TRACING/tracing_on
cat $TRACING/trace >/tmp/trace
echo nop >$TRACING/current_tracer
echo >$TRACING/set_graph_function
opened=$(grep -c 'boarddev_open' /tmp/trace)
result $((opened < 50)) "open: $opened calls are traced"
is "$(grep -oE 'rcr_pass_[a-z_]*|rcr_subscribe\b|(__)?flush_work' /tmp/trace | sort -u | tr '\n' ' ')" "" \
	"open: no call evaluates meters, as misc_mtx is held"
unload

# Entries without a watch are not evaluated for watches. 64 meters on 4 CPUs have 320 entries; in a
# hash of 256 the first 64 entries share buckets with the last 64.
load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=20000
give_devices
for ((i = 0; i < 64; i++)); do
	echo "meter add m$i TOT_CYC --over cpu --scale 1s"
done | rcrctl --batch - --keep-going >/dev/null 2>&1
is "$(find /sys/kernel/debug/rcrtool/meters -type f | wc -l)" 64 "watches: the greatest possible number of meters is added"
talk few "${member[@]}" ./member entries 64
few=$(first few)
result $((few < 1 || few > 64)) "watches: a member watches $few entries"
evaluations()
{
	sed -n 's/^meters: .*evaluations \([0-9]*\).*/\1/p' $STATUS
}
echo 'p:rcr_window rcrtool:rcr_window_value window=%di' >$TRACING/kprobe_events
[ -e $TRACING/events/kprobes/rcr_window ]
result $? "watches: evaluations for watches are traced"
before=$(evaluations)
echo 1 >$TRACING/events/kprobes/rcr_window/enable
echo >$TRACING/trace
echo 1 >$TRACING/tracing_on
sleep 1
echo 0 >$TRACING/tracing_on
echo 0 >$TRACING/events/kprobes/rcr_window/enable
is "$(evaluations)" "$before" "watches: no entry of the board is evaluated for watches"
grep -o 'window=.*' $TRACING/trace | sort -u >/tmp/evaluated
echo >$TRACING/kprobe_events
evaluated=$(wc -l </tmp/evaluated)
result $((evaluated < 1 || evaluated > few)) "watches: only the watched entries are evaluated for watches: $evaluated windows"
hush few

# One user can have half of all watches, also from a user namespace.
ulimit -n 4000
[ -e /mnt/cgroup.procs ] || mount -t cgroup2 none /mnt
echo +memory >/mnt/cgroup.subtree_control
mkdir /mnt/watches
talk many bash -c 'echo $$ >/mnt/watches/cgroup.procs; exec "$@"' - "${member[@]}" ./member watches 5000
is "$(first many)" "2048 watches, then No space left on device" "watches: a user can have 2048 watches"
result $(($(sed -n 's/^kernel //p' /mnt/watches/memory.stat) < 2048 * 128)) \
	"watches: the memory of watches is charged to the cgroup of the user"
talk ns "${member[@]}" ./member subordinate 5000
first ns >/dev/null
cat >"/proc/${talker[ns]}/uid_map" <<EOF
0 65534 1
1 100000 10
EOF
is "$(ask ns go)" "0 watches, then No space left on device" \
	"watches: subordinate ids of a user namespace do not raise the limit of the user"
hush ns
talk more "${other[@]}" ./member watches 5000
is "$(first more)" "2048 watches, then No space left on device" "watches: another user can have as many watches"
talk none "${third[@]}" ./member watches 5000
is "$(first none)" "0 watches, then No space left on device" "watches: a third user can have none, as the limit of all users is reached"
hush none
hush more
hush many
unload

finished
