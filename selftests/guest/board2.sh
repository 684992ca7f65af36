#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# board2.sh - blackboard 2: what clients may map, what librcr makes of it, and what
# hostile ones can do to others, which is nothing.
. ./tap.sh

BOARD=/dev/rcrboard
THREADS=/sys/kernel/debug/rcrtool/threads
GROUP=4711

./crowd absent
absent=$?
load period_us=1000
./clients
clients=$?
# Threads enough for crowd.c in a guest as small as this one.
echo 20000 >/proc/sys/kernel/threads-max
./crowd
crowd=$?
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
member=(setpriv --reuid 65534 --regid 65534 --groups "$GROUP")
chmod 755 /rcr /rcr/tests
"${nobody[@]}" ./crowd denied
denied=$?

plan 22
is "$absent $clients $crowd $denied" "0 0 0 0" "each of them is content"

# Who may what. 1 is EPERM, 13 EACCES, 2 ENOENT, as there is no such entry.
is "$("${nobody[@]}" ./hostile may)" "open 13" "who is not in the group may not open it"
chgrp $GROUP $BOARD
is "$("${member[@]}" ./hostile may)" "all 0 threads 0 watch 2" "who is may everything"
chmod 666 $BOARD
is "$("${nobody[@]}" ./hostile may)" "open 1" "nor may he where the device is open to everybody"
is "$(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=+perfmon --ambient-caps=+perfmon ./hostile may)" \
	"all 0 threads 0 watch 2" "and CAP_PERFMON may everything"

# Hostile neighbours, while root reads and an honest one looks after its page.
./hostile honest >/tmp/honest &
honest=$!
hostile=()
while ! grep -q "^tgid $honest " $THREADS; do
	sleep 0.1
done
for what in scribble scribble churn churn; do
	"${member[@]}" ./hostile $what &
	hostile+=($!)
done
reads=0 missed=0 most=0
while [ $reads -lt 12 ]; do
	timeout 20 cat $THREADS >/tmp/lines || break
	grep -qx "tgid $honest tid $honest id 77 pc 0x401000 state running wish 0x4d" /tmp/lines ||
		missed=$((missed + 1))
	# The words are random, the lines are not.
	missed=$((missed + $(grep -vcE '^tgid [0-9]+ tid [0-9]+ id [0-9]+ pc 0x[0-9a-f]+ state (running|taken|0x[0-9a-f]+) wish 0x[0-9a-f]+$' /tmp/lines)))
	n=$(wc -l </tmp/lines)
	most=$((n > most ? n : most))
	reads=$((reads + 1))
done
is "$reads $missed" "12 0" "root reads 12 times what they do (up to $most lines)"
result $((most <= 4096)) "and there is much to read"
dd if=$THREADS bs=1 skip=100000 count=1000 2>/dev/null | wc -c >/tmp/bytes
is "$(cat /tmp/bytes)" 1000 "byte by byte, too"
kill "${hostile[@]}" $honest
wait $honest
is "$? $(cat /tmp/honest)" "0 undisturbed" "its neighbour was not disturbed"
wait
is "$(cat $THREADS)" "" "when they are gone nothing is left of them"

# The bounds: of a user, and of all together.
ulimit -n 2000
many()
{
	mkfifo "/tmp/$1"
	setpriv --reuid "$2" --regid 65534 --groups $GROUP ./hostile many 1100 <"/tmp/$1" >"/tmp/$1.out" &
}
first_line()
{
	while [ ! -s "/tmp/$1.out" ]; do
		sleep 0.1
	done
	cat "/tmp/$1.out"
}
many a 1001
exec 5>/tmp/a
is "$(first_line a)" "512, then Too many users" "a user may be 512 clients"
many b 1002
exec 6>/tmp/b
is "$(first_line b)" "512, then Too many users" "so may another one"
many c 1003
exec 7>/tmp/c
is "$(first_line c)" "0, then Too many users" "a third one finds no room"
"${member[@]}" ./hostile hold </dev/null
result $((! $?)) "nor does anybody else"
exec 5>&- 6>&- 7>&-
wait
"${member[@]}" ./hostile hold </dev/null
result $? "until they have gone"

# What the pages are charged to, and that they are given back: the kernel's own
# account of a control group.
mount -t cgroup2 none /mnt
echo +memory >/mnt/cgroup.subtree_control
mkdir /mnt/clients
in_group()
{
	(echo $BASHPID >/mnt/clients/cgroup.procs && exec "$@")
}
kernel_bytes()
{
	sed -n 's/^kernel //p' /mnt/clients/memory.stat
}
mkfifo /tmp/d
in_group ./hostile many 100 </tmp/d >/tmp/d.out &
exec 5>/tmp/d
first_line d >/dev/null
charged=$(kernel_bytes)
result $((charged < 100 * 65 * 4096)) "100 clients with all of their pages are charged with $charged bytes"
exec 5>&-
wait
in_group ./hostile rounds 20
before=$(kernel_bytes)
in_group ./hostile rounds 600
grown=$(($(kernel_bytes) - before))
result $((grown > 200000)) "600 hostile lives leave no memory behind ($grown bytes)"
result $(($(kernel_bytes) > charged / 10)) "nor did the 100 clients ($(kernel_bytes) bytes)"

# It stays as long as it is used.
exec 5<>$BOARD
unload 2>/dev/null
is "$? $(status_of state)" "1 sampling" "an open device keeps it loaded"
exec 5>&-
mkfifo /tmp/e
./hostile hold </tmp/e &
exec 5>/tmp/e
while ! grep -q rcrboard /proc/$!/maps; do
	sleep 0.1
done
unload 2>/dev/null
is "$? $(status_of state)" "1 sampling" "and so does a mapping"
exec 5>&-
wait
unload
is "$? $([ -e $BOARD ] && echo there)" "0 " "then it goes, and the device with it"
load period_us=1000
is "$(cat $THREADS)" "" "and comes back empty"
unload
finished
