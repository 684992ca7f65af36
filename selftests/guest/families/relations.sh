#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# relations.sh MODEL - relations between counters: rcrstat marks no counter as suspect while all
# relations hold, and names the counters of a relation that does not, be it by the formula or due to
# a broken register. Events are independent in the formula, so a relation may hold on some CPUs
# only: in these sets on all CPUs, or on the first two.
. ./tap.sh
plan 13
unset RCR_RELATIONS
clocks="A=register:aperf;M=register:mperf"
case $1 in
fam10h)
	holds="CYC=event:0x76;INS=event:0xc0;STALLS=event:0xd1;$clocks" third=STALLS most=4
	breaks="OPS=event:0xc1;FP=event:0xcb,umask:0x07" relation="FP <= OPS"
	;;
fam15h)
	holds="CYC=event:0x76;INS=event:0xc0;FLOPS=event:0x03,umask:0xff;$clocks" third=FLOPS most=8
	breaks="INS=event:0xc0;FP=event:0xcb,umask:0x04" relation="FP <= INS"
	;;
fam17h | fam19h | zen4)
	holds="CYC=event:0x76;INS=event:0xc0;FLOPS=event:0x03,umask:0x0f;$clocks" third=FLOPS most=16
	[ "$1" != fam17h ] || holds="$holds;register:energy-pkg"
	breaks="INS=event:0xc0;FP=event:0xcb,umask:0x04" relation="FP <= INS"
	;;
nehalem)
	holds="CYC=event:0x3c;INS=event:0xc0;UOPS=event:0x10,umask:0x05;REF=event:0x00,umask:0x03;$clocks"
	third=UOPS most=8
	breaks="INS=event:0xc0;FP=event:0x0b,umask:0x01" relation="FP <= INS"
	;;
snbep | ivbep | hswep | bdwep | skx | icx | spr)
	issued=event:0x0e,umask:0x01
	[ "$1" != spr ] || issued=event:0xae,umask:0x01
	holds="CYC=event:0x3c;INS=event:0xc0;UOPS=$issued;REF=event:0x00,umask:0x03;$clocks" third=UOPS most=8
	case $1 in
	skx | icx | spr) most=16 ;;
	esac
	breaks="INS=event:0xc0;FP=event:0xc4,umask:0x20" relation="FP <= INS"
	;;
*) echo "Bail out! relations.sh: no model $1"; exit 1 ;;
esac

# Print the status column of two seconds of rcrstat; its messages are in /tmp/messages.
status_now()
{
	rcrstat -i 2 -n 1 "$@" 2>/tmp/messages >/tmp/csv
	tail -n 1 /tmp/csv | cut -d, -f5
}

# cell CPU NAME: prints the value of a cell.
cell()
{
	awk -F, -v name="cpu$1:$2" '
		/^#/ { next }
		!at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print $at }' /tmp/csv
}

# A long period makes the tolerance for the time of reading registers small.
load_set "$holds" period_us=500000
is "$(status_now) $(cat /tmp/messages)" "ok " "relations: records that satisfy all relations are not suspect"
counter=$(sed -n 's/^counter [0-9]*: CYC .* counter \(0x[0-9a-f]*\) .*/\1/p' $STATUS)
break_register 1 "$counter" sticks
sleep 1
is "$(status_now)" "cpu1:INS=suspect;cpu1:$third=suspect" \
	"relations: if cycles do not advance on a CPU, the counters that depend on them are suspect there"
contains "$(cat /tmp/messages)" "'INS <= $most CYC': marked as suspect" "relations: the broken relation is named"
sed 's/^/# /' /tmp/messages
is "$(cell 1 CYC)" 0.0 "relations: rcrstat does not correct the value of a broken register"
[ "$(cell 1 INS | cut -d. -f1)" -gt 1000 ]
result $? "relations: rcrstat prints suspect values, too"
is "$(status_now --relations none) $(cat /tmp/messages)" "ok " "relations: the checks can be switched off"
rcrstat -f table -i 2 -n 1 >/tmp/table 2>/dev/null
contains "$(cat /tmp/table)" "INS on CPU 1 is suspect" "relations: the table names the suspect, too"
mend_register 1 "$counter"
sleep 1
is "$(status_now) $(cat /tmp/messages)" "ok " "relations: records are no longer suspect once the register is mended"
unload

for source in msr perf; do
	load_set "$breaks" source=$source period_us=500000
	# The status is gap while perf stops counters to add events.
	sleep 1
	is "$(status_now)" "cpu2:FP=suspect;cpu3:FP=suspect" \
		"source=$source: counters of a relation that the formula breaks are suspect on those CPUs only"
	contains "$(cat /tmp/messages)" "'$relation': marked as suspect" "relations: the broken relation is named"
	unload
done

# own_relation_is_broken: true if a user's relation is broken on all CPUs. The tolerance includes
# the time of reading registers, which a busy host may stretch.
own_relation_is_broken()
{
	[ "$(status_now --relations /tmp/own)" = \
		"cpu0:FP=suspect;cpu1:FP=suspect;cpu2:FP=suspect;cpu3:FP=suspect" ]
}

echo "FP <= 0.001 ${relation##* }" >/tmp/own
load_set "$breaks" period_us=500000
sleep 1
once_in 5 own_relation_is_broken
result $? "relations: rcrstat checks a user's own relation"
unload
finished
