#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# uncore.sh MODEL - checks the shared units, energy and clocks of the virtual PMU with the kernel's
# drivers: they attach, and their counts match the formulas of vpmu/rate.h for the time that they
# counted.
. ./tap.sh

# One line for each event: PMU, its parameters, and the unit, event and unit mask of the formula. If
# the name of the PMU ends in a number, that is the box.
fam15h_events()
{
	cat <<-'END'
		amd_nb event=0xe9,umask=0x12	1 0x0e9 0x12
		amd_nb event=0x4e1,umask=0xf7	1 0x4e1 0xf7
		amd_nb event=0x1e0,umask=0x0e	1 0x1e0 0x0e
		amd_nb event=0x0e0,umask=0x07	1 0x0e0 0x07
	END
}

zen_events()
{
	cat <<-'END'
		amd_l3 event=0x04,umask=0xff	2 0x004 0xff
		amd_l3 event=0x04,umask=0x01	2 0x004 0x01
		amd_l3 event=0x9a,umask=0x1f	2 0x09a 0x1f
		amd_df event=0x07,umask=0x38	3 0x007 0x38
		amd_df event=0x7c7,umask=0x02	3 0x7c7 0x02
	END
}

# Use five counters of a data fabric, as rdpmc numbers the fifth one differently.
zen4_events()
{
	zen_events
	cat <<-'END'
		amd_df event=0x1f,umask=0xffe	3 0x01f 0xffe
		amd_df event=0x3f1f,umask=0x7fe	3 0x3f1f 0x7fe
		amd_df event=0x5f,umask=0xffe	3 0x05f 0xffe
	END
	# Linux supports memory controllers since 6.8. Node 0 has the first 12.
	[ ! -e /sys/bus/event_source/devices/amd_umc_0 ] || cat <<-'END'
		amd_umc_0 event=0x0a,rdwrmask=1		4 0x0a 0x1
		amd_umc_0 event=0x0a,rdwrmask=2		4 0x0a 0x2
		amd_umc_11 event=0x14			4 0x14 0x0
		amd_umc_12 event=0x0a,rdwrmask=3	4 0x0a 0x3
		amd_umc_23 event=0x00			4 0x00 0x0
	END
}

# These include the Core i7 events of the RCRTool design, section 6.3.2.
nehalem_events()
{
	cat <<-'END'
		uncore event=0xff		5 0xff 0x00
		uncore event=0x08,umask=0x03	5 0x08 0x03
		uncore event=0x20,umask=0x10	5 0x20 0x10
		uncore event=0x2c,umask=0x0f	5 0x2c 0x0f
		uncore event=0x2f,umask=0x0f	5 0x2f 0x0f
		uncore event=0x09,umask=0x03	5 0x09 0x03
	END
}

# The kernel uses as many cache slices as there are cores, here two of eight.
snbep_events()
{
	cat <<-'END'
		uncore_cbox_0 event=0x00		6 0x00 0x00
		uncore_cbox_0 event=0x34,umask=0x11	6 0x34 0x11
		uncore_cbox_1 event=0x34,umask=0x11	6 0x34 0x11
		uncore_cbox_1 event=0x36,umask=0x01	6 0x36 0x01
		uncore_pcu event=0x00			7 0x00 0x0
		uncore_pcu event=0x80,occ_sel=2		7 0x80 0x2
		uncore_ubox event=0xff			8 0xff 0x00
		uncore_ubox event=0x42,umask=0x08	8 0x42 0x08
		uncore_ha event=0x01,umask=0x03		9 0x01 0x03
		uncore_imc_0 event=0xff			10 0xff 0x00
		uncore_imc_0 event=0x04,umask=0x03	10 0x04 0x03
		uncore_imc_3 event=0x04,umask=0x0c	10 0x04 0x0c
		uncore_qpi_1 event=0x102,umask=0x08	11 0x102 0x08
		uncore_r2pcie event=0x01		12 0x01 0x00
	END
}

ivbep_events()
{
	snbep_events | sed 's/uncore_ha/uncore_ha_0/'
	later_functions
}

