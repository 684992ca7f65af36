#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flight.sh - compares windows of rcrd's flight recorder under load, byte for byte, with the stream
# that a reader of /dev/rcrtool recorded at the same time. rcrd.sh tests marks and kills without
# load.
. ./tap.sh
plan 58

. ./rcrd_lib.sh

# post: writes a value of the posted meter.
post()
{
	rcrctl meter post load "$1"
}

bounds()
{
	rcrctl record ls --json | sed -n 's/.*"bounds": *\([0-9]*\).*/\1/p'
}

# watches_bounds NUMBER: true if rcrd watches NUMBER bounds.
watches_bounds()
{
	[ "$(bounds)" -eq "$1" ]
}

before=$(controls)
tight
users
load period_us=1000 ring_records=4096 budget_ppm=0
give_devices
says 1 "is not running: start it with 'systemctl start rcrd'" rcrctl record
start
is "$(recorder)" off "off: the recorder is off"
says 1 "nothing is kept" rcrctl record fetch /tmp/none
[ ! -e /tmp/none ]
result $? "off: a failed fetch leaves no file"
rcrctl mark unheard
is "$(recorder) $(kept)" "off " "off: a mark does not trigger"

# Invalid requests are refused, and change nothing.
says 2 "--last needs a time" rcrctl record --last 0s
says 2 "--on needs mark, oom, crossing" rcrctl record --on mark,thunder
says 2 "unknown argument 'now'" rcrctl record now
says 2 "record fetch needs a file" rcrctl record fetch
says 2 "METER > BOUND" rcrctl record --crossing "load >"
says 2 "--place needs a --crossing before it" rcrctl record --place node0
says 2 "invalid --place" rcrctl record --crossing "load > 1" --place attic
says 1 "at this period the rings hold a window of" rcrctl record --last 60s
named=$(sed -n 's/.*ring_records=\([0-9]*\).*/\1/p' /tmp/err)
holds=$(sed -n 's/.*window of \([0-9]*\) ms.*/\1/p' /tmp/err)
says 1 "not permitted: become root" "${nobody[@]}" rcrctl record
says 1 "not permitted: become root" "${nobody[@]}" rcrctl record off
is "$(recorder) $(locked)" "off 0" "refused: the recorder is still off, and locks no memory"
rcrctl record --last "${holds}ms"
result $? "refused: the longest window according to the message, $holds ms, is accepted"
rcrctl record off
is "$(recorder) $(locked)" "off 0" "off: a disarmed recorder releases its memory"

# A crossing on 4 busy CPUs; rcrd compares each value as it is posted.
rcrctl meter add load --posted --digits 0
result $? "crossing: a posted meter is added"
post 5
load_on
follow_on
sleep 2.5
rcrctl record --last 2s --crossing "load > 10 below 6"
result $? "crossing: the recorder is armed for a bound of that meter"
is "$(recorder) $(bounds)" "armed 1" "crossing: the bound is watched at one place"
post 10
rcrctl mark nothing
is "$(recorder)" armed "crossing: a value equal to the bound does not cross it, and a mark does not trigger"
post 11
soon has_kept
rcrctl record fetch /tmp/window
result $? "crossing: a value above the bound triggers"
follow_off
load_off
judged "trigger: load crossed a bound at 11 in machine" 1 "crossing"
post 20
post 7
post 20
sleep 0.5
is "$(recorder)" armed "crossing: a second value above the bound does not trigger"
post 5
post 12
soon has_kept
contains "$(kept)" "trigger: load crossed a bound at 12 in machine" "crossing: the bound triggers again after a value below it"

# Watches of a member of the group or of a poster do not trigger.
rcrctl record --last 2s --crossing "load > 1000"
rcrctl on "load > 10" -- true >/dev/null 2>&1 &
on=$!
soon watches $on
post 5
post 50
sleep 1
is "$(recorder) $(missed)" "armed 0" "crossing: a watch of another process does not trigger the recorder"
kill $on
wait $on 2>/dev/null

# A meter is removed and added again; rcrd is killed and started again.
rcrctl meter remove load
soon watches_bounds 0
result $? "crossing: a removed meter is no longer watched"
is_unwatched()
{
	rcrctl record ls | grep -q "^not watched: unknown meter 'load'"
}
soon is_unwatched
result $? "crossing: rcrctl record ls names the meter that is not watched"
rcrctl meter add load --posted --digits 0
post 5
soon watches_bounds 1
result $? "crossing: a new meter of the same name is watched"
stop -KILL
start
is "$(recorder) $(bounds)" "armed 1" "crossing: rcrd watches the bound again after a restart"
post 1001
soon has_kept
contains "$(kept)" "trigger: load crossed a bound at 1001" "crossing: the bound triggers after a restart of rcrd"

