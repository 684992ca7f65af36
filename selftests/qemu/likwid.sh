#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# likwid.sh - makes build/likwid, a folder with Debian's likwid-perfctr to copy over a guest's root
# (guest.sh -o), and prints its path. Not part of each guest, because its library alone is larger
# than the rest.
set -eu
. "$(dirname "$0")/../lib/common.sh"

out=$RCR_BUILD/likwid
# likwid-perfctr requires its daemon and its groups, though no test uses them.
parts=(/usr/bin/likwid-perfctr /usr/bin/lua5.3 /usr/share/lua/likwid.lua
	/usr/lib/x86_64-linux-gnu/liblikwid.so /usr/sbin/likwid-accessD
	/usr/share/likwid/perfgroups/interlagos)
made_of=$(dpkg-query -W likwid lua5.3 | fingerprint "$0" -)

if [ "$(cat "$out.made-of" 2>/dev/null)" != "$made_of" ]; then
	rm -rf "$out"
	# The libraries go to the paths that the loader searches.
	{
		printf '%s\n' "${parts[@]}"
		ldd "${parts[@]}" 2>/dev/null | grep -oE '/[^ :]+\.so[^ :]*'
	} | sort -u | while read -r part; do
		mkdir -p "$out$(dirname "$part")"
		cp -rL "$part" "$out$part"
	done
	printf '%s\n' "$made_of" >"$out.made-of"
fi
printf '%s\n' "$out"
