#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flight.sh - the flight recorder: what it keeps is held against what a reader of
# /dev/rcrtool got at the same time, byte for byte.
. ./tap.sh
plan 55

. /findings.sh

recorder()
{
	rcrctl record ls | sed '1!d;s/,.*//'
}

kept()
{
	rcrctl record ls | sed -n 's/^kept: //p'
}

missed()
{
	rcrctl record ls --json | sed -n 's/.*"missed": *\([0-9]*\).*/\1/p'
}

# Memory of the module's windows: what vmalloc has given to it beside the rings.
windows()
{
	grep -c 'rcr_excerpt\|make+.*\[rcrtool\]' /proc/vmallocinfo
}

# follow_on, follow_off: a reader of the device all the while.
follow_on()
{
	cat /dev/rcrtool >/tmp/stream &
	follower=$!
}

follow_off()
{
	sleep 0.5
	kill "$follower"
	wait "$follower" 2>/dev/null
}

# judged TRIGGER MARKS DESCRIPTION: of /tmp/window, by /tmp/stream, 2 seconds. So many marks
# were made: on a slow kernel an earlier one is older than the window.
judged()
{
	./window /tmp/window /tmp/stream 2000 >/tmp/judged
	is "$(sed -n 1p /tmp/judged)" "$1" "$3: the trigger is the last item"
	is "$(sed -n 2p /tmp/judged)" "window: 1 set, 0 lost, 0 holes, 0 out of order, 0 outside" \
		"$3: it is a stream of the last 2 seconds"
	older=$(sed -n '4s/.* before them \([0-9]*\) marks/\1/p' /tmp/judged)
	is "$(sed -n 3p /tmp/judged)" \
		"compared: 4 cpus, $(($2 - older)) marks, 0 missing, 0 different, 0 more" \
		"$3: every record of every CPU and every mark, byte for byte"
	is "$(sed -n 5p /tmp/judged)" "sampling: 0 lost, 0 holes, 0 ticks unaccounted" \
		"$3: sampling went on"
	sed -n 's/^records/# records/p' /tmp/judged
}

# The kernel's own words on the kill have a call trace in them, which is no
# complaint: they are looked through here, and taken out of the log.
oom_kill()
{
	dmesg | grep -E "$COMPLAINTS|Call Trace" >/tmp/complaints
	sh -c 'echo $$ >/sys/fs/cgroup/tight/cgroup.procs; exec tail /dev/zero' &
	victim=$!
	wait $victim 2>/dev/null
	dmesg -c >/tmp/killed
	grep -E "$COMPLAINTS" /tmp/killed >>/tmp/complaints
	is "$(cat /tmp/complaints)" "" "$1"
}

before=$(controls)
mkdir -p /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/tight
echo 8M >/sys/fs/cgroup/tight/memory.max

load period_us=1000 ring_records=4096 budget_ppm=0
is "$(recorder)" off "it is off"
is "$(stat -c '%a' /dev/rcrflight) $(wc -c </dev/rcrflight)" "640 0" "and has kept nothing: 0 bytes"
says 1 "nothing is kept" rcrctl record fetch /tmp/none
[ ! -e /tmp/none ]
result $? "and no file is left of that"
rcrctl mark unheard
is "$(wc -c </dev/rcrflight)" 0 "a mark is no trigger while it is off"

# What cannot be is refused, and changes nothing.
says 2 "--last needs a time" rcrctl record --last 0s
says 2 "--on needs mark, oom, crossing" rcrctl record --on mark,thunder
says 2 "is unknown" rcrctl record now
says 2 "record fetch needs a file" rcrctl record fetch
says 1 "At this period the rings hold a window of" rcrctl record --last 60s
named=$(sed -n 's/.*ring_records=\([0-9]*\).*/\1/p' /tmp/err)
holds=$(sed -n 's/.*window of \([0-9]*\) ms.*/\1/p' /tmp/err)
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
chmod 755 /rcr /rcr/bin
says 1 "needs CAP_SYS_RAWIO" $nobody rcrctl record
says 1 "needs CAP_SYS_RAWIO" $nobody rcrctl record off
says 1 "Permission denied" $nobody cat /dev/rcrflight
is "$(recorder) $(windows)" "off 0" "it is still off, and takes no memory"
rcrctl record --last "${holds}ms"
result $? "what the refusal said the rings hold ($holds ms) they do"
rcrctl record off
is "$(recorder) $(windows)" "off 0" "disarmed it gives its memory back"

