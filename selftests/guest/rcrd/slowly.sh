#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# slowly.sh - the public board shows a new value of a meter at most every 100 ms, however often the
# meter is written.
. ./tap.sh
plan 6
. ./rcrd_lib.sh

# post_on: posts values in a loop, in the background.
post_on()
{
	awk 'BEGIN { for (n = 1; ; n++) print "meter post posted " n }' |
		rcrctl --batch - 2>/tmp/posting &
	poster=$!
}

# slowly METER DESCRIPTION: no two values of the meter are less than 100 ms apart.
slowly()
{
	local changes apart
	soon ./public "$1" 1 >/tmp/out
	read -r changes apart <<<"$("${nobody[@]}" ./public "$1" 12)"
	is "$changes" 12 "slowly: $2: the value changes"
	result $((apart < 100000)) "slowly: $2: values are at least 100 ms apart ($apart us)"
}

users
mkdir -p /etc/rcrtool
echo "public = on" >/etc/rcrtool/rcrtool.conf
load period_us=1000
rcrctl meter add counted TOT_CYC --scale 1ms --over machine --public &&
	rcrctl meter add posted --posted --digits 0 --scale 1s --over machine --public
result $? "slowly: two public meters are written"
start
slowly counted "counted every millisecond"
rcrctl period 10s
post_on
slowly posted "posted all the time, while hardly anything is sampled"
kill $poster
wait $poster 2>/dev/null
stop
rm /etc/rcrtool/rcrtool.conf /run/rcrtool/public
unload
result $? "slowly: the module unloads"
finished
