#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build.sh - builds QEMU's x86 TCG with the virtual PMU in it, from Debian's
# own qemu source package, into build/qemu. Does nothing when build/qemu is
# already made of the same sources; compiles only the model when only the model
# has changed.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

here=$RCR_TOP/selftests/vpmu
out=$RCR_BUILD/qemu
src=$out/src
obj=$out/obj
model=("$here/vpmu.c" "$here/vpmu.h" "$here/rate.h")
rig=$(fingerprint "$here/hook.py" "$here/build.sh")
made_of=$rig-$(fingerprint "${model[@]}")

prepare()
{
	rm -rf "$src" "$obj"
	mkdir -p "$obj"
	dpkg-source --no-check --extract "$1" "$src" &&
	python3 "$here/hook.py" "$src" &&
	cp "${model[@]}" "$src/target/i386/" &&
	cd "$obj" &&
	"$src/configure" --target-list=x86_64-softmmu \
		--without-default-features --enable-tcg --enable-system \
		--enable-fdt=system --disable-install-blobs --disable-docs
}

compile()
{
	cp "${model[@]}" "$src/target/i386/" &&
	ninja -C "$obj" qemu-system-x86_64
}

if [ "$(cat "$out/made-of" 2>/dev/null)" = "$made_of" ]; then
	exit 0
fi
if [ "$(cat "$out/rig" 2>/dev/null)" != "$rig" ]; then
	dsc=$(apt_fetch_source qemu)
	step "prepare qemu" "$RCR_BUILD/logs/qemu-prepare.log" prepare "$dsc"
	printf '%s\n' "$rig" >"$out/rig"
fi
step "build qemu with the virtual PMU (some 4 minutes the first time)" \
	"$RCR_BUILD/logs/qemu-build.log" compile
cp "$obj/qemu-system-x86_64" "$out/qemu-system-x86_64"
printf '%s\n' "$made_of" >"$out/made-of"
