#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# instructions.sh [SYMBOLS [SOURCE]] - logs the steps (vpmu/steps.h) of ticks of a bare timer and of
# the sampler, with 1, 6 and 12 registers, and with 6 while a reader maps places; prints lines that
# identify them, for selftests/bench/instructions.sh. With SYMBOLS it also prints the kernel's
# symbols, compressed; with SOURCE the sampler uses that source.
. ./tap.sh
PERIOD_US=250
MILLISECONDS=10

# text_of MODULE: prints the address of the module's code.
text_of()
{
	cat "/sys/module/$1/sections/.text"
}

# measure NUMBER WHO REGISTERS MODULE: logs the ticks of the module's timer as steps NUMBER.
measure()
{
	echo "run $1 $2 $3 $(text_of "$4") $(./spin "$1" $MILLISECONDS)"
}

bare()
{
	insmod /rcr/bare.ko period_us=$PERIOD_US registers="$3"
	measure "$1" bare "$2" bare
	rmmod bare
}

own()
{
	load_set "$3" source="$SOURCE" period_us=$PERIOD_US || { unload; return; }
	measure "$1" own "$2" rcrtool
	[ "$(status_of state)" = sampling ] || echo "The module does not sample: $(status_of reason)"
	[ -z "$SYMBOLS" ] || [ "$2" != 12 ] || symbols
	unload
}

# asked NUMBER REGISTERS EVENTS: the same while a sleeping reader maps places.
asked()
{
	local reader
	load_set "$3" source="$SOURCE" period_us=$PERIOD_US || { unload; return; }
	mkfifo /tmp/in
	./places hold </tmp/in >/tmp/held &
	reader=$!
	exec 9>/tmp/in
	soon grep -q held /tmp/held
	measure "$1" asked "$2" rcrtool
	exec 9>&-
	wait $reader
	unload
}

# symbols: prints the kernel's symbols, compressed, in base64.
symbols()
{
	awk '$2 ~ /[tTwW]/ { print $1, $3 }' /proc/kallsyms | gzip | base64 | sed 's/^/symbols /'
}

SYMBOLS=${1:-} SOURCE=${2:-msr}
events=EV0=event:0xc0 controls=0xc0010200 counts=0xc0010201
for ((i = 1; i < 6; i++)); do
	events="$events;EV$i=event:0xc$i"
	controls="$controls,$((0xc0010200 + 2 * i))"
	counts="$counts,$((0xc0010201 + 2 * i))"
done
grep -E ' (asm_sysvec_apic_timer_interrupt|native_irq_return_iret)$' /proc/kallsyms |
	sed 's/^/kernel /'
bare 1 1 0xe8
bare 2 6 "$(echo "$controls" | cut -d, -f1-3),$(echo "$counts" | cut -d, -f1-3)"
bare 3 12 "$controls,$counts"
own 4 1 A=register:aperf
own 5 6 "$(echo "$events" | cut -d';' -f1-3)"
own 6 12 "$events"
asked 7 6 "$(echo "$events" | cut -d';' -f1-3)"
