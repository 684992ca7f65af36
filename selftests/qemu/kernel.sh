#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh [KVER] - unpacks Debian's kernel of release KVER (default: the one
# the module is built for) into build/kernels/KVER, fetched as a package and
# never installed, and prints that folder.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

kver=${1:-$(make -s -C "$RCR_TOP" print-kver)}
out=$RCR_BUILD/kernels/$kver

if [ ! -e "$out/complete" ]; then
	deb=$(apt_fetch_deb "linux-image-$kver")
	rm -rf "$out"
	mkdir -p "$out"
	step "unpack kernel $kver" "$RCR_BUILD/logs/kernel-$kver.log" \
		dpkg -x "$deb" "$out"
	touch "$out/complete"
fi
printf '%s\n' "$out"
