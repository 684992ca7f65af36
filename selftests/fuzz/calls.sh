#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# calls.sh MINUTES - fuzzes the module's interfaces in guests for MINUTES, as root and as nobody,
# with both sources of counts. On the debug kernel, if it can be built, coverage (KCOV) guides the
# fuzzer; fails if fewer than 85 % of the lines of the files in calls/files were run. On another
# kernel only results guide it.
set -eu
. "$(dirname "$0")/../lib/common.sh"

ENOUGH=85
minutes=${1:-15}
out=$RCR_BUILD/fuzz/calls
kernel=debug
if [ -x "$RCR_TOP/selftests/debug/kernel.sh" ]; then
	kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r $kernel)
	kdir=$("$RCR_TOP/selftests/qemu/kernel.sh" -b $kernel)
	# The kernel's configuration has no -g, which lines.py needs.
	make -s -C "$RCR_TOP" modules KVER="$kver" KDIR="$kdir" KCOV_INSTRUMENT=y KCFLAGS=-g
else
	say "fuzz calls: no kernel \"$kernel\" here: coverage is not measured"
	kernel=''
fi

# Without KASLR, KCOV's addresses are those of the module's sections. A kernel that panics, also for
# a hung task, prints its tasks and its log.
words="nmi_watchdog=0 nokaslr printk.devkmsg=on log_buf_len=1M panic_print=0x21"
words="$words sysctl.kernel.hung_task_timeout_secs=60 sysctl.kernel.hung_task_panic=1"
module='rcrtool.ko period_us=5000 ring_records=256'

# tell_fault SOURCE: saves the last programs of a guest that failed, and prints how to repeat them.
tell_fault()
{
	local kept
	kept=$out/crash-$1-$(date +%Y%m%d-%H%M%S)
	grep 'calls-op ' "$RCR_BUILD/guests/fuzz-$1/console" >"$kept" || true
	say "fuzz calls (source=$1): the output is in $out/$1.log and $out/$1.err, the kernel's log in $RCR_BUILD/guests/fuzz-$1/console"
	say "to repeat the last programs: $RCR_TOP/selftests/qemu/guest.sh ${kernel:+-k $kernel }-p 2 -a nmi_watchdog=0 -f $out/calls -f $kept './calls again ${kept##*/} $module source=$1'"
	grep -v '^# ran' "$out/$1.log" | tail -n 30 >&2
	grep -v 'calls-op ' "$out/$1.err" | tail -n 30 >&2
}

# Check the console, too: lines of programs may have pushed a warning out of the log that init
# reads.
complaints='WARNING:|BUG:|Oops|Call Trace|INFO: task|general protection|refcount_t|possible circular'

# guest SOURCE SECONDS: runs the fuzzer in a guest with this source. The output is in SOURCE.log.
guest()
{
	local rc=0 console=$RCR_BUILD/guests/fuzz-$1/console
	"$RCR_TOP/selftests/qemu/guest.sh" ${kernel:+-k "$kernel"} -n "fuzz-$1" -t $((2 * $2 + 300)) \
		-p 2 -a "$words" -f "$out/calls" "./calls $2 $module source=$1" \
		>"$out/$1.log" 2>"$out/$1.err" || rc=$?
	if [ $rc -eq 0 ] && grep -qE "$complaints" "$console"; then
		grep -m 1 -E "$complaints" "$console" >&2
		rc=97
	fi
	sed -n "s/^# calls/fuzz calls (source=$1)/p" "$out/$1.log" >&2
	[ $rc -ne 0 ] || return 0
	tell_fault "$1"
	return 1
}

"$RCR_TOP/selftests/vpmu/build.sh"
failed=0
mkdir -p "$out"
for source in msr auto; do
	guest "$source" $((minutes * 60 / 2)) || failed=1
done

# lines target | inner: prints how many lines of these files were run in all guests.
lines()
{
	local files
	mapfile -t files < <(sed -n "s/^$1 //p" "$RCR_TOP/selftests/fuzz/calls/files")
	cd "$RCR_TOP"
	selftests/fuzz/lines.py "$RCR_BUILD/$kver/rcrtool.ko" "$out/ran" "${files[@]}"
}

if [ -n "$kernel" ]; then
	sed -n 's/^# ran //p' "$out"/*.log | sort -u >"$out/ran"
	inner=$(lines inner) || failed=1
	printf '%s\n' "$inner" | sed 's/^/fuzz calls: inner: /' >&2
	covered=$(lines target) || failed=1
	printf '%s\n' "$covered" | sed 's/^/fuzz calls: /' >&2
	percent=$(sed -n 's/^all: .* \([0-9]*\)\.[0-9]* %$/\1/p' <<<"$covered")
	if [ "${percent:-0}" -lt $ENOUGH ]; then
		say "fuzz calls: less than $ENOUGH % of the lines of the interfaces were run"
		failed=1
	fi
fi
exit "$failed"
