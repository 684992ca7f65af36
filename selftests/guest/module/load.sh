#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# load.sh COUNT - loads and unloads the module COUNT times under load: every register is restored,
# and no memory leaks.
. ./tap.sh
plan 12
count=${1:-5}

# Values that enable nothing, as firmware may leave them.
wrmsr -p 1 0xc0010206 0x12034567 && wrmsr -p 2 0xc0010201 0x123456789
before=$(controls) before_counts=$(counts)

load period_us=1000
is "$(status_of state)" sampling "load: the module samples after load"
contains "$(status_of note)" "perf fails with EBUSY" "load: the status file reports the effect on other programs"
contains "$(last_words)" "must be toggled after unload" "load: the log reports the effect on the NMI watchdog"
is "$(rdmsr -p 3 "$(control_of RETIRED_FLOPS)") $(rdmsr -p 0 "$(control_of TOT_CYC)")" "43ff03 430076" \
	"load: RETIRED_FLOPS and TOT_CYC are in the registers"
is "$(controls | grep -c '430076 430076 430076 430076')" 1 "load: the control of TOT_CYC is programmed on every CPU"
exec 9</dev/rcrtool
unload 2>/dev/null
is "$? $(status_of state)" "1 sampling" "load: the module cannot be unloaded while the device is open"
exec 9<&-
unload
is "$(controls)" "$before" "load: unloaded, every control is as before"
is "$(counts)" "$before_counts" "load: unloaded, every count is as before"

# loads TIMES: loads the module, reads and unloads it while other processes compute.
loads()
{
	local i failed=0
	for i in 1 2 3; do
		while :; do :; done &
	done
	for ((i = 0; i < $1; i++)); do
		load period_us=1000 || failed=1
		timeout 5 rcrstat -i 0.01 -n 2 >/dev/null || failed=1
		unload || failed=1
	done
	kill $(jobs -p)
	return $failed
}

# Print the memory in use when the machine is idle. Objects that wait for a grace period, and free
# objects in per-CPU slabs, count as used until they are returned.
slabs()
{
	local cache
	sleep 1
	for cache in /sys/kernel/slab/kmalloc-*/shrink; do
		echo 1 >"$cache"
	done
	awk '/^kmalloc-/ { s += $2 * $4 } END { print s }' /proc/slabinfo
}

loads 3
used_before=$(slabs)
loads "$count"
result $? "load: $count times loaded, read and unloaded under load"
used=$(($(slabs) - used_before))
is "$(controls)" "$before" "load: every control is as before"
is "$(grep -c 'rcr_\|rcrtool' /proc/vmallocinfo)" 0 "load: no ring is left"
# A leaked run or leaked samplers would take at least 16 KiB per load. Other caches may grow a
# little in the first loads.
result $((used > 65536 + count * 4096)) "load: no memory has leaked ($used bytes more in kmalloc caches)"
wrmsr -p 1 0xc0010206 0 && wrmsr -p 2 0xc0010201 0
finished