# A mark.
follow_on
sleep 2.5
rcrctl mark before
rcrctl record --last 2s --on mark,oom
result $? "armed for 2 seconds at 1 kHz"
is "$(recorder) $(windows)" "armed 1" "it waits, with memory for one window"
sleep 0.5
rcrctl mark hello
is "$(wc -c </dev/rcrflight | awk '{ print ($1 > 100000) }')" 1 "a mark is a trigger, and the window is there at once"
is "$(recorder)" armed "that was a fetch: it waits again"
rcrctl record fetch /tmp/window
result $? "it can be fetched again"
cp /dev/rcrflight /tmp/copy
cmp /tmp/window /tmp/copy
result $? "by cp, too"
follow_off
judged "trigger: mark hello" 2 "a mark"
rcrstat -d /tmp/window -i 1 >/tmp/csv 2>/tmp/err
is "$(grep -c '^[0-9].*,ok,' /tmp/csv) $(grep -c '^# mark .* text trigger: mark hello' /tmp/csv)" "1 1" \
	"rcrstat -d reads it: the whole second, and the mark"

# The first trigger keeps its window until that is fetched.
rcrctl mark begin 4711
rcrctl mark end 4711
rcrctl mark another
contains "$(kept)" "trigger: mark begin 4711" "the next trigger's window takes the place of the one that was fetched"
is "$(recorder) $(missed)" "kept 2" "two more triggers are counted, and not kept"

# A reader has what it opened, whatever becomes of the recorder.
exec 3</dev/rcrflight
head -c 4000 <&3 >/tmp/part
rcrctl record off
is "$(wc -c </dev/rcrflight)" 0 "disarmed it has forgotten what was kept"
rmmod rcrtool 2>/dev/null
is $? 1 "a module whose recorder is being read is not unloaded"
cat <&3 >>/tmp/part
exec 3<&-
./window /tmp/part /tmp/stream 2000 | head -n 2 >/tmp/judged
is "$(cat /tmp/judged)" "trigger: mark begin 4711
window: 1 set, 0 lost, 0 holes, 0 out of order, 0 outside" "who had opened it before reads on to its end"
is "$(windows)" 0 "then its memory is given back"

# Memory runs out in a cgroup.
follow_on
sleep 2.5
rcrctl record --last 2s --on oom
rcrctl mark nothing
is "$(recorder)" armed "armed for oom a mark is no trigger"
oom_kill "a process is killed for want of memory, and the kernel has nothing else to say"
contains "$(kept)" "trigger: out of memory, killed $victim" "that is a trigger"
rcrctl record fetch /tmp/window
follow_off
judged "trigger: out of memory, killed $victim" 1 "a kill"

# The set changes while it is armed.
rcrctl record --last 2s --on mark
bytes()
{
	rcrctl record ls | sed -n '1s/.*, \([0-9]*\) KiB$/\1/p'
}
full=$(bytes)
rcrctl period 2ms
is "$(recorder) $(($(bytes) < full * 2 / 3))" "armed 1" "at another period it waits with as much memory as that takes"
sleep 1
rcrctl mark changed
rcrctl record fetch /tmp/window
is "$(tail -c 176 /tmp/window | tr -d '\0' | grep -ac 'trigger: mark changed')" 1 "and keeps what the new set has sampled"
rcrctl period 100us
contains "$(rcrctl record ls)" "nothing is recorded: At this period the rings hold" "where the rings do not hold that much it says so"
is "$(recorder) $(windows)" "failed 1" "and has but the window that was kept"
rcrctl mark unkept
is "$(kept | grep -c unkept)" 0 "and keeps no other"
rcrctl reset
contains "$(rcrctl record ls)" "nothing is recorded: Nothing is counted" "nor is there anything where nothing is counted"
says 1 "Nothing is counted" rcrctl record
rcrctl add CYC=event:0x76 && rcrctl period 1ms && rcrctl finalize
is "$(recorder)" armed "with the next set it waits again"
rcrctl mark "one more"
rcrctl period 2ms
contains "$(kept)" "trigger: mark one more" "what was kept stays when the set changes"

# Gone while it is armed for both.
rcrctl record --last 1s --on mark,oom
unload
is "$([ -e /dev/rcrflight ] && echo there)" "" "unloaded while it is armed it is gone"
is "$(controls)" "$before" "every control is as before"
oom_kill "and nobody listens to the next kill"

# What the refusal named is enough; what there is no memory for is refused.
load period_us=1000 ring_records="$named"
rcrctl record --last 60s
result $? "with the ring_records=$named that it named 60 seconds go"
unload
load period_us=1000 ring_records=262144
mount -t tmpfs -o size=100% tmpfs /mnt
free=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
dd if=/dev/zero of=/mnt/fill bs=1M count=$((free / 1024 - 90)) 2>/dev/null
says 1 "There is no memory for a window of 250000 ms, which takes" rcrctl record --last 250s
is "$(recorder)" off "and it is off"
umount /mnt
unload
finished
