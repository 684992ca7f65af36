#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# post.sh MODEL - the network meters and the public board of rcrd on an installed machine with all
# defaults, read by root, a member of the group and an ordinary user.
. ./defaults/common.sh
machine "$1"
plan 13
CONF=/etc/rcrtool/rcrtool.conf

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
has_meter() { as "$1" rcrctl meter 2>/dev/null | grep -q "^$2 "; }
meters() { as "$1" rcrctl meter 2>/dev/null | cut -d' ' -f1 | sort | tr '\n' ' '; }

# stop: terminates rcrd as the service manager does.
stop()
{
	kill "$(cat /run/rcrtool/rcrd.pid)"
	soon modprobe -r rcrtool
}

plain_load
rcrctl meter >/tmp/before
is "$(grep -c '^net_' /tmp/before)" 0 "post: without rcrd there are no network meters"
rcrd
is $? 0 "post: rcrd starts"
soon has_meter root net_rx
is "$(rcrctl meter | awk '/^net_/ { print $1 }' | tr '\n' ' ')" "net_rx net_tx net_dropped " \
	"post: root reads the network meters"
soon has_meter member net_rx
result $? "post: a member of the group sees the posted meters"
is "$(meters member)" "$(meters root)" "post: a member sees the same meters as root"
says 1 "cannot be read: become root or join its group" as user rcrctl meter
is "$(ls /run/rcrtool/public 2>/dev/null)" "" "post: by default there is no public board"
stop
result $? "post: modprobe -r unloads the module once rcrd has exited"

# The example configuration of rcrd(8).
mkdir -p /etc/rcrtool
echo "public = on" >$CONF
plain_load
rcrctl meter add mem_bw
is $? 0 "post: mem_bw is added"
rcrd
soon has_meter user mem_bw
is "$(meters user)" "mem_bw " "post: with the public board enabled a user reads the node's memory bandwidth, and nothing else"
is "$(as user rcrctl meter | awk '{ print $2 }') $(stat -c %a /run/rcrtool/public)" "B/s 644" "post: the public meter has its unit, and the file its mode"
says 1 "cannot be read" as user rcrstat -n 1
stop
ended=$?
rm -r $CONF /run/rcrtool/public
result $ended "post: modprobe -r unloads the module after a public board was written"
finished