# These units are PCI functions that Sandy Bridge-EP lacks.
later_functions()
{
	cat <<-'END'
		uncore_ha_1 event=0x01,umask=0x03	9 0x01 0x03
		uncore_imc_6 event=0x04,umask=0x03	10 0x04 0x03
		uncore_qpi_2 event=0x102,umask=0x08	11 0x102 0x08
	END
}

# Up to Broadwell-EP the kernel assumes as many slices as cores. On later Xeons it reads the number
# of slices from PCI functions, which do not exist here, and finds none.
hswep_events()
{
	cat <<-'END'
		uncore_cbox_0 event=0x00		6 0x00 0x00
		uncore_cbox_0 event=0x34,umask=0x11	6 0x34 0x11
		uncore_cbox_1 event=0x36,umask=0x01	6 0x36 0x01
		uncore_pcu event=0x00			7 0x00 0x0
		uncore_pcu event=0x60,occ_sel=2		7 0x60 0x2
		uncore_r2pcie event=0x01		12 0x01 0x00
	END
	later_functions
}

# For this model the kernel has the occupancy in the unit mask.
skx_events()
{
	cat <<-'END'
		uncore_pcu event=0x00			7 0x00 0x0
		uncore_pcu event=0x60,umask=0x80	7 0x60 0x2
	END
}

# One line per register: the CPU that programs it, the control and its value, the CPU that reads the
# count, its register and width, and the arguments of "formula". If the two CPUs differ, they are in
# one package, which has only one copy of the register.
fam15h_counts()
{
	cat <<-'END'
		0 0xc0010240 0x1100400ee0 1 0xc0010241 48 1 0x1e0 0x0e 0
		3 0xc0010240 0x1100400de0 2 0xc0010241 48 1 0x1e0 0x0d 1
		1 0xc0010246 0x140040f7e1 0 0xc0010247 48 1 0x4e1 0xf7 0
	END
}

fam17h_counts()
{
	cat <<-'END'
		0 0xc0010230 0xff0f00000040ff04 1 0xc0010231 48 2 0x04 0xff 0
		3 0xc001023a 0x010100000040019a 2 0xc001023b 48 2 0x9a 0x01 1
		2 0xc0010246 0x18000007004002c7 3 0xc0010247 48 3 0x37c7 0x02 1
	END
}

fam19h_counts()
{
	cat <<-'END'
		0 0xc0010230 0x0300c0000040ff04 1 0xc0010231 48 2 0x04 0xff 0
		3 0xc001023a 0x010200000040019a 2 0xc001023b 48 2 0x9a 0x01 1
		2 0xc0010246 0x18000007004002c7 3 0xc0010247 48 3 0x37c7 0x02 1
	END
}

zen4_counts()
{
	cat <<-'END'
		0 0xc0010230 0x0300c0000040ff04 1 0xc0010231 48 2 0x04 0xff 0
		2 0xc001025e 0x3f0740fe1f 3 0xc001025f 48 3 0x3f1f 0x7fe 1
		1 0xc0010800 0x8000020a 0 0xc0010801 48 4 0x0a 0x2 0
		2 0xc001085e 0x8000010a 3 0xc001085f 48 4 0x0a 0x1 23
	END
}

nehalem_counts()
{
	cat <<-'END'
		0 0x3c0 0x401020 1 0x3b0 48 5 0x20 0x10 0
		2 0x3c7 0xffd60308 3 0x3b7 48 5 0x08 0x03 1
		3 0x395 0x1 2 0x394 48 5 0xff 0 1
	END
}

snbep_counts()
{
	cat <<-END
		0 0xd10 0x401134 1 0xd16 44 6 0x34 0x11 0
		2 0xdf3 0x401134 3 0xdf9 44 6 0x34 0x11 $((slices + 7))
		1 0xc33 0x408080 0 0xc39 48 7 0x80 0x2 0
		3 0xc11 0x400842 2 0xc17 44 8 0x42 0x08 1
		3 0xc08 0x400000 2 0xc09 48 8 0xff 0 1
	END
}

hswep_counts()
{
	cat <<-END
		0 0xe01 0x401134 1 0xe08 48 6 0x34 0x11 0
		2 0xe74 0x401134 3 0xe7b 48 6 0x34 0x11 $((slices + 7))
		1 0x714 0x408080 0 0x71a 48 7 0x80 0x2 0
	END
}

