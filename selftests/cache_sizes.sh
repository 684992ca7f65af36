#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# cache_sizes.sh - measures the memory traffic of a matrix product for four sizes of the L3, as
# figure 11 of the paper on Blue Gene/P's counters, and draws build/cache_sizes/sizes.svg. The
# expected traffic is known: a matrix of 2 MiB is read for each of eight rows if the cache is too
# small, else once or never. Prints TAP.
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
# mb KIB: prints the memory traffic in MB with an L3 of this size. All rows together read 8 x 2 MiB
# of the matrix, 16.7 MB; other traffic of the node is less than half of that.
mb() { awk -F, -v run="$1KiB" '$3 == run { print $6 }' "$out/sizes.csv"; }
awk -v mb="$(mb 512)" 'BEGIN { exit !(mb > 16.7 * 0.9 && mb < 16.7 * 1.5) }' && rc=0 || rc=1
result "$rc" "a matrix that is larger than the cache is read for each row: $(mb 512) MB"
awk -v mb="$(mb 8192)" 'BEGIN { exit !(mb != "" && mb < 16.7 / 8 * 1.5) }' && rc=0 || rc=1
result "$rc" "a matrix that fits into the cache is read at most once: $(mb 8192) MB"
awk -v a="$(mb 512)" -v b="$(mb 1024)" -v c="$(mb 2048)" -v d="$(mb 8192)" \
	'BEGIN { exit !(d != "" && a * 1.1 > b && b * 1.1 > c && c > d) }' && rc=0 || rc=1
result "$rc" "the traffic falls as the cache grows"
finished
