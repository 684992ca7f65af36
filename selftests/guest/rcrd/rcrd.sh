#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrd.sh [KILLS] - the daemon: its privileges, its windows, which are compared with the stream that
# a reader of /dev/rcrtool records at the same time, and the effects of kills and hostile clients.
. ./tap.sh
plan 96
kills=${1:-10}

. ./rcrd_lib.sh

status_line()
{
	sed -n "s/^$1:\t*//p" "/proc/$daemon/status" | tr '\t' ' ' | sed 's/ *$//'
}

# Print the number of sockets that rcrd has open.
sockets()
{
	local fd
	for fd in "/proc/$daemon/fd/"*; do
		readlink "$fd"
	done | grep -c '^socket:'
}

# Print the set from the header of the stream, without its timestamps.
counted()
{
	rcrctl ls
}

# Print the meters of the public board that have values.
meters()
{
	rcrctl meter ls | awk '{ print $1, $2 }'
}

tight

# A missing requirement is reported in one line, and nothing is created.
rm -f /etc/passwd /etc/group
says 1 "there is no user rcrtool" rcrd -f
users
says 1 "load the module" rcrd -f
says 1 "load the module" rcrd
is "$(ls -d /run/rcrtool /var/lib/rcrtool 2>/dev/null)" "" "start: no directory is created without the module"
load period_us=1000 ring_records=4096 budget_ppm=0
give_devices
before=$(counted)
registers=$(controls)
says 1 "must be started by root" "${nobody[@]}" rcrd -f
says 1 "cannot lock memory" sh -c 'ulimit -l 0 && exec rcrd -f'
touch /var/lib/rcrtool
says 1 "Not a directory" rcrd -f
rm /var/lib/rcrtool
mkdir -p /var/lib/rcrtool/record
chown 12345 /var/lib/rcrtool/record
says 1 "cannot be written by the user rcrtool" rcrd -f
chown 0 /var/lib/rcrtool/record
echo nonsense >$STATE
says 1 "is not a state file of this version of rcrd" rcrd -f
is "$(cat $STATE)" nonsense "start: a malformed state file is not changed"
rm $STATE
mount -t tmpfs -o size=4k tmpfs /var/lib/rcrtool/record
echo full >/var/lib/rcrtool/record/fill
says 1 "No space left on device" rcrd -f
umount /var/lib/rcrtool/record
is "$(counted) $(controls)" "$before $registers" "start: rcrd does not change the set if it cannot start"

# Once started, rcrd runs as an ordinary user with one capability.
start
result $? "start: rcrd -f serves"
is "$(status_line Uid) $(status_line Gid) $(status_line Groups)" "998 998 998 998 999 999 999 999 999" \
	"privilege: rcrd runs as user and group rcrtool, and in no other group"
is "$(status_line CapInh) $(status_line CapPrm) $(status_line CapEff) $(status_line CapBnd) $(status_line CapAmb)" \
	"0000000000000000 0000004000000000 0000004000000000 0000004000000000 0000000000000000" \
	"privilege: CAP_PERFMON is rcrd's only capability, also in the bounding set"
is "$(status_line NoNewPrivs) $(status_line Seccomp)" "1 2" "privilege: rcrd gains no other capability, and its system calls are filtered"
is "$(grep -c . /proc/$daemon/net/tcp) $(sockets)" "1 4" \
	"privilege: rcrd's only sockets are the control socket, that of blackboard 2 and two of netlink"
is "$(stat -c '%a %U' /run/rcrtool /var/lib/rcrtool /var/lib/rcrtool/record /run/rcrtool/control.sock /run/rcrtool/rcrd.pid | tr '\n' ' ')" \
	"755 root 755 root 750 rcrtool 666 root 600 root " \
	"start: directories, socket and lock file, which only root can lock, have their owners and modes"
says 1 "is running already, as process $daemon" rcrd -f
says 1 "is running already" rcrd
serves
result $? "start: the first rcrd is not affected by a second one"
is "$(awk '{ sub(/.*expanded: /, ""); print ($1 >= 1024) }' /sys/kernel/tracing/buffer_size_kb)" 1 \
	"start: rcrd leaves the trace buffer of other users at its size: $(cat /sys/kernel/tracing/buffer_size_kb)"