# Boxes 0, 18 and 34 are the first of three ranges of registers.
icx_counts()
{
	cat <<-'END'
		0 0xe01 0x401134 1 0xe08 48 6 0x34 0x11 0
		2 0xf0c 0x401134 3 0xf13 48 6 0x34 0x11 58
		1 0xba7 0x400136 0 0xbae 48 6 0x36 0x01 39
		3 0x714 0x408080 2 0x71a 48 7 0x80 0x2 1
	END
}

# One line for each energy register: register, domain and its instances by package.
amd_energy()
{
	echo 0xc001029b 0 0 1
	echo 0xc001029a 4 0 2
}

dram_energy()
{
	echo 0x611 0 0 1
	echo 0x619 3 0 1
}

intel_energy()
{
	echo 0x611 0 0 1
	echo 0x639 1 0 1
	echo 0x619 3 0 1
}

units=uncore per_joule=65536 slices=8 agents=1 channels=4 links=2
later_channels=uncore_ha_0,uncore_ha_1,uncore_imc_0,uncore_imc_1,uncore_imc_2,uncore_imc_3,uncore_imc_4
later_channels+=,uncore_imc_5,uncore_imc_6,uncore_imc_7
later_links=uncore_qpi_0,uncore_qpi_1,uncore_qpi_2,uncore_r2pcie,uncore_r3qpi_0,uncore_r3qpi_1
events='' counts='' detected='' energy='' domains='' module='' sensors='' reserved=''
case $1 in
fam10h) ;;
fam15h)
	events=fam15h_events counts=fam15h_counts
	detected="4 amd_nb"
	reserved="0xc0010240:0x10000 0xc0010248:0 0xc0010230:0"
	;;
fam17h | fam19h)
	events=zen_events counts=$1_counts energy=amd_energy domains=energy-pkg
	detected="4 amd_df,6 amd_l3"
	reserved="0xc0010240:0x10000 0xc0010248:0 0xc0010230:0x10000 0xc001029b:0"
	;;
zen4)
	events=zen4_events counts=zen4_counts energy=amd_energy domains=energy-pkg
	detected="16 amd_df,6 amd_l3"
	reserved="0xc0010240:0x10000 0xc0010230:0x10000 0xc0010800:0x400000 0xc001029b:0"
	;;
nehalem)
	events=nehalem_events counts=nehalem_counts module=intel-uncore detected=uncore
	reserved="0x3c0:0x10000 0x391:0x100 0x392:0 0x395:0x2"
	sensors="0:0x19c:0 3:0x19c:3"
	;;
snbep)
	events=snbep_events counts=snbep_counts module=intel-uncore
	detected="uncore_cbox_0,uncore_cbox_1,uncore_ha,uncore_imc_0,uncore_imc_1,uncore_imc_2"
	detected+=",uncore_imc_3,uncore_pcu,uncore_qpi_0,uncore_qpi_1,uncore_r2pcie,uncore_r3qpi_0,uncore_r3qpi_1,uncore_ubox"
	energy=intel_energy domains="energy-pkg energy-cores energy-ram"
	reserved="0xd10:0x10000 0xd04:0x20000 0xc30:0x100 0xc08:1 0x345:0 0x611:0"
	sensors="0:0x19c:0 3:0x19c:3 0:0x1b1:64 3:0x1b1:65"
	;;
ivbep)
	events=ivbep_events counts=snbep_counts module=intel-uncore
	detected="uncore_cbox_0,uncore_cbox_1,$later_channels,uncore_pcu,$later_links,uncore_ubox"
	agents=2 channels=8 links=3
	energy=intel_energy domains="energy-pkg energy-cores energy-ram"
	reserved="0xd10:0x10000 0xc30:0x100 0x611:0"
	sensors="0:0x19c:0 3:0x1b1:65" slices=15
	;;
