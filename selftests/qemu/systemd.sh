#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# systemd.sh - makes build/systemd, a folder to copy over an installed machine's root (guest.sh -I
# -o), and prints its path: systemd is then the guest's first process, with udev, sysusers, tmpfiles
# and the journal, and runs the guest's command as a service. The programs are this machine's; the
# units are the packages'.
set -eu
. "$(dirname "$0")/../lib/common.sh"

out=$RCR_BUILD/systemd
root=$out.$$
lib=/lib/systemd
programs=(/lib/systemd/systemd /lib/systemd/systemd-{journald,modules-load,sysctl,remount-fs}
	/bin/{systemctl,journalctl,systemd-sysusers,systemd-tmpfiles})
made_of=$(fingerprint "$0" "${programs[@]}")
if [ "$(cat "$out.made-of" 2>/dev/null)" = "$made_of" ]; then
	printf '%s\n' "$out"
	exit 0
fi

with_libraries()
{
	local file
	install -D -m 755 "$1" "$root$1"
	ldd "$1" | grep -oE '/[^ ]+\.so[^ ]*' | while read -r file; do
		[ -e "$root$file" ] || install -D -m 755 "$file" "$root$file"
	done
}

# The journal is in memory; the unit that runs the command powers the machine off.
units()
{
	mkdir -p "$root$lib" "$root/usr/lib" "$root/etc/systemd/system/multi-user.target.wants"
	cp -r $lib/system "$root$lib/"
	cp -r "$RCR_BUILD/udev$lib/system/." "$root$lib/system/"
	rm -f "$root$lib"/system/*/{systemd-random-seed,systemd-hwdb-update,getty-static}*
	cp -r /usr/lib/sysusers.d /usr/lib/tmpfiles.d "$root/usr/lib/"
	ln -s $lib/system/multi-user.target "$root/etc/systemd/system/default.target"
	ln -s /dev/null "$root/etc/systemd/system/getty.target"
	ln -s /bin/udevadm "$root$lib/systemd-udevd"
	cat >"$root/etc/systemd/system/guest.service" <<-'EOT'
		[Unit]
		Description=The command of the guest
		After=basic.target systemd-udev-trigger.service systemd-sysusers.service
		[Service]
		ExecStart=/init
	EOT
	ln -s ../guest.service "$root/etc/systemd/system/multi-user.target.wants/"
}

# The only user and group is root: sysusers creates the others.
users()
{
	echo root:x:0:0:root:/root:/bin/bash >"$root/etc/passwd"
	echo root:x:0: >"$root/etc/group"
}

build()
{
	local program
	for program in "${programs[@]}"; do
		with_libraries "$program"
	done
	units
	users
	install -D -m 644 -t "$root/usr/lib/udev/rules.d" "$RCR_BUILD/udev/lib/udev/rules.d/50-udev-default.rules"
}

rm -rf "$root"
step "unpack systemd into $out" "$RCR_BUILD/logs/systemd.log" build
rm -rf "$out"
mv "$root" "$out"
printf '%s\n' "$made_of" >"$out.made-of"
printf '%s\n' "$out"
