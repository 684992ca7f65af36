#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# same_code.sh OLD_COMMIT [KVER] - builds the module of OLD_COMMIT and of the work tree for one
# kernel (default: the last of RCR_SERIES) and compares the loaded sections and the relocations of
# each object. Prints "same OBJECT", or "different OBJECT" and the differences; status 1 if any
# object differs.
#
# Names of the module's own functions and data may differ. Not compared: strings, and sections
# with line numbers (__bug_table, __dyndbg) or version (.modinfo). A renamed object is compared
# with the old one.
set -eu
. "$(dirname "$0")/../lib/common.sh"

[ $# -ge 1 ] || die "usage: same_code.sh OLD_COMMIT [KVER]"
cd "$RCR_TOP"
old=$(git rev-parse --verify "$1^{commit}")
kver=${2:-$(selftests/qemu/kernel.sh -r "${RCR_SERIES[-1]}")}
kdir=$(selftests/qemu/kernel.sh -b "$kver")
out=$RCR_BUILD/same_code

# build TREE FOLDER: builds the module, starting from an earlier build in the folder.
build()
{
	mkdir -p "$2"
	make -s -j2 -C "$1" modules KVER="$kver" KDIR="$kdir" O="$2" >"$2/log" 2>&1 ||
		die "$1: the build failed: see $2/log"
}

# objects FOLDER: prints the objects of the module that was built there, in link order.
objects()
{
	tr ' ' '\n' <"$1/rcrtool.mod" | grep -o 'kmod/[a-z0-9_/]*\.o'
}

# symbol_numbers FOLDER OBJECT...: prints "NAME OBJECT:SECTION:NUMBER" for each defined symbol.
symbol_numbers()
{
	local folder=$1 number=0 object
	shift
	for object; do
		number=$((number + 1))
		objdump -t "$folder/$object" | awk -v object="$number" '
			NF < 5 || $(NF - 2) == "*UND*" { next }
			{ print $(NF - 2), $1, $NF }' | sort -k1,1 -k2,2 |
			awk -v object="$number" '{ print $3, object ":" $1 ":" ++n[$1] }'
	done
}

# contents NAMES OBJECT: prints the loaded sections and the relocations, with numbers for symbols.
contents()
{
	local skip='__bug_table|__dyndbg|\.modinfo|\.rodata\.(.*\.)?str[0-9].*|\.note.*'
	objdump -h "$2" | awk -v skip="^($skip)\$" '
		$1 ~ /^[0-9]+$/ { name = $2; size = $3; next }
		/ALLOC/ && name !~ skip { print "section", name, size }'
	objdump -sr "$2" | awk -v skip="^(r?$skip|\\.(r?debug|comment|orc|BTF|discard).*)\$" '
		NR == FNR { if (!($1 in number)) number[$1] = $2; next }
		/^Contents of section|^RELOCATION RECORDS FOR/ {
			section = $NF
			gsub(/\[|\]|:/, "", section)
			skipped = section ~ skip
			next
		}
		skipped || /^$|^OFFSET|file format/ { next }
		/ R_X86_64_/ {
			name = $3
			sub(/[-+]0x[0-9a-f]+$/, "", name)
			addend = substr($3, length(name) + 1)
			if (name ~ /^\.rodata\.(.*\.)?str[0-9]|^\.LC/)
				name = addend = "string"
			else if (name in number)
				name = number[name]
			print section, $1, $2, name addend
			next
		}
		{ print section, substr($0, 1, 42) }' "$1" -
}

mkdir -p "$out"
if [ ! -e "$out/old/$old" ]; then
	rm -rf "$out/old"
	mkdir -p "$out/old"
	git archive "$old" | tar -x -C "$out/old"
	: >"$out/old/$old"
fi
build "$out/old" "$out/old/build"
build "$RCR_TOP" "$out/new"
was=$out/old/build/$kver/obj
is=$out/new/$kver/obj

# Map each old object to its new name.
declare -A renamed=()
while read -r _ from to; do
	renamed[${from%.c}.o]=${to%.c}.o
done < <(git diff -M40 --name-status --diff-filter=R "$old" -- kmod)

mapfile -t before < <(objects "$was")
after=()
for object in "${before[@]}"; do
	after+=("${renamed[$object]:-$object}")
done
[ "$(objects "$is" | sort)" = "$(printf '%s\n' "${after[@]}" | sort)" ] ||
	die "the module does not have the same objects as at $1"

symbol_numbers "$was" "${before[@]}" >"$out/was.names"
symbol_numbers "$is" "${after[@]}" >"$out/is.names"
status=0
for i in "${!before[@]}"; do
	contents "$out/was.names" "$was/${before[i]}" >"$out/was"
	contents "$out/is.names" "$is/${after[i]}" >"$out/is"
	if cmp -s "$out/was" "$out/is"; then
		echo "same ${after[i]}"
	else
		echo "different ${after[i]}"
		diff "$out/was" "$out/is" | head -n 20 | sed 's/^/# /' || true
		status=1
	fi
done
exit "$status"
