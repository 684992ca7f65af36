#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# threads.sh MODEL - blackboard 2 on an installed machine with all defaults: root, a member of the
# group and an ordinary user run programs that use librcr, and list their threads.
. ./defaults/common.sh
machine "$1"
plan 9

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
listed() { as "$1" rcrctl threads 2>/dev/null | sed 1d | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' '; }
lists() { [ "$(listed root)" = "$1" ]; }

# Without the module, and without rcrd.
as user ./placed 8 >/tmp/user &
soon test -s /tmp/user
is "$(wc -w </tmp/user)" 9 "threads: a user's program starts 8 threads without the module and rcrd"
says 1 "rcrd is not running: start it with 'systemctl start rcrd'" as user rcrctl threads
plain_load
rcrd
is $? 0 "threads: rcrd starts"
for who in member root; do
	as $who ./placed 8 >/tmp/$who &
	soon test -s /tmp/$who
done
# The first line of each program is its process id.
programs=("$(cut -d' ' -f1 /tmp/user)" "$(cut -d' ' -f1 /tmp/member)" "$(cut -d' ' -f1 /tmp/root)")
all=" 8 0 8 $(id -u user) 8 $(id -u member) "
[ "$(id -u user)" -lt "$(id -u member)" ] || all=" 8 0 8 $(id -u member) 8 $(id -u user) "
soon lists "$all"
is "$(listed root)" "$all" "threads: root lists all programs, including those started before rcrd"
is "$(listed member)" "$all" "threads: a member of the group sees the threads"
is "$(listed user)" " 8 $(id -u user) " "threads: a user lists its own"
is "$(as user rcrctl threads "${programs[0]}" | sed 1d | cut -d, -f2,5 | sort)" \
	"$(printf "${programs[0]},0x40000%d\n" {1..8})" "threads: with their process and where each is"
kill "${programs[@]}"
wait
soon lists ""
is "$(listed root)" "" "threads: programs that have exited are not listed"
kill "$(cat /run/rcrtool/rcrd.pid)"
soon modprobe -r rcrtool
result $? "threads: modprobe -r unloads the module once rcrd has exited"
finished
