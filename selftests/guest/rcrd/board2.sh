#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# board2.sh [KILLS [short]] - blackboard 2: programs that use librcr, rcrd with all defaults, and
# 'rcrctl threads' run by root, by a member of the group and by an ordinary user. Hostile clients
# affect none of them. rcrd is killed KILLS times. "short" skips the 20,000 connections.
. ./tap.sh
kills=${1:-10} short=${2:-} planned=39
[ -z "$short" ] || planned=31
plan $planned

user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
other=(setpriv --reuid 1002 --regid 1002 --clear-groups)
third=(setpriv --reuid 1003 --regid 1003 --clear-groups)
member=(setpriv --reuid 1001 --regid 1001 --groups 999)
chmod 755 /rcr /rcr/bin /rcr/tests
mkdir -p /run /var/lib /etc
# Add the user and the group that systemd-sysusers would add.
printf '%s\n' root:x:0:0::/root:/bin/bash rcrtool:x:998:999::/:/bin/false >/etc/passwd
printf '%s\n' root:x:0: rcrtool:x:999: >/etc/group

# start: runs rcrd in the background as in the README; its process id is in the lock file.
start()
{
	rcrd 2>>/tmp/rcrd.log
	daemon=$(cat /run/rcrtool/rcrd.pid)
}

# placed NAME COMMAND...: runs a program of 8 threads through COMMAND. Sets $program to its process
# id, and $pid to that in its own namespace.
placed()
{
	local name=$1
	shift
	"$@" ./placed 8 restarts >"/tmp/$name" &
	program=$!
	soon test -s "/tmp/$name"
	read -r pid tids <"/tmp/$name"
}

# patiently COMMAND...: like soon, but tries ten times as long.
patiently()
{
	local i
	for ((i = 0; i < 10; i++)); do
		soon "$@" && return
	done
	return 1
}

# threads WORD...: runs 'WORD... rcrctl threads' and prints its output without the heading.
threads()
{
	"$@" rcrctl threads | sed 1d
}

lists()
{
	[ "$(threads | wc -l)" -eq "$1" ]
}

lists_all()
{
	[ "$(threads | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" = "$1" ]
}

memory()
{
	awk '/^VmRSS/ { print $2 }' "/proc/$daemon/status"
}

files()
{
	find "/proc/$daemon/fd" -type l | wc -l
}

# settled: true if rcrd has no more files open than before the hostile clients.
settled()
{
	[ "$(files)" -le "$open" ]
}

# Without rcrd programs run normally, and 'rcrctl threads' reports how to start it.
says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl threads
placed lonely "${user[@]}"
lonely=$program
is "$(wc -w <<<"$tids")" 8 "without rcrd: a program starts its threads"
load
set_before=$(rcrctl ls)
start
soon lists 8
result $? "started later: rcrd lists the threads of programs that were running before"
kill $lonely
wait $lonely
is "$? $(sed -n 2p /tmp/lonely | cut -d, -f1)" "0 0 failed" "started later: no update failed"
soon lists 0
result $? "ended: a program that has exited is not listed"

# Root, a member of the group, and an ordinary user.
is "$(stat -L -c '%a %U %F' /run/rcrtool/board.sock)" "666 root socket" "socket: all users may connect"
is "$(readlink /run/rcrtool/board.sock) $(ls /run/rcrtool/board) $(stat -c '%a %U' /run/rcrtool/board)" \
	"board/board.sock board.sock 755 root" "socket: the directory that containers bind-mount has nothing else"
placed root env
root=$program
placed user "${user[@]}"
user_program=$program user_tids=$tids
placed member "${member[@]}"
member_program=$program
soon lists 24
is "$(threads | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" " 8 0 8 1001 8 65534 " "rights: root sees all"
is "$(threads "${member[@]}" | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" " 8 0 8 1001 8 65534 " \
	"rights: a member of the group sees all"
is "$(threads "${user[@]}" | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" " 8 65534 " \
	"rights: a user sees its own"
is "$(threads "${other[@]}")" "" "rights: a user without processes sees none"
# Compare each line with the output of the program.
n=0
for tid in $user_tids; do
	n=$((n + 1))
	printf '65534,%d,%d,%d,0x%x,running,0x%x\n' "$user_program" "$tid" $n $((0x400000 + n)) $n
