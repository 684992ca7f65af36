#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# boot.sh - tests the Debian packages on a machine that boots from a disk. Installs them in a Debian
# 12 under build/boot-root, where DKMS builds the module for its kernel. A guest with systemd boots
# this tree three times: without a PMU, to find out why nothing is counted; for the other tasks of
# rcrtool(7); and to remove the packages (guest/power/tutorial.sh). Needs root (mmdebstrap) and
# Debian's mirror. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"
. "$RCR_TOP/selftests/lib/debian_tree.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "making a Debian tree needs root"

root=$RCR_BUILD/boot-root
folder=$RCR_BUILD/boot
TAP_LOG=$RCR_BUILD/logs/boot.log
MODULES=(virtio_pci virtio_blk ext4 crc32c_generic)

# Print the names of rcrtool's files in the tree, which the guest compares after the purge.
files()
{
	(cd "$root" && find . -xdev -iname '*rcr*' | sed 's/^\.//' | sort)
}

install_packages()
{
	mkdir "$root/packages" &&
	cp "$RCR_BUILD"/deb/{librcr1,rcrtool,rcrtool-dkms}_[0-9]*.deb "$root/packages/" &&
	inside "$root" sh -c 'apt-get -q -y install /packages/*.deb' &&
	rm -r "$root/packages"
}

# Configure the tree for the test: apt assumes yes, a service runs the command of the guest, and the
# initramfs has the drivers of the disk.
configure_tree()
{
	local etc=$root/etc
	echo 'APT::Get::Assume-Yes "true";' >"$etc/apt/apt.conf.d/90guest" &&
	echo guest >"$etc/hostname" &&
	cat >"$etc/systemd/system/guest.service" <<-'EOT' &&
		[Unit]
		Description=The command of the guest
		[Service]
		ExecStart=/bin/bash /rcr/booted
		Environment=DEBIAN_FRONTEND=noninteractive
		[Install]
		WantedBy=multi-user.target
	EOT
	inside "$root" systemctl enable guest.service &&
	printf '%s\n' "${MODULES[@]}" >>"$etc/initramfs-tools/modules" &&
	install -m 755 "$RCR_TOP/selftests/qemu/handover" "$etc/initramfs-tools/scripts/init-bottom/" &&
	inside "$root" update-initramfs -u -k "$kver"
}

# Make the disk, with 1000 MiB of free space.
make_disk()
{
	cp "$root/boot/vmlinuz-$kver" "$folder/vmlinuz" &&
	cp "$root/boot/initrd.img-$kver" "$folder/initrd" &&
	mkfs.ext4 -q -F -d "$root" "$folder/disk" $(($(du -sm "$root" | cut -f1) + 1000))M
}

# Status 0 if the file system was unmounted: after a crash it has a journal to replay.
was_unmounted()
{
	dumpe2fs -h "$folder/disk" >>"$TAP_LOG" 2>&1 || return
	! dumpe2fs -h "$folder/disk" 2>/dev/null | grep -q needs_recovery
}

# boot STAGE [OPTION]...: boots the disk with these options of guest.sh, and runs a stage of
# tutorial.sh.
boot()
{
	local rc=0
	"$RCR_TOP/selftests/qemu/guest.sh" -n "boot-$1" -d "$folder" -m fam15h -M 2048 -t 3000 \
		-f "$folder/before" "${@:2}" "cd tests && exec bash tutorial.sh $1" || rc=$?
	[ $rc -eq 0 ] || failed=1
	result $rc "boot: the machine boots from the disk, and its kernel logs no error ($1)"
	rc=0
	was_unmounted || rc=$?
	result $rc "boot: the machine shuts down cleanly ($1)"
}

failed=0
mkdir -p "$folder" "$(dirname "$TAP_LOG")"
make_packages "$RCR_BUILD/deb"
apt_one_at_a_time unpack_tree "$root"
kver=$(cd "$root/lib/modules" && ls)
files >"$folder/before"
plan 9
TAP_LOG=$RCR_BUILD/logs/boot-packages.log
rc=0
install_packages >"$TAP_LOG" 2>&1 || rc=$?
result $rc "boot: the packages are installed"
rc=0
[ -e "$root/lib/modules/$kver/updates/dkms/rcrtool.ko" ] || rc=1
result $rc "boot: DKMS has built the module for $kver"
TAP_LOG=$RCR_BUILD/logs/boot-disk.log
rc=0
{ configure_tree && make_disk; } >"$TAP_LOG" 2>&1 || rc=$?
result $rc "boot: the disk is made from the tree"
rm -rf "$root"
boot hidden -e RCR_VPMU=off
boot tasks
boot after
rm -f "$folder/disk"
[ "$failed" -eq 0 ] || exit 1
finished
