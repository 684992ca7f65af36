#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# deb.sh - installs the Debian packages in a Debian 12 under build/deb-root, as an upgrade of older
# packages and over a module of "make install", adds a newer kernel, and purges them; also builds
# the RPM packages. Needs root (mmdebstrap) and Debian's mirror. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"
. "$RCR_TOP/selftests/lib/debian_tree.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "making a Debian tree needs root"

root=$RCR_BUILD/deb-root
version=$(cat "$RCR_TOP/VERSION")
lower=0.0.1
TAP_LOG=$RCR_BUILD/logs/deb-test.log

here()
{
	inside "$root" "$@" >>"$TAP_LOG" 2>&1
}

# Print the files that a purge must leave unchanged. Excluded are the records of dpkg, apt and
# adduser, and the signing key of DKMS.
files()
{
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/lib/dpkg \
		-o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./etc/group\* \
		-o -path ./etc/gshadow\* -o -path ./etc/passwd\* -o -path ./etc/shadow\* -o -path ./etc/ld.so.cache \
		-o -path ./etc/.pwd.lock -o -path './var/lib/dkms/mok.*' -o -name 'modules.*' \) -prune -o -print | sort)
}

# modules_are DESCRIPTION PATH...: checks that these are all rcrtool.ko files in the tree.
modules_are()
{
	local description=$1 found
	shift
	found=$(cd "$root/lib/modules" && find . -name "rcrtool.ko*" | sed "s/\.xz$//" | sort | tr "\n" " ")
	echo "modules: $found" >>"$TAP_LOG"
	ok "$description" test "$found" = "$(printf '%s ' "$@")"
}

# ok DESCRIPTION COMMAND...
ok()
{
	local rc=0
	"${@:2}" || rc=$?
	result "$rc" "$1"
}

version_of_module()
{
	inside "$root" modinfo -F version -k "$kernel" rcrtool 2>>"$TAP_LOG" || true
}

