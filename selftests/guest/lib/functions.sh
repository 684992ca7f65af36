# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# functions.sh - finds the PCI functions of shared units in sysfs, and reads and writes their
# configuration space.

# function_of DEVICE PACKAGE: prints the sysfs directory of a package's PCI function.
function_of()
{
	grep -lx "0x$1" /sys/bus/pci/devices/*/device | sort | sed -n "$(($2 + 1))s/\/device$//p"
}

# get FUNCTION OFFSET, put FUNCTION OFFSET VALUE: read and write 32 bits of configuration space.
get()
{
	printf '%x\n' "0x$(dd if="$1/config" bs=4 skip=$(($2 / 4)) count=1 2>/dev/null | hexdump -e '"%08x"')"
}

put()
{
	local bytes i
	for i in 0 8 16 24; do
		printf -v bytes '%s\\x%02x' "$bytes" $((($3 >> i) & 255))
	done
	# shellcheck disable=SC2059 # the argument is a format
	printf "$bytes" | dd of="$1/config" bs=4 seek=$(($2 / 4)) conv=notrunc 2>/dev/null
}
