#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# reboot.sh SOURCE tries|stuck|absent|CPU - reboots the machine while registers are programmed. Run
# without run.sh: the witness (selftests/witness) runs last and prints the result. The caller checks
# that the machine has gone down.
#
# tries: before and after the reboot notifiers, a program finalizes sets in a loop, and takes a CPU
#	offline and online.
# stuck: a control could not be restored when the set was removed, but can be at reboot.
# absent: a CPU went offline with a control that could not be restored, and the set was removed.
# CPU: a real-time task occupies that CPU, and a change of the set waits for it.
. ./tap.sh
. ./hog_lib.sh
plan 3
source=$1 what=$2 mask=0xffffffffffffffff wait=0
# A value that enables nothing, as firmware may leave it.
wrmsr -p 1 0xc0010206 0x12034567
# perf disables its controls, but does not clear them.
[ "$source" = msr ] || mask=0x400000
[ "$what" != tries ] || wait=3
# shellcheck disable=SC2086 # one word each
registers=$(printf '0x%s,' $CONTROLS)
insmod /rcr/rcr_witness.ko registers="${registers%,}" mask=$mask wait=$wait
load_set "INS=event:0xc0;CYC=event:0x76" source="$source" period_us=1000
is "$(controls | grep -cE '(4300c0 |430076 |5300c0 |530076 ){4}') $(status_of state)" "2 sampling" \
	"reboot: registers are programmed on every CPU"

tries()
{
	local i
	for ((i = 1; ; i++)); do
		echo 0 >/sys/devices/system/cpu/cpu3/online
		echo 1 >/sys/devices/system/cpu/cpu3/online
		rcrctl finalize
		echo $i >/sys/module/rcr_witness/parameters/attempts
		# The witness reads the registers while no request is made.
		sleep 1
	done
}

if [ "$what" = tries ]; then
	tries >/dev/null 2>&1 &
	reboot -f -n
elif [ "$what" = stuck ]; then
	control=$(control_of INS)
	break_register 1 "$control" sticks
	rcrctl reset
	mend_register 1 "$control"
	wrmsr -p 1 "$control" 0
	poweroff -f -n
elif [ "$what" = absent ]; then
	control=$(control_of INS)
	break_register 2 "$control" sticks
	echo 0 >/sys/devices/system/cpu/cpu2/online
	rcrctl set "CYC=event:0x76"
	poweroff -f -n
else
	hog "$what" 50
	rcrctl add MORE=event:0xc1
	rcrctl finalize >/dev/null 2>&1 &
	sleep 0.5
	# The kernel reboots on CPU 0: be there before the hog starts.
	chrt -f 60 poweroff -f -n
fi