done >/tmp/expected
sleep 0.1
is "$(threads "${user[@]}" | cut -d, -f1-7 | sort -t, -k4n)" "$(cat /tmp/expected)" \
	"list: user, process, thread, id, place, state and wish of each thread"
is "$(rcrctl threads | head -n 1)" "uid,pid,tid,id,pc,state,wish,age_ns,updates" "list: the output is CSV with a heading"
is "$(rcrctl threads "$root" | sed 1d | cut -d, -f2 | sort -u)" "$root" "list: a process id limits the list to its threads"
is "$(threads | awk -F, '$8 < 5e9 && $9 > 0' | wc -l)" 24 "list: every thread was updated in the last 5 s"
says 2 "invalid process id '0x5'" rcrctl threads 0x5

# In a container: PID and user namespaces of its own, and of rcrd only the directory of the socket.
placed pids "${user[@]}" unshare -Urpf --mount-proc
soon lists 32
inner=$(grep -ls "^PPid:[[:space:]]*$program\$" /proc/[0-9]*/status | cut -d/ -f3)
is "$pid $(threads | grep -c "^65534,$inner,")" "1 8" "container: process 1 of the container is listed by its id outside"
kill "$inner"
wait "$program"
mkdir -p /tmp/outside
mount --bind /run/rcrtool/board /tmp/outside
cat >/tmp/inside <<'EOS'
mount --bind /tmp/outside /run/rcrtool && ls /run/rcrtool && exec ./placed 8
EOS
"${user[@]}" unshare -Urm sh /tmp/inside >/tmp/container &
inside=$!
soon lists 32
is "$? $(head -n 1 /tmp/container) $(threads "${user[@]}" | wc -l)" "0 board.sock 16" \
	"container: with that directory a program is served, and sees no other socket of rcrd"
kill $inside
wait $inside
umount /tmp/outside
soon lists 24

# Hostile clients, while another user reads lists.
kib=$(memory) open=$(files)
is "$("${third[@]}" ./hostile wrong 2000)" "0 taken" "hostile: none of 2000 malformed messages is accepted"
hostile=()
for what in scribble scribble churn churn; do
	"${third[@]}" ./hostile $what >/dev/null &
	hostile+=($!)
done
reads=0 missed=0 most=0
while [ $reads -lt 12 ] || { [ $most -le 4096 ] && [ $reads -lt 60 ]; }; do
	timeout 60 rcrctl threads >/tmp/lines || break
	[ "$(grep -cE '^(0|1001|65534),[0-9]+,[0-9]+,[1-8],0x40000[1-8],running,0x[1-8],' /tmp/lines)" -eq 24 ] ||
		missed=$((missed + 1))
	# The words are random, but the lines are well formed.
	missed=$((missed + $(grep -vcE '^(uid,.*|[0-9]+,[0-9]*,[0-9]+,[0-9]+,0x[0-9a-f]+,(running|starting|0x[0-9a-f]+),0x[0-9a-f]+,[0-9]+,[0-9]+)$' /tmp/lines)))
	n=$(wc -l </tmp/lines)
	most=$((n > most ? n : most))
	reads=$((reads + 1))
done
is "$((reads >= 12)) $missed" "1 0" "hostile: $reads lists have all other threads and no malformed line (at most $most lines)"
result $((most <= 4096)) "hostile: random messages add at most 4096 lines to a list"
kill "${hostile[@]}"
wait "${hostile[@]}"
soon lists 24
is "$? $(($(memory) - kib < 1024)) $(($(files) - open))" "0 1 0" \
	"hostile: rcrd has released their clients, memory and descriptors"
mkfifo /tmp/silent
"${third[@]}" ./hostile silent 1000 </tmp/silent >/tmp/silent.out &
silent=$!
exec 4>/tmp/silent
patiently test -s /tmp/silent.out
is "$(cat /tmp/silent.out)" "1000 of 1000 closed" "silent: connections that send nothing are closed"
exec 4>&-
wait $silent

