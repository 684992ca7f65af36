#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# packages.sh [build | deb | rpm] - checks which Debian packages are missing to build ("build"), to
# make packages ("deb", "rpm"), or to build and test (default). As root it installs them and prints
# their names; other users are shown the apt-get command.
set -eu
. "$(dirname "$0")/lib/common.sh"

# pahole: newer kernels' headers require it for BTF; libpcp: needed for pmdarcr; libdw: without it
# rcrctl prints no function names.
needed=(gcc make libc6-dev pkg-config linux-headers-amd64 libnl-genl-3-dev
	libpfm4-dev libseccomp-dev libpcp3-dev libpcp-pmda3-dev libdw-dev pahole)
if [ "${1:-}" = deb ]; then
	needed+=(dpkg-dev debhelper dh-dkms)
elif [ "${1:-}" = rpm ]; then
	needed+=(rpm)
elif [ "${1:-}" != build ]; then
	needed+=(
		# the virtual PMU: QEMU from Debian's source
		dpkg-dev xz-utils zstd bzip2 patch python3 ninja-build meson
		libglib2.0-dev libpixman-1-dev libfdt-dev zlib1g-dev
		# kernels of our own
		flex bison bc libelf-dev libssl-dev openssl
		# the guest
		cpio busybox-static kmod procps seabios qemu-system-data msr-tools
		linux-perf likwid
		# packages
		debhelper dh-dkms lintian rpm debootstrap mmdebstrap
		# the tests
		bats dkms g++ gcc-multilib gfortran python3-yaml systemd tmux zsh
		# readers of formats
		babeltrace2 python3-prometheus-client
		# the bench's plot
		gnuplot-nox
		# for lint
		sparse clang libclang-rt-dev llvm shellcheck codespell perl git binutils
	)
fi

missing=()
for package in "${needed[@]}"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
		grep -q '^install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
	die "packages are missing; as root run: apt-get install ${missing[*]}"
fi
say "installing ${missing[*]}"
install_packages()
{
	apt-get -q update &&
	DEBIAN_FRONTEND=noninteractive apt-get -q -y install \
		--no-install-recommends "${missing[@]}"
}
step "install ${#missing[@]} packages" "$RCR_BUILD/logs/packages.log" install_packages
