#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check.sh [long] - runs every test and ends with a line "N passed, N failed,
# N skipped". The tests that take over a minute run with the word "long".
#
# Status 0 only when none failed, and when exactly as many were skipped as
# EXPECTED_SKIPS says: a test that stops running is not a test that passes.
set -eu
. "$(dirname "$0")/lib/common.sh"

EXPECTED_SKIPS=0
long=${1:-}
out=$RCR_BUILD/check
rm -rf "$out"
mkdir -p "$out"
. "$RCR_TOP/selftests/lib/guests.sh"

# The long ones first, so that none is left alone at the end.
guests()
{
	local likwid=(-o "$RCR_BUILD/likwid" -a nmi_watchdog=0)
	queue guest control -a nmi_watchdog=0 -- control.sh "hotplug.sh 3" verbs.sh rcrctl.sh
	queue guest board2 -t 600 -a nmi_watchdog=0 -- board2.sh
	queue guest meters-user -a nmi_watchdog=0 -- meters_user.sh
	queue guest counting -a nmi_watchdog=0 -- "load.sh 10" device.sh "wakes.sh often" "wakes.sh seldom" foreign.sh
	for model in fam15h nehalem zen4; do
		queue model $model sources.sh relations.sh
	done
	queue model fam10h relations.sh
	for model in snbep skx; do
		queue model $model sources.sh covered.sh
	done
	queue guest threads -s 4,sockets=1,cores=2,threads=2 -m snbep -a nmi_watchdog=0 -- threads.sh
	for model in snbep skx; do
		queue guest "shared-$model" -m $model -a nmi_watchdog=0 -- "shared.sh $model"
	done
	queue guest pci-snbep -m snbep -a nmi_watchdog=0 -- "pci.sh snbep"
	queue guest pci-absent -m snbep -x all -a nmi_watchdog=0 -- "pci.sh absent"
	queue guest pci-gaps -m hswep -x "imc2 imc3 imc6 imc7" -a nmi_watchdog=0 -- "pci.sh gaps"
	queue guest shared-fam15h -a nmi_watchdog=0 -- "shared.sh fam15h" mixed.sh "selfcount.sh fam15h"
	queue guest shared-nehalem -m nehalem -a nmi_watchdog=0 -- "shared.sh nehalem"
	for model in zen4 fam17h fam19h; do
		queue guest "shared-$model" -m $model -a nmi_watchdog=0 -- "shared.sh $model" "covered.sh $model"
	done
	# What shares a cache or a die is not what shares a package.
	queue guest shared-dies -m fam17h -s 4,sockets=1,dies=2,cores=2 -a nmi_watchdog=0 -- "shared.sh fam17h"
	for model in ivbep hswep bdwep icx spr; do
		queue guest "covered-$model" -m $model -a nmi_watchdog=0 -- "covered.sh $model"
	done
	for model in fam10h fam15h nehalem; do
		queue guest "covered-$model" -m $model -a nmi_watchdog=0 -- "covered.sh $model" "papers.sh $model"
	done
	queue guest energy -m fam17h -a nmi_watchdog=0 -- "selfcount.sh fam17h"
	for model in fam15h zen4 nehalem snbep; do
		queue guest "pmus-$model" -m $model -a nmi_watchdog=0 -- "pmus.sh $model"
	done
	for model in fam15h nehalem; do
		queue guest "beside-$model" -m $model -a nmi_watchdog=0 -- "beside.sh $model"
		queue guest "likwid-$model" "${likwid[@]}" -m $model -- "likwid.sh $model"
		queue guest "names-$model" -m $model -a nmi_watchdog=0 -- "names.sh $model"
	done
	for model in snbep zen4; do
		queue guest "names-$model" -m $model -a nmi_watchdog=0 -- "names.sh $model"
	done
	queue guest meters -a nmi_watchdog=0 -- "meters.sh fam15h"
	queue guest 6.12-control -k 6.12 -a nmi_watchdog=0 -- verbs.sh "beside.sh fam15h"
	queue guest 6.12-flight -k 6.12 -a nmi_watchdog=0 -- flight.sh trace.sh
	queue guest 6.12-ownpmu -k 6.12 -a nmi_watchdog=0 -- ownpmu.sh
	queue guest 6.12-uncore -k 6.12 -m zen4 -a nmi_watchdog=0 -- "uncore.sh zen4"
	queue guest 6.12-counting -k 6.12 -a nmi_watchdog=0 -- "perf.sh fam15h" "load.sh 10" device.sh "wakes.sh often" "wakes.sh seldom" foreign.sh
	queue guest 6.12-exact -k 6.12 -a nmi_watchdog=0 -- "exactly.sh 12 7 1"
	queue guest exact -a nmi_watchdog=0 -- "exactly.sh 12 7 1" wrap.sh phases.sh
	queue guest flight -a nmi_watchdog=0 -- flight.sh trace.sh on.sh
	queue guest ownpmu -a nmi_watchdog=0 -- ownpmu.sh meters_race.sh
	queue guest calibrate -a nmi_watchdog=0 -- "calibrate.sh hard queue hard queue"
	queue guest exec -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,256,1024 -a nmi_watchdog=0 -- exec.sh calibrate_load.sh
	queue guest boardread -a nmi_watchdog=0 -- "boardread.sh 1000000"
	queue guest meters-exec -e RCR_VPMU=exec -a nmi_watchdog=0 -- meters_exec.sh
	for series in "${RCR_SERIES[@]}"; do
		queue tap "instructions-$series" "$RCR_TOP/selftests/bench/instructions.sh" -k "$series"
	done
	queue guest watchdog -- watchdog.sh
	queue tap reboot "$RCR_TOP/selftests/reboot.sh"
	queue guest badinput -a nmi_watchdog=0 -- badinput.sh outsiders.sh mappings.sh slowly.sh
	# lockdown.sh is the last: there is no way back.
	queue guest abuse -a nmi_watchdog=0 -- starved.sh "killed.sh 10" lockdown.sh
	queue guest unknown -m SandyBridge -- "unknown.sh known"
	queue guest nopmu -e RCR_VPMU=off -- "unknown.sh hypervisor"
	queue guest nodebugfs -a "nmi_watchdog=0 debugfs=off" -- nodebugfs.sh
	wait
}

