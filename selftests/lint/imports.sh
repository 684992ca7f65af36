#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# imports.sh [FOLDER] - prints the expected content of Documentation/imports.txt: the kernel's
# symbols that the modules FOLDER/RELEASE/rcrtool.ko import for every series (default: build). The
# modules must have been built.
set -eu
export LC_ALL=C
. "$(dirname "$0")/../lib/common.sh"

cat <<'EOF'
# Symbols that rcrtool imports from the kernel, one per line. A symbol that only some
# series import is followed by these series. A new symbol is a new dependency: it must be
# exported by every kernel that we build for. Thunks of indirect branches are named without
# the register, which the compiler chooses. "make imports" writes this file.
EOF
for series in "${RCR_SERIES[@]}"; do
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$series")
	nm -u "${1:-$RCR_BUILD}/$kver/rcrtool.ko" | awk -v s="$series" '{ print $2, s }'
done | awk -v all=${#RCR_SERIES[@]} '
	{ sub(/^__x86_indirect_thunk_.*/, "__x86_indirect_thunk_*", $1) }
	seen[$1, $2]++ { next }
	{ in_series[$1] = in_series[$1] " " $2; count[$1]++ }
	END { for (s in count) print s (count[s] < all ? in_series[s] : "") }' | sort
