#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# faults.sh MODEL - registers of the virtual PMU that break on demand: each kind has its effect on
# CPU 2, where the register is broken, and none on CPU 1.
. ./tap.sh

case $1 in
fam10h | fam15h | fam17h | fam19h) global='' ;;
zen4) global=0xc0000301 enable=0x3f ;;
nehalem) global=0x38f enable=0xf ;;
snbep | ivbep | hswep | bdwep | skx | icx | spr) global=0x38f enable=0xff ;;
*)
	echo "Bail out! faults.sh: no model $1"
	exit 1
	;;
esac
absent=0xc001020c
case $1 in
nehalem) absent=0xc5 ;;
snbep | ivbep | hswep | bdwep | skx) absent=0x30c ;;
icx | spr) absent=0x30d ;;
esac
control=0x${CONTROLS%% *} counter=0x${COUNTERS%% *}
plan 28

# get and put access the registers of CPU 2, which are broken.
get()
{
	rdmsr -p 2 "$1" 2>/dev/null
}

put()
{
	wrmsr -p 2 "$1" "$2" 2>/dev/null
}

# fails DESCRIPTION COMMAND...: checks that the command fails.
fails()
{
	local description=$1
	shift
	! "$@" >/dev/null 2>&1
	result $? "faults: $description"
}

# moves CPU REGISTER: true if two reads of the register differ.
moves()
{
	local before
	before=$(rdmsr -p "$1" "$2")
	sleep 0.05
	[ "$(rdmsr -p "$1" "$2")" != "$before" ]
}

# Control and counter of CPU 1 can be read and written, and count.
whole()
{
	wrmsr -p 1 "$control" 0x4300c1 && [ "$(rdmsr -p 1 "$control")" = 4300c1 ] &&
		wrmsr -p 1 "$counter" 0 && moves 1 "$counter"
	result $? "faults: another CPU has no broken register"
}

read_faults()
{
	put "$control" 0x4300c0
	break_register 2 "$control" read-faults
	fails "a read faults" get "$control"
	put "$control" 0x4300c2
	result $? "faults: a write to a register whose reads fault succeeds"
	whole
	mend_register 2 "$control"
	is "$(get "$control")" 4300c2 "faults: a mended register holds the written value"
}

write_faults()
{
	break_register 2 "$control" write-faults
	fails "a write faults" put "$control" 0x4300c3
	is "$(get "$control")" 4300c2 "faults: a write that faults changes nothing, and a read does not fault"
	whole
	break_register 2 "$control" faults
	fails "with both faults a read faults" get "$control"
	fails "with both faults a write faults" put "$control" 0x4300c3
	mend_register 2 "$control"
	put "$control" 0x4300c3
	is "$?$(get "$control")" 04300c3 "faults: a mended register can be read and written"
}

sticks()
{
	break_register 2 "$control" sticks
	put "$control" 0
	is "$?$(get "$control")" 04300c3 "faults: a write to a control that sticks succeeds, and changes nothing"
	break_register 2 "$counter" sticks
	fails "a count that sticks does not advance" moves 2 "$counter"
	before=$(get "$counter")
	put "$counter" 0x123
	is "$?$(get "$counter")" "0$before" "faults: a count that sticks cannot be set"
	whole
	mend_registers 2
	moves 2 "$counter"
	result $? "faults: a mended counter counts"
	result $((0x$(get "$counter") <= 0x$before)) "faults: the counter has counted while it was broken"
}

ones()
{
	break_register 2 "$counter" ones
	is "$(get "$counter")" ffffffffffffffff "faults: a register reads all ones"
	put "$control" 0
	put "$counter" 0x123
	whole
	mend_register 2 "$counter"
	is "$(get "$counter")" 123 "faults: a mended register holds the value that was written meanwhile"
}

# Break eight registers that neither the model nor QEMU uses: 1000h is in Intel's range and unused.
limits()
{
	local i
	for i in 0 1 2 3 4 5 6 7; do
		break_register 2 $((0x1000 + i)) faults
	done
	is "$(broken_registers 2) $(broken_registers 1)" "8 0" "faults: eight registers of a CPU can be broken"
	fails "a broken register that the model does not have faults" get 0x1000
	fails "a ninth broken register is refused" break_register 2 "$control" ones
	break_register 2 0x1007 ones
	is "$?$(get 0x1007)" 0ffffffffffffffff "faults: one of eight broken registers can get another kind of fault"
	mend_register 2 0x1007
	fails "an unknown kind is refused" put $FAULTS $((6 << 32 | 0x1000))
	fails "a fault of the control register for faults is refused" break_register 2 $FAULTS ones
	fails "a register that does not exist cannot stick" break_register 2 $absent sticks
	is "$(broken_registers 2)" 7 "faults: refused faults change nothing"
	mend_registers 2
	is "$(broken_registers 2) $(get 0x1000)" "0 0" "faults: all are mended at once"
}

# If a global control has a bit of the counter, it must be set here.
if [ "$global" ]; then
	before_global=$(rdmsr -p 0 $global)
	wrmsr -a $global $enable
fi
read_faults
write_faults
sticks
ones
limits
wrmsr -a "$control" 0
wrmsr -a "$counter" 0
[ ! "$global" ] || wrmsr -a $global "0x$before_global"
finished
