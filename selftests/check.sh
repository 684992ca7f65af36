#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check.sh [long] - runs all tests and prints a last line "N passed, N failed, N skipped". With
# "long" it also runs the tests that take more than a minute. RCR_T=NAME selects one: see
# selftests/README.md.
#
# Status 0 if none failed and EXPECTED_SKIPS were skipped: a test that no longer runs has not
# passed.
set -eu
. "$(dirname "$0")/lib/common.sh"

EXPECTED_SKIPS=0
long=${1:-}
# Tests start python3 hundreds of times: put the interpreter first in PATH, not a wrapper.
PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
out=$RCR_BUILD/check
rm -rf "$out"
mkdir -p "$out"
. "$RCR_TOP/selftests/lib/guests.sh"

# family MODEL [TEST]...: runs further tests on one model in one guest. The model is the first
# argument of each.
family()
{
	local name=$1 tests=() test
	shift
	for test; do
		tests+=("${test%% *} $name${test#"${test%% *}"}")
	done
	queue guest "more-$name" -t 600 -m "$name" -a nmi_watchdog=0 -- "${tests[@]}"
}

# Tests that change rates of the virtual PMU, or lock the kernel down, are the last of their guest.
# Tests that repeat an assertion have small counts here, and large ones in guests_long().
guests()
{
	# These depend on schedules of the virtual PMU, or on its rates over short times, and miss
	# samples on a busy host: run only two at a time, in addition to sources().
	# shellcheck disable=SC2034 # of guests.sh
	LANES=2
	queue guest isolated -a "nmi_watchdog=0 isolcpus=3 nohz_full=2" -- isolated.sh tasks.sh backoff.sh
	queue guest flight -a nmi_watchdog=0 -- flight.sh trace.sh places.sh grace.sh "on.sh 25"
	queue guest parts -t 600 -a nmi_watchdog=0 -- "parts.sh fam15h perf 3" meters_user.sh asleep.sh
	queue guest members -a nmi_watchdog=0 -- members.sh "quiet.sh 10" window_half.sh watch_cost.sh \
		subscribing.sh unread.sh
	queue guest calibrate -a nmi_watchdog=0 -- "calibrate.sh hard queue hard queue"
	queue guest meters -a "nmi_watchdog=0 tsc=unstable" -- "meters.sh fam15h"
	queue guest exact -a nmi_watchdog=0 -- "exactly.sh 12 7 1" "exactly.sh 12 0 2" wrap.sh phases.sh
	queue guest judged -a nmi_watchdog=0 -- live.sh judged.sh
	queue guest focus -a nmi_watchdog=0 -- "focus.sh 5"
	queue guest saturated -a nmi_watchdog=0 -- saturated.sh
	queue tap ranks "$RCR_TOP/selftests/ranks.sh" 2000
	# The longest guests first, so that none runs alone at the end.
	# shellcheck disable=SC2034 # of guests.sh
	LANES=4
	queue guest control -a nmi_watchdog=0 -- "control.sh 10" "hotplug.sh 1 1" verbs.sh rcrctl.sh
	queue guest abuse -a nmi_watchdog=0 -- badinput.sh outsiders.sh mappings.sh \
		"boardread.sh 250000" starved.sh "killed.sh 5" lockdown.sh
	queue guest board2 -t 600 -a "nmi_watchdog=0 RCR_TEST_LIMIT=500" -- "board2.sh 3 short"
	queue guest holders -t 600 -a nmi_watchdog=0 -- "holders.sh fam15h 2" "leftovers.sh fam15h" \
		"hog.sh msr 50 1" "hog.sh auto 99 1" wayback.sh
	queue guest exec -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,256,1024 -a nmi_watchdog=0 -- exec.sh calibrate_load.sh
	queue defaults fam15h fam15h -- load readme manual user ldms post threads record why
	queue guest contended -N -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,256,1024 -e RCR_VPMU_STALL=1500 \
		-e RCR_VPMU_COHERENT=1 -e RCR_VPMU_ROWS=1 -e RCR_VPMU_TLB=64 -e RCR_VPMU_CYCLES=work \
		-t 600 -a "nmi_watchdog=0 RCR_TEST_LIMIT=400" -- contended.sh blame.sh
	queue defaults where fam15h -N -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,256,1024 \
		-e RCR_VPMU_STALL=1500 -t 500 -a "nmi_watchdog=0 RCR_TEST_LIMIT=400" -- where
	queue guest watchdog -- watchdog.sh "rewrite.sh 50" "misplaced.sh 1"
	queue guest counting -t 600 -a nmi_watchdog=0 -- "load.sh 2" device.sh items.sh "wakes.sh often" \
		"wakes.sh seldom" foreign.sh "ownpmu.sh 3" "meters_race.sh 15"
	family fam15h "${MODEL_TESTS[@]}" sources.sh relations.sh shared.sh mixed.sh selfcount.sh \
		covered.sh papers.sh pmus.sh beside.sh "names.sh 250"
	# Little memory, so that the test runs out of it soon.
	queue guest rcrd -t 600 -M 512 -a "nmi_watchdog=0 RCR_TEST_LIMIT=400" -- "rcrd.sh 3"
	queue tap reboot "$RCR_TOP/selftests/reboot.sh"
	queue tap dkms "$RCR_TOP/selftests/dkms.sh" short
	queue guest meters-exec -e RCR_VPMU=exec -a nmi_watchdog=0 -- meters_exec.sh
	queue tap suspend "$RCR_TOP/selftests/suspend.sh" 1
	queue guest public -t 600 -a nmi_watchdog=0 -- slowly.sh public.sh "entries.sh 50" formulas.sh \
		on_place.sh
	queue guest values -m nehalem -w -a nmi_watchdog=0 -- net.sh values.sh fixed.sh
	queue guest energy -m fam17h -a nmi_watchdog=0 -- spare.sh "selfcount.sh fam17h" timing.sh
	queue defaults zen4 zen4 -- load change meters measure stat_meters stat_tasks plain_verbs configure doctor why
	queue defaults jobs zen4 -- job_run job_faults job_many job_estimates
	queue defaults region fam15h -e RCR_VPMU=exec -a nmi_watchdog=0 -- region job_flops
	queue guest region-mpi -I "${mpi[@]}" -m fam15h -- "region_mpi.sh fam15h" \
		"region_truth.sh fam15h ranks mpich" "region_omp.sh fam15h" region_node.sh
	queue defaults pcp zen4 "${pcp[@]}" -- pcp pcp_jobs
	queue defaults 6.12-nehalem nehalem -k 6.12 -a nmi_watchdog=0 -- load change why region_prefetch
	queue model nehalem
	queue guest idle -s 16 -a nmi_watchdog=0 -- "idle.sh 10" copied.sh
	queue tap instructions "$RCR_TOP/selftests/bench/instructions.sh" -k "${RCR_SERIES[-1]}"
	queue guest likwid-fam15h "${likwid[@]}" -m fam15h -- "likwid.sh fam15h"
	queue guest pci-snbep -m snbep -a nmi_watchdog=0 -- "pci.sh snbep"
	queue guest ubox -m hswep -a nmi_watchdog=0 -- "ubox.sh hswep" "leftovers.sh hswep"
	# Caches and dies that are smaller than a package.
	queue guest shared-dies -m fam17h -s 4,sockets=1,dies=2,cores=2 -a nmi_watchdog=0 -- "shared.sh fam17h"
	queue guest 6.12-uncore -k 6.12 -m zen4 -a nmi_watchdog=0 -- "uncore.sh zen4"
	queue guest nopmu -e RCR_VPMU=off -- "unknown.sh hypervisor"
	queue guest nodebugfs -a "nmi_watchdog=0 debugfs=off" -- nodebugfs.sh
	queue guest unknown -m SandyBridge -- "unknown.sh support"
	queue guest covered-spr -m spr -a nmi_watchdog=0 -- "covered.sh spr" "mem_bw.sh spr"
	queue guest zen1 -m zen1 -a nmi_watchdog=0 -- "mem_bw.sh zen1"
	queue guest pci-gaps -m hswep -x "imc2 imc3 imc6 imc7" -a nmi_watchdog=0 -- "pci.sh gaps"
	queue guest pci-absent -m snbep -x all -a nmi_watchdog=0 -- "pci.sh absent"
	queue guest threads -s 4,sockets=1,cores=2,threads=2 -m snbep -a nmi_watchdog=0 -- threads.sh
	wait
}

