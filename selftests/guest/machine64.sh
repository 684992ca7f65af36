#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# machine64.sh - 64 meters on a machine of 64 CPUs: how many may be subscribed by a descriptor,
# and what an evaluation of all of them takes, which is printed and not judged: the guest's
# cycles are the host's.
. ./tap.sh
plan 6
METERS=64

meters()
{
	sed -n "s/^meters: .*\b$1 \([0-9]*\).*/\1/p" $STATUS
}

cpus=$(nproc)
load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=100000
for ((i = 0; i < METERS; i++)); do
	echo "meter add m$i TOT_CYC / TOT_INS --over cpu --scale 1600ms"
done | rcrctl --batch - --keep-going >/dev/null 2>&1
is "$(find /sys/kernel/debug/rcrtool/meters -type f | wc -l)" $METERS "64 CPUs: there are as many meters as there can be"
sleep 1

# All that there is, once.
passes=$(meters passes) evaluations=$(meters evaluations)
./subscribing fill >/tmp/fill
is "$(sed -n 1p /tmp/fill)" "4096 subscriptions, then error 28" \
	"64 CPUs: a descriptor has room for 4096 subscriptions, and then it is ENOSPC"
is "$(sed -n 2p /tmp/fill)" "again: error 0" "64 CPUs: one that it has already can be replaced"
evaluations=$(($(meters evaluations) - evaluations))
result $((evaluations < 4096)) "64 CPUs: each was evaluated at once: $evaluations in $(($(meters passes) - passes)) passes"

# One reader of all, twice a second.
mkfifo /tmp/end
for ((i = 0; i < METERS; i++)); do
	[ ! -e /sys/kernel/debug/rcrtool/meters/m$i ] || ./subscriber hold m$i 500 </tmp/end >/tmp/held &
done
exec 3>/tmp/end
sleep 3
before=$(sed -n 's/^meters: //p' $STATUS)
sleep 3
after=$(sed -n 's/^meters: //p' $STATUS)
exec 3>&-
wait
read -r passes evaluations cycles < <(awk -v n="$before" '{
	split(n, b, " ")
	p = $2 - b[2]
	printf "%.0f %.0f %.0f\n", p, p ? ($4 - b[4]) / p : 0, p ? ($8 * $2 - b[8] * b[2]) / p : 0
}' <<<"$after")
echo "# meters: $after"
echo "# one reader of all meters on $cpus CPUs: $passes passes of $evaluations evaluations and $cycles cycles"
result $((passes < 1 || evaluations < cpus)) "64 CPUs: one reader of all meters has them evaluated: $evaluations of them in a pass"
unload
result $? "64 CPUs: unloaded"
finished
