#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# calibrate.sh CURVE... - rcrcal on a machine whose memory saturates as defined in vpmu/phase.h,
# with a known curve (hard or queue) and knee for each kind of access: read, write, copy, random.
# rcrcal must find the knee; the module uses it for verdicts, and it is kept when the module is
# unloaded. Leaves rates changed: run no other test in the guest.
. ./tap.sh
plan 56
FILE=/tmp/calibration
MEM_BW=/sys/kernel/debug/rcrtool/meters/mem_bw
KINDS=(read write copy random)
KNEES=(40000 50000 21000 30000)
CURVES=("$@")
rm -f /tmp/phase.log
[ $# -eq 4 ] || exit 2

# tsc_mhz: prints the TSC frequency according to the kernel.
tsc_mhz()
{
	dmesg | sed -nE 's/.*tsc: (Detected|Refined TSC clocksource calibration:) ([0-9.]+) MHz.*/\2/p' | tail -n 1
}

# full_rate UMASK: prints the bytes per second of both nodes' controllers, by rate.h.
full_rate()
{
	awk -v mhz="$mhz" -v umask="$1" '
		function rate(node) {
			return 1 + (1009 * 496 + 97 * umask + 4099 * node + 12289) % 49999
		}
		BEGIN { printf "%.0f\n", (rate(0) + rate(1)) / 65536 * mhz * 1e6 * 64 }'
}

# near GOT EXPECTED PERCENT DESCRIPTION: GOT differs from EXPECTED by at most PERCENT.
near()
{
	local off
	off=$(awk -v got="$1" -v expected="$2" 'BEGIN { printf "%.3f", (got / expected - 1) * 100 }')
	awk -v off="$off" -v most="$3" 'BEGIN { exit !(off < most && off > -most) }'
	result $? "$4: off by $off %"
}

# begin: loads the module and adds the meters of memory.
begin()
{
	load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=2000 budget_ppm=0
	rcrctl meter add mem_bw && rcrctl meter add mem_latency
}

# said KIND WORD: prints the number after these words in the output of rcrcal.
said()
{
	sed -nE "s/^mem_bw $1 .*$2 ([0-9.]+).*/\1/p" /tmp/out
}

# key NAME: prints a field of the meter's file, after waiting for current values.
key()
{
	sleep 0.1
	sed -n "s/^$1: //p" $MEM_BW
}

# sum_of FILE: prints a checksum.
sum_of()
{
	md5sum <"$1"
}

calibrate()
{
	rcrcal --file $FILE --load "./phase load" --steps 16 --time 30ms "$@"
}

./phase assign nb 0x1f0 1 >/dev/null && ./phase assign nb 0x1e3 1 >/dev/null &&
	./phase assign nb 0x1e2 2 >/dev/null
for i in 0 1 2 3; do
	./phase knee "${KINDS[i]}" "${KNEES[i]}" "${CURVES[i]}"
done

says 1 "rcrtool is not loaded" calibrate
begin
result $? "calibrate: the counters of the memory meters are in the set"
mhz=$(tsc_mhz)
reads=$(full_rate 98) writes=$(full_rate 25)
full=$((reads + writes))
is "$(key max) $(key contention)" "- -" "calibrate: no maximum is known"

# Errors of the command line are reported before the machine is measured.
says 1 "meter 'nobody'" calibrate --meter nobody
says 1 "choose one with --latency" calibrate --meter cpi
says 1 "meter 'nobody'" calibrate --latency nobody
says 1 "ended with status 1" rcrcal --file $FILE --load false
says 1 "/nowhere/calibration: No such file" rcrcal --file /nowhere/calibration
says 1 "CAP_SYS_RAWIO" setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio \
	rcrcal --file $FILE --load true
echo "mem_bw is fast" >$FILE
rcrcal --file $FILE 2>/tmp/err
is "$? $(wc -l </tmp/err)" "1 2" "calibrate: a file that is not a calibration is not replaced: $(tail -n 1 /tmp/err)"
is "$(cat $FILE)" "mem_bw is fast" "calibrate: the content of such a file is not changed"
rm $FILE

# A load that does not saturate the resource.
./phase knee read 65536
says 1 "mem_bw read has no knee: latency never grows faster" calibrate --kind read
[ ! -e $FILE ]
result $? "calibrate: nothing is stored without a knee"
./phase knee read "${KNEES[0]}" "${CURVES[0]}"

# A hardware limit: one channel of 64 bits with 1600 MT/s.
{
	printf '\x11\x28\x01\x00\x00\x00\x00\x00\x48\x00\x40\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00\x40\x06'
	printf '\x00\x00\x00\x00\x00\x00\x00\x00\x00\x40\x06\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x04\x02\x00\x00\x00'
} >/tmp/dmi
RCR_DMI=/tmp/dmi calibrate --kind random,copy,write,read >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/out) $(tail -n 1 /tmp/out)" "0 5 mem_bw machine maximum 12800000000B/s" \
	"calibrate: four kinds of access and the limit of the machine are found"
