# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# findings.sh - patterns of errors in the kernel's log, and checks of other reports of a debug
# kernel. Used by the guest's init, in busybox's sh.

# First lines of the kernel's reports: warnings, oopses, lockdep ("possible circular", "inconsistent
# lock state" and others are WARNINGs), RCU, KASAN and KCSAN (BUGs), UBSAN, and the checks of lists,
# object lifetimes, and the page and slab allocators.
COMPLAINTS='WARNING:|BUG:|Oops|INFO: task|general protection|refcount_t|possible circular'
COMPLAINTS="$COMPLAINTS|INFO: trying to register|INFO: rcu|rcu: INFO|DEBUG_LOCKS_WARN"
COMPLAINTS="$COMPLAINTS|UBSAN:|KASAN:|KCSAN:|ODEBUG:|list_add corruption|list_del corruption"
COMPLAINTS="$COMPLAINTS|Bad page|] BUG |Slab corruption|workqueue lockup|turning off the locking"
KMEMLEAK=/sys/kernel/debug/kmemleak

# logged: prints the reports in the kernel's log, each with the lines after it.
logged()
{
	dmesg >/tmp/dmesg
	grep -qE "$COMPLAINTS|Call Trace" /tmp/dmesg || return 0
	echo "the kernel complained:"
	grep -nE -A50 "$COMPLAINTS|Call Trace" /tmp/dmesg | head -n 150
}

# leaked: prints memory that kmemleak finds unreferenced after the module was unloaded. Scans twice:
# an object in only one report is a false one. kmemleak ignores objects younger than 5 s.
leaked()
{
	[ -e $KMEMLEAK ] || return 0
	rmmod rcrtool 2>/dev/null
	sleep 5
	echo scan >$KMEMLEAK
	echo scan >$KMEMLEAK
	grep -q . $KMEMLEAK || return 0
	echo "memory is leaked:"
	head -n 60 $KMEMLEAK
}

# blinded: prints a line if lockdep has turned itself off.
blinded()
{
	[ -e /proc/lockdep_stats ] || return 0
	grep -qE 'debug_locks: *1$' /proc/lockdep_stats || echo "lockdep has turned itself off"
}

# tainted: prints taints other than the allowed ones: out-of-tree (12), unsigned (13), and
# out-of-spec (2), which the msr device sets when a test writes a register.
tainted()
{
	bad=$(($(cat /proc/sys/kernel/tainted) & ~(1 << 12 | 1 << 13 | 1 << 2)))
	[ "$bad" -eq 0 ] || echo "the kernel is tainted: $bad"
}
