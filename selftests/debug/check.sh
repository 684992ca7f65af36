#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# check.sh [KERNEL]... - runs the guest suite on kernels that check the module: debug and kcsan,
# which kernel.sh in this directory builds, and rt, Debian's with PREEMPT_RT (default: all three).
# Ends as selftests/check.sh does.
#
# A guest fails if a test fails, or if its kernel logs one of the patterns of qemu/findings.sh.
# To check that the kernel detects errors, guests also load a module (bad/) with one error each, and
# must report that error.
set -eu
. "$(dirname "$0")/../lib/common.sh"

EXPECTED_SKIPS=0
here=$RCR_TOP/selftests/debug
out=$RCR_BUILD/check-debug
rm -rf "$out"
mkdir -p "$out"
. "$RCR_TOP/selftests/lib/guests.sh"
kernels=("$@")
[ $# -gt 0 ] || kernels=(debug kcsan rt)

build_bad()
{
	mkdir -p "$2"
	cp -asf "$here/bad/." "$2/" &&
	make -s -C "$1" O= M="$2" modules
}

# prepare KERNEL: builds everything that its guests need, which they must not build concurrently.
# The module is instrumented for KCOV if the kernel has it, for tests that use its coverage.
prepare()
{
	local kver kdir
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$1")
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b "$kver")
	make -s -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir" KCOV_INSTRUMENT=y
	# The module without spare counters that some tests load, as in kernels.sh.
	make -s -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir" KCOV_INSTRUMENT=y RCR_SPARE_MIN=0
	step "build bad for $kver" "$RCR_BUILD/logs/bad-$kver.log" \
		build_bad "$kdir" "$RCR_BUILD/$kver/bad"
	"$RCR_TOP/selftests/qemu/initramfs.sh" "$kver" >/dev/null
}

# guilty KERNEL DEED NAME: checks that a guest whose module does DEED fails, with NAME in its output
# or, if the kernel stops at once, on its console.
guilty()
{
	local kver name=$1-bad-$2
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r "$1")
	if "$RCR_TOP/selftests/qemu/guest.sh" "${GUEST[@]}" -n "$name" -f "$RCR_BUILD/$kver/bad/bad.ko" \
		"insmod bad.ko what=$2; rmmod bad; sleep 1; echo done" >"$out/$name.said" 2>&1; then
		echo "not ok - $1: a module that does $2 is not detected"
	elif grep -qE "$3" "$out/$name.said" "$RCR_BUILD/guests/$name/console"; then
		echo "ok - $1: a module that does $2 fails its guest: $3"
	else
		echo "not ok - $1: a module that does $2 is not reported as $3"
	fi
}

bad()
{
	local deed name
	while read -r deed name; do
		queue tap "$1-bad-$deed" guilty "$1" "$deed" "$name"
	done
}

bad_on()
{
	case $1 in
	debug)
		bad debug <<-'EOF'
			leak ^# memory is leaked
			use-after-free KASAN: slab-use-after-free
			lock-order possible circular locking dependency
			lock-nesting Invalid wait context
			sleep-in-atomic sleeping function called from invalid context
			unguarded suspicious RCU usage
			shift UBSAN: shift-out-of-bounds
			timer ODEBUG: free active
			taint the kernel is tainted
		EOF
		;;
	kcsan)
		bad kcsan <<-'EOF'
			race KCSAN: data-race in racer
		EOF
		;;
	rt)
		bad rt <<-'EOF'
			sleep-in-atomic scheduling while atomic
			taint the kernel is tainted
		EOF
		;;
	esac
}

# suite KERNEL: runs the tests of check.sh, for one model of the virtual PMU at a time. Leaves out
# on.sh, phases.sh and calibrate.sh, for which the kernel is too slow: they must react to a change
# of the virtual PMU's rates in time.
suite()
{
	local on=$1 model beside
	queue guest "$on-control" -- control.sh "hotplug.sh 3" verbs.sh rcrctl.sh badinput.sh
	queue guest "$on-boardread" -- "boardread.sh 1000000 1000"
	queue guest "$on-meters-user" -- meters_user.sh
	queue guest "$on-counting" -- "load.sh 10" device.sh foreign.sh
	queue guest "$on-flight" -- flight.sh trace.sh
	queue guest "$on-ownpmu" -- ownpmu.sh meters_race.sh
	queue guest "$on-outsiders" -- outsiders.sh mappings.sh slowly.sh
	queue guest "$on-abuse" -- starved.sh "killed.sh 5" lockdown.sh
	queue guest "$on-exact" -- "exactly.sh 12 7 1" "exactly.sh 12 0 2" wrap.sh
	queue guest "$on-parts" -- "parts.sh fam15h msr 10" "parts.sh fam15h perf 10" items.sh wayback.sh
	queue tap "$on-reboot" "$RCR_TOP/selftests/reboot.sh" -k "$on"
	queue guest "$on-meters" -a RCR_SLOWER=20 -- "meters.sh fam15h"
	for model in fam15h nehalem zen4 snbep; do
		queue guest "$on-model-$model" -m "$model" -- "perf.sh $model" "faults.sh $model" \
			"sources.sh $model" "uncore.sh $model" "pmus.sh $model"
		beside=()
		case $model in
		fam15h | nehalem) beside=("beside.sh $model") ;;
		esac
		queue guest "$on-shared-$model" -m "$model" -- "shared.sh $model" "covered.sh $model" \
			"${beside[@]}" "names.sh $model"
	done
	queue guest "$on-mixed" -- mixed.sh "selfcount.sh fam15h" "relations.sh fam15h"
	queue guest "$on-pci" -m snbep -- "pci.sh snbep"
	queue guest "$on-threads" -s 4,sockets=1,cores=2,threads=2 -m snbep -- threads.sh
	queue guest "$on-unknown" -m SandyBridge -- "unknown.sh support"
	queue guest "$on-nodebugfs" -a debugfs=off -- nodebugfs.sh
	[ "$on" != debug ] || faults "$on"
	wait
}

# faults KERNEL: runs the tests that need a kernel that can fail allocations.
faults()
{
	queue guest "$1-fault-msr" -- "failnth.sh msr"
	queue guest "$1-fault-perf" -- "failnth.sh perf"
	queue guest "$1-fault-load" -- "failnth.sh load 1 9"
}

for kernel in "${kernels[@]}"; do
	prepare "$kernel"
done
for kernel in "${kernels[@]}"; do
	# A slow kernel on a host with two cores takes ten times as long. It continues after a
	# warning, because the cause is often named later in the log.
	GUEST=(-k "$kernel" -t 3600 -a "nmi_watchdog=0 watchdog_thresh=60 RCR_TEST_LIMIT=2400"
		-a "panic_on_warn=0 loglevel=5")
	bad_on "$kernel"
	suite "$kernel"
done
summary "$EXPECTED_SKIPS"
