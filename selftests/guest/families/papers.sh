#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# papers.sh MODEL - the event sets of the papers that rcrtool implements, by the names in the
# papers: each is counted as one set, and exact in every sample of every unit.
. ./tap.sh
. ./watching.sh
case $1 in
fam15h)
	# Table I of the LDMS MSR sampler paper: six events of each core, four of each node.
	core="TOT_CYC TOT_INS RETIRED_FLOPS VEC_INS L1_DCM TLB_DM"
	shared="L3_CACHE_MISSES DCT_PREFETCH DCT_RD_TOT DCT_WRT"
	more=EXTRA=event:0xc1
	full="7 events are requested, but AMD Fam15h counts 6 at once"
	plan 13
	;;
fam10h)
	# RCRTool's design, section 6.3.1.
	core="RETIRED_UOPS DISPATCH_STALLS DATA_CACHE_ACCESSES RETIRED_MMX_AND_FP_INSTRUCTIONS:ALL"
	shared=
	more=TOT_CYC
	full="5 events are requested, but AMD Fam10h counts 4 at once"
	plan 6
	;;
nehalem)
	# Section 6.3.2: core and uncore.
	core="INSTRUCTIONS_RETIRED UNHALTED_CORE_CYCLES UNHALTED_REFERENCE_CYCLES RESOURCE_STALLS:ANY L1D_ALL_REF:ANY"
	shared="UNC_LLC_HITS:ANY UNC_QHL_REQUESTS:LOCAL_READS"
	plan 4
	;;
*) echo "Bail out! papers.sh: no model $1"; exit 1 ;;
esac

# Print the counters whose totals grew on a CPU, and were ok in all samples.
counted_on()
{
	sed -n "s/^\(.*\) cpu$1: ok (counted)$/\1/p" /tmp/watch | sort | tr '\n' ' '
}

sorted()
{
	tr ' ' '\n' <<<"$1" | grep . | sort | tr '\n' ' '
}

load period_us=5000 budget_ppm=0 ring_records=8192
rcrctl remove all
# Each word is a name.
# shellcheck disable=SC2086
rcrctl add $core $shared && rcrctl finalize
result $? "papers: one set is counted: $core $shared"
watch_on
sleep 1
watched 1 "of every counter of the set"
is "$(counted_on 0)" "$(sorted "$core $shared")" "papers: CPU 0 counts its own events and those of its package"
is "$(counted_on 3)" "$(sorted "$core")" "papers: CPU 3, which reads no shared unit, counts its own events"
if [ -n "$more" ]; then
	rcrctl add $more
	says 1 "$full" rcrctl finalize
	rcrctl remove "${more%%=*}"
	is "$(rcrctl ls | grep -c ok)" "$(wc -w <<<"$core $shared")" "papers: a refused event does not stop the others"
fi

# The contents of these registers according to the LDMS paper, section IV-C.
if [ "$1" = fam15h ]; then
	for cpu in 0 1 2 3; do
		is "$(rdmsr -p $cpu -d "$(control_of L3_CACHE_MISSES)")" 85903603681 \
			"papers: L3_CACHE_MISSES is 85903603681 on CPU $cpu"
	done
	rcrctl reassign DCT_PREFETCH RW_DRAM_EXT
	result $? "papers: RW_DRAM_EXT replaces DCT_PREFETCH"
	control=$(control_of RW_DRAM_EXT)
	is "$(rdmsr -p 0 "$control") $(rdmsr -p 1 "$control")" "1100400ee0 1100400ee0" \
		"papers: RW_DRAM_EXT is 0x1100400ee0 on node 0"
	is "$(rdmsr -p 2 "$control") $(rdmsr -p 3 "$control")" "1100400de0 1100400de0" \
		"papers: RW_DRAM_EXT is 0x1100400de0 on node 1"
fi
unload
finished
