#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# registers.sh MODEL - the registers of the virtual PMU behave as in the manual, without a driver:
# accesses that fault, bits that cannot be written, counters that wrap, and counters that do not
# advance.
. ./tap.sh

# get and put access the registers of CPU 0.
get()
{
	rdmsr -p 0 "$1"
}

put()
{
	while [ $# -gt 0 ]; do
		wrmsr -p 0 "$1" "$2"
		shift 2
	done
}

# faults REGISTER VALUE DESCRIPTION: checks that the write faults and changes nothing.
faults()
{
	local before
	before=$(get "$1")
	if wrmsr -p 0 "$1" "$2" 2>/dev/null; then
		result 1 "registers: $3 faults"
	else
		is "$(get "$1")" "$before" "registers: $3 faults"
	fi
}

# absent DESCRIPTION REGISTER...: checks that the registers can be neither read nor written.
absent()
{
	local description=$1 register bad=0
	shift
	for register in "$@"; do
		! get "$register" >/dev/null 2>&1 || bad=1
		! wrmsr -p 0 "$register" 0 2>/dev/null || bad=1
	done
	result $bad "registers: $description"
}

# moves REGISTER DESCRIPTION, is_still REGISTER DESCRIPTION: checks that the register advances, or
# that it does not.
moves()
{
	local before
	before=$(get "$1")
	sleep 0.05
	[ "$(get "$1")" != "$before" ]
	result $? "registers: $2"
}

is_still()
{
	local before
	before=$(get "$1")
	sleep 0.05
	is "$(get "$1")" "$before" "registers: $2"
}

amd_common()
{
	faults 0xc0010200 0x80000 "setting the reserved bit 19 of a control"
	faults 0xc001020a 0x40000000000 "setting the reserved bit 42 of a control"
	put 0xc0010206 0x120300c0
	is "$(get 0xc0010003)" 120300c0 "registers: C001_0003 is the same register as C001_0206"
	put 0xc0010007 0x123456789abc
	is "$(get 0xc0010207)" 123456789abc "registers: C001_0007 is the same register as C001_0207"
	is_still 0xc0010207 "a counter that is not enabled stands still"
	put 0xc0010207 0xffff123456789abd
	is "$(get 0xc0010207)" 123456789abd "registers: bits above the 48 bits of a count are dropped"
	absent "there is no seventh counter" 0xc001020c 0xc001020d
	put 0xc0010206 0 0xc0010207 0
}

# A large increment event counts in a pair or not at all.
amd_pair()
{
	put 0xc0010204 0x43ff03 0xc0010205 0
	is_still 0xc0010205 "event 003h without the merge event counts nothing"
	put 0xc0010206 0xf004000ff
	moves 0xc0010205 "event 003h counts with the merge event in the odd counter above"
	is_still 0xc0010207 "the odd counter of the pair counts nothing"
	put 0xc0010207 0x5 0xc0010205 0xffffffffffff
	sleep 0.01
	is "$(get 0xc0010207)" 6 "registers: the even counter of a pair carries into the odd one when it wraps"
	put 0xc0010204 0 0xc0010206 0 0xc0010205 0 0xc0010207 0
}

amd_no_global()
{
	absent "there are no global registers" 0xc0000300 0xc0000301 0xc0000302
	put 0xc0010200 0x4300c0
	moves 0xc0010201 "a counter needs no global control"
	put 0xc0010200 0
}

amd_global()
{
	faults 0xc0000301 0x40 "setting the bit of a missing counter in the global control"
	put 0xc0000301 0 0xc0000302 0x3f
	put 0xc0010202 0x4300c0 0xc0010203 0xffffffffffff
	is_still 0xc0010203 "a counter does not count without its bit in the global control"
	is "$(get 0xc0000300)" 0 "registers: nothing has overflowed"
	put 0xc0000301 2
	moves 0xc0010203 "a counter counts with its bit in the global control"
	is "$(get 0xc0000300)" 2 "registers: the global status reports the wrap of a counter"
	put 0xc0000300 0
	is "$(get 0xc0000300)" 2 "registers: writing the global status does not change it"
	put 0xc0000302 1
	is "$(get 0xc0000300)" 2 "registers: clearing another counter's bit does not change the global status"
	put 0xc0000302 0xfffffffffffffffe
	is "$(get 0xc0000300)" 0 "registers: clearing the counter's bit changes the global status"
	is "$(get 0xc0000302)" 0 "registers: the register that clears the global status reads 0"
	# The pair overflows when it wraps as a whole.
	put 0xc0000301 0x3f 0xc0010206 0xf004000ff 0xc0010204 0x43ff03
	put 0xc0010207 0xfffe 0xc0010205 0xffffffffffff
	sleep 0.01
	is "$(get 0xc0010207) $(get 0xc0000300)" "ffff 0" "registers: a carry within a pair is not an overflow"
	put 0xc0010205 0xffffffffffff
	sleep 0.01
	is "$(get 0xc0000300) $(get 0xc0010207)" "4 0" "registers: a carry out of a pair is an overflow"
	put 0xc0010202 0 0xc0010204 0 0xc0010206 0 0xc0000302 0x3f
}

nehalem_faults()
{
	faults 0x186 0x100000000 "setting a reserved bit of an event select"
	faults 0x38d 0x1000 "setting a reserved bit of the fixed counters' control"
	faults 0x38f 0x10 "setting the bit of a missing counter in the global control"
	faults 0x390 0x10 "setting the bit of a missing counter in the overflow control"
	faults 0x38e 0 "a write to the global status"
	put 0x189 0x6f00c0
	is "$(get 0x189)" 6f00c0 "registers: edge, pin control and any-thread are not reserved bits"
	put 0x189 0
	absent "there is no fifth general counter" 0xc5 0x18a
	absent "there is no fourth fixed counter" 0x30c
	absent "there is no full-width alias of a general counter" 0x4c1
}

nehalem_widths()
{
	put 0xc1 0x123456789 0xc2 0x80000000 0x309 0x123456789abc
	is "$(get 0xc1) $(get 0xc2)" "23456789 ffff80000000" \
		"registers: a general counter takes 32 bits and extends their sign"
	is "$(get 0x309)" 123456789abc "registers: a fixed counter takes 48 bits"
	faults 0x309 0x1000000000000 "setting bit 48 of a fixed counter"
}

nehalem_overflow()
{
	put 0x38f 0 0x390 0x70000000f 0x186 0x4300c0 0x38d 0x30 0xc1 0xffffffff 0x30a 0xffffffffffff
	is_still 0xc1 "a general counter does not count without the global control"
	is_still 0x30a "a fixed counter does not count without the global control"
	put 0x38f 0x200000001
	moves 0xc1 "a general counter counts with the global control"
	moves 0x30a "a fixed counter counts with the global control"
	is "$(get 0x38e)" 200000001 "registers: the global status reports the wrap of a fixed counter"
	put 0x390 1
	is "$(get 0x38e)" 200000000 "registers: the overflow control clears the bit that is written"
	put 0x390 0xe000000200000000
	is "$(get 0x38e) $(get 0x390)" "0 0" "registers: the other bit can be cleared, too, and the overflow control reads 0"
	put 0x38f 0 0x186 0 0x38d 0
}

# Counters of one event that are started by one write, and stopped by another, are equal.
nehalem_alike()
{
	put 0x38f 0 0xc1 0 0xc2 0 0xc3 0 0xc4 0 0x309 0 0x30a 0 0x30b 0
	put 0x186 0x4300c0 0x187 0x43003c 0x188 0x43013c 0x189 0x430300 0x38d 0x333
	put 0x38f 0x70000000f
	sleep 0.05
	put 0x38f 0
	is "$(get 0x309) $(get 0x30a)" "$(get 0xc1) $(get 0xc2)" \
		"registers: a fixed counter counts as a general one with its event"
	[ "$(get 0x309)" != 0 ] && [ "$(get 0x30b)" != 0 ] &&
		[ "$(get 0x30b)" != "$(get 0xc3)" ]
	result $? "registers: reference cycles and event 3Ch, unit mask 1, count different clocks"
	is "$(get 0xc4)" 0 "registers: counters without an event do not count"
	put 0x189 0 0x186 0x430051 0x188 0x430051 0x187 0 0x38d 0 0x38f 0xf
	moves 0xc1 "event 51h counts on counter 0"
	is_still 0xc3 "the event does not count on counter 2"
	put 0x38f 0 0x186 0 0x188 0
}

# counts_as CPU REGISTER EVENT UMASK INSTANCE DESCRIPTION: checks that a register of the northbridge
# counts the event.
counts_as()
{
	local sums
	sums=$(./formula "$1" "$2" 48 10 0 unit 1 "$3" "$4" "$5")
	result $? "registers: $6: $sums"
}

fam10h()
{
	faults 0xc0010000 0x80000 "setting the reserved bit 19 of a control"
	faults 0xc0010003 0x40000000000 "setting the reserved bit 42 of a control"
	put 0xc0010007 0xffff123456789abd
	is "$(get 0xc0010007)" 123456789abd "registers: bits above the 48 bits of a count are dropped"
	is_still 0xc0010007 "a counter that is not enabled stands still"
	absent "there are only four counters, and no global registers" 0xc0010200 0xc0010201 0xc001020b \
		0xc0000300 0xc0000301
	put 0xc0010000 0x4300c0
	moves 0xc0010004 "a counter that is enabled counts"
	wrmsr -a 0xc0010001 0x40043f7e1
	counts_as 0 0xc0010005 0x4e1 0xf7 0 "a core counts events of its northbridge"
	counts_as 1 0xc0010005 0x4e1 0xf7 0 "the other core of the node counts events of the same northbridge"
	counts_as 2 0xc0010005 0x4e1 0xf7 1 "a core of another node counts events of another northbridge"
	wrmsr -a 0xc0010001 0
	put 0xc0010000 0
}

# xeon_faults FIXED: for Sandy Bridge-EP and later. FIXED is the register after the last fixed
# counter.
xeon_faults()
{
	faults 0x18d 0x100000000 "setting a reserved bit of an event select"
	faults 0x38f 0x100 "setting the bit of a missing counter in the global control"
	faults 0x38e 0 "a write to the global status"
	faults 0x345 0 "a write to the capabilities"
	is "$(get 0x345)" 2000 "registers: the only capability is full-width writes"
	absent "there is no further fixed counter" "$1"
}

xeon_counters()
{
	put 0x4c1 0x123456789abc
	is "$(get 0xc1) $(get 0x4c1)" "123456789abc 123456789abc" "registers: the full-width aliases write 48 bits of a general counter"
	faults 0x4c8 0x1000000000000 "setting bit 48 of a full-width alias"
	put 0x38f 0xff 0x18d 0x4300c0
	moves 0xc8 "the eighth counter counts"
	put 0x18d 0
}

# one_of SELECT COUNTING OTHER DESCRIPTION: checks that counter COUNTING counts the event, and OTHER
# does not.
one_of()
{
	local control
	put 0x38f 0xff
	for control in "$2" "$3"; do
		put $((0x186 + control)) "$1"
	done
	moves $((0xc1 + $2)) "$4 counts on counter $2"
	is_still $((0xc1 + $3)) "$4 does not count on counter $3"
	put $((0x186 + $2)) 0 $((0x186 + $3)) 0
}

# freezes CONTROL COUNT FREEZE: checks that a box control freezes and resets its counters.
freezes()
{
	put "$1" 0x400000
	moves "$2" "the counter of a shared unit counts"
	put "$3" 0x100
	is_still "$2" "a frozen counter does not count"
	put "$3" 0
	moves "$2" "the counter counts again after it is unfrozen"
	put "$3" 0x3
	is "$(get "$1") $(get "$3")" "0 0" "registers: the box control resets the control, and reads 0"
}

slices()
{
	freezes 0xe01 0xe08 0xe00
	faults 0xe00 0x20000 "setting a reserved bit of a box control"
	faults 0xe01 0x100000 "setting a reserved bit of a slice's control"
}

slots()
{
	put 0x38f 0x800000000 0x38d 0x3000
	moves 0x30c "the fourth fixed counter counts slots"
	put 0x38d 0
}

case $1 in
fam10h)
	plan 9
	fam10h
	;;
