#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# badinput.sh - malformed input to each interface is refused with a one-line message and a nonzero
# exit status, and changes nothing.
. ./tap.sh
plan 43

before=$(controls)

# refused SENTENCE PARAMETER...: insmod with these parameters fails, and SENTENCE is logged.
refused()
{
	local sentence=$1
	shift
	if load "$@" 2>/dev/null; then
		unload
		result 1 "badinput: insmod $* is refused"
	else
		contains "$(last_words)" "$sentence" "badinput: insmod $* is refused: $(last_words)"
	fi
}

refused "period_us=0 is out of range: 20 to" period_us=0
refused "period_us=19 is out of range" period_us=19
refused "out of range" period_us=3600000001
refused "ring_records=1 is out of range" ring_records=1
refused "ring_records=300000 is out of range" ring_records=300000
refused "budget_ppm=1000001 is out of range" budget_ppm=1000001
refused "energy_period_us=0 is out of range" energy_period_us=0
refused "offset_us=3600000001 is out of range: 0 to" offset_us=3600000001
refused "invalid idle=never: use sample or skip" idle=never
refused "invalid source=magic" source=magic
refused "invalid cpus=x: this machine has the CPUs 0-3" cpus=x
refused "invalid cpus=: this" cpus=
refused "invalid cpus=0-99: this machine" cpus=0-99
refused "invalid cpus=3-4" cpus=3-4
is "$(controls)" "$before" "insmod: no control has changed after refused loads"

load
counted=$(rcrctl ls | tail -n +2)
programmed=$(controls)
says 1 "unknown event 'FOO'" rcrctl set FOO
says 1 "invalid number 'x'" rcrctl set A=event:x
says 1 "no field 'umask', or only a smaller one" rcrctl set A=event:1,umask:256
says 1 "is used twice" rcrctl set A=event:1 A=event:2
says 2 "set needs an argument" rcrctl set
says 1 "no core counter of AMD Fam15h can count event 0xe0" rcrctl set A=event:0xe0
says 1 "A and B both need counter 3 of AMD Fam15h" rcrctl set A=event:3,umask:1 B=event:3,umask:2
says 1 "7 events are requested, but AMD Fam15h counts 6 at once: remove 1" \
	rcrctl set event:0xc0 event:0xc1 event:0xc2 event:0xc3 event:0xc4 event:0xc5 event:0xc6
is "$(rcrctl ls | tail -n +2)" "$counted" "rcrctl: the running set and the staged one are as before after refused requests"
is "$(controls)" "$programmed" "rcrctl: every control is as before after refused requests"
unload

says 1 "/dev/rcrtool is not there: load the module with 'modprobe rcrtool'" rcrstat -n 1

load period_us=1000 cpus=0-2
chmod 755 /rcr /rcr/bin
says 1 "/dev/rcrtool cannot be read: become root or join the group rcrtool" \
	setpriv --reuid 65534 --regid 65534 --clear-groups rcrstat -n 1
says 2 "invalid interval '0'" rcrstat -i 0
says 2 "invalid interval '-1'" rcrstat -i -1
says 2 "invalid interval 'nan'" rcrstat -i nan
says 2 "invalid count '0'" rcrstat -n 0
says 2 "invalid list of CPUs" rcrstat -c 1-
says 2 "unknown format 'xml'" rcrstat -f xml
says 2 "unknown option '--nonsense'" rcrstat --nonsense
says 2 "unexpected word 'more': to count while a command runs, write 'rcrstat -- more'" rcrstat more
says 1 "CPU 3 is not sampled" rcrstat -c 0,3
says 1 "shorter than the sampling period" rcrstat -i 0.0005 -n 1
says 1 "/nowhere/file: No such file or directory" rcrstat -i 0.1 -n 1 -o /nowhere/file
says 1 "/dev/full: No space left on device" rcrstat -i 0.1 -n 1 -o /dev/full

mkdir /tmp/small && mount -t tmpfs -o size=4k tmpfs /tmp/small
says 1 "/tmp/small/file: No space left on device" rcrstat -i 0.01 -n 200 -o /tmp/small/file
umount /tmp/small
{
	rcrstat -i 0.05 -n 50 2>/tmp/err
	echo $? >/tmp/rc
} | head -n 1 >/dev/null
is "$(cat /tmp/rc) $(cat /tmp/err)" "141 " "rcrstat: SIGPIPE ends rcrstat when its reader exits"

echo keep >/tmp/keep
rcrstat -c 3 -o /tmp/keep 2>/dev/null
is "$(cat /tmp/keep)" keep "rcrstat: an output file is not truncated if rcrstat cannot start"
timeout -s INT 3 rcrstat -i 0.1 -o /tmp/out 2>/tmp/err
is "$(tail -c 1 /tmp/out | od -An -c | tr -d ' ') $(wc -c </tmp/err)" '\n 0' \
	"rcrstat: its last line is complete after SIGINT"
unload
finished
