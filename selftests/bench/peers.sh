#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# peers.sh - counts the instructions of a pair of calls around an empty section with six events, by
# librcrregion and by Debian's PAPI and LIKWID, in a guest whose time follows its execution. Prints
# lines of the bench. Nothing is installed: PAPI is unpacked under build/.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

out=$RCR_BUILD/peers
libs=usr/lib/x86_64-linux-gnu

gather_peers()
{
	local deb package
	rm -rf "$out"
	cp -r "$("$RCR_TOP/selftests/qemu/likwid.sh")" "$out"
	for package in libpapi7.0 libpfm4; do
		deb=$(apt_fetch_deb "$package") || return
		dpkg-deb -x "$deb" "$out" || return
		rm "$deb"
	done
	rm -rf "$out/usr/share/doc"
	cp "$RCR_BUILD/lib/librcrregion.so.1" "$out/$libs/"
}

step "gather PAPI and LIKWID" "$RCR_BUILD/logs/bench-peers.log" gather_peers
"$RCR_TOP/selftests/qemu/guest.sh" -i -n peers -t 400 -m fam15h -a nmi_watchdog=0 -o "$out" \
	-f "$RCR_BUILD/bench/programs" "cd tests && bash ../programs/peers_guest.sh"
