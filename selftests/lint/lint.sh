#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lint.sh [SERIES]... - runs tools on the sources and prints TAP, one test for each check. Builds
# the module for these kernel series, or for all, with gcc and with clang. With only some series, as
# in "make check", the compilers and sparse read many sources of the module at once (batches.py),
# clang those of programs (clang.py), and checkpatch and shellcheck only files that have changed
# recently.
#
# Any output of a tool is a failure unless it is listed in the file "excuses", and so is a tool that
# did not run.
set -eu
. "$(dirname "$0")/../lib/common.sh"
. "$RCR_TOP/selftests/lib/apt.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"

cd "$RCR_TOP"
out=$RCR_BUILD/lint
excuses=selftests/lint/excuses
series=("${RCR_SERIES[@]}")
[ $# -eq 0 ] || series=("$@")
whole=yes
[ ${#series[@]} -eq ${#RCR_SERIES[@]} ] || whole=
rm -rf "$out"
mkdir -p "$out"
: >"$out/used"

# excuse TOOL: prints the lines "PATH:LINE WHAT TEXT" of stdin that are not excused, and records
# which excuses were used.
excuse()
{
	local tool where what line path found entry
	local -a list=()
	while read -r tool where what _; do
		[ "$tool" != "$1" ] || list+=("$where $what")
	done <"$excuses"
	while read -r line; do
		path=${line%%:*}
		read -r _ found _ <<<"$line"
		for entry in "${list[@]}"; do
			# shellcheck disable=SC2053 # the path of an entry is a pattern
			if [[ $path == ${entry% *} && $found == "${entry#* }" ]]; then
				echo "$1 $entry" >>"$out/used"
				continue 2
			fi
		done
		printf '%s\n' "$line"
	done
}

# Extract checkpatch, its lists and ioctl-number.rst from Debian's kernel source. Moved into place
# only when complete, because later runs reuse the directory.
fetch_checkpatch()
{
	local deb new=$RCR_BUILD/checkpatch.new
	[ ! -d "$RCR_BUILD/checkpatch" ] || return 0
	rm -rf "$new"
	mkdir -p "$new"
	deb=$(apt_fetch_deb linux-source-6.1) || return
	dpkg-deb --fsys-tarfile "$deb" |
		tar -xO ./usr/src/linux-source-6.1.tar.xz |
		tar -xJ -C "$new" --strip-components=2 \
			linux-source-6.1/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch} \
			linux-source-6.1/Documentation/userspace-api/ioctl/ioctl-number.rst || return
	mv "$new" "$RCR_BUILD/checkpatch"
	rm "$deb"
}

# recent_files PATTERN...: prints the files that match. If not all series were requested, only those
# that differ from 60 commits ago, unless the clone is too shallow.
recent_files()
{
	local since
	if [ -z "$whole" ] && since=$(git rev-parse -q --verify HEAD~60); then
		git diff --name-only --diff-filter=d "$since" -- "$@"
	else
		git ls-files -- "$@"
	fi
}

checkpatch()
{
	local log=$out/checkpatch files
	# Always include the headers of uapi/, so that checkpatch prints a total.
	mapfile -t files < <(git ls-files 'uapi/*.h'
		recent_files 'kmod/*.[ch]' 'userspace/*.[ch]' 'selftests/*.[ch]')
	if ! fetch_checkpatch; then
		echo "checkpatch cannot be fetched: $(tail -n 3 "$RCR_BUILD/logs/fetch-linux-source-6.1.log" | tr '\n' ' ')" \
			>"$log"
		return
	fi
	perl "$RCR_BUILD/checkpatch/checkpatch.pl" --no-tree --strict --terse --show-types \
		-f "${files[@]}" >"$log.all" 2>&1 || true
	# Files without errors are not printed; the total shows that the tool ran.
	grep -q '^total: ' "$log.all" || tail -n 5 "$log.all" >>"$log"
	sed -nE 's/^([^:]+:[0-9]+): [A-Z]+:([A-Z_]+): /\1 \2 /p' "$log.all" |
		excuse checkpatch >>"$log"
}

# make_batches FOLDER: makes a tree of the module whose sources are batches of those of kmod/.
make_batches()
{
	[ ! -e "$1" ] || return 0
	mkdir "$1"
	cp -as "$RCR_TOP"/{VERSION,kmod,uapi} "$1/"
	ln -s "$RCR_TOP/Kbuild" "$1/Kbuild.module"
	selftests/lint/batches.py "$1"
}

# build KVER KDIR FOLDER [NAME=VALUE]...: builds the module, from batches unless all series were
# requested. Writes the output to FOLDER.log, except for warnings about the vmlinux that headers
# lack. With W=1 Kbuild would also run kernel-doc, which module() does.
build()
{
	local kver=$1 kdir=$2 folder=$3 words=()
	shift 3
	if [ -n "$whole" ]; then
		words=(KVER="$kver" KDIR="$kdir" O="$folder")
	else
		make_batches "$folder"
		words=(-C "$kdir" M="$folder")
	fi
	make -s -j2 "${words[@]}" modules cmd_checkdoc= "$@" >"$folder.all" 2>&1 ||
		echo "make ended with status $?" >>"$folder.all"
	grep -v '^Skipping BTF generation' "$folder.all" >"$folder.log" || true
}

# clang_headers KDIR FOLDER: copies the headers of a kernel that was built with gcc, and sets the
# options that Kconfig would set for clang. (The packages of headers have no Kconfig.) A module that
# is built with these headers must not be loaded.
clang_headers()
{
	# Features of gcc, and those that the clang of Debian 12 lacks: the compiler options
	# that they enable are unknown to clang, and with one unknown option all of Kbuild's
	# tests for options fail.
	local not='CC_IS_GCC|GCC[0-9]*_[A-Z_]*|CC_NO_[A-Z_]*'
	not+='|(MITIGATION_)?RETHUNK|(MITIGATION_|CC_HAS_)?SLS|FTRACE_MCOUNT_USE_CC'
	not+='|CC_HAS_NAMED_AS[A-Z_]*|USE_X86_SEG_SUPPORT'
	local config version
	version=$(clang -dumpversion | awk -F. '{ printf "%d%02d%02d", $1, $2, $3 }')

	mkdir -p "$2"
	cp -as "$(realpath "$1")/." "$2/"
	for config in include/config/auto.conf include/generated/autoconf.h; do
		cp --remove-destination "$(realpath "$1/$config")" "$2/$config"
		chmod u+w "$2/$config"
	done
	sed -i -E -e "/^CONFIG_($not|CC_VERSION_TEXT|GCC_VERSION)=/d" \
		-e "s/^(CONFIG_CLANG_VERSION=).*/\1$version/" \
		-e 's/^(CONFIG_CC_IMPLICIT_FALLTHROUGH=).*/\1-Wimplicit-fallthrough/' \
		"$2/include/config/auto.conf"
	cat >>"$2/include/config/auto.conf" <<-EOF
		CONFIG_CC_IS_CLANG=y
		CONFIG_GCC_VERSION=0
		CONFIG_FTRACE_MCOUNT_USE_OBJTOOL=y
		CONFIG_CC_HAS_AUTO_VAR_INIT_ZERO_ENABLER=y
	EOF
	sed -i -E -e "/^#define CONFIG_($not|GCC_VERSION) /d" \
		-e "s/^(#define CONFIG_CLANG_VERSION ).*/\1$version/" \
		"$2/include/generated/autoconf.h"
	cat >>"$2/include/generated/autoconf.h" <<-EOF
		#define CONFIG_CC_IS_CLANG 1
		#define CONFIG_GCC_VERSION 0
		#define CONFIG_FTRACE_MCOUNT_USE_OBJTOOL 1
		#define CONFIG_CC_HAS_AUTO_VAR_INIT_ZERO_ENABLER 1
	EOF
}

# module SERIES: runs the four checks that need a kernel's headers.
module()
{
	local kver kdir files
	mapfile -t files < <(git ls-files 'kmod/*.[ch]' 'uapi/*.h')
	kver=$(selftests/qemu/kernel.sh -r "$1")
	kdir=$(selftests/qemu/kernel.sh -b "$kver")

	build "$kver" "$kdir" "$out/gcc" W=1
	is_empty "$out/gcc.log" "lint: gcc has no warning about the module for $1 (W=1)"

	# C=2 also runs sparse on sources that need no compilation.
	build "$kver" "$kdir" "$out/gcc" W=1 C=2 CF=-D__CHECK_ENDIAN__
	is_empty "$out/gcc.log" "lint: sparse has no warning about the module for $1"

	clang_headers "$kdir" "$out/headers-clang-$kver"
	build "$kver" "$out/headers-clang-$kver" "$out/clang" W=1 CC=clang
	is_empty "$out/clang.log" "lint: clang has no warning about the module for $1"

	"$kdir/scripts/kernel-doc" -none -Werror "${files[@]}" \
		>"$out/kernel-doc" 2>&1 || echo "kernel-doc ended with status $?" >>"$out/kernel-doc"
	is_empty "$out/kernel-doc" "lint: kernel-doc has no warning about the module for $1"
}

# Folders with C programs.
PROGRAMS=(userspace selftests/guest selftests/unit selftests/bench)

# programs CC FOLDER: builds the programs in FOLDER. Programs that are up to date have no warnings,
# because the makefiles set -Werror.
programs()
{
	local folder nm=nm
	# Only gcc's build is run, so only its symbols are needed.
	[ "$1" = gcc ] || nm=true
	for folder in "${PROGRAMS[@]}"; do
		make -s -j2 -C "$folder" O="$2" CC="$1" NM=$nm 2>&1 ||
			echo "$folder: make ended with status $?"
	done >"$out/programs-$1.log"
}

# Check the imports for all series if all were requested, else for the modules that guests load.
imports()
{
	local built=$out/gcc
	[ -n "$whole" ] || built=$RCR_BUILD
	diff -u Documentation/imports.txt <(selftests/lint/imports.sh "$built") >"$out/imports" ||
		echo "if each new symbol is intended and exported by all kernels, run 'make imports'" >>"$out/imports"
	is_empty "$out/imports" "lint: the module imports the symbols of Documentation/imports.txt"
}

shell()
{
	local rc=0 files
	# Include the libraries: shellcheck reads their functions and variables.
	mapfile -t files < <({ git ls-files '*/lib/*.sh'
		recent_files '*.sh' '*.bats' '*.bash' .ci/run selftests/qemu/init; } | sort -u)
	shellcheck -f gcc "${files[@]}" >"$out/shellcheck.all" 2>&1 || rc=$?
	[ "$rc" -le 1 ] || echo "shellcheck ended with status $rc" >"$out/shellcheck"
	sed -E 's/^([^:]+:[0-9]+):[0-9]+: (.*) \[(SC[0-9]+)\]$/\1 \3 \2/' "$out/shellcheck.all" |
		excuse shellcheck >>"$out/shellcheck"
	is_empty "$out/shellcheck" "lint: shellcheck has only excused warnings"
}

spelling()
{
	local rc=0 files
	# Skip the list of excuses, which contains the excused words, and inputs of fuzzers.
	mapfile -t files < <(git ls-files -- . ":!$excuses" ':!selftests/fuzz/crashes')
	codespell "${files[@]}" >"$out/codespell.all" 2>&1 || rc=$?
	[ "$rc" -eq 0 ] || [ -s "$out/codespell.all" ] ||
		echo "codespell ended with status $rc" >"$out/codespell"
	sed -E 's/^([^:]+:[0-9]+): /\1 /' "$out/codespell.all" |
		excuse codespell >>"$out/codespell"
	is_empty "$out/codespell" "lint: codespell has only excused findings"
}

# measure NAME SCRIPT DESCRIPTION: runs a script that prints figures, and "fault: " for each error.
measure()
{
	local name=$1 script=$2 rc=0
	"selftests/lint/$script" >"$out/$name.all" 2>&1 || rc=$?
	sed 's/^/# /' "$out/$name.all"
	grep '^fault: ' "$out/$name.all" >"$out/$name" || true
	[ "$rc" -eq 0 ] || [ -s "$out/$name" ] || echo "$script ended with status $rc" >"$out/$name"
	is_empty "$out/$name" "$3"
}

# Check the ABI: ioctl numbers are free in the kernel's list, and structures have the same layout in
# programs of 32 and 64 bits.
abi()
{
	selftests/lint/ioctl_numbers.sh "$RCR_BUILD/checkpatch/userspace-api/ioctl/ioctl-number.rst" \
		>"$out/ioctls.all" 2>"$out/ioctls" || echo "ioctl_numbers.sh failed" >>"$out/ioctls"
	cat "$out/ioctls.all"
	is_empty "$out/ioctls" "lint: the ioctl numbers are free in the kernel's list"
	gcc -m32 -fsyntax-only -Wall -I. -Iuapi -Iselftests/unit -isystem /usr/include/x86_64-linux-gnu \
		selftests/unit/abi/layout32.c >"$out/layout32" 2>&1 ||
		echo "layout32.c does not compile" >>"$out/layout32"
	is_empty "$out/layout32" "lint: every structure has the same layout in 32-bit and 64-bit programs"
}

# Check that every excuse was needed, except those for tools that did not read all files.
idle_excuses()
{
	local tool where what
	while read -r tool where what _; do
		[[ -n $whole || $tool == codespell || $where == uapi/* ]] || continue
		case $tool in
		'' | \#*) ;;
		*) grep -qxF "$tool $where $what" "$out/used" || echo "$tool $where $what" ;;
		esac
	done <"$excuses" >"$out/idle"
	is_empty "$out/idle" "lint: every excuse is needed"
}

plan $((14 + 4 * ${#series[@]}))
checkpatch
is_empty "$out/checkpatch" "lint: checkpatch --strict has only excused warnings"
for one in "${series[@]}"; do
	module "$one"
done
imports
programs gcc "$RCR_BUILD"
is_empty "$out/programs-gcc.log" "lint: gcc has no warning about the programs"
if [ -n "$whole" ]; then
	programs clang "$out/programs-clang"
else
	RCR_BUILD=$RCR_BUILD selftests/lint/clang.py "${PROGRAMS[@]}" >"$out/programs-clang.log" 2>&1 ||
		echo "clang.py ended with status $?" >>"$out/programs-clang.log"
fi
is_empty "$out/programs-clang.log" "lint: clang has no warning about the programs"
shell
spelling
measure directions direction.sh "lint: no directory includes a higher one or has too many files"
measure lines lines.py "lint: lines of code and the share of comments of the module are within limits"
measure documents documents.py "lint: documents name existing files, README has short sentences, subjects of commits have an area"
measure words words.py "lint: the rate of listed words in comments and messages is within limits"
measure names names.py "lint: static functions have unique names of two or more words"
abi
idle_excuses