# What each user may do.
is "$(recorder)" off "recorder: the recorder is off at first"
says 1 "nothing is kept" rcrctl record fetch /tmp/none
says 1 "not permitted: become root or a member" "${nobody[@]}" rcrctl record ls
says 1 "not permitted: become root" "${member[@]}" rcrctl record --last 1s
is "$("${member[@]}" rcrctl record ls)" off "rights: a member of the group reads the state"
says 1 "at this period the rings hold a window of" rcrctl record --last 60s
rcrctl meter remove memory_verdict
rcrctl meter remove cache_verdict
says 1 "no meter has a contention level" rcrctl record --last 1s --on mark,crossing
says 1 "unknown meter 'thunder'" rcrctl record --last 1s --crossing "thunder > 1"
is "$(recorder) $(locked)" "off 0" "recorder: the recorder is off after refused requests, and no memory is locked"

# A mark.
follow_on
sleep 2.5
rcrctl mark before
rcrctl record --last 2s --on mark,oom
result $? "mark: the recorder is armed for 2 seconds at 1 kHz"
is "$(recorder) $(($(locked) > 2000))" "armed 1" "mark: the recorder is armed, with $(locked) KiB locked for the copies"
sleep 0.5
"${perfmon[@]}" rcrctl mark quiet
is "$? $(recorder)" "0 armed" "mark: a mark of a holder of CAP_PERFMON is set, and does not trigger what root armed"
rcrctl mark hello
"${member[@]}" rcrctl record fetch - >/tmp/part
is "$(recorder)" kept "mark: a window stays kept after a member has read it"
rcrctl record fetch /tmp/window
result $? "mark: root fetches the window"
is "$(recorder)" armed "mark: the recorder is armed again after a fetch by root"
cmp /tmp/part /tmp/window
result $? "mark: root and the member have fetched the same window"
follow_off
judged "trigger: mark hello" 3 "mark"
rcrstat -d /tmp/window -i 1 >/tmp/csv 2>/tmp/err
is "$(grep -c '^[0-9].*,ok,' /tmp/csv) $(grep -c '^# mark .* text trigger: mark hello' /tmp/csv)" "1 1" \
	"mark: rcrstat -d decodes the window: one whole second, and the mark"
# System calls from the mark to the first write of the window.
look=/sys/kernel/tracing/instances/look
mkdir $look
for event in raw_syscalls/sys_enter exceptions/page_fault_user; do
	echo "common_pid == $daemon" >$look/events/$event/filter
	echo 1 >$look/events/$event/enable
done
rcrctl mark begin 4711
soon grep -q 'NR 264 ' $look/trace
# The first write(), NR 1, goes to the new window, which the openat(), NR 257, before it has opened;
# the read(), NR 0, before that has returned the mark. Other parts of rcrd open files, too.
awk '/NR 1 / && !written { written = NR }
	{ line[NR] = $0 }
	END {
		for (to = written; to && line[to] !~ /NR 257 /; to--) ;
		for (from = to; from && line[from] !~ /NR 0 /; from--) ;
		if (!from) { print "no copy was seen"; exit }
		for (i = from; i <= to; i++) {
			n += line[i] ~ /NR (9|10|12|25) |page_fault_user/
			sub(/.*: (sys_enter: )?/, "", line[i])
			split(line[i], word, " ")
			list = list " [" word[1] " " word[2] "]"
		}
		print n + 0, "allocations or faults"
		print list
	}' $look/trace >/tmp/asked
sed -n '2s/^/# asked:/p' /tmp/asked
is "$(sed -n 1p /tmp/asked)" "0 allocations or faults" "mark: nothing is allocated between the trigger and the copy"
rmdir $look
rcrctl mark end 4711
rcrctl mark another
contains "$(kept)" "trigger: mark begin 4711" "mark: the window of the next trigger replaces the fetched one"
is "$(recorder) $(missed)" "kept 2" "mark: two more triggers are counted, and not kept"

