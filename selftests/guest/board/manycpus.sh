#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# manycpus.sh - 64 meters on a machine with many CPUs: the limit of subscriptions per descriptor,
# which the entries of 64 CPUs exceed, and the time to evaluate all meters. The time is printed, but
# not checked, as it depends on the host.
. ./tap.sh
plan 6
METERS=64

meters()
{
	sed -n "s/^meters: .*\b$1 \([0-9]*\).*/\1/p" $STATUS
}

cpus=$(nproc) most=4096 error=28
[ $((METERS * (cpus + 2))) -gt $most ] || most=$((METERS * (cpus + 2))) error=0
load_set "TOT_CYC=event:0x76;TOT_INS=event:0xc0" period_us=500000
# Keep one meter, or rcrctl would add those of the family.
rcrctl meter add m0 TOT_CYC/TOT_INS --over cpu --scale 1600ms
for file in /sys/kernel/debug/rcrtool/meters/*; do
	[ "${file##*/}" = m0 ] || echo "meter remove ${file##*/}"
done | rcrctl --batch -
for ((i = 1; i < METERS; i++)); do
	echo "meter add m$i TOT_CYC/TOT_INS --over cpu --scale 1600ms"
done | rcrctl --batch -
is "$(find /sys/kernel/debug/rcrtool/meters -type f | wc -l)" $METERS "many CPUs: the greatest possible number of meters is added"
sleep 1

# Evaluate all entries once.
passes=$(meters passes) evaluations=$(meters evaluations)
./subscribing fill >/tmp/fill
is "$(sed -n 1p /tmp/fill)" "$most subscriptions, then error $error" \
	"many CPUs: a descriptor can have $most subscriptions, then it returns error $error"
is "$(sed -n 2p /tmp/fill)" "again: error 0" "many CPUs: an existing subscription can be replaced at the limit"
evaluations=$(($(meters evaluations) - evaluations))
result $((evaluations < most)) "many CPUs: each subscription was evaluated immediately: $evaluations in $(($(meters passes) - passes)) passes"

# One reader reads all meters twice a second.
mkfifo /tmp/end
exec 3<>/tmp/end
for ((i = 0; i < METERS; i++)); do
	./subscriber hold m$i 500 </tmp/end >/tmp/held 3>&- &
done
exec 4>/tmp/end 3>&-
sleep 3
before=$(sed -n 's/^meters: //p' $STATUS)
sleep 3
after=$(sed -n 's/^meters: //p' $STATUS)
exec 4>&-
wait
read -r passes evaluations cycles < <(awk -v n="$before" '{
	split(n, b, " ")
	p = $2 - b[2]
	printf "%.0f %.0f %.0f\n", p, p ? ($4 - b[4]) / p : 0, p ? ($8 * $2 - b[8] * b[2]) / p : 0
}' <<<"$after")
echo "# meters: $after"
echo "# one reader of all meters on $cpus CPUs: $passes passes of $evaluations evaluations and $cycles cycles"
result $((passes < 1 || evaluations < cpus)) "many CPUs: meters are evaluated for one reader: $evaluations entries per pass"
unload
result $? "many CPUs: the module unloads"
finished
