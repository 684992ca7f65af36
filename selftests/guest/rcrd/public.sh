#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# public.sh - the public board: a file that rcrd writes if a site enables it. A user that can read
# nothing else of rcrtool reads it, also while rcrd is killed and restarted.
. ./tap.sh
plan 36
. ./rcrd_lib.sh

CONF=/etc/rcrtool/rcrtool.conf
FILE=/run/rcrtool/public
mkdir -p /etc/rcrtool
# Another test in the same guest may have left these files.
rm -f $CONF $FILE

passes()
{
	sed -n "s/^meters: .*\bpasses \([0-9]*\).*/\1/p" $STATUS
}

# grown SECONDS: prints the number of passes of the module in that time that evaluated meters.
grown()
{
	local before
	before=$(passes)
	sleep "$1"
	echo $(($(passes) - before))
}

# read_once: prints the next value read by the user that has the file mapped.
read_once()
{
	echo >&3
	read -r seen <&4
	echo "$seen"
}

reads()
{
	[ "$(read_once)" = "$1" ]
}

# is_written: true if a user that maps the file now finds a board.
is_written()
{
	"${nobody[@]}" ./public shown 0 >/dev/null
}

# begin_again: restarts rcrd without the reader's pipes, which it would keep open.
begin_again()
{
	start 3>&- 4<&-
}

# names: prints the names of the meters that an ordinary user can read.
names()
{
	"${nobody[@]}" rcrctl meter 2>/dev/null | cut -d' ' -f1 | sort | tr '\n' ' '
}

has_names()
{
	[ "$(names)" = "$1" ]
}

users
load period_us=10000 budget_ppm=0
give_devices
rcrctl meter load && rcrctl meter add mem_bw && rcrctl meter add shown --posted --digits 0 --public &&
	rcrctl meter add hidden --posted --digits 0
result $? "public: two meters are public, others are not"
rcrctl meter post shown 4711
before=$(rcrctl ls)
says 1 "cannot be read: become root or join its group" "${nobody[@]}" rcrctl meter

# A site that does not enable the public board.
start
is "$(ls $FILE 2>/dev/null)" "" "public: by default there is no file"
says 1 "cannot be read: become root or join its group" "${nobody[@]}" rcrctl meter
is "$(grown 2)" 0 "public: nothing is evaluated without a public board"
stop

# A malformed configuration is reported in one line, and changes nothing.
echo "public = maybe" >$CONF
says 1 "$CONF:1: invalid value 'maybe': use on or off" rcrd -f
echo "publik = on" >$CONF
says 1 "$CONF:1: unknown key 'publik'" rcrd
is "$(rcrctl ls) $(ls $FILE 2>/dev/null)" "$before " "public: after a malformed configuration nothing has changed"

# A site that enables it.
printf '# for everybody\npublic = on\n' >$CONF
start
is "$(stat -c '%A %U %s' $FILE)" "-rw-r--r-- root 4096" "public: the enabled board is a file that only root can open for writing"
soon has_names "mem_bw shown "
is "$(names)" "mem_bw shown " "public: a user reads only the public meters"
is "$("${nobody[@]}" rcrctl meter | awk '$1 == "shown" { print $3 }')" 4.711k "public: a user reads the value of a public meter"
"${nobody[@]}" rcrctl meter -a >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/out) $(grep -c 'no values: .*group rcrtool' /tmp/err)" "0 2 1" \
	"public: one line says that the group rcrtool can read the other meters"
says 1 "waiting for a meter requires root or the group" "${nobody[@]}" rcrctl on "mem_bw > 0" -- true
is "$("${member[@]}" rcrctl meter | grep -c '^sampler_cost ')" 1 "public: a member of the group reads all meters"
"${nobody[@]}" ./public write
is $? 13 "public: a user cannot map the file for writing"
read -r changes closest < <("${nobody[@]}" ./public mem_bw 15)
is "$changes $((closest >= 100000))" "15 1" "public: the page is written at least $closest us apart, at most every 100 ms"
passes=$(grown 3)
is "$((passes > 0 && passes <= 33))" 1 "public: meters are evaluated $passes times in 3 s, at most 33"

# A user keeps the file mapped while rcrd is killed and restarted.
mkfifo /tmp/ask /tmp/answer
"${nobody[@]}" ./public follow shown </tmp/ask >/tmp/answer &
reader=$!
exec 3>/tmp/ask 4</tmp/answer
is "$(read_once)" 4711 "reader: the reader has the file mapped"
rcrctl meter post shown 42
soon reads 42
result $? "reader: the reader sees a newly posted value"
stop
is "$ended $(read_once)" "0 stale" "reader: the board is stale as soon as rcrd exits"
inode=$(stat -c %i $FILE)
begin_again
soon reads 42
result $? "reader: the board is not stale after a restart of rcrd"
is "$(stat -c %i $FILE)" "$inode" "reader: the restarted rcrd continues with the same file"
stop -KILL
soon reads stale
result $? "reader: the board becomes stale after rcrd is killed"
rcrctl meter post shown 43
rcrctl meter add later --posted --digits 0 --public
begin_again
soon reads 43
result $? "reader: the reader continues after the restart"
soon has_names "later mem_bw shown "
is "$(names)" "later mem_bw shown " "public: a meter that was added while rcrd was not running is on the board"
rcrctl meter remove later
rcrctl meter add hour TOT_CYC --over machine --scale 1s --public
soon has_names "hour mem_bw shown "
is "$(names)" "hour mem_bw shown " "public: the board follows meters that are added and removed"
rcrctl meter remove shown
soon reads none
result $? "reader: the reader no longer finds a removed meter"
rcrctl meter add shown --posted --digits 0 --public
rcrctl meter post shown 44
soon reads 44
result $? "reader: the reader finds a meter that is added again"
rcrctl set TOT_CYC
soon has_names "hour shown "
is "$(names)" "hour shown " "public: a meter that lacks a counter is not on the board"

# rcrd replaces a file that is not its board, and never writes to it.
stop
rm $FILE
head -c 4096 /dev/zero >$FILE
begin_again
soon is_written
is "$(($(stat -c %i $FILE) != inode)) $("${nobody[@]}" ./public shown 0 >/dev/null; echo $?)" "1 0" "public: rcrd replaces a file that is not its board"
is "$(read_once)" stale "reader: a mapping of the old board is stale, and does not fault"
exec 3>&-
wait $reader
is $? 0 "reader: the reader ends with status 0"
exec 4<&-
stop
: >$CONF
start
is "$(ls $FILE 2>/dev/null)" "" "public: rcrd removes the file when the site disables the board"
stop
echo "public = on" >$CONF
mount -t tmpfs -o size=8k tmpfs /run/rcrtool
head -c 4096 /dev/zero >/run/rcrtool/fill
says 1 "$FILE: No space left on device" rcrd -f
umount /run/rcrtool
ln -s /etc/passwd $FILE
start
is "$(stat -c %F $FILE) $(head -c 4 /etc/passwd)" "regular file root" "public: rcrd replaces a symbolic link, and does not follow it"
stop
unload
result $? "public: the module unloads"
finished