mkdir -p "$RCR_BUILD" "$(dirname "$TAP_LOG")"
: >"$TAP_LOG"
make_packages "$RCR_BUILD/deb-lower" $lower
make_packages "$RCR_BUILD/deb"
apt_one_at_a_time unpack_tree "$root"
# Do not start daemons in the tree.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
# PCP's script fails if systemd does not run.
ln -s /bin/true "$root/usr/local/sbin/systemctl"
echo 'DPkg::Path "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin";' >"$root/etc/apt/apt.conf.d/90path"
mkdir "$root/new" "$root/old"
cp "$RCR_BUILD/deb/"*.deb "$root/new/"
cp "$RCR_BUILD/deb-lower/"*.deb "$root/old/"
# Skip the packages of debugging symbols.
rm -f "$root"/{new,old}/*dbgsym*
kernel=$(cd "$root/lib/modules" && ls)

plan 24
ok "deb: lintian reports nothing" test -z \
	"$(lintian --allow-root "$RCR_BUILD/deb/"*.changes 2>&1 | tee -a "$TAP_LOG")"
before=$(files)

# A module of "make install".
mkdir -p "$root/lib/modules/$kernel/updates"
echo "not a module" >"$root/lib/modules/$kernel/updates/rcrtool.ko"
ok "deb: packages of a lower version are installed" here sh -c 'apt-get -q -y install /old/*.deb'
modules_are "deb: DKMS builds the module, and that of make install is removed" \
	"./$kernel/updates/dkms/rcrtool.ko"
ok "deb: modprobe finds the module of the package" test "$(version_of_module)" = $lower
ok "deb: the packages are upgraded" here sh -c 'apt-get -q -y install /new/*.deb'
modules_are "deb: an upgrade leaves one module" "./$kernel/updates/dkms/rcrtool.ko"
ok "deb: modprobe finds the module of the upgrade" test "$(version_of_module)" = "$version"
ok "deb: DKMS knows only the upgrade" test \
	"$(inside "$root" dkms status | grep -c rcrtool) $(cd "$root/usr/src" && echo rcrtool-*)" = "1 rcrtool-$version"
ok "deb: the user and the group rcrtool exist" here getent passwd rcrtool
ok "deb: rcrctl runs" here rcrctl --version
ok "deb: rcrstat runs" here rcrstat --version
ok "deb: the manual pages are installed" test -e "$root/usr/share/man/man8/rcrctl.8.gz"
ok "deb: PCP's agent runs where pmcd looks for it" here /var/lib/pcp/pmdas/rcr/pmdarcr --version
ok "deb: Install, Remove and the manual page of the agent are installed" here sh -c \
	'cd /var/lib/pcp/pmdas/rcr && test -x Install && test -x Remove && test -s pmlogger.config && test -s pmns && test -e /usr/share/man/man1/pmdarcr.1.gz'
# Add the agent to pmcd.conf, as its Install script does.
echo "rcr 300 pipe binary /var/lib/pcp/pmdas/rcr/pmdarcr -d 300" >>"$root/etc/pcp/pmcd/pmcd.conf"
cat >"$root/tmp/client.c" <<-'EOF'
	#include <rcr.h>
	int main(void) { return rcr_open("/nowhere") ? 1 : 0; }
EOF
# shellcheck disable=SC2016 # for the inner shell
ok "deb: a client is built with pkg-config's flags, and runs" here sh -c \
	'cc -o /tmp/client /tmp/client.c $(pkg-config --cflags --libs librcr) && /tmp/client'
headers=$(inside "$root" apt-cache pkgnames linux-headers-6.12. |
	grep -E '^linux-headers-[0-9.+]*(deb|bpo)?[0-9a-z.+]*-amd64$' | grep -v -e rt -e cloud | sort -V | tail -n 1)
ok "deb: a newer kernel is installed ($headers)" here apt-get -q -y install "$headers"
newer=${headers#linux-headers-}
modules_are "deb: the newer kernel has the module immediately" \
	"./$kernel/updates/dkms/rcrtool.ko" "./$newer/updates/dkms/rcrtool.ko"
ok "deb: PCP's agent is purged, and rcrtool stays" here sh -c \
	'apt-get -q -y purge rcrtool-pcp && ! grep ^rcr /etc/pcp/pmcd/pmcd.conf && rcrjob --version'
ok "deb: the packages are purged" here apt-get -q -y purge rcrtool rcrtool-dkms librcr1 librcr-dev
# shellcheck disable=SC2016 # for the inner shell
ok "deb: the newer kernel is removed" here sh -c \
	'apt-get -q -y purge "linux-headers-$1" && apt-get -q -y --purge autoremove' sh "$newer"
left=$(comm -13 <(echo "$before") <(files) | grep -i rcr || true)
echo "left: $left" >>"$TAP_LOG"
ok "deb: no file is left" test -z "$left"
rpms=$("$RCR_TOP/packaging/build.sh" rpm "$RCR_BUILD/rpm" | sed "s/.*\///; s/-$version-.*//" | sort | tr '\n' ' ') || true
ok "rpm: the packages build" test "$rpms" = "librcr librcr-devel rcrtool rcrtool rcrtool-dkms rcrtool-pcp "

# in_rpm NAME, in_deb NAME: prints the programs, manual pages, completions and files of PCP's agent
# in a package.
compared_paths='bin/|/man[0-9]/|completion|pmdas/|site-functions'
in_rpm()
{
	rpm -qlp "$RCR_BUILD/rpm/RPMS/x86_64/$1-$version-1.x86_64.rpm" | grep -E "$compared_paths" | sed 's/\.gz$//' | sort
}
in_deb()
{
	dpkg-deb -c "$RCR_BUILD/deb/$1_${version}_amd64.deb" | sed -n 's/.* \.\(\/.*[^/]\)$/\1/p' | grep -E "$compared_paths" |
		sed 's/\.gz$//' | sort
}
ok "rpm: rcrtool has the same files as the Debian package" test "$(in_rpm rcrtool)" = "$(in_deb rcrtool)"
ok "rpm: rcrtool-pcp has the same files as the Debian package" test \
	"$(in_rpm rcrtool-pcp | grep -v '/rcr$')" = "$(in_deb rcrtool-pcp)"
