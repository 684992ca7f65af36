#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# isolated.sh - on a machine booted with "isolcpus=3 nohz_full=2" (4 CPUs) these two CPUs are
# sampled only if cpus= lists them. The registers confirm this.
. ./tap.sh
plan 9

# programmed: prints which of CPUs 0 to 3 have an enabled counter.
programmed()
{
	local cpu msr list=
	for cpu in 0 1 2 3; do
		for msr in $CONTROLS; do
			[ $((0x$(rdmsr -p $cpu 0x$msr) & 0x400000)) -eq 0 ] || list="$list $cpu"
		done
	done
	xargs -n 1 <<<"$list" | sort -u | xargs
}

# columns: prints the CPUs in the output of rcrstat.
columns()
{
	rcrstat -i 0.2 -n 1 | head -n 1 | grep -oE 'cpu[0-9]+' | sort -u | tr -d 'cpu' | xargs
}

is "$(cat /sys/devices/system/cpu/isolated) $(cat /sys/devices/system/cpu/nohz_full)" "3 2" \
	"isolated: CPU 3 is isolated and CPU 2 is nohz_full"
is "$(programmed)" "" "isolated: no counter is enabled before the load"
load period_us=5000
result $? "isolated: the module is loaded without a list of CPUs"
is "$(columns)" "0 1" "isolated: the isolated and the nohz_full CPU are not sampled by default"
is "$(programmed)" "0 1" "isolated: no register of an isolated CPU is programmed"
unload
load period_us=5000 cpus=0,2-3
result $? "isolated: the module is loaded with both CPUs listed"
is "$(columns)" "0 2 3" "isolated: isolated CPUs that cpus= lists are sampled"
is "$(programmed)" "0 2 3" "isolated: listed CPUs have enabled counters"
unload
is "$(programmed)" "" "isolated: no counter is enabled after the unload"
finished
