# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# witness.sh - builds the modules of selftests/witness. Needs common.sh.

# build_witness [KERNEL]: builds the modules for KERNEL, a name for kernel.sh, and sets kver to its
# release and witness to their directory. Scripts may call it concurrently.
build_witness()
{
	local kdir
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$@")
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
	witness=$RCR_BUILD/witness/$kver
	mkdir -p "$witness"
	(
		flock 9
		# Built in a directory of links, like the module.
		cp -asf "$RCR_TOP"/selftests/witness/* "$witness/"
		step "the witness" "$RCR_BUILD/logs/witness-$kver.log" \
			make -s -C "$kdir" O= M="$witness" modules
	) 9>"$witness/lock"
}