# A user queues connections after a descriptor that is slow to close: first connections that are
# accepted, and, once the user has the most clients that it may have, connections that are refused.
# rcrd is stopped until the descriptor has been sent, as it would refuse it otherwise.
behind()
{
	local name=$1 daemon
	daemon=$(cat /run/rcrtool/rcrd.pid)
	mkfifo "/tmp/$name"
	kill -STOP "$daemon"
	"${third[@]}" ./hostile behind 400 <"/tmp/$name" >"/tmp/$name.out" &
	behind=$!
}
sent()
{
	patiently grep -q sent "/tmp/$1.out"
	kill -CONT "$(cat /run/rcrtool/rcrd.pid)"
	patiently grep -q answered "/tmp/$1.out"
}
behind joining
exec 4>/tmp/joining
sent joining
is "$(tail -n 1 /tmp/joining.out)" "0 of 400 answered" "queued: a user's connections wait while that user's own descriptor is closed"
placed beside "${other[@]}"
beside=$program
soon lists 32
result $? "queued: another user is served at the same time"
kill $beside
exec 4>&-
wait $beside $behind
soon settled

many()
{
	local name=$1
	shift
	mkfifo "/tmp/$name"
	"$@" ./hostile many 10000 <"/tmp/$name" >"/tmp/$name.out" &
}

have_left()
{
	[ "$(files)" -lt 100 ]
}

# 20,000 connections, of one user and of all users together.
connections()
{
	local late after
	ulimit -n 20000
	many a "${third[@]}"
	exec 5>/tmp/a
	patiently test -s /tmp/a.out
	is "$(cat /tmp/a.out)" "8192 taken, 1808 refused, 0 else" "many: a user can have 8192 clients"
	behind refused
	exec 4>/tmp/refused
	sent refused
	is "$(tail -n 1 /tmp/refused.out)" "400 of 400 answered" "queued: clients that are refused do not wait for the descriptor"
	exec 4>&-
	wait $behind
	placed late "${other[@]}"
	late=$program
	soon lists 32
	result $? "many: another user is served at the same time"
	many b "${other[@]}"
	exec 6>/tmp/b
	patiently test -s /tmp/b.out
	is "$(cat /tmp/b.out)" "8188 taken, 1812 refused, 0 else" "many: all users together can have 16384 clients"
	is "$(threads | wc -l)" 32 "many: the earlier clients are still listed"
	result $(($(memory) - kib > 4096)) "many: the memory of rcrd has grown by $(($(memory) - kib)) KiB"
	exec 5>&- 6>&-
	patiently have_left
	placed after "${member[@]}"
	after=$program
	soon lists 40
	result $? "many: a new client is accepted once these have closed"
	kill $late $after
	wait $late $after
	is "$? $(sed -n 2p /tmp/late)" "0 0 failed, connected 1 times" "many: no update of the new client has failed"
	soon lists 24
}
[ "$short" ] || connections

# rcrd is killed at random moments.
anew=0
for ((i = 0; i < kills; i++)); do
	sleep "0.$((RANDOM % 10))"
	kill -KILL "$daemon"
	soon test ! -d "/proc/$daemon"
	start
	soon lists_all " 8 0 8 1001 8 65534 " && anew=$((anew + 1))
done
is "$anew" "$kills" "killed: all programs are listed again after each of $kills kills"
is "$(rcrctl ls)" "$set_before" "killed: the set is as before"
kill $root $user_program $member_program
wait $root $user_program $member_program
# The main thread checks for new connections ten times a second and may miss some that other
# threads made in between, so require more than one. The lists above prove one per kill.
is "$? $(sed -n 2p /tmp/user | cut -d, -f1) $(($(sed -n '2s/.*connected \([0-9]*\).*/\1/p' /tmp/user) > 1))" \
	"0 0 failed 1" "killed: no update has failed, and the programs have reconnected"
soon lists 0
result $? "ended: no thread is listed once all programs have exited"
is "$(cat /tmp/rcrd.log)" "" "end: rcrd has logged nothing"
kill "$daemon"
soon rmmod rcrtool
result $? "end: the module unloads once rcrd has exited"
finished
