#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# sources.sh MODEL - source=msr, source=perf and perf stat, one after the other, count the same, and
# both sources match the formula.
. ./tap.sh
case $1 in
fam15h) raw="r00c0 r04cb r0141 r0729" ;;
# Event 003h takes a pair of counters: five events fill six.
fam17h | fam19h | zen4) raw="r00c0 r0076 r04cb r0729 rff03" ;;
nehalem) raw="r00c0 r003c r0280 r01a2 r0151" ;;
snbep) raw="r00c0 r003c r0280 r01a2 r0151 r02a3 r81d0 r01d1 r0211" ;;
ivbep | hswep) raw="r00c0 r003c r0280 r01a2 r0151 r08a3 r81d0 r01d1 r01c4" ;;
# On Broadwell only counter 1 counts C0h with mask 1, which the kernel does not know.
bdwep) raw="r00c0 r003c r0280 r01a2 r0151 r0148 r81d0 r01d1 r01c4" ;;
skx) raw="r00c0 r003c r0280 r01a2 r0151 r01c0 r81d0 r01d1 r01c4" ;;
icx | spr) raw="r00c0 r003c r01a2 r01c4 r00c5 r0151 r81d0 r01d1 r3fc7" ;;
*) echo "Bail out! sources.sh: no model $1"; exit 1 ;;
esac
events=
for r in $raw; do
	events="$events;$r=event:0x${r:3:2},umask:0x${r:1:2}"
done

printf 'TAP version 13\n1..3\n'
before=$(controls)
# Use all counters with source=perf, too; only the test build of the module permits that.
# shellcheck disable=SC2034 # for load
MODULE=/rcr/rcrtool-spare0.ko
for source in msr perf; do
	load_set "${events#;}" source=$source spare=0 period_us=1000 budget_ppm=0 || exit 1
	[ "$(status_of source)" = $source ] || exit 1
	rcrstat -i 2 -n 1 >/tmp/$source
	unload
done
# shellcheck disable=SC2086 # one option of several words
perf stat -x, -a -A -e "${raw// /,}" sleep 2 2>/tmp/stat

awk -F, '
	FILENAME != "/tmp/stat" && FNR == 1 {
		for (i = 6; i <= NF; i++) { split($i, part, ":"); name[i] = part[1] " " part[2] }
		next
	}
	FILENAME != "/tmp/stat" { for (i = 6; i <= NF; i++) rate[FILENAME, name[i]] = $i; next }
	/^CPU/ {
		key = "cpu" substr($1, 4) " " $4
		theirs = $2 / ($5 / 1e9); rows++
		for (s = 1; s <= 2; s++) {
			ours = rate[s == 1 ? "/tmp/msr" : "/tmp/perf", key]
			off = ours / theirs - 1
			if (off < 0) off = -off
			if (off > worst) worst = off
			if (!ours || off > 0.005) { bad++; print "# " key ": " ours " and perf stat " theirs }
		}
	}
	END { printf "# %d counters, the worst %.4f %% apart\n", rows, worst * 100; exit !(rows >= 16 && !bad) }
' /tmp/msr /tmp/perf /tmp/stat
result $? "sources: msr, perf and perf stat agree within 0.5 %"
is "$(perf stat -x, -a -e r00c0 sleep 0.2 2>&1 | grep -c '^[1-9]')" 1 "sources: perf stat counts after the unload"
is "$(controls | grep -c 4300c0)" 0 "sources: no event of the module is left in a control"
[ "$before" ] || exit 1
rc=$TAP_FAILED
if [ "$1" = fam15h ]; then
	# Events that only some counters can count, which this kernel does not know: requested in
	# this order, each is allocated a counter that can.
	echo "# P8 with source=perf, Table I"
	load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0;RETIRED_FLOPS=event:0x03,umask:0xff;VEC_INS=event:0xcb,umask:0x04;L1_DCM=event:0x41,umask:0x01;TLB_DM=event:0x46,umask:0x07" \
		source=perf spare=0 period_us=1000 budget_ppm=0
	./exact 3 0 0 || rc=1
	unload
fi
for source in msr perf; do
	echo "# P8 with source=$source"
	load_set "${events#;}" source=$source spare=0 period_us=1000 budget_ppm=0
	./exact 4 0 0 || rc=1
	unload
done
exit $rc
