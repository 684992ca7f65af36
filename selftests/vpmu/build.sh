#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build.sh - builds QEMU's x86 TCG with the virtual PMU from Debian's qemu source package into
# build/qemu. Does nothing if build/qemu was built from the same sources; compiles only the model if
# nothing else has changed. The model is all .c and .h files of this directory.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

here=$RCR_TOP/selftests/vpmu
out=$RCR_BUILD/qemu
src=$out/src
obj=$out/obj
sources=("$here"/*.c)
model=("${sources[@]}" "$here"/*.h)
# QEMU's build lists the sources, so it must be configured again if one is added or removed.
rig=$(fingerprint "$here/hook.py" "$here/build.sh" "$here/devices.mak" "$here/light.py")-$(printf "%s\n" "${sources[@]##*/}" | fingerprint -)
made_of=$rig-$(fingerprint "${model[@]}")

copy_model()
{
	mkdir -p "$src/target/i386/vpmu" &&
	cp "${model[@]}" "$src/target/i386/vpmu/"
}

prepare()
{
	rm -rf "$src" "$obj"
	mkdir -p "$obj"
	dpkg-source --no-check --extract "$1" "$src" &&
	python3 "$here/hook.py" "$src" &&
	copy_model &&
	cp "$here/devices.mak" "$src/configs/devices/x86_64-softmmu/rcr.mak" &&
	cd "$obj" &&
	"$src/configure" --target-list=x86_64-softmmu \
		--without-default-features --enable-tcg --enable-system \
		--without-default-devices --with-devices-x86_64=rcr --disable-debug-info \
		--enable-fdt=system --disable-install-blobs --disable-docs \
		--disable-stack-protector --enable-qom-cast-debug --enable-trace-backends=nop &&
	lighten
}

# lighten: makes the generated sources in a configured folder, and combines other sources so that
# they compile faster.
lighten()
{
	local inputs generated
	mapfile -t inputs < <(ninja -t inputs qemu-system-x86_64)
	mapfile -t generated < <(printf '%s\n' "${inputs[@]}" | grep '^[^/.].*\.[ch]$')
	ninja "${generated[@]}" &&
	python3 "$here/light.py" build.ninja "${inputs[@]}"
}

compile()
{
	copy_model &&
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
step "build qemu with the virtual PMU (a minute the first time)" \
	"$RCR_BUILD/logs/qemu-build.log" compile
cp "$obj/qemu-system-x86_64" "$out/qemu-system-x86_64"
printf '%s\n' "$made_of" >"$out/made-of"