# Memory runs out in a cgroup.
follow_on
sleep 2.5
rcrctl record --last 2s --on oom
result $? "oom: the recorder is armed"
rcrctl mark nothing
is "$(recorder)" armed "oom: a mark does not trigger a recorder that is armed for oom"
oom_kill "oom: a process is killed for want of memory, and the kernel logs nothing else"
soon test -s $WINDOW
contains "$(kept)" "trigger: out of memory, killed $victim" "oom: an out-of-memory kill triggers"
rcrctl record fetch /tmp/window
follow_off
judged "trigger: out of memory, killed $victim" 1 "oom"

# rcrd is killed and started again.
sleep 2.1
rcrctl record --last 2s --on mark,oom
board=$(meters)
stop -KILL
is "$(counted) $(controls)" "$before $registers" "kill: the set and all registers are as before"
is "$(meters)" "$board" "kill: the public board is stale"
follow_on
sleep 2.5
rcrctl mark alone
oom_kill "kill: a process is killed while no rcrd is running"
start
is "$(recorder) $(missed)" "kept 1" "restart: the mark has triggered, and the later kill is counted as missed"
rcrctl record fetch /tmp/window
follow_off
judged "trigger: mark alone" 1 "restart"
stop
is "$ended $(counted)" "0 $before" "stop: rcrd exits with status 0 on SIGTERM, and the set is as before"
start
is "$(recorder) $(kept | sed 's/,.*//')" "armed trigger: mark alone" "restart: the recorder is armed, and a fetched window is kept"

# Memory runs out in the machine, under load on all CPUs.
load_on
rcrctl record --last 2s --on oom
follow_on
sleep 2.5
dmesg | grep -E "$COMPLAINTS|Call Trace" >/tmp/complaints
sh -c 'echo 1000 >/proc/self/oom_score_adj; exec tail /dev/zero' &
victim=$!
wait $victim 2>/dev/null
dmesg -c >/tmp/killed
load_off
soon test -s $WINDOW
contains "$(kept)" "trigger: out of memory, killed $victim" "machine: a kill triggers when the machine has run out of memory"
rcrctl record fetch /tmp/window
follow_off
judged "trigger: out of memory, killed $victim" 0 "machine"
mkdir -p /etc/rcrtool
printf '# x\nmemory.busy = 1\n' >/etc/rcrtool/bounds.conf
kill -HUP "$daemon"
soon grep -q 'keeping the old thresholds: /etc/rcrtool/bounds.conf:2: ' /tmp/rcrd.log
result $? "signal: after SIGHUP thresholds are read again, and a wrong line is named"
echo 'memory.busy_alone = 90%' >/etc/rcrtool/bounds.conf
kill -HUP "$daemon"
soon grep -q 'thresholds reloaded' /tmp/rcrd.log
result $? "signal: and those of a file without one are taken"
rm /etc/rcrtool/bounds.conf
serves
result $? "signal: rcrd still runs after SIGHUP"

# rcrd is killed at random moments while marks are set all the time.
rcrctl record --last 500ms --on mark
whole=0 same=0
for ((i = 0; i < kills; i++)); do
	(for ((k = 0; k < 8; k++)); do rcrctl mark "number $k"; done) &
	marker=$!
	sleep "0.$((RANDOM % 4))"
	stop -KILL
	wait $marker
	is_same=$([ "$(counted) $(controls)" = "$before $registers" ] && echo 1)
	same=$((same + is_same))
	start
	rcrctl record fetch /tmp/window 2>/dev/null &&
		./window /tmp/window /tmp/window 500 | grep -q "^window: 1 set, 0 lost, 0 holes, 0 out of order, 0 outside" &&
		whole=$((whole + 1))
done
is "$same $whole" "$kills $kills" "kill: after each of $kills kills the set is as before, and a window of a mark is kept"
rcrctl record --last 2s --on mark,oom

# Windows across a change of the set.
sleep 0.5
rcrctl period 2ms
sleep 0.7
rcrctl mark changed
rcrctl record fetch /tmp/window
./window /tmp/window /tmp/window 2000 >/tmp/judged
is "$(sed -n '1p' /tmp/judged) $(sed -n '2s/ 0 lost.*//p' /tmp/judged)" "trigger: mark changed window: 2 set," \
	"set: a window has samples of the sets before and after a change"
