#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ubox.sh MODEL - the U-box of an Ivy Bridge-EP (ivbep) or Haswell-EP (hswep) freezes all uncore
# counters of its package, as LIKWID does between regions: rcrtool reports these counters as
# foreign, with source=msr and source=perf. Registers of the virtual PMU and the kernel's driver
# confirm the freeze.
. ./tap.sh
. ./watching.sh
. ./functions.sh

# One box of each kind, and two of one kind.
events="CBO=cbo0:event:0x34,umask:0x11;CBO1=cbo1:event:0x34,umask:0x11;PCU=pcu:event:0x80,umask:2"
events+=";HA=ha1:event:0x01,umask:0x03;CAS=imc0:event:0x04,umask:0x03;DRS=qpi1:event:0x102,umask:0x08"
events+=";TXR=r2pcie:event:0x24,umask:0x04;R3=r3qpi1:event:0x01;DCLK=imcclk0:event:0"
units="CBO CBO1 PCU HA CAS DRS TXR R3 DCLK"
case $1 in
ivbep)
	global=0xc00 cbo=0xd16 imc_id=0eb4 slice=SLICE_OF_15
	events+=";UBOX=ubox:event:0x42,umask:0x08;UCLK=uclk:event:0"
	units+=" UBOX UCLK"
	;;
hswep) global=0x700 cbo=0xe08 imc_id=2fb0 slice=SLICE_OF_18 ;;
*)
	echo "Bail out! ubox.sh: no model $1"
	exit 1
	;;
esac
others="CYC=event:0x3c;ENERGY=register:energy-pkg"
FREEZE=0x80000000 UNFREEZE=0x20000000
imc=$(function_of $imc_id 0)
plan 24

# counts: prints the counts of the slice and the channel in the first package, and of the slice in
# the second.
counts()
{
	echo "$(rdmsr -p 0 $cbo) $(get "$imc" 0xa0) $(rdmsr -p 2 $cbo)"
}

# moved: prints which of these counts advance within a tenth of a second.
moved()
{
	local before after i which=''
	read -r -a before < <(counts)
	sleep 0.1
	read -r -a after < <(counts)
	for i in 0 1 2; do
		[ "${before[i]}" = "${after[i]}" ] || which+=" $i"
	done
	echo "${which# }"
}

# statuses NAME...: prints the statuses of counters in rcrctl ls, without duplicates.
statuses()
{
	local name
	for name; do
		status_in_ls "$name"
	done | sort -u
}

# ways CPU: prints the statuses that uncore counters went through on a CPU, without duplicates.
ways()
{
	local name
	for name in $units; do
		went "$name" "$1"
	done | sort -u
}

echo "# source=msr"
load_set "$others;$events" period_us=2000 slow_period_us=20000 budget_ppm=0 ring_records=8192
is "$(status_of state) $(moved)" "sampling 0 1 2" "ubox: all packages count"
watch_on
wrmsr -p 1 $global $FREEZE
sleep 0.3
is "$(moved)" 2 "ubox: frozen, the registers of that package do not advance"
# shellcheck disable=SC2086 # several words
is "$(statuses $units)" "foreign on 0" "ubox: frozen, each counter of that package's uncore is foreign"
is "$(statuses CYC ENERGY)" ok "ubox: frozen, cores and energy are ok"
wrmsr -p 1 $global $UNFREEZE
sleep 0.3
is "$(moved)" "0 1 2" "ubox: unfrozen, the counters advance again"
# shellcheck disable=SC2086 # several words
is "$(statuses $units)" ok "ubox: unfrozen, the counters are ok without a rewrite"
# LIKWID writes 0 when it ends.
wrmsr -p 0 $global $FREEZE
sleep 0.2
wrmsr -p 0 $global 0
sleep 0.2
watched 1 "while a package is frozen twice"
is "$(ways 0)" "ok foreign ok foreign ok (counted)" "ubox: counters are foreign exactly while their package is frozen"
is "$(ways 2)" "ok (counted)" "ubox: the other package is not interrupted"
is "$(went ENERGY 0)" "ok (counted)" "ubox: energy continues to count in a frozen package"
watch_on
wrmsr -p 2 $global $FREEZE
sleep 0.2
rcrctl remove CBO1 && rcrctl finalize
result $? "ubox: the set is changed while the second package is frozen"
sleep 0.2
is "$(statuses CBO CAS)" "foreign on 2" "ubox: the module does not unfreeze the package"
wrmsr -p 2 $global $UNFREEZE
sleep 0.2
watched 2 "while the set is changed in a frozen package"
is "$(went CBO 2) $(rdmsr -p 2 $global)" "ok foreign ok (counted) 0" "ubox: counters of the second package are foreign until it is unfrozen"

# Only the CPU that reads the units of the package reads its U-box.
break_register 1 $global faults
sleep 0.1
is "$(statuses CBO CAS PCU)" ok "ubox: another CPU of the package does not read the register"
mend_registers 1
break_register 0 $global faults
sleep 0.2
is "$(statuses CBO CAS PCU)" "fault on 0" "ubox: uncore counters have the status fault if the U-box cannot be read"
is "$(statuses CYC ENERGY)" ok "ubox: other counters do not have the status fault"
mend_registers 0
unload

wrmsr -p 0 $global $FREEZE
load_set "CYC=event:0x3c;$events" period_us=2000 slow_period_us=20000
sleep 0.2
is "$(status_of state) $(statuses CBO CAS)" "sampling foreign on 0" "ubox: counters are foreign if their package is frozen at load"
wrmsr -p 0 $global $UNFREEZE
sleep 0.2
is "$(statuses CBO CAS)" ok "ubox: counters of a package that was frozen at load are ok once it is unfrozen"
unload

echo "# the kernel's driver"
insmod /rcr/intel-uncore.ko
insmod /rcr/rapl.ko
load_set "CYC=event:0x3c" source=perf period_us=2000 slow_period_us=20000 budget_ppm=0 ring_records=8192
rcrctl add $slice=uncore_cbox_0/event=0x34,umask=0x11/ CHANNEL_OF_8=uncore_imc_0/event=0x04,umask=0x03/ \
	APERF=msr/aperf/ && rcrctl finalize
result $? "ubox: source=perf counts the uncore by the kernel's driver"
# A counter may have a gap within a second of the change.
sleep 1.5
watch_on
wrmsr -p 0 $global $FREEZE
sleep 0.3
is "$(statuses $slice CHANNEL_OF_8) $(statuses CYC ENERGY)" "foreign on 0 ok" "ubox: frozen, the kernel's counters are foreign, too"
wrmsr -p 0 $global $UNFREEZE
sleep 0.3
watched 1 "while a package is frozen, with the kernel's driver"
is "$(went $slice 0), $(went CHANNEL_OF_8 0), $(went $slice 2)" \
	"ok foreign ok (counted), ok foreign ok (counted), ok (counted)" "ubox: counters are foreign exactly while their package is frozen"
unload
wrmsr -p 0 $global $FREEZE
is "$(perf stat -x ';' -a -A -e uncore_cbox_0/event=0x34,umask=0x11/ sleep 0.5 2>&1 | awk -F ';' '{ print $1, ($2 > 0) }' | xargs)" \
	"CPU0 0 CPU2 1" "ubox: perf stat silently counts nothing in a frozen package"
wrmsr -p 0 $global $UNFREEZE
rmmod rapl intel-uncore
finished
