#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# installed.sh NAME - makes build/installed-RELEASE (NAME as in kernel.sh), a folder to copy over a
# guest's root, and prints its path. guest.sh -I uses it. The guest is then an installed machine:
# 'make install' has installed the module, the programs, the manual pages and the udev rule; depmod
# has run; kmod, udev, procps and util-linux are Debian's; the users are root, "user" (uid 1000) and
# "member" (uid 1001, in the group rcrtool).
#
# udev is fetched and unpacked, not installed, because the build machine may not have it.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$1")
kernel=$("$RCR_TOP/selftests/qemu/kernel.sh" "$kver")
here=$RCR_TOP/selftests/qemu
out=$RCR_BUILD/installed-$kver
modules=lib/modules/$kver
udev=$RCR_BUILD/udev

# The files that 'make install' copies, and some more.
parts=("$RCR_BUILD/$kver/rcrtool.ko" "$RCR_BUILD"/bin/rcr{cal,ctl,d,job,region,stat} "$RCR_BUILD"/lib/librcr.{a,so.1}
	"$RCR_BUILD"/lib/librcrregion{.a,.so.1,-mpi.a} "$RCR_BUILD"/lib/rcrtool/librcrregion-{run,mpi}.so
	"$RCR_TOP"/userspace/region/library/{rcr_region.*,*.pc}
	"$RCR_TOP"/{Makefile,VERSION} "$RCR_TOP"/uapi/linux/*.h "$RCR_TOP"/userspace/librcr/rcr*.h
	"$RCR_TOP"/userspace/system/*.* "$RCR_TOP"/userspace/system/*/* "$RCR_TOP"/Documentation/man/*)
programs=(/bin/kmod /sbin/sysctl /usr/bin/unshare /usr/bin/taskset /usr/bin/script)
made_of=$(fingerprint "$0" "$here/installed" "$kernel/boot/vmlinuz-$kver" \
	"${parts[@]}" "${programs[@]}")
if [ "$(cat "$out.made-of" 2>/dev/null)" = "$made_of" ]; then
	printf '%s\n' "$out"
	exit 0
fi

unpack_udev()
{
	local deb
	deb=$(apt_fetch_deb udev)
	[ "$udev/complete" -nt "$deb" ] && return
	rm -rf "$udev"
	dpkg -x "$deb" "$udev"
	touch "$udev/complete"
}

# with_libraries PROGRAM [PATH]: copies a program to PATH, or to its path on this machine, and its
# libraries to the paths that the loader searches.
with_libraries()
{
	local lib
	install -D -m 755 "$1" "$root${2:-$1}"
	ldd "$1" | grep -oE '/[^ ]+\.so[^ ]*' | while read -r lib; do
		[ -e "$root$lib" ] || install -D -m 755 "$lib" "$root$lib"
	done
}

# The drivers that a machine with a performance counter loads, and the msr device.
kernel_modules()
{
	local file
	(cd "$kernel" && find "$modules"/kernel/arch/x86/events "$modules"/kernel/arch/x86/kernel/msr.ko* \
		-name '*.ko*') | while read -r file; do
		install -D -m 644 "$kernel/$file" "$root/$file"
	done
	cp "$kernel/$modules"/modules.{order,builtin,builtin.modinfo} "$root/$modules/"
}

users()
{
	mkdir -p "$root/etc" "$root/home/user" "$root/home/member" "$root/root"
	cat >"$root/etc/passwd" <<-EOT
		root:x:0:0:root:/root:/bin/bash
		user:x:1000:1000::/home/user:/bin/bash
		member:x:1001:1001::/home/member:/bin/bash
		rcrtool:x:998:999::/:/usr/sbin/nologin
		nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
	EOT
	# The group that the installed sysusers.d file creates.
	{
		printf '%s\n' root:x:0: user:x:1000: member:x:1001: nogroup:x:65534:
		sed -n 's/^g \([a-z]*\) .*/\1:x:999:member/p' "$root/usr/lib/sysusers.d/rcrtool.conf"
	} >"$root/etc/group"
	printf '%s\n' "passwd: files" "group: files" >"$root/etc/nsswitch.conf"
}

build()
{
	local name program
	rm -rf "$root"
	mkdir -p "$root/sbin" "$root/bin" "$root/usr/lib/udev/rules.d"
	make -s -C "$RCR_TOP" KVER="$kver" KDIR="$("$here/kernel.sh" -b "$kver")"
	make -s -C "$RCR_TOP" install KVER="$kver" KDIR="$("$here/kernel.sh" -b "$kver")" DESTDIR="$root"
	# As DKMS does.
	strip --strip-debug "$root/$modules/updates/rcrtool.ko"
	kernel_modules
	depmod -b "$root" "$kver"
	for program in "${programs[@]}"; do
		with_libraries "$program"
	done
	with_libraries "$RCR_BUILD/bin/rcrctl" /usr/local/bin/rcrctl
	with_libraries "$RCR_BUILD/bin/rcrd" /usr/local/sbin/rcrd
	with_libraries "$RCR_BUILD/bin/rcrd-set" /usr/local/sbin/rcrd-set
	for name in modprobe depmod insmod rmmod modinfo lsmod; do
		ln -s /bin/kmod "$root/sbin/$name"
	done
	# udev loads the modules that a device needs, and applies the installed rule.
	with_libraries "$udev/bin/udevadm" /bin/udevadm
	install -m 644 "$udev/lib/udev/rules.d/80-drivers.rules" "$root/usr/lib/udev/rules.d/"
	users
	cp "$here/installed" "$root/"
}

root=$out.$$
unpack_udev
step "install into $out" "$RCR_BUILD/logs/installed-$kver.log" build
rm -rf "$out"
mv "$root" "$out"
printf '%s\n' "$made_of" >"$out.made-of"
printf '%s\n' "$out"
