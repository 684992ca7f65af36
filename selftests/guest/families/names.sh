#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# names.sh MODEL [COUNT [SEED]] - events by name: COUNT random names of those that rcrctl lists are
# counted, or refused with a reason; dictionaries of LDMS; and saved sets.
. ./tap.sh
count=${2:-1000} seed=${3:-$RANDOM}
case $1 in
fam15h)
	registers="TOT_CYC=0-2 RETIRED_FLOPS=3 L1_DCM=0-5 RETIRED_INSTRUCTIONS=0-5 L3_CACHE_MISSES=nb_0-3"
	least=200 plan=30
	;;
nehalem)
	registers="TOT_CYC=0-3,fixed_1 L1_DCM=0-1 UNHALTED_REFERENCE_CYCLES=fixed_2 FP_COMP_OPS_EXE:SSE_FP=0-3 UNC_LLC_HITS:ANY=uncore_0-7"
	modified=FP_COMP_OPS_EXE:SSE_FP:u control=0x410410
	least=200 plan=23
	;;
snbep)
	registers="TOT_CYC=0-7,fixed_1 cbo0::UNC_C_TOR_INSERTS:MISS_ALL=cbo0_0-1 UNC_P_CLOCKTICKS=pcu_0-3 imc0::UNC_M_CAS_COUNT:RD=imc0_0-3 imc0::UNC_M_CLOCKTICKS=imcclk0_0"
	modified=FP_COMP_OPS_EXE:X87:u control=0x410110
	least=400 plan=27
	;;
zen4)
	registers="TOT_CYC=0-5 L1_DCM=0-5 L3_CACHE_MISSES=l3_0-5"
	modified=RETIRED_INSTRUCTIONS:u control=0x4100c0
	least=100 plan=21
	;;
*) echo "Bail out! names.sh: no model $1"; exit 1 ;;
esac
plan $plan

# Print the names in a list, without the known defects.
names_of()
{
	grep -v '^    ' "$1" | cut -d' ' -f1
}

