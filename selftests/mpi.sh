#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# mpi.sh - makes build/mpi, a folder to copy over a guest's root (guest.sh -o), with Debian's MPICH,
# Open MPI and LLVM's OpenMP library, and programs of the tests that are linked with them, and
# prints its path. Nothing is installed. Components for networks are left out.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"

out=$RCR_BUILD/mpi
root=$RCR_BUILD/mpi.root
libs=usr/lib/x86_64-linux-gnu
packages=(mpich libmpich12 libmpich-dev libhwloc15 libucx0 libslurm38 libnuma1 openmpi-bin openmpi-common
	libopenmpi3 libopenmpi-dev libpmix2 libevent-core-2.1-7 libevent-pthreads-2.1-7 libmunge2
	"libomp5-$(clang -dumpversion | cut -d. -f1)")
sources=$RCR_TOP/selftests/guest/programs/region

unpack_mpi()
{
	local package deb
	rm -rf "$root"
	for package in "${packages[@]}"; do
		deb=$(apt_fetch_deb "$package") || return
		dpkg-deb -x "$deb" "$root" || return
	done
	# Remove static libraries, which are half of the size, and components for other machines.
	rm -f "$root/$libs"/*.a
	find "$root/$libs/openmpi" -regextype posix-extended \
		-regex '.*_(ucx|ofi|openib|psm2?|slurm|monitoring|gridengine)\.so' -delete
}

# Print these programs and libraries, and the libraries that they need.
with_libraries()
{
	printf '%s\n' "$@"
	LD_LIBRARY_PATH=$root/$libs:$root/$libs/pmix2/lib ldd "$@" 2>/dev/null |
		grep -oE '/[^ :]+\.so[^ :]*'
}

# build_programs NAME INCLUDES LIBRARY...: builds the programs with the libraries of an
# implementation.
build_programs()
{
	local flags=(-std=gnu11 -O2 -g -Wall -Wextra -Werror "-Wl,--allow-shlib-undefined") name=$1
	mkdir -p "$out/usr/bin"
	gcc "${flags[@]}" -o "$out/usr/bin/mpi_work.$name" "$sources/mpi_work.c" "${@:3}" \
		-Wl,-z,dynamic-undefined-weak || return
	gcc "${flags[@]}" -o "$out/usr/bin/mpi_linked.$name" "$sources/mpi_work.c" \
		-L"$RCR_BUILD/lib" -l:librcrregion-mpi.a -l:librcrregion.a "${@:3}" || return
	gcc "${flags[@]}" -ffp-contract=off -fno-math-errno -DWITH_MPI -isystem "$2" \
		-I"$RCR_TOP/userspace/region/library" -o "$out/usr/bin/kernels.$name" "$sources/kernels.c" \
		-L"$RCR_BUILD/lib" -l:librcrregion.a "${@:3}" || return
}

# Link the library by its file name: its -dev package is not installed.
build_openmp_program()
{
	clang -std=gnu11 -O2 -g -fopenmp -c -o "$root/omp_work.o" "$sources/omp_work.c" || return
	clang -o "$out/usr/bin/omp_work.llvm" "$root/omp_work.o" "$root/$libs/libomp.so.5" -pthread
}

gather_mpi()
{
	local part
	build_programs mpich "$root/usr/include/x86_64-linux-gnu/mpich" \
		"$root/$libs"/{libmpich.so.12,libmpichfort.so.12} || return
	build_programs openmpi "$root/$libs/openmpi/include" \
		"$root/$libs"/{libmpi.so.40,libmpi_mpifh.so.40,libmpi_usempif08.so.40} || return
	build_openmp_program || return
	with_libraries "$root"/usr/bin/{mpiexec.hydra,hydra_pmi_proxy,orterun,orted} "$out"/usr/bin/* \
		"$(realpath -s "$(gcc -print-file-name=libgomp.so.1)")" \
		"$root/$libs"/pmix2/lib/libpmix.so.2 "$root/$libs"/pmix2/lib/pmix/*.so \
		"$root/$libs"/openmpi/lib/openmpi3/mca_*.so |
		sort -u | while read -r part; do
		case $part in
		"$out"/*) continue ;;
		esac
		mkdir -p "$(dirname "$out${part#"$root"}")"
		cp -L "$part" "$out${part#"$root"}"
	done
	mkdir -p "$out/usr/share" "$out/etc"
	cp -rL "$root/usr/share/openmpi" "$out/usr/share/"
	cp -rL "$root/etc/openmpi" "$out/etc/"
}

made_of=$(printf '%s\n' "${packages[@]}" | fingerprint "$0" -)
if [ "$(cat "$root.made-of" 2>/dev/null)" != "$made_of" ]; then
	step "unpack MPICH and Open MPI" "$RCR_BUILD/logs/mpi.log" unpack_mpi
	printf '%s\n' "$made_of" >"$root.made-of"
fi
made_of=$made_of$(fingerprint "$sources"/*.[ch] "$RCR_BUILD"/lib/librcrregion{,-mpi}.a)
if [ "$(cat "$out.made-of" 2>/dev/null)" != "$made_of" ]; then
	rm -rf "$out"
	step "gather the files of MPI that a guest needs" "$RCR_BUILD/logs/mpi.log" gather_mpi
	printf '%s\n' "$made_of" >"$out.made-of"
fi
printf '%s\n' "$out"
