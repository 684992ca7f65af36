#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# covered.sh MODEL - programs every register in the tables of this model, on each unit of its kind,
# and compares each sample with the formula. Prints a line for each register, for coverage.sh:
#   # covered FILE FAMILY/UNIT CONTROL COUNTER
. ./tap.sh

# sets MODEL: prints a line for each unit: table file, unit, number of counters, and the event that
# counter N counts, with %d for N.
sets()
{
	case $1 in
	fam10h)
		echo "amd_f10h core 4 event:0xc0,umask:%d,counter:%d"
		;;
	fam15h)
		echo "amd_f15h core 6 event:0xc0,umask:%d,counter:%d"
		echo "amd_f15h nb 4 nb:event:0xe9,umask:%d,counter:%d"
		;;
	fam17h | fam19h | zen4)
		echo "amd_f17h core 6 event:0xc0,umask:%d,counter:%d"
		echo "amd_uncore l3 6 l3:event:0x04,umask:%d,counter:%d"
		[ "$1" = zen4 ] || echo "amd_uncore df 4 df:event:0x37c7,umask:%d,counter:%d"
		echo "registers energy-core 1 register:energy-core"
		echo "registers energy-pkg 1 register:energy-pkg"
		;;
	nehalem)
		echo "intel_nhm core 4 event:0x2e,umask:%d,counter:%d"
		echo "intel_nhm fixed 1 event:0xc0"
		echo "intel_nhm fixed 1 event:0x3c"
		echo "intel_nhm fixed 1 event:0x00,umask:0x03"
		echo "registers temp-core 1 register:temp-core"
		echo "intel_nhm uncore 8 uncore:event:0x2f,umask:%d,counter:%d"
		;;
	snbep | ivbep)
		xeon intel_snb 3
		echo "intel_box pcu 4 pcu:event:0x8%d,counter:%d"
		echo "intel_box ubox 2 ubox:event:0x42,umask:%d,counter:%d"
		echo "intel_box uclk 1 uclk:event:0"
		echo "registers energy-cores 1 register:energy-cores"
		;;
	hswep | bdwep)
		xeon intel_hsw 3
		echo "intel_box pcu 4 pcu:event:0x6%d,counter:%d"
		;;
	skx | icx)
		xeon "intel_$1" $([ "$1" = icx ] && echo 4 || echo 3)
		echo "intel_box pcu 4 pcu:event:0x6%d,counter:%d"
		;;
	spr) xeon intel_icx 4 ;;
	esac
	echo "registers aperf 1 register:aperf"
	echo "registers mperf 1 register:mperf"
}

# xeon FILE FIXED: prints the lines of all Xeons. All eight counters can count event A1h.
xeon()
{
	echo "$1 core 8 event:0xa1,umask:%d,counter:%d"
	echo "$1 fixed 1 event:0xc0"
	echo "$1 fixed 1 event:0x3c"
	echo "$1 fixed 1 event:0x00,umask:0x03"
	[ "$2" = 3 ] || echo "$1 fixed 1 event:0x00,umask:0x04"
	echo "registers energy-pkg 1 register:energy-pkg"
	echo "registers energy-ram 1 register:energy-ram"
	echo "registers temp-core 1 register:temp-core"
	echo "registers temp-pkg 1 register:temp-pkg"
}

# slices FILE UNIT NUMBER: prints the lines of last-level cache slices; each counts event 00h.
slices()
{
	local box
	for ((box = 0; box < $3; box++)); do
		echo "$1 $2$box 4 $2$box:event:0x00,umask:%d,counter:%d"
	done
}

# functions HA IMC QPI R3QPI: prints the lines of PCI functions, for numbers of home agents, memory
# channels, QPI links and ring stops of links.
functions()
{
	local ha=$1 box
	for box in $ha; do
		echo "intel_box $box 4 $box:event:0x01,umask:%d,counter:%d"
	done
	for ((box = 0; box < $2; box++)); do
		echo "intel_box imc$box 4 imc$box:event:0x04,umask:%d,counter:%d"
		echo "intel_box imcclk$box 1 imcclk$box:event:0"
	done
	for ((box = 0; box < $3; box++)); do
		echo "intel_box qpi$box 4 qpi$box:event:0x102,umask:%d,counter:%d"
	done
	for ((box = 0; box < $4; box++)); do
		echo "intel_box r3qpi$box 3 r3qpi$box:event:0x07,umask:%d,counter:%d"
	done
	echo "intel_box r2pcie 4 r2pcie:event:0x07,umask:%d,counter:%d"
}

# more_sets MODEL: prints lines that do not fit in the same set, or in the 1024 characters of a
# parameter.
more_sets()
{
	local box
	case $1 in
	snbep)
		slices intel_box cbo 8
		functions ha 4 2 2
		;;
	ivbep)
		slices intel_box cbo 15
		functions "ha0 ha1" 8 3 2
		;;
	hswep)
		slices intel_box cbo 18
		functions "ha0 ha1" 8 3 3
		;;
	bdwep)
		slices intel_box cbo 24
		functions "ha0 ha1" 8 3 3
		;;
	skx) slices intel_box cha 28 ;;
	icx) slices intel_box cha 40 ;;
	esac
	[ "$1" = zen4 ] || return
	echo "amd_uncore df 16 df:event:0x3f1f,umask:2%d,counter:%d"
	for box in 0 1 2 3 4 5 6 7 8 9 10 11; do
		echo "amd_uncore umc$box 4 umc$box:event:0x1%d,umask:1,counter:%d"
	done
}

# Print each counter as NAME=EVENT; NAME is FILE.UNIT.NUMBER.
events()
{
	local file unit count event n total=0
	while read -r file unit count event; do
		for ((n = 0; n < count; n++, total++)); do
			printf '%s.%s.%d=%s\n' "$file" "$unit" "$total" "${event//%d/$n}"
		done
	done
}

covered()
{
	sed -n 's/^counter [0-9]*: \([^ .]*\)\.\([^ .]*\)\.[^ ]* .* control \(0x[0-9a-f]*\) counter \(0x[0-9a-f]*\) .*/\1 \2 \3 \4/p' $STATUS |
		while read -r file unit control counter; do
			echo "# covered $file $(status_of family | tr ' ' '_')/$unit $control $counter"
		done
}

# counts NAME: true if the event counts on its first CPU and on that of the other package.
counts()
{
	[ "$(sed -n "s/^$1 cpu[02]: //p" /tmp/watch | sort -u)" = "ok (counted)" ]
}

# try FILE: counts the events of the file as one set.
try()
{
	local name bad=''
	load period_us=5000 budget_ppm=0
	xargs rcrctl set <"$1"
	./watch 1.5 >/tmp/watch
	while IFS='=' read -r name _; do
		counts "$name" || bad+=" $name"
	done <"$1"
	is "$(status_of state) $(tail -n 1 /tmp/watch)$bad" \
		"sampling 1 sets, 0 lost, many samples, 0 wrong" "$(wc -l <"$1") registers count by the formula"
	grep '^wrong' /tmp/watch | sed 's/^/# /'
	[ "$bad" ] || covered
	unload
}

rm -f /tmp/set.*
sets "$1" | events >/tmp/set.a
more_sets "$1" | events | awk '{ print >"/tmp/set.b" int((NR - 1) / 16) }'
set -- /tmp/set.*
plan $#
for file; do
	try "$file"
done
finished
