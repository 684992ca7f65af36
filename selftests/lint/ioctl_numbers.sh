#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ioctl_numbers.sh LIST - checks that the ioctl numbers of the uapi are free in LIST, the kernel's
# Documentation/userspace-api/ioctl/ioctl-number.rst. Prints the numbers; status 1 if one is taken.
set -eu
cd "$(dirname "$0")/../.."
list=$1 rc=0

# "letter first last" of each row.
taken=$(sed -nE "s/^'(.)' +([0-9A-Fa-f]{2})(-([0-9A-Fa-f]{2}))? .*/\1 \2 \4/p" "$list")
[ "$(wc -l <<<"$taken")" -gt 100 ] || { echo "$list is not the list of ioctl numbers" >&2; exit 1; }
numbers=$(sed -nE "s/^#define[[:space:]]+(\w+)[[:space:]]+_IO[RW]*\('(.)', (0x[0-9a-f]+)[,)].*/\1 \2 \3/p" uapi/linux/*.h)
[ -n "$numbers" ] || { echo "uapi has no ioctl" >&2; exit 1; }
while read -r name letter number; do
	while read -r other first last; do
		if [ "$other" = "$letter" ] && ((number >= 16#$first && number <= 16#${last:-$first})); then
			echo "$name: '$letter' $number is taken: $(grep -E "^'$other' +$first" "$list")" >&2
			rc=1
		fi
	done <<<"$taken"
	echo "# $name: '$letter' $number"
done <<<"$numbers"
exit $rc
