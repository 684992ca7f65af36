#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# pcp.sh - makes build/pcp, a folder with Debian's PCP, and prints its path. Nothing is installed: a
# test names it in PCP_CONF (bats/pcp.bash), or copies it over a guest's root (guest.sh -o).
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

out=$RCR_BUILD/pcp
packages=(pcp pcp-conf libpcp3 libpcp-pmda3 libpcp-archive1 libpcp-web1 gawk libsigsegv2)
made_of=$(fingerprint "$0")

# Combine the name spaces of the PCP agents that tests start; pmcpp removes comments and conditions.
merge_names()
{
	awk '
	/^root[ \t]*[{]/ { in_root = 1; next }
	in_root && /^[}]/ { in_root = 0; next }
	in_root { names = names $0 "\n"; next }
	{ rest = rest $0 "\n" }
	END { printf "root {\n%s\trcr 300:*:*\n}\n%s", names, rest }' "$@"
}

unpack_pcp()
{
	local package deb
	rm -rf "$out"
	mkdir -p "$out"
	for package in "${packages[@]}"; do
		deb=$(apt_fetch_deb "$package") || return
		dpkg-deb --fsys-tarfile "$deb" |
			tar -x -C "$out" --keep-directory-symlink ./etc/pcp.conf ./etc/pcp.env ./etc/pcp ./usr/lib ./usr/bin ./usr/share/pcp/lib 2>"$out.tar" ||
			! grep -v "Not found in archive\|Exiting with failure" "$out.tar" || return
	done
	rm -f "$out.tar"
	rm -rf "$out"/usr/lib/{python3,systemd,tmpfiles.d,sysusers.d,modules-load.d,pcp/pmdas-old}
	find "$out/usr/lib/pcp/pmdas" -mindepth 1 -maxdepth 1 ! -name linux ! -name pmcd -exec rm -rf {} +
	find "$out/usr/bin" -type f ! -name 'pm[ilvp]*' ! -name pmdumplog ! -name gawk -delete
	mkdir -p "$out"/var/lib/pcp/{pmns,pmdas,tmp,config/pmda} "$out"/var/{log/pcp,tmp} "$out"/run/pcp
	ln -s ../../../../usr/lib/pcp/pmdas/{linux,pmcd} "$out/var/lib/pcp/pmdas/"
	merge_names "$out"/usr/lib/pcp/pmns/root_{linux,pmcd} |
		LD_LIBRARY_PATH=$out/usr/lib PCP_CONF=$out/etc/pcp.conf "$out/usr/lib/pcp/bin/pmcpp" |
		grep -v "^#" >"$out/var/lib/pcp/pmns/root"
	# Libraries that a guest lacks.
	LD_LIBRARY_PATH=$out/usr/lib ldd "$out/usr/lib/pcp/bin/pmcd" "$out/usr/bin/pminfo" "$out/usr/bin/pmlogger" |
		grep -oE '/(usr/)?lib/x86_64[^ :]*\.so[^ :]*' | sort -u | while read -r library; do
		mkdir -p "$out$(dirname "$library")"
		cp -L "$library" "$out$library"
	done
	# For tests on this machine, use the paths in the build directory.
	sed -E "s#=/(usr|var|etc|run)(/|\$)#=$out/\\1\\2#" "$out/etc/pcp.conf" >"$out/here.conf"
}

if [ "$(cat "$out.made-of" 2>/dev/null)" != "$made_of" ]; then
	step "unpack PCP" "$RCR_BUILD/logs/pcp.log" unpack_pcp
	printf '%s\n' "$made_of" >"$out.made-of"
fi
printf '%s\n' "$out"