is "$(wc -c </tmp/err)" 0 "calibrate: no progress is printed without a terminal"
sed 's/^/# /' /tmp/out
for i in 0 1 2 3; do
	kind=${KINDS[i]} given=${KNEES[i]} most=${KNEES[i]}
	# A single server (M/M/1) has its knee at half of the nominal load, and rcrcal stops 1/64
	# short of the latter.
	if [ "${CURVES[i]}" = queue ]; then
		most=$((given - given / 64))
		given=$((given / 2))
	fi
	near "$(awk -v load="$(said "$kind" load)" 'BEGIN { print load * 65536 }')" "$given" 5 \
		"calibrate: $kind: rcrcal finds the knee of the curve ${CURVES[i]}"
	near "$(said "$kind" contention)" $((full * given / 65536)) 5 "calibrate: $kind: the contention level is the rate at the knee"
	near "$(said "$kind" maximum)" $((full * most / 65536)) 1 "calibrate: $kind: rcrcal finds the maximum"
done

# Meters of traffic and latency that a user defines must have the same knee, in their own units.
rcrctl meter add traffic "rate(DCT_RD_TOT) * 64" --unit B/s
rcrctl meter add delay "2 * READ_LATENCY / READ_REQUESTS" --digits 3
calibrate --meter traffic --latency delay --kind write --file /tmp/own >/tmp/out 2>/tmp/err
is "$? $(cut -d ' ' -f 1-3 /tmp/out)" "0 traffic write maximum" "calibrate: rcrcal accepts the names of a meter and of a latency"
sed 's/^/# /' /tmp/out /tmp/err
found()
{
	sed -nE "s/^traffic write .*$1 ([0-9.]+).*/\1/p" /tmp/out
}
given=50000 most=50000
[ "${CURVES[1]}" != queue ] || given=25000 most=$((50000 - 50000 / 64))
near "$(awk -v load="$(found load)" 'BEGIN { print load * 65536 }')" $given 5 "traffic: rcrcal finds the knee"
near "$(found contention)" $((reads * given / 65536)) 5 "traffic: the contention level is the rate at the knee"
near "$(found maximum)" $((reads * most / 65536)) 1 "traffic: rcrcal finds the maximum"
is "$(sed -n 's/^max: //p' ${MEM_BW%/*}/traffic)" "$(found maximum)" "traffic: the module has that maximum"
is "$(grep -c '^mem_bw' /tmp/own)" 0 "traffic: the file has no limits of other meters"

# The module uses the limits of the selected mix, copy by default. From here on reads and writes
# have different classes.
./phase load copy 0 >/dev/null
./phase assign nb 0x1f0:0x62 4 >/dev/null && ./phase assign nb 0x1f0:0x19 5 >/dev/null
# used READS WRITES: sets the multipliers of reads and writes.
used()
{
	./phase schedule 4 0:"$1" >/dev/null
	./phase schedule 5 0:"$2" >/dev/null
}