rcrctl period 100us
contains "$(rcrctl record ls)" "nothing is recorded: at this period the rings hold" "set: where the rings do not hold that much the list has the reason"
rcrctl period 1ms
is "$(recorder)" armed "set: the recorder is armed again with the next set"

# Malicious clients.
memory=$(awk '/^VmRSS/ { print $2 }' /proc/$daemon/status)
grep Rss /proc/$daemon/status | sed "s/^/# /"
open=$(find /proc/$daemon/fd -type l | wc -l)
contains "$("${nobody[@]}" ./clamor random 5000)" "0 ok" "clamor: none of 5000 random messages of an ordinary user is carried out"
contains "$("${member[@]}" ./clamor descriptors 500)" "500 ok, 0 failed, 0 silent" "clamor: rcrd closes descriptors that come with requests"
is "$(($(find /proc/$daemon/fd -type l | wc -l) <= open))" 1 \
	"clamor: rcrd has at most $open files open after many connections"
mkfifo /tmp/open
"${member[@]}" ./clamor many 200 </tmp/open >/tmp/many &
exec 3>/tmp/open
soon grep -q open /tmp/many
is "$(head -n 1 /tmp/many)" "12 ok, 188 failed, 0 silent" "clamor: rcrd accepts 12 of a user's 200 connections"
is "$(recorder)" armed "clamor: root is served at the same time"
exec 3>&-
wait %%
grep Rss /proc/$daemon/status | sed 's/^/# /'
is "$(($(awk '/^VmRSS/ { print $2 }' /proc/$daemon/status) - memory < 1024))" 1 "clamor: the memory of rcrd has not grown"

# New marks overwrite those that rcrd has not read yet.
rcrctl record --last 2s --on mark,oom
kill -STOP "$daemon"
rcrctl mark pushed
for ((i = 0; i < 70; i++)); do
	"${perfmon[@]}" rcrctl mark "push $i"
done
kill -CONT "$daemon"
is "$(recorder) $(missed)" "armed 7" "pushed: marks that were not read in time are counted as missed"
contains "$(rcrctl record ls)" "missed: 7" "pushed: rcrctl record ls prints the number of missed triggers"

# Memory for the copies of one set, but not for those of two.
half=$(($(locked) / 2))
stop
start $((3 * half))
rcrctl period 2ms
is "$(recorder)" armed "memory: the current set is recorded if there is not memory for two"
rcrctl period 1ms

# Resources that are missing while rcrd runs, or when it is started armed.
stop
says 1 "for copies of the rings (Cannot allocate memory): raise LimitMEMLOCK=" \
	sh -c 'ulimit -l 1024 && exec rcrd -f'
contains "$(cat $STATE)" "window_ns 2000000000" "missing: the recorder is armed for the next start"
start
rcrctl record off
is "$(recorder) $(locked) $([ -e $WINDOW ] && echo there)" "off 0 " "off: no memory is locked and no window is kept"
stop
mount -t tmpfs -o size=64k,uid=998 tmpfs /var/lib/rcrtool/record
mount -t tmpfs tmpfs /sys/kernel/tracing
mount -t tmpfs tmpfs /sys/kernel/debug
start 1024
says 1 "for copies of the rings (Cannot allocate memory)" rcrctl record --last 2s --on mark
says 1 "cannot record OOM kills: tracefs is not mounted" rcrctl record --last 2s --on oom
is "$(recorder)" off "missing: refused, it is off"
stop
start
rcrctl record --last 2s --on mark
rcrctl mark large
contains "$(rcrctl record ls)" "nothing is recorded: /var/lib/rcrtool/record/window: No space left on device" \
	"missing: a full disk is reported"
is "$(recorder) $(missed) $(find /var/lib/rcrtool/record -name 'window*')" "failed 1 " "missing: no file of the failed window is left"
stop
umount /var/lib/rcrtool/record /sys/kernel/tracing /sys/kernel/debug

# rcrd in the background.
rcrd
is $? 0 "background: rcrd returns once it serves"
daemon=$(cat /run/rcrtool/rcrd.pid)
is "$(recorder) $(status_line CapEff)" "off 0000004000000000" "background: the daemon is the process in the lock file"
kill "$daemon"
soon rmmod rcrtool
says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl record ls
finished
