#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# public.sh - the public board: the file that rcrd writes where a site enables it, read by a
# user who may read nothing else, while rcrd is killed and started again.
. ./tap.sh
plan 36
. ./rcrd_lib.sh

CONF=/etc/rcrtool/rcrtool.conf
FILE=/run/rcrtool/public
mkdir -p /etc/rcrtool
# Another test of the guest may have left them.
rm -f $CONF $FILE

passes()
{
	sed -n "s/^meters: .*\bpasses \([0-9]*\).*/\1/p" $STATUS
}

# grown SECONDS: prints how often the worker of the module ran in that time, and how often others
# did.
grown()
{
	local before
	before=$(passes)
	sleep "$1"
	echo $(($(passes) - before))
}

# read_once: prints the next line of the user that has the file mapped.
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

# is_written: a user that maps the file now finds a board.
is_written()
{
	"${nobody[@]}" ./public shown 0 >/dev/null
}

# begin_again: starts rcrd, which must not keep the reader's pipes open.
begin_again()
{
	start 3>&- 4<&-
}

# names: prints the meters that an ordinary user can read.
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
result $? "public: two public meters, and others that are not"
rcrctl meter post shown 4711
before=$(rcrctl ls)
says 1 "cannot be read: become root or join its group" "${nobody[@]}" rcrctl meter

# A site that does not enable the public board.
start
is "$(ls $FILE 2>/dev/null)" "" "public: by default there is no file"
says 1 "cannot be read: become root or join its group" "${nobody[@]}" rcrctl meter
is "$(grown 2)" 0 "public: nothing is evaluated without a public board"
stop

# A malformed configuration gives one sentence, and changes nothing.
echo "public = maybe" >$CONF
says 1 "$CONF:1: invalid value 'maybe': use on or off" rcrd -f
echo "publik = on" >$CONF
says 1 "$CONF:1: unknown key 'publik'" rcrd
is "$(rcrctl ls) $(ls $FILE 2>/dev/null)" "$before " "public: after a malformed configuration nothing has changed"

# A site that enables it.
printf '# for everybody\npublic = on\n' >$CONF
start
is "$(stat -c '%A %U %s' $FILE)" "-rw-r--r-- root 4096" "public: enabled, there is a file that only root could open for writing"
soon has_names "mem_bw shown "
is "$(names)" "mem_bw shown " "public: a user reads the meters that are public, and no other"
is "$("${nobody[@]}" rcrctl meter | awk '$1 == "shown" { print $3 }')" 4.711k "public: with their values"
"${nobody[@]}" rcrctl meter -a >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/out) $(grep -c 'no values: .*group rcrtool' /tmp/err)" "0 2 1" \
	"public: the reason why others are missing is not public"
says 1 "waiting for a meter requires root or the group" "${nobody[@]}" rcrctl on "mem_bw > 0" -- true
is "$("${member[@]}" rcrctl meter | grep -c '^sampler_cost ')" 1 "public: a member reads all of them"
"${nobody[@]}" ./public write
is $? 13 "public: a user cannot map it for writing"
read -r changes closest < <("${nobody[@]}" ./public mem_bw 15)
is "$changes $((closest >= 100000))" "15 1" "public: the page is written repeatedly, at most every 100 ms: $closest us"
passes=$(grown 3)
is "$((passes > 0 && passes <= 33))" 1 "public: for which meters are evaluated $passes times in 3 s"

# A user has the file mapped while rcrd is killed and started again.
mkfifo /tmp/ask /tmp/answer
"${nobody[@]}" ./public follow shown </tmp/ask >/tmp/answer &
reader=$!
exec 3>/tmp/ask 4</tmp/answer
is "$(read_once)" 4711 "reader: the reader has the file mapped"
rcrctl meter post shown 42
soon reads 42
result $? "reader: a value that is posted comes"
stop
is "$ended $(read_once)" "0 stale" "reader: when rcrd ends the board is stale at once"
inode=$(stat -c %i $FILE)
begin_again
soon reads 42
result $? "reader: the page is not stale when rcrd is started again"
is "$(stat -c %i $FILE)" "$inode" "reader: the restarted rcrd continues with the same file"
stop -KILL
soon reads stale
result $? "reader: killed, the board becomes stale"
rcrctl meter post shown 43
rcrctl meter add later --posted --digits 0 --public
begin_again
soon reads 43
result $? "reader: the reader continues after the restart"
soon has_names "later mem_bw shown "
is "$(names)" "later mem_bw shown " "public: a meter that came meanwhile is there"
rcrctl meter remove later
rcrctl meter add hour TOT_CYC --over machine --scale 1s --public
soon has_names "hour mem_bw shown "
is "$(names)" "hour mem_bw shown " "public: meters come and go while rcrd is running"
rcrctl meter remove shown
soon reads none
result $? "reader: a removed meter is gone"
rcrctl meter add shown --posted --digits 0 --public
rcrctl meter post shown 44
soon reads 44
result $? "reader: a meter that is added again is found"
rcrctl set TOT_CYC
soon has_names "hour shown "
is "$(names)" "hour shown " "public: a meter that lacks a counter is not there"

# A file that is not a board of this rcrd is replaced, and never changed.
stop
rm $FILE
head -c 4096 /dev/zero >$FILE
begin_again
soon is_written
is "$(($(stat -c %i $FILE) != inode)) $("${nobody[@]}" ./public shown 0 >/dev/null; echo $?)" "1 0" "public: another file is replaced"
is "$(read_once)" stale "reader: a mapping of the old board is stale, and does not fault"
exec 3>&-
wait $reader
is $? 0 "reader: the reader ends with status 0"
exec 4<&-
stop
: >$CONF
start
is "$(ls $FILE 2>/dev/null)" "" "public: when the site has disabled it there is no file"
stop
echo "public = on" >$CONF
mount -t tmpfs -o size=8k tmpfs /run/rcrtool
head -c 4096 /dev/zero >/run/rcrtool/fill
says 1 "$FILE: No space left on device" rcrd -f
umount /run/rcrtool
ln -s /etc/passwd $FILE
start
is "$(stat -c %F $FILE) $(head -c 4 /etc/passwd)" "regular file root" "public: a link is replaced, and not followed"
stop
unload
result $? "public: the module goes"
finished
