#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# dkms.sh [short] - DKMS adds, builds, installs and removes the module for every kernel
# series, in trees of its own under build/dkms, and nothing is left: neither there nor on
# the machine. The last series comes as an update of the kernel does, by autoinstall; a newer
# version of the module takes the place of the one before; all are purged at once. With the word
# short there is the last series alone, and one version. TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

# dkms wants to be root to install; here, root of its own folders is enough.
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
# dkms signs the modules that it builds; without these it would leave a key of its own in
# the machine's /var/lib/dkms.
export mok_signing_key=$root/mok.key mok_certificate=$root/mok.pub
# shellcheck disable=SC2034 # of ktap.sh
TAP_LOG=$root/words

# dkms_here ACTION...: dkms with trees of its own. Its words must have no
# warning and no error among them: it does not fail for all that it should.
# (Not those of the readelf with which it searches for clang in newer headers'
# vmlinux, which has nothing but types.) depmod is left out here, because dkms runs it on the machine's modules.
dkms_here()
{
	dkms "$@" --sourcetree "$root/usr/src" --dkmstree "$root/var/lib/dkms" \
		--installtree "$root/lib/modules" --no-depmod >"$root/words" 2>&1 </dev/null &&
		! grep -v '^readelf: ' "$root/words" | grep -qiE 'deprecated|warning|error'
}

# The files of the machine in the directories that dkms uses by default.
machine()
{
	find /var/lib/dkms /etc/dkms /usr/src /lib/modules -printf '%p %s %T@\n' 2>/dev/null | sort
}

before=$(machine)
plan "$tests"

rc=0
make -s -C "$RCR_TOP" dkms-install DESTDIR="$root" >"$root/words" 2>&1 || rc=$?
result $rc "make dkms-install"
rc=0
[ ! -e "$root/usr/src/rcrtool-$version/selftests" ] || rc=1
result $rc "puts no tests there"
rc=0
dkms_here add -m rcrtool -v "$version" || rc=$?
result $rc "dkms add"

for one in "${series[@]}"; do
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$one")
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
	which=(-m rcrtool -v "$version" -k "$kver" --kernelsourcedir "$kdir")
	mkdir "$root/lib/modules/$kver"
	rc=0
	if [ "$one" = "${RCR_SERIES[-1]}" ]; then
		# The kernel's package calls this, and names no module. The headers are the machine's
		# there, in /lib/modules.
		dkms_here autoinstall -k "$kver" --kernelsourcedir "$kdir" || rc=$?
		result $rc "$one: dkms autoinstall"
		rc=0
		dkms_here status -m rcrtool -v "$version" -k "$kver" && grep -q ': installed' "$root/words" || rc=1
		result $rc "$one: it has installed the module"
	else
		dkms_here build "${which[@]}" || rc=$?
		result $rc "$one: dkms build"
		rc=0
		dkms_here install "${which[@]}" || rc=$?
		result $rc "$one: dkms install"
	fi
	ko=$root/lib/modules/$kver/updates/dkms/rcrtool.ko
	rc=0
	[ "$(modinfo -F vermagic "$ko" | cut -d' ' -f1) $(modinfo -F version "$ko")" = \
		"$kver $version" ] || rc=1
	result $rc "$one: the module is of this version and for this kernel"
	rc=0
	{ depmod -b "$root" "$kver" &&
	  modprobe -d "$root" -S "$kver" --show-depends rcrtool | grep -F "$ko"; } \
		>"$root/words" 2>&1 || rc=$?
	result $rc "$one: modprobe finds it"
	rm -f "$root/lib/modules/$kver"/modules.*
done

# left_of WHAT: how many files of it are in the trees of modules and of dkms.
left_of()
{
	find "$root/lib/modules" "$root/var/lib/dkms" ! -type d -path "*$1*" | wc -l
}

# installed KVER: the version of the module in that kernel's tree.
installed()
{
	modinfo -F version "$root/lib/modules/$1/updates/dkms/rcrtool.ko"
}

# upgrade: the next version, on the first kernel.
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
	result $rc "upgrade: the next version takes the place of this one, on that kernel alone"
	rc=0
	{ [ "$(left_of "/$kver/")" -gt 0 ] &&
	  dkms_here remove -m rcrtool -v "$version" -k "$kver" &&
	  [ "$(installed "$kver") $(installed "$last")" = "$next $version" ]; } || rc=$?
	result $rc "upgrade: the version before is removed, and the next one stays"
	rc=0
	{ dkms_here remove -m rcrtool -v "$version" --all &&
	  [ "$(installed "$kver")" = "$next" ] && [ "$(left_of "/$last/")" -eq 0 ]; } || rc=$?
	result $rc "purge: dkms remove --all of a version leaves none of it on any kernel"
	rc=0
	{ dkms_here remove -m rcrtool -v "$next" --all && [ "$(left_of rcrtool)" -eq 0 ]; } || rc=$?
	result $rc "purge: after the last version no module and no build is left"
	rm -rf "$root/usr/src/rcrtool-$next"
}

if [ "${#series[@]}" -gt 1 ]; then
	upgrade
else
	rc=0
	{ dkms_here remove -m rcrtool -v "$version" --all && [ "$(left_of rcrtool)" -eq 0 ]; } || rc=$?
	result $rc "purge: no module and no build is left"
fi

make -s -C "$RCR_TOP" dkms-uninstall DESTDIR="$root" >/dev/null
rm -f "$root"/mok.*
rc=0
{ find "$root" ! -type d ! -name words
  diff <(echo "$before") <(machine); } >"$root/words" 2>&1 || rc=$?
[ ! -s "$root/words" ] || rc=1
result $rc "nothing is left"
