#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# dkms.sh [short] - tests that DKMS adds, builds, installs and removes the module for every kernel
# series, and leaves no files. Uses trees under build/dkms, and checks that the machine's
# directories do not change. The last series is installed by autoinstall, as in an update of the
# kernel; then a newer version of the module replaces the older one; finally all are removed. With
# "short" only the last series and one version. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

# dkms installs only as root; root in a user namespace is sufficient for these trees.
[ "$(id -u)" -eq 0 ] || exec unshare -r "$0" "$@"
PATH=$PATH:/usr/sbin:/sbin

version=$(cat "$RCR_TOP/VERSION")
series=("${RCR_SERIES[@]}")
tests=$((8 + 4 * ${#series[@]}))
if [ "${1:-}" = short ]; then
	series=("${RCR_SERIES[-1]}")
	tests=9
fi
root=$RCR_BUILD/dkms
rm -rf "$root"
mkdir -p "$root"/{usr/src,var/lib/dkms,lib/modules,tmp}
export TMPDIR=$root/tmp
# Keys to sign modules with: otherwise dkms would create its own in the machine's /var/lib/dkms.
export mok_signing_key=$root/mok.key mok_certificate=$root/mok.pub
# shellcheck disable=SC2034 # of ktap.sh
TAP_LOG=$root/words

# dkms_here ACTION...: runs dkms on the trees below build/dkms, without depmod, which would change
# the machine's modules. Also fails if dkms prints a warning or an error, because its status is 0
# after some errors. Ignores warnings of readelf: dkms searches for clang in the vmlinux of newer
# headers, which has only types.
dkms_here()
{
	dkms "$@" --sourcetree "$root/usr/src" --dkmstree "$root/var/lib/dkms" \
		--installtree "$root/lib/modules" --no-depmod >"$root/words" 2>&1 </dev/null &&
		! grep -v '^readelf: ' "$root/words" | grep -qiE 'deprecated|warning|error'
}

# Print the machine's files in the directories that dkms uses by default.
machine()
{
	find /var/lib/dkms /etc/dkms /usr/src /lib/modules -printf '%p %s %T@\n' 2>/dev/null | sort
}

before=$(machine)
plan "$tests"

rc=0
make -s -C "$RCR_TOP" dkms-install DESTDIR="$root" >"$root/words" 2>&1 || rc=$?
result $rc "make dkms-install succeeds"
rc=0
[ ! -e "$root/usr/src/rcrtool-$version/selftests" ] || rc=1
result $rc "make dkms-install leaves out the selftests"
rc=0
dkms_here add -m rcrtool -v "$version" || rc=$?
result $rc "dkms add succeeds"

for one in "${series[@]}"; do
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$one")
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
	which=(-m rcrtool -v "$version" -k "$kver" --kernelsourcedir "$kdir")
	mkdir "$root/lib/modules/$kver"
	rc=0
	if [ "$one" = "${RCR_SERIES[-1]}" ]; then
		# Name no module, like the hook of kernel packages. By default dkms would use the
		# headers in /lib/modules.
		dkms_here autoinstall -k "$kver" --kernelsourcedir "$kdir" || rc=$?
		result $rc "dkms autoinstall succeeds for $one"
		rc=0
		dkms_here status -m rcrtool -v "$version" -k "$kver" && grep -q ': installed' "$root/words" || rc=1
		result $rc "dkms status reports the module as installed for $one"
	else
		dkms_here build "${which[@]}" || rc=$?
		result $rc "dkms build succeeds for $one"
		rc=0
		dkms_here install "${which[@]}" || rc=$?
		result $rc "dkms install succeeds for $one"
	fi
	ko=$root/lib/modules/$kver/updates/dkms/rcrtool.ko
	rc=0
	[ "$(modinfo -F vermagic "$ko" | cut -d' ' -f1) $(modinfo -F version "$ko")" = \
		"$kver $version" ] || rc=1
	result $rc "the module for $one has the right version and kernel release"
	rc=0
	{ depmod -b "$root" "$kver" &&
	  modprobe -d "$root" -S "$kver" --show-depends rcrtool | grep -F "$ko"; } \
		>"$root/words" 2>&1 || rc=$?
	result $rc "modprobe finds the module for $one"
	rm -f "$root/lib/modules/$kver"/modules.*
done

# left_of WHAT: prints how many files in the trees of modules and of dkms match WHAT.
left_of()
{
	find "$root/lib/modules" "$root/var/lib/dkms" ! -type d -path "*$1*" | wc -l
}

# installed KVER: prints the version of the module in that kernel's tree.
installed()
{
	modinfo -F version "$root/lib/modules/$1/updates/dkms/rcrtool.ko"
}

# upgrade: tests an upgrade on the first kernel, and the removal of both versions.
upgrade()
{
	local rc next=$version.1 kver last
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "${RCR_SERIES[0]}")
	last=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "${RCR_SERIES[-1]}")
	cp -r "$root/usr/src/rcrtool-$version" "$root/usr/src/rcrtool-$next"
	echo "$next" >"$root/usr/src/rcrtool-$next/VERSION"
	sed -i "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$next\"/" "$root/usr/src/rcrtool-$next/dkms.conf"
	rc=0
	{ dkms_here add -m rcrtool -v "$next" &&
	  dkms_here install -m rcrtool -v "$next" -k "$kver" \
		--kernelsourcedir "$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")" &&
	  [ "$(installed "$kver") $(installed "$last")" = "$next $version" ]; } || rc=$?
	result $rc "upgrade: the next version replaces this one on one kernel only"
	rc=0
	{ [ "$(left_of "/$kver/")" -gt 0 ] &&
	  dkms_here remove -m rcrtool -v "$version" -k "$kver" &&
	  [ "$(installed "$kver") $(installed "$last")" = "$next $version" ]; } || rc=$?
	result $rc "upgrade: removing the old version keeps the next one"
	rc=0
	{ dkms_here remove -m rcrtool -v "$version" --all &&
	  [ "$(installed "$kver")" = "$next" ] && [ "$(left_of "/$last/")" -eq 0 ]; } || rc=$?
	result $rc "purge: dkms remove --all removes a version from all kernels"
	rc=0
	{ dkms_here remove -m rcrtool -v "$next" --all && [ "$(left_of rcrtool)" -eq 0 ]; } || rc=$?
	result $rc "purge: removing the last version leaves no module and no build"
	rm -rf "$root/usr/src/rcrtool-$next"
}

if [ "${#series[@]}" -gt 1 ]; then
	upgrade
else
	rc=0
	{ dkms_here remove -m rcrtool -v "$version" --all && [ "$(left_of rcrtool)" -eq 0 ]; } || rc=$?
	result $rc "purge: dkms remove --all leaves no module and no build"
fi

make -s -C "$RCR_TOP" dkms-uninstall DESTDIR="$root" >/dev/null
rm -f "$root"/mok.*
rc=0
{ find "$root" ! -type d ! -name words
  diff <(echo "$before") <(machine); } >"$root/words" 2>&1 || rc=$?
[ ! -s "$root/words" ] || rc=1
result $rc "no file is left, and those of the machine are unchanged"