# Models that differ in little but tables from one in guests(), and tests that take long. Scripts
# that take longer than the default limit have their own.
guests_long()
{
	# shellcheck disable=SC2034 # of guests.sh
	LANES=2
	queue guest soak-long -t 5400 -a "nmi_watchdog=0 RCR_TEST_LIMIT=5200" -- "soak.sh 60"
	for model in fam15h nehalem; do
		queue guest "coexist-$model-long" "${likwid[@]}" -m $model -- \
			"coexist.sh $model msr 1" "coexist.sh $model perf 1"
	done
	for model in fam15h zen4 nehalem; do
		for source in msr perf; do
			queue guest "parts-$model-$source-long" -m $model -a nmi_watchdog=0 -- \
				"parts.sh $model $source"
		done
	done
	queue guest idle-long -s 16 -a nmi_watchdog=0 -- "idle.sh 60"
	queue guest on-long -a nmi_watchdog=0 -- "on.sh 100"
	for model in fam15h zen4; do
		queue defaults figures-$model $model -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,128,1024 \
			-a nmi_watchdog=0 -- region_figures
	done
	queue tap cache_sizes "$RCR_TOP/selftests/cache_sizes.sh"
	queue tap ranks-long "$RCR_TOP/selftests/ranks.sh" 100000
	queue tap nodes-long "$RCR_TOP/selftests/nodes.sh" 60
	queue booted fam15h fam15h -a nmi_watchdog=0
	queue tap dkms-long "$RCR_TOP/selftests/dkms.sh"
	queue tap instructions-long "$RCR_TOP/selftests/bench/instructions.sh" -k "${RCR_SERIES[0]}"
	queue guest 6.12-control -k 6.12 -a nmi_watchdog=0 -- verbs.sh
	queue guest 6.12-mem_bw -k 6.12 -m zen4 -a nmi_watchdog=0 -- "mem_bw.sh zen4"
	# With an unstable TSC the kernel's clocksource is a device.
	queue guest 6.12-exact -k 6.12 -a "nmi_watchdog=0 tsc=unstable" -- "exactly.sh 12 7 1"
	queue tap versions "$RCR_TOP/selftests/versions.sh"
	queue tap deb "$RCR_TOP/selftests/deb.sh"
	queue tap boot "$RCR_TOP/selftests/boot.sh"
	queue tap newest "$RCR_TOP/selftests/newest.sh"
	for model in fam17h fam19h zen4 nehalem hswep; do
		queue guest holders-$model -k 6.12 -m $model -a nmi_watchdog=0 -- "holders.sh $model"
	done
	for model in fam15h fam19h zen4 nehalem hswep; do
		for series in "${RCR_SERIES[@]}"; do
			for watchdog in 0 1; do
				queue defaults "$series-$model-$watchdog" "$model" -k "$series" -t 900 \
					-a nmi_watchdog=$watchdog -- load change readme manual user ldms
			done
		done
	done
	queue guest exact-long -a nmi_watchdog=0 -- "exactly.sh 60 10 0"
	for model in fam10h fam15h zen1 fam17h fam19h zen4 zen5 nehalem snbep skx icx spr; do
		queue guest "mem_bw-$model" -m $model -a nmi_watchdog=0 -- "mem_bw.sh $model"
	done
	for model in ivbep hswep bdwep; do
		queue guest "mem_bw-$model" -m $model -a nmi_watchdog=0 -- "mem_bw.sh $model 0 1 2 3 4 5 6 7"
	done
	# Never leave out function 0 of a PCI slot alone: kernels would not find the other channels
	# in that slot.
	for model in hswep bdwep; do
		queue guest "mem_bw-gaps-$model" -m $model -x "imc2 imc3 imc6 imc7" -a nmi_watchdog=0 -- \
			"mem_bw.sh $model 0 1 4 5"
	done
	queue guest mem_bw-gaps-ivbep -m ivbep -x "imc0 imc1 imc4 imc5" -a nmi_watchdog=0 -- \
		"mem_bw.sh ivbep 2 3 6 7"
	for model in snbep ivbep hswep bdwep skx icx spr; do
		queue guest "relations-$model" -m $model -a nmi_watchdog=0 -- "relations.sh $model"
	done
	for model in fam10h zen1 fam17h fam19h zen4 zen5 nehalem snbep ivbep hswep bdwep skx icx spr; do
		queue guest "meters-$model" -m $model -a nmi_watchdog=0 -- "meters.sh $model"
	done
	queue guest need-long -t 900 -a nmi_watchdog=0 -- "quiet.sh 60" "window_half.sh 8"
	queue guest entries-long -a nmi_watchdog=0 -- "entries.sh 1000"
	queue guest unread-long -a nmi_watchdog=0 -- "unread.sh 60"
	queue guest saturated-long -a nmi_watchdog=0 -- "saturated.sh 20"
	queue guest manycpus-long -p 64 -t 2400 -a "nmi_watchdog=0 RCR_TEST_LIMIT=1800" -- cpulist.sh manycpus.sh
	queue guest load-long -t 1500 -a "nmi_watchdog=0 RCR_TEST_LIMIT=1400" -- "load.sh 200"
	queue tap latch-long "$RCR_BUILD/unit/test_latch" 100000000
	queue tap models-long "$RCR_BUILD/unit/test_models" long
	queue tap judge-long "$RCR_BUILD/unit/test_judge" long
	queue tap value-long "$RCR_BUILD/unit/test_value" long
	# 1e8 reads of a meter, and 1e8 of a posted one, in four parts.
	queue guest boardread-long -t 900 -a nmi_watchdog=0 -- "boardread.sh 25000000" \
		"boardread.sh 25000000" "boardread.sh 25000000" "boardread.sh 25000000"
	queue guest hotplug-long -t 900 -a "nmi_watchdog=0 RCR_TEST_LIMIT=800" -- "hotplug.sh 20"
	queue guest races-long -t 900 -a nmi_watchdog=0 -- control.sh meters_race.sh ownpmu.sh
	queue guest holders-long -t 900 -a nmi_watchdog=0 -- "holders.sh fam15h" "names.sh fam15h" \
		rewrite.sh
	queue guest killed-long -a nmi_watchdog=0 -- "killed.sh 80"
	for model in fam17h fam19h; do
		queue model $model sources.sh relations.sh shared.sh covered.sh
	done
	queue model fam10h relations.sh covered.sh papers.sh
	queue guest 6.12-values -k 6.12 -m snbep -w -a nmi_watchdog=0 -- net.sh values.sh
	queue guest 6.12-ubox -k 6.12 -m ivbep -a nmi_watchdog=0 -- "ubox.sh ivbep"
	queue model snbep sources.sh
	for model in ivbep hswep bdwep icx; do
		queue model $model sources.sh covered.sh
	done
	queue model spr sources.sh
	family nehalem sources.sh covered.sh relations.sh papers.sh pmus.sh beside.sh names.sh shared.sh
	family zen4 relations.sh shared.sh covered.sh pmus.sh names.sh
	family snbep shared.sh covered.sh pmus.sh names.sh
	queue guest halves-long -m snbep -a nmi_watchdog=0 -- "halves.sh 60"
	queue model skx
	family skx sources.sh covered.sh shared.sh
	# Assertions of make check on a second model or kernel.
	queue model zen4 sources.sh
	queue guest 6.12-counting -k 6.12 -a nmi_watchdog=0 -- "perf.sh fam15h" "load.sh 2" device.sh items.sh foreign.sh
	queue guest likwid-nehalem "${likwid[@]}" -m nehalem -- "likwid.sh nehalem"
	# Models that use the tables of another one.
	queue guest family-zen5 -m zen5 -a nmi_watchdog=0 -- "perf.sh zen4" "registers.sh zen4" \
		"sources.sh zen4" "shared.sh zen4"
	queue guest family-westmere -m westmere -a nmi_watchdog=0 -- "perf.sh nehalem Westmere" \
		"sources.sh nehalem"
	for model in nhmex wsmex; do
		queue guest "family-$model" -m $model -a nmi_watchdog=0 -- ex.sh
	done
	queue tap shell "$RCR_TOP/selftests/qemu/shell_test.sh"
	queue guest family-clx -m clx -a nmi_watchdog=0 -- "perf.sh skx" "sources.sh skx"
	queue guest family-emr -m emr -a nmi_watchdog=0 -- "perf.sh spr" "sources.sh spr"
	queue guest 6.12-flight -k 6.12 -a nmi_watchdog=0 -- flight.sh trace.sh places.sh
	queue guest 6.12-live -k 6.12 -a nmi_watchdog=0 -- live.sh judged.sh
	queue guest 6.12-focus -k 6.12 -a nmi_watchdog=0 -- "focus.sh 5"
	for model in zen4 nehalem skx; do
		queue guest "judged-$model-long" -m $model -a nmi_watchdog=0 -- "judged.sh $model"
	done
	queue guest judged-hswep-long -m hswep -x "imc2 imc3 imc6 imc7" -a nmi_watchdog=0 -- "judged.sh hswep"
	# Ten minutes of computing, then an idle hour.
	queue guest live-long -t 5000 -a "nmi_watchdog=0 RCR_TEST_LIMIT=4900" -- "live.sh 3600 600"
	queue guest focus-long -t 4000 -a "nmi_watchdog=0 RCR_TEST_LIMIT=3900" -- "focus.sh 200"
	queue guest blame-long -N -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,256,1024 -e RCR_VPMU_STALL=1500 \
		-e RCR_VPMU_COHERENT=1 -e RCR_VPMU_ROWS=1 -e RCR_VPMU_CYCLES=work -t 2700 \
		-a "nmi_watchdog=0 RCR_TEST_LIMIT=2400 RCR_EVIDENCE=32" -- "blame.sh 20"
	queue defaults 6.12-where fam15h -k 6.12 -N -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,256,1024 \
		-e RCR_VPMU_STALL=1500 -t 500 -a "nmi_watchdog=0 RCR_TEST_LIMIT=400" -- where
	queue guest where-long -I -t 1500 -N -e RCR_VPMU=exec -e RCR_VPMU_CACHES=16,256,1024 \
		-e RCR_VPMU_STALL=1500 -a "nmi_watchdog=0 RCR_TEST_LIMIT=1400" -- "where.sh fam15h 21"
	queue guest copied-long -p 64 -t 2400 -a "nmi_watchdog=0 RCR_TEST_LIMIT=1800" -- copied.sh
	queue guest rcrd-long -t 2400 -a "nmi_watchdog=0 RCR_TEST_LIMIT=2300" -- "rcrd.sh 200"
	queue guest board2-long -t 2400 -a "nmi_watchdog=0 RCR_TEST_LIMIT=2300" -- "board2.sh 200"
	queue guest 6.12-board2 -k 6.12 -t 600 -a "nmi_watchdog=0 RCR_TEST_LIMIT=500" -- board2.sh
	queue defaults 6.12-jobs zen4 -k 6.12 -- job_run job_faults job_many job_estimates
	queue guest region-mpi-long -I "${mpi[@]}" -t 900 -a RCR_TEST_LIMIT=400 -m fam15h -- "region_mpi.sh fam15h mpich openmpi" \
		"region_truth.sh fam15h free mpich openmpi" "region_truth.sh fam15h default mpich openmpi"
	queue guest region-truth-zen4-long -I "${mpi[@]}" -t 900 -a RCR_TEST_LIMIT=400 -m zen4 -- \
		"region_truth.sh zen4 free mpich openmpi" "region_truth.sh zen4 default mpich openmpi"
	# 40 estimates, and 1,000 jobs of 1 s each.
	queue guest estimates-long -I -t 900 -m zen4 -a RCR_TEST_LIMIT=800 -- "job_estimates.sh zen4 20"
	queue guest jobs-long -I -t 3000 -m zen4 -a RCR_TEST_LIMIT=2900 -- "job_many.sh zen4 1000 1"
	queue guest 6.12-rcrd -k 6.12 -t 600 -a "nmi_watchdog=0 RCR_TEST_LIMIT=400" -- rcrd.sh
	queue guest 6.12-own -k 6.12 -a nmi_watchdog=0 -- "beside.sh fam15h" ownpmu.sh "wakes.sh often" "wakes.sh seldom"
	queue tap guest-validate "$RCR_TOP/selftests/validate.sh" -t
	for source in msr auto; do
		queue guest "hog-$source-long" -t 1500 -a "nmi_watchdog=0 RCR_TEST_LIMIT=700" -- \
			"hog.sh $source 50 0 1 2 3" "hog.sh $source 99 0 1 2 3"
	done
	queue guest 6.12-hog-long -k 6.12 -t 900 -a "nmi_watchdog=0 RCR_TEST_LIMIT=400" -- \
		"hog.sh msr 99 0 2" "hog.sh auto 50 1 3" grace.sh
	queue tap reboot-long "$RCR_TOP/selftests/reboot.sh" long
	queue tap 6.12-reboot-long "$RCR_TOP/selftests/reboot.sh" -k 6.12
	queue tap suspend-long "$RCR_TOP/selftests/suspend.sh" 40
	queue tap 6.12-suspend-long "$RCR_TOP/selftests/suspend.sh" -k 6.12 10
	queue guest calibrate-long -a nmi_watchdog=0 -- "calibrate.sh queue hard queue hard"
	queue guest clock-long -a nmi_watchdog=0 -- "exactly.sh 60 10 1"
	queue guest misplaced-long -a nmi_watchdog=0 -- "misplaced.sh 0"
	queue guest 6.12-misplaced-long -k 6.12 -a nmi_watchdog=0 -- "misplaced.sh 1" "misplaced.sh 0"
	queue guest 6.12-leap-long -k 6.12 -a nmi_watchdog=0 -- "exactly.sh 12 0 2"
	wait
	[ -z "$RCR_T" ] || return 0
	unset RCR_MADE
	# mutate.sh runs two guests at a time itself.
	tap mutate "$RCR_TOP/selftests/mutate.sh"
	# After the guests of all models.
	tap coverage "$RCR_TOP/selftests/coverage.sh" "$out"
}

