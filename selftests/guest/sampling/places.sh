#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# places.sh - thread and user address of each tick, compared with the symbols of programs that run
# at known addresses: ticks write them only while a descriptor has mapped them. trace.sh tests marks
# of verdicts.
. ./tap.sh
plan 23

PERIOD="period_us=1000 budget_ppm=0"
GROUP=4711
member=(setpriv --reuid 65534 --regid 65534 --groups "$GROUP")
perfmon=(setpriv --reuid 65534 --regid 65534 --groups "$GROUP" --inh-caps +perfmon
	--ambient-caps +perfmon)

# symbol NAME: prints the address of a symbol in the file, and its size, in hexadecimal.
symbol()
{
	awk -v name="$1" '$NF == name { print $1, NF == 4 ? $2 : "0" }' places.symbols
}

# range PID NAME: prints the first address of a function in the process, and the one after it.
range()
{
	local base address size
	base=$(awk '/\/places$/ { sub("-.*", ""); print $1; exit }' "/proc/$1/maps")
	read -r address size < <(symbol "$2")
	printf '%016x %016x\n' $((0x$base + 0x$address)) $((0x$base + 0x$address + 0x$size))
}

# shares THREAD LOW HIGH: prints whether /tmp/log has more than 50 places of the thread, and how
# many are not in [LOW, HIGH). Numbers of equal length compare as text.
shares()
{
	awk -v tid="$1" -v low="x$2" -v high="x$3" '
		$5 == tid { n++; here += "x" $6 >= low && "x" $6 < high }
		END { print (n > 50 ? "many" : "few: " n + 0) ", " n - here " elsewhere" }' /tmp/log
}

# threads_run: true once both threads have printed their ids.
threads_run()
{
	[ "$(wc -l </tmp/tids)" -eq 2 ]
}

# pattern: prints "none" or "places" for each run of CPU 0's samples in /tmp/log without or with
# places.
pattern()
{
	awk '$1 == 0 { now = $5 == "-" ? "none" : "places"
		if (now != was) printf "%s ", was = now }' /tmp/log
}

# shellcheck disable=SC2086 # several words
load $PERIOD ring_records=16384
chgrp $GROUP /dev/rcrtool
chmod 755 /rcr /rcr/tests
sleep 0.3
./places log 300 >/tmp/log
is "$(pattern)" "none places " "places: no tick writes a place before places are mapped"
sleep 0.3
./places log 300 >/tmp/log
is "$(pattern)" "none places none places " "places: no tick writes a place after the last descriptor is closed"
is "$(grep -c error /tmp/log)" 0 "places: places can be read for samples of both times in which they were mapped"
is "$("${member[@]}" ./member rings)" "marks 0 places 1" "places: a member of the group does not map places: EPERM"
is "$("${perfmon[@]}" ./member rings)" "marks 0 places 0" "places: a member of the group with CAP_PERFMON maps places"
is "$(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps +perfmon --ambient-caps +perfmon \
	./member rings 2>&1)" "/dev/rcrtool: Permission denied" "places: a user that is not in the group cannot open the device, even with CAP_PERFMON"

# Two threads of a process, each in a function of its own.
./places spin 1 2 >/tmp/tids &
spinner=$!
soon threads_run
{ read -r first && read -r second; } </tmp/tids
sleep 0.2
./places log 700 >/tmp/log
# shellcheck disable=SC2046 # two words
is "$(shares "$first" $(range $spinner spin_first))" "many, 0 elsewhere" "places: all places of a thread are in the function that it spins in"
# shellcheck disable=SC2046
is "$(shares "$second" $(range $spinner spin_second))" "many, 0 elsewhere" "places: all places of another thread are in the other function"
is "$(awk -v pid=$spinner -v a="$first" -v b="$second" '$4 == pid && $5 != "-" && $5 != a && $5 != b' /tmp/log)" "" \
	"places: no other thread of the process has samples"
is "$first $((first != second))" "$spinner 1" "places: the first thread has the id of the process, the second its own"
kill $spinner
wait $spinner 2>/dev/null

