#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# calibrate_load.sh - rcrcal's own load in the virtual PMU's exec mode (vpmu/exec.h): the meter of
# memory bandwidth follows it. The memory has no knee in this mode.
. ./tap.sh
plan 6
MEM_BW=/sys/kernel/debug/rcrtool/meters/mem_bw

# key NAME: prints a field of the meter's file.
key()
{
	sed -n "s/^$1: //p" $MEM_BW
}

load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=5000
rcrctl meter add mem_bw
sleep 1.5
is "$(key status)" ok "calibrate_load: the meter of memory bandwidth is ok"
idle=$(key average)
rcrctl meter reset mem_bw
: >/tmp/found
rcrcal --steps 6 --time 60ms --file /tmp/file >/tmp/out 2>/tmp/err
rc=$?
[ ! -e /tmp/file ] || mv /tmp/file /tmp/found
sed 's/^/# /' /tmp/out /tmp/err
is "$(cat /tmp/out /tmp/err | grep -oE 'mem_bw (read|write|copy|random) (maximum|has no knee)' | cut -d ' ' -f 2 | tr '\n' ' ' | wc -w)" 4 \
	"calibrate_load: rcrcal prints the knee of each kind, or that there is none"
is $rc "$([ -s /tmp/err ] && echo 1 || echo 0)" "calibrate_load: the exit status is 1 if a kind has no knee"
is "$(grep -c maximum /tmp/found)" "$(grep -c maximum /tmp/out)" "calibrate_load: the knees are in the file"
[ "$(key highest)" -gt $((3 * idle)) ]
result $? "calibrate_load: the meter shows the load: $idle B/s before, then $(key highest)"
sleep 1.5
[ "$(key average)" -lt "$(($(key highest) / 3))" ]
result $? "calibrate_load: the load has ended: $(key average) B/s"
unload
finished
