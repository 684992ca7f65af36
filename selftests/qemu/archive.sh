#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# archive.sh RELEASE [installed] - makes build/archive-RELEASE, the files that all guests of a
# kernel have in common, and prints its path. It contains the files of initramfs.sh, the tests, and
# the module and the programs, under /rcr or, on an installed machine, where installed.sh puts them.
# guest.sh appends the files of one guest.
set -eu
. "$(dirname "$0")/../lib/common.sh"

kver=$1 installed=${2:-}
out=$RCR_BUILD/archive-$kver${installed:+-installed}
# check.sh has made the archives in RCR_MADE; their sources do not change while its guests run.
if [[ " ${RCR_MADE:-} " == *" $out "* ]]; then
	printf '%s\n' "$out"
	exit 0
fi
base=$("$RCR_TOP/selftests/qemu/initramfs.sh" "$kver")
parts=("$0" "$base" "$base.made-of" "$RCR_BUILD/tests" "$RCR_BUILD/bin")
# Exit if installed.sh fails: it prints nothing then, and cp would copy the root of this machine.
if [ "$installed" ]; then
	installed=$("$RCR_TOP/selftests/qemu/installed.sh" "$kver")
	parts+=("$installed.made-of")
else
	parts+=("$RCR_BUILD/$kver"/rcrtool*.ko)
fi

# The directory of a removed file is newer.
if [ -e "$out" ] && [ -z "$(find "${parts[@]}" -newer "$out" -print -quit)" ]; then
	printf '%s\n' "$out"
	exit 0
fi

# Strip the programs: nine tenths of them are debug information, and an emulated CPU unpacks them.
add_programs()
{
	cp -r "$RCR_BUILD/tests" "$root/rcr/"
	find "$root/rcr/tests" -type f -perm -u+x ! -name '*.sh' ! -name loops -exec strip --strip-debug {} +
	# Libraries of the programs, at the paths that the loader searches, except for those of
	# PCP's agent: these are as large as all others, and its tests add them. libdw is loaded by
	# dlopen().
	dw=$(ldconfig -p | sed -n 's/.*libdw\.so\.1 .*=> //p' | head -n 1)
	{ ldd "$RCR_BUILD"/bin/rcr* ${dw:+"$dw"} && echo "$dw"; } 2>/dev/null | grep -oE '/[^ :]+\.so[^ :]*' | sort -u |
		xargs cp -L --parents -t "$root"
	if [ "$installed" ]; then
		cp -r "$installed/." "$root/"
		return
	fi
	mkdir "$root/rcr/bin"
	cp "$RCR_BUILD"/bin/rcr* "$root/rcr/bin/"
	cp "$RCR_BUILD/$kver"/rcrtool*.ko "$root/rcr/"
	strip --strip-debug "$root"/rcr/bin/* "$root"/rcr/rcrtool*.ko
}

# Guests start at the same time, so an archive is renamed when it is complete. Its time is that of
# the begin, so that a file that changes meanwhile is newer.
root=$out.root.$$
mkdir -p "$root"
: >"$root.begin"
cpio --quiet -id -D "$root" <"$base"
add_programs
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$root.new"
touch -r "$root.begin" "$root.new"
mv "$root.new" "$out"
rm -r "$root" "$root.begin"
printf '%s\n' "$out"
