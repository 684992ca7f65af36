#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# initramfs.sh NAME - makes build/initramfs-RELEASE, the part of the guest's file system that
# depends only on the kernel (busybox, perf, msr-tools, some of the kernel's modules, the C
# library), unless it exists, and prints its path. NAME is as in kernel.sh.
set -eu
. "$(dirname "$0")/../lib/common.sh"

kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$1")
kernel=$("$RCR_TOP/selftests/qemu/kernel.sh" "$kver")
out=$RCR_BUILD/initramfs-$kver
programs=(/bin/bash /usr/sbin/rdmsr /usr/sbin/wrmsr /usr/bin/timeout /usr/bin/setpriv /usr/bin/chrt /usr/bin/perf)
here=$RCR_TOP/selftests/qemu
made_of=$(fingerprint "$0" "$here"/{init,findings.sh,evidence.sh} "$kernel/boot/vmlinuz-$kver" "${programs[@]}")

if [ "$(cat "$out.made-of" 2>/dev/null)" = "$made_of" ]; then
	printf '%s\n' "$out"
	exit 0
fi

root=$out.root
rm -rf "$root"
mkdir -p "$root/bin" "$root/rcr" "$root/usr/bin"
cp /bin/busybox "$root/bin/"
cp "$here"/{init,findings.sh,evidence.sh} "$root/"
chmod +x "$root/init"
# add_module NAME: adds a module, uncompressed: newer kernels compress modules, and busybox loads
# plain ones only.
add_module()
{
	local file=$kernel/lib/modules/$kver/kernel/$1.ko
	if [ -e "$file.xz" ]; then
		xz -dc "$file.xz" >"$root/rcr/${1##*/}.ko"
	else
		cp "$file" "$root/rcr/"
	fi
}

# The msr device, and the drivers of shared units, which are modules in Debian's kernel.
for module in arch/x86/kernel/msr arch/x86/events/rapl arch/x86/events/intel/intel-uncore; do
	add_module "$module"
done
# Network drivers, which net.sh needs; the kernels of debug/ have none.
case $kver in
*-debug | *-kcsan) ;;
*)
	add_module drivers/net/ethernet/intel/e1000/e1000
	add_module drivers/net/dummy
	;;
esac

# with_libraries PROGRAM DESTINATION: copies a program, and its libraries to the paths that the
# loader searches.
with_libraries()
{
	local lib
	cp -L "$1" "$2"
	ldd "$1" 2>/dev/null | grep -oE '/[^ ]+' | while read -r lib; do
		mkdir -p "$root$(dirname "$lib")"
		cp -Lu "$lib" "$root$lib"
	done
}

for program in "${programs[@]}"; do
	with_libraries "$program" "$root/usr/bin/"
done
ln -s ../usr/bin/bash "$root/bin/bash"

(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$out.new"
rm -rf "$root"
mv "$out.new" "$out"
printf '%s\n' "$made_of" >"$out.made-of"
printf '%s\n' "$out"
