#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf.sh MODEL [NAME] - checks the virtual PMU with the kernel's driver: it attaches, and its
# counts match the formula for the time that it counted.
. ./tap.sh
plan 7

# The events of each model fit on the counters at the same time, so that perf does not multiplex.
case $1 in
fam15h)
	# These events count on any counter. Debian's 6.1 (CONFIG_PERF_EVENTS_AMD_BRS=n) applies no
	# counter masks of Fam15h, so perf would put others on counters that do not count them; see
	# Documentation/user/limits.md.
	driver="Fam15h core perfctr, AMD PMU driver" seen="0 48 6 0"
	events=r00c0,r04cb,r0141,r0029,r10000ffcf
	;;
fam10h)
	# The last one is an event of the northbridge, and counts the same on all CPUs of a node.
	driver="AMD PMU driver" seen="0 48 4 0"
	events=r00c1,r0040,r07cb,r07e0
	;;
fam17h | fam19h | zen4)
	# Event 003h takes a pair of counters, so these five take all six.
	driver="Fam17h+ core perfctr, AMD PMU driver" seen="0 48 6 0"
	[ "$1" = zen4 ] && seen="2 48 6 0"
	events=r00c0,r04cb,r10000188e,r0029,rff03
	;;
snbep)
	# The first three go on the fixed counters; 48h counts on 2 only, D1h on
	# the first four, and the others take the rest of the eight.
	driver="SandyBridge events," seen="3 48 8 3"
	events=instructions,cycles,ref-cycles,r0280,r01a2,r0248,r7f88,r01d1,r02d1,r04d1,r01c4
	;;
ivbep)
	# 48h with mask 1 counts on 2 only; D1h, and 9Ch with mask 1, on the first four.
	driver="IvyBridge events," seen="3 48 8 3"
	events=instructions,cycles,ref-cycles,r0280,r01a2,r0148,r7f88,r01d1,r02d1,r019c,r01c4
	;;
hswep)
	driver="Haswell events," seen="3 48 8 3"
	events=instructions,cycles,ref-cycles,r0280,r01a2,r0148,r7f88,r01d1,r02d1,r04d1,r01c4
	;;
bdwep)
	# C7h is not among these, as the kernel does not know which counters can count it.
	driver="Broadwell events," seen="3 48 8 3"
	events=instructions,cycles,ref-cycles,r0280,r01a2,r0148,r7f88,r01d1,r02d1,r04d1,r01c4
	;;
skx)
	# C0h with mask 1 counts on 1 only; D1h on the first four.
	driver="Skylake events," seen="4 48 8 3"
	events=instructions,cycles,ref-cycles,r0280,r01a2,r01c0,r3fc7,r01d1,r02d1,r04d1,r01c4
	;;
icx)
	# The fourth event counts slots, on a fixed counter; only the first four counters count the
	# next four events.
	driver="Icelake events," seen="5 48 8 4"
	events=instructions,cycles,ref-cycles,r0400,r01d1,r0e08,r0151,r0148,r01c5,r3fc7,r01a2,r01c4
	;;
spr)
	driver="Sapphire Rapids events," seen="5 48 8 4"
	events=instructions,cycles,ref-cycles,r0400,r01d1,r0e12,r0151,r0148,r01c5,r3fc7,r01a2,r01c4
	;;
nehalem)
	# The first three go on the fixed counters; 51h counts on 0 and 1 only.
	driver="Nehalem events," seen="3 48 4 3"
	events=instructions,cycles,ref-cycles,r0280,r01a2,r0151,r7f88
	;;
*)
	echo "Bail out! perf.sh: no model $1"
	exit 1
	;;
esac

# The driver has another NAME for a sibling of that model.
[ $# -lt 2 ] || driver="$2 events,"

# The driver's report of its features, under "Performance Events".
found()
{
	dmesg | sed -n "s/.*\.\.\. $1: *//p"
}

# Print the words of the driver's name that it has not logged. They may be some lines apart if
# another CPU logs meanwhile.
unsaid()
{
	local said word
	said=$(dmesg | grep -A 5 'Performance Events')
	for word in $driver; do
		[[ $said = *"$word"* ]] || echo "$word"
	done
}

is "$(unsaid)" "" "perf: the kernel's driver attaches"
is "$(found version) $(found 'bit width') $(found 'generic registers') $(found 'fixed-purpose events')" \
	"$seen" "perf: the driver finds the version, the width, and the general and fixed counters"

khz=$(tsc_khz)
perf stat -x, -a -A -e "$events" sleep 2 2>/tmp/perf
awk -F, -v khz="$khz" -v events="$events" -v model="$1" '
	function hex(s,  i, v) {
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	# Return a select without the bits between unit mask and event 11:8.
	function select_of(name) {
		if (name == "instructions") return 192
		if (name == "cycles") return 60
		if (name == "ref-cycles") return 768
		return hex(substr(name, 2))
	}
	/^CPU/ {
		select = select_of($4)
		event = select % 256 + int(select / 4294967296) % 16 * 256
		umask = int(select / 256) % 256
		cpu = substr($1, 4)
		rate = 1 + (1009 * event + 97 * umask + 4099 * cpu) % 49999
		if (model == "fam10h" && int(event / 32) % 8 == 7)
			rate = 1 + (1009 * event + 97 * umask + 4099 * int(cpu / 2) + 12289) % 49999
		expected = rate / 65536 * khz * ($5 / 1e6)
		off = $2 / expected - 1
		rows++
		if (off > 0.01 || off < -0.01 || $6 != 100) { bad++; print "# " $0 " expected " expected }
	}
	END {
		print "# rows " rows " bad " bad + 0
		exit !(rows == 4 * split(events, unused, ",") && !bad)
	}' /tmp/perf
result $? "perf: perf stat counts as the formula does, on every CPU"

perf stat -a -e r00c0 true 2>/dev/null
enabled=0
for control in $CONTROLS; do
	for value in $(rdmsr -a "0x$control"); do
		[ $((0x$value & 1 << 22)) -eq 0 ] || enabled=$((enabled + 1))
	done
done
is "$enabled$(moving)" 0 "perf: perf releases its counters"

sysctl -qw kernel.nmi_watchdog=1
is "$(moving)" " 0 1 2 3" "perf: the NMI watchdog takes a counter on every CPU"
perf stat -x, -a -e r00c0 sleep 0.2 2>&1 | grep -qE '^[1-9][0-9]*,'
result $? "perf: perf stat counts next to the watchdog"
sysctl -qw kernel.nmi_watchdog=0
is "$(moving)" "" "perf: the NMI watchdog releases its counters"
finished