hswep | bdwep | skx | icx)
	events=hswep_events counts=hswep_counts module=intel-uncore
	detected="uncore_cbox_0,uncore_cbox_1,$later_channels,uncore_pcu,$later_links,uncore_r3qpi_2"
	agents=2 channels=8 links=3
	# Package and DRAM count in different units.
	energy=dram_energy domains="energy-pkg energy-ram" per_joule=16384
	units="uncore_[chimpqr]"
	reserved="0xe01:0x10000 0xe00:0x20000 0x711:0x100 0xfc0:0 0x345:0 0x611:0"
	sensors="0:0x19c:0 3:0x19c:3 0:0x1b1:64 3:0x1b1:65"
	case $1 in
	hswep) slices=18 ;;
	bdwep) slices=24 ;;
	# What the kernel knows besides has no model.
	skx) slices=28 events=skx_events detected=uncore_pcu units="uncore_[cp]" ;;
	icx) events=skx_events counts=icx_counts detected=uncore_pcu units="uncore_[cp]" reserved="0xe01:0x10000 0xe00:0x20000 0xefc:0" ;;
	esac
	;;
spr)
	energy=intel_energy domains="energy-pkg energy-cores energy-ram"
	sensors="0:0x19c:0 3:0x1b1:65"
	;;
*)
	echo "Bail out! uncore.sh: no model $1"
	exit 1
	;;
esac
khz=$(tsc_khz)

# near ROWS: true if there are ROWS lines "GOT EXPECTED", all within 1 %.
near()
{
	awk -v rows="$1" '
		{
			off = $2 ? $1 / $2 - 1 : 1
			if (off > 0.01 || off < -0.01) { bad++; print "# got " $1 " expected " $2 }
		}
		END { print "# rows " NR " bad " bad + 0; exit NR != rows || bad > 0 }'
}

# stat EVENT...: counts on all CPUs for 2 s, and prints "CPU COUNT NANOSECONDS EVENT" for each row.
stat()
{
	local list
	printf -v list '%s,' "$@"
	perf stat -x ';' -a -A -e "${list%,}" sleep 2 2>/tmp/stat
	sed -n 's/^CPU//p' /tmp/stat | awk -F ';' '{ print $1, $2, $5, $4 }'
}

# A package has two CPUs. Its memory controllers are numbered through all packages,
# and each is on one CPU's account; its cache slices start from 0 again.
driver_counts()
{
	local pmu params unit event umask names=() rows=0
	while read -r pmu params unit event umask; do
		names+=("$pmu/$params/")
		printf '%s %d %d %d\n' "$pmu/$params/" "$unit" "$event" "$umask"
		rows=$((rows + (unit == 4 ? 1 : 2)))
	done < <($events) >/tmp/wanted
	stat "${names[@]}" >/tmp/counted
	awk -v khz="$khz" -v slices="$slices" -v agents="$agents" -v channels="$channels" -v links="$links" '
		NR == FNR { unit[$1] = $2; event[$1] = $3; umask[$1] = $4; next }
		{
			box = $4; sub(/\/.*/, "", box); sub(/^[a-z_]*[a-z]_?/, "", box)
			instance = int($1 / 2)
			if (unit[$4] == 6) instance = slices * instance + box
			if (unit[$4] == 4) instance = box
			if (unit[$4] == 9) instance = agents * instance + box
			if (unit[$4] == 10) instance = channels * instance + box
			if (unit[$4] == 11) instance = links * instance + box
			rate = 1 + (1009 * event[$4] + 97 * umask[$4] + 4099 * instance + 12289 * unit[$4]) % 49999
			print $2, rate / 65536 * khz * $3 / 1e6
		}' /tmp/wanted /tmp/counted | near $rows
	result $? "uncore: the kernel's drivers count as the formula does"
}

# An event programmed on one CPU of a package counts on the other, and on no other
# package's.
exact_counts()
{
	local by control value on count width formula
	while read -r by control value on count width formula; do
		wrmsr -p "$by" "$control" "$value"
		# shellcheck disable=SC2086 # several words
		./formula "$on" "$count" "$width" 20 0 unit $formula >/tmp/sums &&
			[ "$(rdmsr -p "$on" -0 "$control")" = "$(rdmsr -p "$by" -0 "$control")" ] &&
			[ "$(rdmsr -p $(((by + 2) % 4)) -0 "$control")" != "$(rdmsr -p "$by" -0 "$control")" ]
		result $? "uncore: control $control counts by the formula with $value: $(cat /tmp/sums)"
		wrmsr -p "$by" "$control" 0
	done < <($counts)
}