# Run the tests that need no guest.
sources()
{
	local test
	if [ -n "$RCR_T" ]; then
		one_source
		return
	fi
	# In the background, because its tests often wait.
	tap bats bats --formatter tap "$RCR_TOP/selftests/bats" &
	for test in "$RCR_BUILD"/unit/test_*; do
		case $test in
		*.d) ;;
		*) tap "unit-$(basename "$test")" "$test" ;;
		esac
	done
	tap lint "$RCR_TOP/selftests/lint/lint.sh" "${linted[@]}"
	tap fuzz "$RCR_TOP/selftests/fuzz/check.sh"
	wait
}

# Run the test that RCR_T names, if it needs no guest.
one_source()
{
	local test
	for test in "$RCR_BUILD/unit/$RCR_T" "$RCR_BUILD/unit/test_$RCR_T"; do
		[ ! -x "$test" ] || tap "unit-$(basename "$test")" "$test"
	done
	test=$RCR_TOP/selftests/bats/$RCR_T.bats
	[ ! -f "$test" ] || tap bats bats --formatter tap "$test"
	case $RCR_T in
	lint) tap lint "$RCR_TOP/selftests/lint/lint.sh" "${linted[@]}" ;;
	fuzz) tap fuzz "$RCR_TOP/selftests/fuzz/check.sh" ;;
	dkms) tap dkms "$RCR_TOP/selftests/dkms.sh" ;;
	esac
}

