#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh [-r | -b] debug | kcsan - builds a 6.12 kernel from Debian's source package,
# machine.config and NAME.config in this directory, unless it exists, and prints the same as
# qemu/kernel.sh:
#
#   (neither)  build/kernels/RELEASE, with the kernel and its modules
#   -b         the directory to build modules against
#   -r         only the release (builds nothing)
#
# In the kernel "kcsan" only modules built against it are instrumented: accesses of the kernel are
# detected only if they change data that a module is reading. This ignores races within the kernel,
# and permits a high sampling rate.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

here=$RCR_TOP/selftests/debug
print=image
while getopts rb option; do
	case $option in
	r) print=release ;;
	b) print=build ;;
	*) die "see the head of this file for its options" ;;
	esac
done
shift $((OPTIND - 1))
name=${1:-}
case $name in
debug) words=() ;;
kcsan) words=(KCSAN_SANITIZE=n) ;;
*) die "the kernel's name is debug or kcsan" ;;
esac

deb=$(apt_fetch_deb linux-source-6.12)
version=${deb##*/linux-source-6.12_}
version=${version%%[-+~_]*}
release=$version-$name
out=$RCR_BUILD/kernels/$release
source=$RCR_BUILD/kernels/source-$version
made_of=$(fingerprint "$here/machine.config" "$here/$name.config")

# Leave out Documentation/, more than a tenth of the source, except for its Kconfig, which is
# required.
unpack_source()
{
	rm -rf "$source"
	mkdir -p "$source"
	dpkg-deb --fsys-tarfile "$deb" |
		tar -xO ./usr/src/linux-source-6.12.tar.xz |
		tar -xJ -C "$source" --strip-components=1 --exclude='*/tools/testing' \
			--exclude='*/Documentation/*/*'
}

# Fail if the final configuration differs from a requested option.
demand()
{
	local line lost=0
	while read -r line; do
		case $line in
		CONFIG_*=n) ! grep -q "^${line%n}" "$out/build/.config" || lost=1 ;;
		CONFIG_*) grep -qxF -- "$line" "$out/build/.config" || lost=1 ;;
		*) continue ;;
		esac
		[ "$lost" -eq 0 ] || { echo "the kernel's own rules change this: $line"; return 1; }
	done <"$out/build/wanted"
}

configure()
{
	mkdir -p "$out/build"
	cat "$here/machine.config" "$here/$name.config" >"$out/build/wanted"
	KCONFIG_ALLCONFIG=$out/build/wanted make -s -C "$source" O="$out/build" allnoconfig &&
	demand
}

# Compile at the lowest priority: it takes minutes, and the machine has other work.
compile()
{
	nice -n 19 make -s -C "$source" O="$out/build" -j"$(nproc)" "${words[@]}" bzImage modules
}

install_kernel()
{
	rm -rf "${out:?}/boot" "${out:?}/lib"
	mkdir -p "$out/boot"
	make -s -C "$source" O="$out/build" INSTALL_MOD_PATH="$out" modules_install &&
	cp "$out/build/arch/x86/boot/bzImage" "$out/boot/vmlinuz-$release" &&
	cp "$out/build/.config" "$out/boot/config-$release" &&
	cp "$out/build/System.map" "$out/boot/System.map-$release"
}

build_kernel()
{
	local log=$RCR_BUILD/logs/kernel-$release
	[ "$(cat "$out/complete" 2>/dev/null)" != "$made_of" ] || return 0
	if [ ! -e "$source/complete" ]; then
		step "unpack the source of kernel $version" "$log-unpack.log" unpack_source
		touch "$source/complete"
	fi
	rm -f "$out/complete"
	step "configure kernel $release" "$log-configure.log" configure
	step "build kernel $release" "$log-build.log" compile
	step "install kernel $release" "$log-install.log" install_kernel
	printf '%s\n' "$made_of" >"$out/complete"
}

[ "$print" = release ] || build_kernel
case $print in
release) printf '%s\n' "$release" ;;
image) printf '%s\n' "$out" ;;
build) printf '%s\n' "$out/build" ;;
esac