refused()
{
	local pair
	for pair in $reserved; do
		! wrmsr -p 0 "${pair%:*}" "${pair#*:}" 2>/dev/null
		result $? "uncore: writing ${pair#*:} to register ${pair%:*} faults"
	done
}

driver_energy()
{
	local names=() domain
	for domain in $domains; do
		names+=("power/$domain/")
	done
	stat "${names[@]}" | awk -v khz="$khz" -v per_joule="$per_joule" '
		/energy-pkg/ { rate = 1000 }
		/energy-cores/ { rate = 850 }
		/energy-ram/ { rate = 550 }
		{ print $2, (rate + 37 * int($1 / 2)) / 65536 * khz * $3 / 1e6 / (/energy-ram/ ? 65536 : per_joule) }' |
		near $((2 * ${#names[@]}))
	result $? "uncore: the kernel's driver measures the joules of the formula"
}

# In 64 steps of two fifths of its range the register wraps 25 times.
wraps()
{
	local register domain instances package instance step
	while read -r register domain instances; do
		package=0
		for instance in $instances; do
			step=$(((2 << 48) / 5 / (1000 - 150 * domain + 37 * instance)))
			./formula $((2 * package)) "$register" 32 64 $step energy "$domain" "$instance" >/tmp/sums &&
				[ "$(sed 's/wraps \([0-9]*\) .*/\1/' /tmp/sums)" -ge 20 ]
			result $? "uncore: energy $register of package $package counts by the formula across wraps: $(cat /tmp/sums)"
			package=$((package + 1))
		done
	done < <($energy)
}

clocks()
{
	stat msr/aperf/ msr/mperf/ | awk -v khz="$khz" '
		{ print $2, (/aperf/ ? 49152 + 4099 * $1 : 65536) / 65536 * khz * $3 / 1e6 }' | near 8
	result $? "uncore: the kernel reads APERF and MPERF as in the formula"
	./formula 2 0xe8 64 20 0 aperf 2 >/tmp/sums
	result $? "uncore: APERF counts by the formula: $(cat /tmp/sums)"
	./formula 3 0xe7 64 20 0 mperf 3 >/tmp/sums
	result $? "uncore: MPERF counts by the formula: $(cat /tmp/sums)"
}

temperatures()
{
	local cpu register sensor
	[ "$sensors" ] || return
	while IFS=: read -r cpu register sensor; do
		./formula "$cpu" "$register" 32 1 0 thermal "$sensor" >/tmp/sums
		result $? "uncore: temperature $register on CPU $cpu follows the formula: $(cat /tmp/sums)"
	done < <(tr ' ' '\n' <<<"$sensors")
}

lines()
{
	"$@" | wc -l
}

tests=3
# shellcheck disable=SC2086 # words are counted
set -- $reserved $sensors
tests=$((tests + $#))
[ ! "$events" ] || tests=$((tests + 2 + $(lines "$counts")))
[ ! "$energy" ] || tests=$((tests + 1 + 2 * $(lines "$energy")))
plan $tests
if [ "$module" ]; then
	insmod "/rcr/$module.ko"
fi
if [ "$energy" ]; then
	insmod /rcr/rapl.ko
fi
if [ "$events" ]; then
	found=$({
		dmesg | sed -n 's/.*amd_uncore: *\(.*\) counters detected/\1/p' | grep -v umc
		find /sys/bus/event_source/devices/ -name "$units*" | sed 's/.*\///' | sort
	} | tr -s ' ' | tr '\n' ',')
	is "${found%,}" "$detected" "uncore: the kernel finds the shared units"
	driver_counts
	# The global control of a Nehalem enables all counters of a package.
	[ "$module$energy" != intel-uncore ] || wrmsr -a 0x391 0x1000000ff
	exact_counts
	[ "$module$energy" != intel-uncore ] || wrmsr -a 0x391 0
	refused
fi
if [ "$energy" ]; then
	driver_energy
	wraps
fi
clocks
temperatures
rmmod rapl intel-uncore 2>/dev/null
finished