# Status 0 if RCR_T names a test that needs a guest.
has_guest()
{
	[ -n "$(find "$RCR_TOP/selftests/guest" -name "$RCR_T.sh")" ] ||
		[[ " boot deb instructions newest reboot replay suspend shell_test versions " == *" $RCR_T "* ]]
}

# Build everything that guests need, which they must not build concurrently.
machine()
{
	local kver archive made=()
	"$RCR_TOP/selftests/vpmu/build.sh"
	for kver in "$RCR_KVER" 6.12; do
		kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$kver")
		# Not within +=, where a failure would not end this script.
		archive=$("$RCR_TOP/selftests/qemu/archive.sh" "$kver" installed)
		made+=("$archive")
		archive=$("$RCR_TOP/selftests/qemu/archive.sh" "$kver")
		made+=("$archive")
	done
	export RCR_MADE=${made[*]}
	"$RCR_TOP/selftests/qemu/systemd.sh" >/dev/null
	"$RCR_TOP/selftests/qemu/likwid.sh" >/dev/null
	"$RCR_TOP/selftests/pcp.sh" >/dev/null
	"$RCR_TOP/selftests/mpi.sh" >/dev/null
}

RCR_KVER=$(make -s -C "$RCR_TOP" print-kver)
export RCR_KVER
# make check loads the module with spare=0 only on the default kernel.
one=one
[ "$long" != long ] && [ -z "$RCR_K" ] || one=
"$RCR_TOP/selftests/kernels.sh" $one
likwid=(-o "$RCR_BUILD/likwid" -a nmi_watchdog=0)
pcp=(-o "$RCR_BUILD/pcp" -f "$RCR_BUILD/bin/pmdarcr" -f "$RCR_BUILD/unit/fetch_pcp" -a nmi_watchdog=0)
mpi=(-o "$RCR_BUILD/mpi" -M 2048 -e RCR_VPMU=exec -e "RCR_VPMU_CACHES=16,256,1024" -a nmi_watchdog=0)
# Lint one series with all compilers: other series differ little except for compat.h.
linted=("${RCR_SERIES[-1]}")
[ "$long" != long ] || linted=()
aside sources
if [ -z "$RCR_T" ] || has_guest; then
	machine
	guests
	[ "$long" != long ] || guests_long
fi
wait
if [ -z "$RCR_T" ]; then
	repeat_failed 5
	# After all guests, including repeated ones.
	tap replay "$RCR_TOP/selftests/replay.sh" "$out"
elif [ "$RCR_T" = replay ]; then
	tap replay "$RCR_TOP/selftests/replay.sh"
fi

compgen -G "$out/*.tap" >/dev/null || die "no test named '$RCR_T' here: see selftests/README.md"
summary "$EXPECTED_SKIPS"