# In a system call the place is the instruction to which it returns.
./places zero 1 &
zero=$!
sleep 1
./places log 700 >/tmp/log
read -r after _ < <(range $zero after_read)
awk -v pid=$zero '$4 == pid && $5 == pid { print $6 }' /tmp/log | sort | uniq -c >/tmp/pcs
sed 's/^/# /' /tmp/pcs | head -n 5
is "$(sort -rn /tmp/pcs | awk 'NR == 1 { print ($1 > 50 ? "often" : $1), $2 }')" "often $after" \
	"places: in a system call the place is the instruction after it"
kill $zero
wait $zero 2>/dev/null

# Kernel threads: give khugepaged some work.
idle=$(awk '$3 == "idle" && $5 != "-" { n++; bad += $5 != 0 || $6 !~ /^0+$/ } END { print (n > 50) " " bad + 0 }' /tmp/log)
is "$idle" "1 0" "places: idle samples have neither thread nor address"
echo 0 >/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs
echo 100000 >/sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan
echo always >/sys/kernel/mm/transparent_hugepage/enabled
worker=$(grep -lx khugepaged /proc/[0-9]*/comm | tr -dc 0-9)
./places zero 1 &
zero=$!
sleep 1
./places log 1000 >/tmp/log
kill $zero
wait $zero 2>/dev/null
awk -v pid="$worker" '$5 == pid { n++; bad += $6 !~ /^0+$/ } END { print n + 0, bad + 0 }' /tmp/log >/tmp/kernel
echo "# khugepaged ($worker): $(cat /tmp/kernel)"
is "$(awk '{ print ($1 > 0), $2 }' /tmp/kernel)" "1 0" "places: a thread of the kernel has an id and no address"
is "$(awk '$5 != "-" && "x" $6 >= "x00007ffffffff000"' /tmp/log)" "" "places: no place is an address of the kernel"
is "$(awk '$5 != "-" && ($4 == 0) != ($5 == 0)' /tmp/log)" "" "places: samples of a process have a thread, and idle samples have none"

# Changes of the set and of CPUs.
is "$(./places change)" "old ring at first: 1
old ring: ended 1, place of the last sample 1
new ring, sample before the map: 0
new ring, sample after the map: 1" "places: after a change of the set the old ring keeps its places, and the new one can be mapped"
unload
# shellcheck disable=SC2086
load $PERIOD ring_records=256
./places follow 3000 >/tmp/followed &
follower=$!
sleep 1
echo 0 >/sys/devices/system/cpu/cpu3/online
sleep 0.3
echo 1 >/sys/devices/system/cpu/cpu3/online
wait $follower
is "$(cat /tmp/followed)" "places, 0 without, 0 wrong" \
	"places: each sample has its own place while rings wrap and a CPU goes offline and returns"

# Ticks must not write to freed memory: map, change the set and close in a loop.
for ((i = 0; i < 20; i++)); do
	rcrctl period $((1 + i % 2))ms
done &
changer=$!
./places map 100 >/tmp/mapped
wait $changer
is "$(cat /tmp/mapped)" mapped "places: places are mapped and closed while sets change"
./places log 100 >/tmp/log
is "$(pattern)" "none places " "places: no tick writes places after these mappings"

# A mapping keeps the module loaded, and places written, after the device is closed.
mkfifo /tmp/in
./places hold </tmp/in >/tmp/held &
holder=$!
exec 9>/tmp/in
soon grep -q held /tmp/held
rmmod rcrtool 2>/dev/null
is "$? $(status_of state)" "1 sampling" "places: a mapping of places keeps the module loaded"
sleep 0.8
./places log 100 >/tmp/log
is "$(pattern)" "places " "places: ticks write places for a mapping although the device is closed"
exec 9>&-
wait $holder
unload
result $? "places: the module unloads once the mapping is gone"
is "$(dmesg | grep -cE 'BUG|WARNING|Oops')" 0 "places: the kernel has logged no warning"
finished
