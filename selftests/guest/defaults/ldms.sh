#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# ldms.sh MODEL - 'rcrctl set @ldms' counts Table I of the LDMS MSR sampler paper if the module owns
# the counters (source=msr), which the registers confirm. A refused set changes nothing.
. ./defaults/common.sh
machine "$1"
case $1 in
fam15h)
	names="TOT_CYC TOT_INS RETIRED_FLOPS VEC_INS L1_DCM TLB_DM L3_CACHE_MISSES"
	names="$names DCT_PREFETCH DCT_RD_TOT DCT_WRT"
	plan 28
	;;
fam17h | fam19h | zen4) names="TOT_CYC TOT_INS VEC_INS L1_DCM TLB_DM L3_CACHE_MISSES" && plan 23 ;;
nehalem) names="TOT_CYC TOT_INS RETIRED_FLOPS VEC_INS L1_DCM TLB_DM" && plan 23 ;;
hswep) names="TOT_CYC TOT_INS VEC_INS L1_DCM TLB_DM" && plan 23 ;;
*) echo "Bail out! unknown model $1" && exit 1 ;;
esac

# Print the events that are counted, and those that would be after finalize.
counted() { rcrctl ls | sed 1d | grep -v ' staged$' | cut -d' ' -f1 | xargs; }
staged() { rcrctl ls | sed 1d | grep -v ' removed$' | cut -d' ' -f1 | xargs; }

# hold VALUE: prints the general and shared controls that have this value on every CPU.
hold()
{
	local msr
	for msr in $GENERAL_CONTROLS $SHARED; do
		[ "$(rdmsr -a "0x$msr" 2>/dev/null | sort -u)" = "$1" ] && echo "$msr"
	done | xargs
}

was=$(cat /proc/sys/kernel/nmi_watchdog)
watchdog 0
before=$(enabled_controls; shared_controls)
modprobe rcrtool source=msr && udevadm settle
result $? "ldms: the module is loaded by modprobe rcrtool source=msr"
rcrctl set @ldms >/tmp/out 2>&1
is "$? $(cat /tmp/out)" "0 " "ldms: rcrctl set @ldms succeeds, and prints nothing"
is "$(counted)" "$names" "ldms: the set counts $names"
is "$(staged)" "$names" "ldms: nothing is left staged for addition or removal"
is "$(statuses)" ok "ldms: the status of every counter is ok"
if [ "$1" = fam15h ]; then
	is "$(hold 43ff03)" c0010206 "ldms: RETIRED_FLOPS is 0x43ff03, on counter 3 of every core"
	is "$(hold 430076 | wc -w)" 1 "ldms: TOT_CYC is 0x430076"
	is "$(hold 140040f7e1 | wc -w)" 1 "ldms: L3_CACHE_MISSES is 0x140040f7e1, on a northbridge counter"
	is "$(hold 0 | wc -w)" 0 "ldms: every core counter and every northbridge counter is in use"
	rates=$(rcrstat -i 0.2 -n 1 | grep -v '^#' | tail -n 1 | cut -d, -f6-)
	is "$(tr , '\n' <<<"$rates" | grep -cx '[1-9][0-9.]*')" 32 \
		"ldms: each of 4 cores has 6 rates and each of 2 nodes 4"
fi

# A refused request changes neither the running set nor the staged one.
rcrctl remove TLB_DM
rcrctl add WAITS=event:0xc3
waiting="$(counted); $(staged)"
unchanged()
{
	is "$(counted); $(staged)" "$waiting" \
		"ldms: refused, set changes neither the running set nor the staged one"
}

says 1 "unknown set '@papi': use @flops, @ldms or @mem" rcrctl set @papi
unchanged
says 1 "unknown event 'NO_SUCH_EVENT'" rcrctl set TOT_CYC NO_SUCH_EVENT
unchanged
says 1 "is used twice" rcrctl set TOT_CYC TOT_CYC
unchanged
says 1 "at once" rcrctl set E{1..9}=event:0xc2
unchanged
says 1 "has changed the counter set" rcrctl --generation 1 set TOT_CYC
unchanged

rcrctl set TOT_CYC TOT_INS
is "$? $(counted); $(staged)" "0 TOT_CYC TOT_INS; TOT_CYC TOT_INS" \
	"ldms: rcrctl set counts exactly the named events, and leaves nothing staged"
counts_right "ldms: the set counts as the formula does"
rcrctl add @ldms && rcrctl finalize
is "$? $(counted)" "0 $names" "ldms: rcrctl add @ldms adds the events that are not in the set yet"
printf 'set TOT_CYC\nset @ldms\n' | rcrctl --batch -
is "$? $(counted)" "0 $names" "ldms: set and @ldms work in a batch"
rcrctl --generation "$(rcrctl ls | sed -n '1s/^generation \([0-9]*\).*/\1/p')" set TOT_INS
is "$? $(counted)" "0 TOT_INS" "ldms: rcrctl set accepts the generation that rcrctl ls printed"
modprobe -r rcrtool
result $? "ldms: modprobe -r unloads the module"
is "$(enabled_controls; shared_controls)" "$before" "ldms: every control is as before the load"

# With the default source @ldms needs more counters than are left of six, so it is refused and the
# default set is still counted; of eight enough are left.
plain_load
ran=$(counted)
rcrctl set @ldms >/tmp/out 2>/tmp/err
rc=$?
if [ "$GENERAL" -eq 8 ]; then
	is "$rc $(counted)" "0 $names" "ldms: with the default source @ldms fits next to spare counters"
else
	is "$rc $(wc -l </tmp/err) $(counted); $(staged)" "1 1 $ran; $ran" \
		"ldms: with the default source @ldms is refused with one line, and the set is as before"
fi
sed 's/^/# /' /tmp/err
modprobe -r rcrtool
watchdog "$was"
finished
