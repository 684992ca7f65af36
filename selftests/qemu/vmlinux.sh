#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# vmlinux.sh RELEASE - prints the file that guests boot: the unpacked kernel if it has a PVH entry,
# so that the emulated CPU need not unpack it for seconds, else the packed one. A kernel that is
# entered by PVH runs at the address that it was linked for.
set -eu
. "$(dirname "$0")/../lib/common.sh"

boot=$("$RCR_TOP/selftests/qemu/kernel.sh" "$1")/boot
packed=$boot/vmlinuz-$1 unpacked=$boot/vmlinux-$1

# number_at OFFSET: prints the four bytes there as a number.
number_at()
{
	od -An -t u4 -j "$1" -N 4 "$packed" | tr -d ' '
}

# unpack FILE: unpacks the kernel within the boot image. setup_sects (one byte), payload_offset and
# payload_length are in its header: arch/x86/boot.rst of the kernel's documentation. The last four
# bytes of the payload, the size of the kernel, are not part of the archive.
unpack()
{
	local sectors start length
	sectors=$(($(number_at $((0x1f1))) & 0xff))
	start=$(((sectors + 1) * 512 + $(number_at $((0x248)))))
	length=$(($(number_at $((0x24c))) - 4))
	tail -c +$((start + 1)) "$packed" | head -c "$length" >"$1.packed"
	case $(od -An -t x4 -N 4 "$1.packed" | tr -d ' ') in
	587a37fd) xz -dc <"$1.packed" >"$1" ;;
	fd2fb528) zstd -dcq <"$1.packed" >"$1" ;;
	*) die "$packed is packed neither by xz nor by zstd" ;;
	esac
	rm "$1.packed"
}

if ! grep -q '^CONFIG_PVH=y' "$boot/config-$1"; then
	printf '%s\n' "$packed"
	exit 0
fi
if [ ! "$unpacked" -nt "$packed" ]; then
	# Guests start at the same time, so the file is renamed when it is complete.
	unpack "$unpacked.$$"
	mv "$unpacked.$$" "$unpacked"
fi
printf '%s\n' "$unpacked"