fam15h)
	plan 9
	amd_common
	amd_no_global
	;;
fam17h | fam19h)
	plan 13
	amd_common
	amd_pair
	amd_no_global
	;;
zen4)
	plan 22
	before=$(get 0xc0000301)
	put 0xc0000301 0x3f
	amd_common
	amd_pair
	amd_global
	put 0xc0000301 "0x$before"
	;;
nehalem)
	plan 24
	before=$(get 0x38f)
	nehalem_faults
	nehalem_widths
	nehalem_overflow
	nehalem_alike
	put 0x38f "0x$before"
	;;
snbep | ivbep)
	plan 21
	before=$(get 0x38f)
	xeon_faults 0x30c
	xeon_counters
	one_of 0x430148 2 3 "event 48h, mask 1,"
	nehalem_widths
	nehalem_overflow
	put 0x38f "0x$before"
	;;
hswep | bdwep | skx)
	plan 27
	before=$(get 0x38f)
	xeon_faults 0x30c
	xeon_counters
	one_of 0x4301c0 1 2 "event C0h, mask 1,"
	nehalem_widths
	nehalem_overflow
	slices
	put 0x38f "0x$before"
	;;
icx)
	plan 28
	before=$(get 0x38f)
	xeon_faults 0x30d
	xeon_counters
	one_of 0x430151 3 4 "event 51h"
	slots
	nehalem_widths
	nehalem_overflow
	slices
	put 0x38f "0x$before"
	;;
spr)
	plan 22
	before=$(get 0x38f)
	xeon_faults 0x30d
	xeon_counters
	one_of 0x4304a4 0 1 "event A4h, mask 4,"
	slots
	nehalem_widths
	nehalem_overflow
	put 0x38f "0x$before"
	;;
*)
	echo "Bail out! registers.sh: no model $1"
	exit 1
	;;
esac
finished