guests_long()
{
	queue guest exact-long -a nmi_watchdog=0 -- "exactly.sh 60 10 0"
	for model in nehalem snbep zen4; do
		queue guest "meters-$model" -m $model -a nmi_watchdog=0 -- "meters.sh $model"
	done
	queue guest load-long -a nmi_watchdog=0 -- "load.sh 50"
	queue tap latch-long "$RCR_BUILD/unit/test_latch" 100000000
	# 1e8 reads, and as many of a meter that is posted, in four parts.
	queue guest boardread-long -t 900 -a nmi_watchdog=0 -- "boardread.sh 25000000" \
		"boardread.sh 25000000" "boardread.sh 25000000" "boardread.sh 25000000"
	queue guest hotplug-long -a nmi_watchdog=0 -- "hotplug.sh 20"
	queue guest killed-long -a nmi_watchdog=0 -- "killed.sh 80"
	for model in fam17h fam19h; do
		queue model $model sources.sh relations.sh
	done
	for model in ivbep hswep bdwep icx spr; do
		queue model $model sources.sh
	done
	queue tap guest-validate "$RCR_TOP/selftests/validate.sh" -t
	queue guest calibrate-long -a nmi_watchdog=0 -- "calibrate.sh queue hard queue hard"
	queue guest clock-long -a nmi_watchdog=0 -- "exactly.sh 60 10 1"
	wait
	# Two guests at a time by itself.
	tap mutate "$RCR_TOP/selftests/mutate.sh"
}

for test in "$RCR_BUILD"/unit/test_*; do
	case $test in
	*.d) ;;
	*) tap "unit-$(basename "$test")" "$test" ;;
	esac
done
tap bats bats --formatter tap "$RCR_TOP/selftests/bats"
tap lint "$RCR_TOP/selftests/lint.sh"
tap fuzz "$RCR_TOP/selftests/fuzz/check.sh"
tap dkms "$RCR_TOP/selftests/dkms.sh"
"$RCR_TOP/selftests/vpmu/build.sh"
# Now, before two guests at a time would want them.
"$RCR_TOP/selftests/kernels.sh"
for kver in "$(make -s -C "$RCR_TOP" print-kver)" 6.12; do
	"$RCR_TOP/selftests/qemu/initramfs.sh" "$kver" >/dev/null
done
"$RCR_TOP/selftests/qemu/likwid.sh" >/dev/null
guests
[ "$long" != long ] || guests_long
tap coverage "$RCR_TOP/selftests/coverage.sh" "$out"

summary "$EXPECTED_SKIPS"
