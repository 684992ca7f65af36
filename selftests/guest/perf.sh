#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf.sh - the kernel's own driver judges the virtual PMU: it attaches, and
# what it counts is what the formula says for the time that it counted.
. ./tap.sh
plan 4

contains "$(dmesg | grep 'Performance Events')" "Fam15h core perfctr, AMD PMU driver" \
	"the kernel's driver attaches"
khz=$(dmesg | sed -n 's/.*tsc: Detected \([0-9]*\)\.\([0-9]*\) MHz.*/\1\2/p')

# Events that go on any counter. Debian's 6.1 (CONFIG_PERF_EVENTS_AMD_BRS=n)
# applies no Fam15h counter mask, so perf would put others where they do not
# count; see Documentation/limits.md.
perf stat -x, -a -A -e r00c0,r04cb,r0141,r0029 sleep 2 2>/tmp/perf
awk -F, -v khz="$khz" '
	function hex(s,  i, v) {
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	/^CPU/ {
		raw = substr($4, 2); event = hex(substr(raw, length(raw) - 1)); umask = hex(substr(raw, 1, length(raw) - 2))
		rate = 1 + (1009 * event + 97 * umask + 4099 * substr($1, 4)) % 49999
		expected = rate / 65536 * khz * ($5 / 1e6)
		off = $2 / expected - 1
		rows++
		if (off > 0.01 || off < -0.01) { bad++; print "# " $0 " expected " expected }
	}
	END { print "# rows " rows " bad " bad + 0; exit !(rows == 16 && !bad) }' /tmp/perf
result $? "perf stat counts what the formula says, on every CPU"

before=$(controls)
perf stat -a -e r00c0 true 2>/dev/null
is "$(controls | grep -c '[1-9a-f][0-9a-f]*4300c0')" 0 "perf lets go of its counter"
wrmsr -p 0 0xc0010200 0x80000 2>/dev/null
result $((! $?)) "a reserved bit faults"
[ "$before" ] || exit 1
finished