# judged MIX CURRENT: checks the limits of that mix, and the verdict and utilization by them.
judged()
{
	local maximum
	maximum=$(sed -nE "s,^mem_bw $1 maximum ([0-9]+)B/s .*,\1,p" $FILE)
	is "$(key max) $(key contention)" \
		"$maximum $(sed -nE "s,^mem_bw $1 .* contention ([0-9]+)B/s$,\1,p" $FILE)" \
		"limits of $1: the module has the maximum and the contention level that rcrcal found"
	near "$(key utilization | tr -d %)" "$(awk -v part="$2" -v of="$maximum" 'BEGIN { print 100 * part / of }')" \
		2 "limits of $1: the utilization is relative to that maximum"
}

used 0.3 0.3
judged copy $(((reads + writes) * 3 / 10))
rcrcal --restore --mix read --file $FILE
used 0.5 0
judged read $((reads / 2))
rcrctl calibrate --restore --mix write --file $FILE
used 0 0.5
judged write $((writes / 2))
rcrcal --restore --mix random --file $FILE
used 0.3 0.3
judged random $(((reads + writes) * 3 / 10))
is "$(key verdict)" "$(awk -v now="$(key current)" -v level="$(key contention)" 'BEGIN { print now < level ? "ok" : "contention" }')" \
	"limits: the verdict follows from the contention level"

# The calibration is kept when the module is unloaded.
before=$(sum_of $FILE)
unload
begin
is "$(key max)" - "restore: a newly loaded module has no limits"
says 1 "/tmp/none: No such file" rcrcal --restore --file /tmp/none
sed 's/contention .*/contention much/' $FILE >/tmp/garbled
rcrcal --restore --file /tmp/garbled 2>/tmp/err
is "$? $(wc -l </tmp/err) $(key max)" "1 5 -" "restore: a malformed file is refused: $(tail -n 1 /tmp/err)"
sed 's/^family .*/family Acme 10/' $FILE >/tmp/other
says 1 "belongs to a machine of family" rcrcal --restore --file /tmp/other
(cat $FILE; echo "nobody read maximum 3") >/tmp/more
rcrcal --restore --file /tmp/more 2>/tmp/err
is "$? $(wc -l </tmp/err) $(key max)" "1 1 -" "restore: an unknown meter is reported: $(cat /tmp/err)"
grep '^family\|machine' $FILE >/tmp/machine
rcrcal --restore --file /tmp/machine
is "$? $(key max) $(key contention)" "0 12800000000 -" "restore: a file with only the limit of the machine is restored"
rcrcal --restore --file $FILE
is "$? $(sum_of $FILE)" "0 $before" "restore: rcrcal --restore sets the limits, and does not change the file"
judged copy $(((reads + writes) * 3 / 10))
limits="$(key max) $(key contention)"
rcrcal --restore --file /tmp/machine
echo "calibration = $FILE" >/tmp/conf
rcrctl configure /tmp/conf
is "$? $(key max) $(key contention)" "0 $limits" "restore: a configuration that names the file sets its limits"
echo "calibration = /tmp/none" >/tmp/conf
rcrctl configure /tmp/conf 2>/tmp/err
is "$? $(grep -c '/tmp/none: No such file' /tmp/err) $(grep -c '^/tmp/conf:1: ' /tmp/err)" "1 1 1" \
	"restore: a missing file is reported with the line of the configuration"

# A run that is interrupted restores all limits and stops its load. Run it on a terminal to check
# the progress display.
rcrctl calibrate --file $FILE --load "./phase load" --time 1s >/tmp/out 2>/dev/tty1 &
calibration=$!
for _ in $(seq 200); do
	grep -q "step 2" /dev/vcs1 && break
	sleep 0.1
done
contains "$(cat /dev/vcs1)" "mem_bw read: step 2 of 72, load 0.0" "stopped: rcrcal shows its progress on a terminal"
kill -TERM $calibration
wait $calibration
is "$? $(head -c 80 /dev/vcs1 | sed 's/ *$//')" "1 rcrcal: stopped by a signal: nothing is changed" \
	"stopped: rcrcal exits on a signal, and clears the progress display"
is "$(sum_of $FILE) $(tail -n 1 /tmp/phase.log | cut -d ' ' -f 1-2)" "$before 52435213 0" \
	"stopped: the file is not changed, and the load has ended"
unload
finished