load period_us=1000
rcrctl list >/tmp/list 2>/tmp/err
result $? "names: rcrctl list succeeds"
is "$(cat /tmp/err)" "" "names: the module prints the registers of each name"
[ "$(names_of /tmp/list | wc -l)" -ge $least ]
result $? "names: $(names_of /tmp/list | wc -l) names can be counted"
for each in $registers; do
	name=${each%%=*} want=${each#*=}
	is "$(awk -v n="$name" '$1 == n { print }' /tmp/list | sed 's/^[^ ]* *//; s/  .*//; s/ /_/')" \
		"$want" "names: $name can be counted on registers $want"
done
[ "$(rcrctl list --all | grep -c '  none  ')" -gt 0 ]
result $? "names: rcrctl list --all includes events that cannot be counted"
says 1 "no event matches 'sched:*'" rcrctl list 'sched:*'
unload
load source=perf period_us=1000
rcrctl list '*:sched_switch' >/tmp/sched
is "$(names_of /tmp/sched)" sched:sched_switch "names: with source=perf tracepoints are listed if requested"
rcrctl list '*-switches' >/tmp/sched
is "$(names_of /tmp/sched)" context-switches "names: software events of the kernel are listed, too"
rcrctl remove all && rcrctl add sched:sched_switch context-switches && rcrctl finalize
sleep 0.1
is "$(rcrctl ls | awk 'NR > 1 { printf "%s=%s ", $1, $5 }')" "sched:sched_switch=ok context-switches=ok " "names: both events count"
unload
# perf leaves events in disabled controls.
before=$(controls)
load period_us=1000

# Unknown names, and known ones that cannot be counted.
says 1 "unknown event 'FOO'" rcrctl add FOO
says 1 "unknown event 'FOO'" rcrctl add TOT_INS FOO
[ "$1" = fam15h ] || says 1 "unknown on this processor" rcrctl add DCT_WRT
is "$(rcrctl ls | grep -c ' staged$')" 0 "names: a refused name leaves nothing staged"

# try LABEL: counts each name in /tmp/try alone for some ticks, over one connection. A name takes
# four lines, so the line number of an error identifies it.
mkfifo /tmp/never
exec 3<>/tmp/never
try()
{
	local word i=0 tried
	tried=$(wc -l </tmp/try)
	while read -r word; do
		i=$((i + 1))
		printf 'remove all\nadd N%d=%s\nfinalize\n' $i "$word"
		read -r -t 0.02 -u 3
		echo ls
	done </tmp/try | rcrctl --keep-going --batch - >/tmp/counts 2>/tmp/refusals
	awk -v tried="$tried" '
		FILENAME == "/tmp/try" { word[FNR] = $1; next }
		FILENAME == "/tmp/counts" {
			if ($1 ~ /^N[0-9]+$/ && $NF !~ /^(staged|removed)$/)
				status[substr($1, 2)] = $5
			next
		}
		match($0, /^-:[0-9]+: ./) {
			split($0, part, ":")
			i = int((part[2] + 3) / 4)
			if (!(i in refused)) refused[i] = $0
			next
		}
		{ print "# no reason: " $0; bad++ }
		END {
			for (i = 1; i <= tried; i++) {
				if (i in refused) { no++; if (no <= 10) print "# " word[i] ": " refused[i] }
				else if (!(i in status)) { bad++; print "# " word[i] ": neither counted nor refused" }
				else if (status[i] == "ok") ok++
				else { bad++; print "# " word[i] ": " status[i] }
			}
			printf "# %d names: %d count, %d are refused\n", tried, ok, no
			exit bad > 0 || ok < tried / 2
		}' /tmp/try /tmp/counts /tmp/refusals
	result $? "$1"
}

grep ' rcrtool ' /tmp/list >/tmp/own
names_of /tmp/own >/tmp/try
try "names: every name that rcrtool defines can be counted"
is "$(grep -vc 'The set is empty' /tmp/refusals)" 0 "names: no name is refused"

echo "# seed $seed"
rcrctl list --all >/tmp/list
names_of /tmp/list | awk -v seed="$seed" -v count="$count" '
	BEGIN { srand(seed) }
	{ name[NR] = $1 }
	END { for (i = 0; i < count; i++) print name[int(rand() * NR) + 1] }' >/tmp/try
try "$count names, chosen by chance, count or are refused with a reason"

# Modifiers, and names chosen by the user.
rcrctl remove all
if [ "$1" = fam15h ]; then
	rcrctl add DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:c=2:i:e FLOPS=RETIRED_FLOPS && rcrctl finalize
	contains "$(rcrctl ls)" "DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:c-2:i:e  0x2c50141" \
		"names: unit mask and modifiers reach the register"
	rcrctl remove DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:c=2:i:e
	result $? "names: the counter is found by the name that the user typed"
else
	rcrctl add TOT_INS "X=$modified" && rcrctl finalize
	contains "$(rcrctl ls)" "$control" "names: unit mask and modifiers reach the register"
fi

# If a unit has several boxes, the name selects one.
if [ "$1" = snbep ]; then
	says 1 "of each cbo: say which one, as cbo0::UNC_C_TOR_INSERTS:MISS_ALL" \
		rcrctl add UNC_C_TOR_INSERTS:MISS_ALL
	is "$(grep -c '^cbo1::' /tmp/list) $(rcrctl list 'cbo1::*' | grep -c '^cbo1::.* cbo1 ')" \
		"0 $(grep -c '^cbo0::.* cbo0 ' /tmp/list)" "names: a list has the first box only, unless another one is requested"
	rcrctl add cbo1::UNC_C_LLC_LOOKUP:DATA_READ:STATE_M imc1::UNC_M_CAS_COUNT:RD && rcrctl finalize
	is "$(rdmsr "$(control_of cbo1::UNC_C_LLC_LOOKUP:DATA_READ:STATE_M)") $(rdmsr 0xd34)" "400334 200000" \
		"names: the event is in its control, and the filter in that of the box"
	is "$(rcrctl ls | grep -c ' ok ')" 4 "names: all counters of the set count"
fi

# Save the set, change it, and load it again.
rcrctl save /tmp/set
rcrctl remove all && rcrctl add TOT_CYC && rcrctl finalize
rcrctl initialize /tmp/set && rcrctl finalize && rcrctl save /tmp/again
cmp /tmp/set /tmp/again
result $? "names: a saved set is loaded unchanged"

# The dictionary of LDMS, with its own names.
if [ "$1" = fam15h ]; then
	row()
	{
		echo "$1, $2, $3, $4, $5, 0x3, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE"
	}
	{
		row TOT_CYC 0xc0010202 0x076 0x00 0xc0010203
		row L2_DCM 0xc0010202 0x043 0x00 0xc0010203
		row RETIRED_FLOPS 0xc0010206 0x003 0xFF 0xc0010207
		row BRANCHES 0xc001020A 0x0c2 0x00 0xc001020B
	} >/tmp/dictionary
	rcrctl initialize conffile=/tmp/dictionary
	result $? "names: a dictionary of LDMS is read"
	is "$(rcrctl ls | grep -vc ' removed$')" 1 "names: the staged set is empty"
	for name in TOT_CYC RETIRED_FLOPS BRANCHES; do
		rcrctl add metricname=$name || echo "# $name"
	done
	rcrctl finalize
	result $? "names: names of the dictionary are added and finalized"
	is "$(for msr in 2 6 a; do rdmsr -u -p 1 0xc001020$msr; done | tr '\n' ' ')" \
		"4391030 4456195 4391106 " "names: each event is in its register, with the control value of LDMS"
	rcrctl add metricname=L2_DCM
	rcrctl finalize 2>/tmp/err
	is "$?" 1 "names: two names on one register are refused: $(cat /tmp/err)"
	rcrctl remove metricname=L2_DCM
	sed 's/0xc0010206/0xc001026/; s/0x076/0xc076/' /tmp/dictionary >/tmp/wrong
	rcrctl initialize /tmp/wrong 2>/tmp/err
	is "$? $(grep -c '^/tmp/wrong:[13]: ' /tmp/err)" "1 2" "names: invalid rows of a dictionary are named"
	is "$(rcrctl ls | grep -vc ' removed$')" 4 "names: a refused file changes nothing"
fi
unload
is "$(controls)" "$before" "names: unloaded, every control is as before"
finished
