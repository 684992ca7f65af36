#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# cache_sizes.sh - how the size of the L3 changes the traffic of a product of matrices with memory:
# figure 11 of the paper on Blue Gene/P's counters, from guests with four sizes, drawn into
# build/cache_sizes/sizes.svg. Known is what the kernel reads: a matrix of 2 MiB for each of eight
# rows where the cache cannot keep it, else once or never. TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

out=$RCR_BUILD/cache_sizes
rm -rf "$out"
mkdir -p "$out"
runs=()
for size in 512 1024 2048 8192; do
	mkdir "$out/$size"
	"$RCR_TOP/selftests/qemu/guest.sh" -n "l3-$size" -I -t 300 -m fam15h -a nmi_watchdog=0 \
		-e RCR_VPMU=exec -e "RCR_VPMU_CACHES=16,128,$size" \
		-f "$RCR_TOP/README.md" -f "$RCR_TOP/Documentation/user" \
		'bash tests/run.sh region_l3.sh' >"$out/$size.log" 2>&1 || true
	sed -n 's/^# file //p' "$out/$size.log" | base64 -d >"$out/$size/product.rcr"
	runs+=("${size}KiB=$out/$size")
done
PATH=$RCR_BUILD/bin:$PATH
rcrregion compare -c -r product -b dram_mb_per_node -o "$out/sizes.svg" "${runs[@]}" >"$out/sizes.csv"
sed 's/^/# /' "$out/sizes.csv"
plan 3
# MB of the matrix in all rows: 8 times 2 MiB; what else the node reads and writes is less than half of it.
mb() { awk -F, -v run="$1KiB" '$3 == run { print $6 }' "$out/sizes.csv"; }
awk -v mb="$(mb 512)" 'BEGIN { exit !(mb > 16.7 * 0.9 && mb < 16.7 * 1.5) }' && rc=0 || rc=1
result "$rc" "without room for the matrix it is read for each row: $(mb 512) MB"
awk -v mb="$(mb 8192)" 'BEGIN { exit !(mb != "" && mb < 16.7 / 8 * 1.5) }' && rc=0 || rc=1
result "$rc" "with room it is read once at most: $(mb 8192) MB"
awk -v a="$(mb 512)" -v b="$(mb 1024)" -v c="$(mb 2048)" -v d="$(mb 8192)" \
	'BEGIN { exit !(d != "" && a * 1.1 > b && b * 1.1 > c && c > d) }' && rc=0 || rc=1
result "$rc" "the traffic falls with the size"
finished
