#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# calibrate_load.sh - the load that rcrcal makes itself, where the virtual PMU counts
# executed instructions (vpmu/exec.h): the memory's meter rises and falls with it. This virtual
# memory has no knee.
. ./tap.sh
plan 6
MEM_BW=/sys/kernel/debug/rcrtool/meters/mem_bw

# key NAME: prints the value of a key in the meter's file.
key()
{
	sed -n "s/^$1: //p" $MEM_BW
}

load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=5000
rcrctl meter add mem_bw
sleep 1.5
is "$(key status)" ok "the memory is watched"
idle=$(key average)
rcrctl meter reset mem_bw
: >/tmp/found
rcrcal --steps 6 --time 60ms --file /tmp/file >/tmp/out 2>/tmp/err
rc=$?
[ ! -e /tmp/file ] || mv /tmp/file /tmp/found
sed 's/^/# /' /tmp/out /tmp/err
is "$(cat /tmp/out /tmp/err | grep -oE 'mem_bw (read|write|copy|random) (maximum|has no knee)' | cut -d ' ' -f 2 | tr '\n' ' ' | wc -w)" 4 \
	"it prints the knee of each kind, or that there is none"
is $rc "$([ -s /tmp/err ] && echo 1 || echo 0)" "the status depends on whether there is one"
is "$(grep -c maximum /tmp/found)" "$(grep -c maximum /tmp/out)" "the knees are in the file"
[ "$(key highest)" -gt $((3 * idle)) ]
result $? "the meter saw the load: $idle B/s before, then $(key highest)"
sleep 1.5
[ "$(key average)" -lt "$(($(key highest) / 3))" ]
result $? "afterwards the load is gone: $(key average) B/s"
unload
finished
