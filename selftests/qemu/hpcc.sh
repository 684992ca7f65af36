#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hpcc.sh - makes build/hpcc, a folder to copy over a guest's root (guest.sh -o) with Debian's hpcc,
# which includes STREAM and HPL, and likwid-bench, and prints its path. hpcc and Open MPI are not
# installed: their packages are fetched and unpacked there.
#
# A single process needs no mpirun, daemon or network: with some environment variables
# (selftests/guest/calibration/validate.sh) Open MPI runs it as a job of its own. The BLAS is the
# reference implementation, whose operations can be counted in its source.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

out=$RCR_BUILD/hpcc
unpacked=$out.unpacked
packages=(hpcc libopenmpi3 libblas3 libhwloc15 libevent-core-2.1-7
	libevent-pthreads-2.1-7)
libs=usr/lib/x86_64-linux-gnu
made_of=$({ printf '%s\n' "${packages[@]}"; dpkg-query -W likwid; } | fingerprint "$0" -)

if [ "$(cat "$out.made-of" 2>/dev/null)" = "$made_of" ]; then
	printf '%s\n' "$out"
	exit 0
fi

unpack()
{
	local package deb
	rm -rf "$unpacked" "$out"
	for package in "${packages[@]}"; do
		deb=$(apt_fetch_deb "$package")
		dpkg-deb -x "$deb" "$unpacked"
	done
}

# linked_with PROGRAM: prints its libraries, unpacked ones rather than the machine's.
linked_with()
{
	LD_LIBRARY_PATH=$unpacked/$libs:$unpacked/$libs/blas ldd "$1" |
		grep -oE '/[^ :]+\.so[^ :]*'
}

unpack
mkdir -p "$out/$libs" "$out/usr/bin" "$out/usr/sbin"
for program in "$unpacked/usr/bin/hpcc" /usr/bin/likwid-bench; do
	cp "$program" "$out/usr/bin/"
	linked_with "$program"
done | sort -u | while read -r lib; do
	case $lib in
	"$unpacked"/*) cp -L "$lib" "$out/$libs/" ;;
	*) mkdir -p "$out${lib%/*}"; cp -L "$lib" "$out$lib" ;;
	esac
done
mkdir -p "$out/$libs/openmpi/lib"
cp -r "$unpacked/$libs/openmpi/lib/openmpi3" "$out/$libs/openmpi/lib/"
cp /usr/sbin/likwid-accessD "$out/usr/sbin/"
cp "$unpacked/usr/share/doc/hpcc/examples/_hpccinf.txt" "$out/usr/bin/"
rm -rf "$unpacked"
printf '%s\n' "$made_of" >"$out.made-of"
printf '%s\n' "$out"
