#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_node.sh - counters of the node in sections, in exec mode on Family 15h, counted by a member
# of the group rcrtool with the documented commands: the traffic with memory of a kernel whose bytes
# are known (kernels.c), for one process and for four, and the reasons why a file has no such
# counters.
. ./defaults/common.sh
machine fam15h
plan 12
sysctl -qw kernel.perf_event_paranoid=2
MEMORY=2
# Cache lines that "stream" reads and writes, by the formulas in kernels.c.
READ=$((40 * 24 * 262144 / 64)) WRITTEN=$((40 * 8 * 262144 / 64))
cd /tmp || exit 1

# counted USER DIRECTORY CPU COMMAND...: runs COMMAND as USER on CPU, with its file in DIRECTORY.
counted()
{
	mkdir -p "$2" && chown "$1" "$2"
	setpriv --reuid="$1" --regid="$1" --init-groups env RCR_REGION_DIR="$2" taskset -c "$3" \
		"${@:4}" >>/tmp/out 2>>/tmp/err
}

# why DIRECTORY: prints why a file has no counters of the node, and how many rows of these it has.
why()
{
	rcrregion show -t "$1"/*.rcr | sed -n "s/^No counters of the node: //p" | tr -d "'"
	rcrregion show "$1"/*.rcr | grep -c node:
}

# has_run TICKS: true if the program that has mapped the device has used TICKS clock ticks of user
# time.
has_run()
{
	local maps
	maps=$(grep -l /dev/rcrtool /proc/[0-9]*/maps 2>/dev/null) &&
		awk -v ticks="$1" '{ exit !($14 >= ticks) }' "${maps%maps}stat"
}

# mean DIRECTORY COUNTER: prints the mean of the processes.
mean() { rcrregion join -c -r stream "$1" | awk -F, -v counter="$2" '$2 == counter { print $9 }'; }

# part DIRECTORY: prints the percentage of the section's time for which the counters are known.
part() { rcrregion show -t "$1"/*.rcr | awk '/node.s counters are those of/ { known = $7 } END { print known ? known : 100 }'; }

# is_known EVENT LINES DIRTY: rate times time of the section is LINES, to 5 % for the time before
# its first and after its last sample, and to DIRTY lines that were in the caches before.
is_known()
{
	awk -v rate="$(mean triad "node:$1")" -v known="$2" -v dirty="$3" \
		-v seconds="$(rcrregion join -c -f metrics -r stream triad | awk -F, 'NR > 1 { print $4 }')" 'BEGIN {
		off = rate * seconds - known; print "# " rate * seconds, known, off
		off = off < 0 ? -off : off; exit !(seconds && off < 0.05 * known + dirty) }'
}

counted member absent 3 /rcr/tests/kernels $MEMORY triad
is "$(why absent | xargs)" "rcrtool was not loaded 0" "region_node: a file states that rcrtool was not loaded"
plain_load
counted member empty 3 /rcr/tests/kernels $MEMORY triad
is "$(why empty | xargs)" "rcrtools set had none: add those of memory with rcrctl meter add mem_bw 0" \
	"region_node: with the default set a file names the command that adds counters"
rcrctl meter add mem_bw
counted user other 3 /rcr/tests/kernels $MEMORY triad
is "$(why other | xargs)" "only members of the group rcrtool can read them 0" "region_node: another user has no counters of the node"

counted member triad 3 /rcr/tests/kernels $MEMORY stream
rcrregion show -t triad/*.rcr | sed 's/^/# /'
result $(($(part triad) < 90)) "region_node: counters are known for at least 90 % of a long section"
is_known DCT_RD_TOT $READ 0
result $? "region_node: reads of memory match the kernel, except outside its samples"
is_known DCT_WRT $WRITTEN $((1048576 / 64))
result $? "region_node: writes of memory match the kernel, except for lines left in the caches"
awk -v read="$(mean triad node:DCT_RD_TOT)" -v written="$(mean triad node:DCT_WRT)" \
	-v metric="$(rcrregion join -c -f metrics -r stream triad | awk -F, 'NR > 1 { print $NF }')" 'BEGIN {
	off = metric - 64 * (read + written) / 1e6; print "# " metric, off; exit !(read && off < 0.001 && off > -0.001) }'
result $? "region_node: the metric dram_mb_per_s is the bandwidth of these reads and writes"

for cpu in 0 1 2 3; do
	counted member four $cpu env PMI_RANK=$cpu /rcr/tests/kernels $MEMORY stream &
done
wait
awk -v read="$(mean four node:DCT_RD_TOT)" -v written="$(mean four node:DCT_WRT)" \
	-v metric="$(rcrregion join -c -f metrics -r stream four | awk -F, 'NR > 1 { print $NF }')" 'BEGIN {
	off = metric - 64 * (read + written) / 1e6; print "# " metric, off; exit !(read && off < 0.001 && off > -0.001) }'
result $? "region_node: four processes of a node have the node's bandwidth, and not four times that"

# The set changes within a section, and root tries to unload the module.
counted member long 3 /rcr/tests/kernels $MEMORY stream &
until has_run 25; do sleep 0.05; done
rcrctl set TOT_INS
rmmod rcrtool 2>/dev/null
is $? 1 "region_node: the module cannot be unloaded while a program maps its rings"
wait $!
is $? 0 "region_node: a program continues when the set changes in a section"
rcrregion show -t long/*.rcr | sed 's/^/# /'
is "$(rcrregion show -t long/*.rcr | grep -c "^Counters of the node were read until the set of rcrtool was changed") $(rcrregion show long/*.rcr | grep -c node:)" \
	"1 0" "region_node: a section in which the set changes has no counters of the node, and one line says why"
rmmod rcrtool
is $? 0 "region_node: the module can be unloaded after the program"
finished