# Contention levels.
rcrctl meter max load --contention 30
rcrctl record --last 2s --on crossing
status=$?
# rcrd's verdict meters have contention levels of the machine and of each die.
is "$status $(bounds)" "0 $((3 + 2 * $(rcrctl meter show memory_verdict | grep -c '^die')))" \
	"contention: all meters with a level are watched"
post 29
sleep 0.5
is "$(recorder)" armed "contention: a value below the level does not trigger"
post 30
soon has_kept
contains "$(kept)" "trigger: load crossed a bound at 30 in machine" "contention: a value equal to the level triggers"
rcrctl record --last 2s --on crossing
rcrctl meter max load --contention 40
level_is()
{
	rcrctl record fetch /tmp/window 2>/dev/null
	post 5
	post 39
	! has_kept
}
soon level_is
post 5
post 40
soon has_kept
contains "$(kept)" "trigger: load crossed a bound at 40" "contention: a changed level triggers at its new value"
rcrctl meter load
rcrctl record --last 2s --crossing "sampler_cost > 0" --place cpu1
soon has_kept
contains "$(kept)" "ppm in cpu1," "crossing: a computed meter can be watched at one place"
rcrctl record off

# A reader can still read the window that it opened after the recorder was turned off.
rcrctl record --last 2s --on mark
rcrctl mark "read on"
has_kept
exec 3<$WINDOW
head -c 4000 <&3 >/tmp/part
rcrctl record off
says 1 "nothing is kept" rcrctl record fetch /tmp/none
cat <&3 >>/tmp/part
exec 3<&-
./window /tmp/part /tmp/stream 2000 | head -n 2 >/tmp/judged
is "$(cat /tmp/judged)" "trigger: mark read on
window: 1 set, 0 lost, 0 holes, 0 out of order, 0 outside" "off: a reader that had opened the window reads on to its end"

# The set changes while the recorder is armed.
rcrctl record --last 2s --on mark
bytes()
{
	rcrctl record ls | sed -n '1s/.*, \([0-9]*\) KiB$/\1/p'
}
full=$(bytes)
result $((full < 1000)) "set: the copies take $full KiB"
rcrctl add CYC=event:0x76 && rcrctl finalize
sleep 2.5
rcrctl mark changed
rcrctl record fetch /tmp/window
is "$(tail -c 176 /tmp/window | tr -d '\0' | grep -ac 'trigger: mark changed')" 1 "set: a window across a change of the set ends with its trigger"
rcrctl period 100us
contains "$(rcrctl record ls)" "nothing is recorded: at this period the rings hold" "set: rcrctl record ls states that the rings do not hold the window"
is "$(recorder)" failed "set: the recorder has failed while the rings do not hold its window"
rcrctl mark unkept
is "$(kept | grep -c unkept)" 0 "set: a recorder that has failed keeps no trigger"
rcrctl reset
contains "$(rcrctl record ls)" "nothing is recorded: nothing is counted" "set: rcrctl record ls states that nothing is counted"
says 1 "nothing is counted" rcrctl record
rcrctl add CYC=event:0x76 && rcrctl period 1ms && rcrctl finalize
is "$(recorder)" armed "set: the recorder is armed again with the next set"
rcrctl mark "one more"
rcrctl period 2ms
contains "$(kept)" "trigger: mark one more" "set: kept windows stay when the set changes"

# The module is unloaded while the recorder is armed for everything.
rcrctl record --last 1s --on mark,oom --crossing "load > 10"
rmmod rcrtool 2>/dev/null
is $? 1 "unload: modprobe -r fails while the recorder is armed"
stop
soon unload
is "$(lsmod | grep -c rcrtool) $(controls)" "0 $before" "unload: the module unloads once rcrd has ended, and every control is as before"
oom_kill "unload: nobody listens to the next kill"

# The ring size that the message suggests is enough; a window that does not fit in memory is
# refused.
load period_us=1000 ring_records="$named"
give_devices
start
contains "$(cat /tmp/rcrd.log)" "crossing: unknown meter 'load'" "restart: rcrd reports a bound whose meter does not exist, and waits for it"
rcrctl record --last 60s
result $? "refused: 60 seconds are accepted with ring_records=$named, as the message suggests"
rcrctl record off
stop
soon unload
load period_us=1000 ring_records=262144
give_devices
start
mount -t tmpfs -o size=100% tmpfs /mnt
free=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
dd if=/dev/zero of=/mnt/fill bs=1M count=$((free / 1024 - 90)) 2>/dev/null
says 1 "for copies of the rings" rcrctl record --last 250s
is "$(recorder)" off "refused: the recorder is off"
umount /mnt
stop
soon unload
finished
