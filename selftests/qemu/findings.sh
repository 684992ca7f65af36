# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# findings.sh - patterns of a kernel's log when something is wrong, and checks of the
# further reports of a debug kernel; for the guest's init, by busybox's sh.

# These begin a report of any part of the kernel: the kernel itself, lockdep ("possible
# circular", "inconsistent lock state" and so on are WARNINGs of it), RCU, KASAN and
# KCSAN (BUGs), UBSAN, the lists, the objects' life, the page and slab allocators.
COMPLAINTS='WARNING:|BUG:|Oops|INFO: task|general protection|refcount_t|possible circular'
COMPLAINTS="$COMPLAINTS|INFO: trying to register|INFO: rcu|rcu: INFO|DEBUG_LOCKS_WARN"
COMPLAINTS="$COMPLAINTS|UBSAN:|KASAN:|KCSAN:|ODEBUG:|list_add corruption|list_del corruption"
COMPLAINTS="$COMPLAINTS|Bad page|] BUG |Slab corruption|workqueue lockup|turning off the locking"
KMEMLEAK=/sys/kernel/debug/kmemleak

# logged: the complaints of the kernel's log, with what follows each.
logged()
{
	dmesg >/tmp/dmesg
	grep -qE "$COMPLAINTS|Call Trace" /tmp/dmesg || return 0
	echo "the kernel complained:"
	grep -nE -A50 "$COMPLAINTS|Call Trace" /tmp/dmesg | head -n 150
}

# leaked: memory that nothing points to, the module being gone. What kmemleak saw in
# one scan and not in the next moved between them; younger than 5 s it does not report.
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

# blinded: a lockdep that gave up sees no more, and reports that only once.
blinded()
{
	[ -e /proc/lockdep_stats ] || return 0
	grep -qE 'debug_locks: *1$' /proc/lockdep_stats || echo "lockdep has turned itself off"
}

# Of taints are allowed: out-of-tree (12), unsigned (13), and out-of-spec (2), which
# the msr device sets when a test writes a register.
tainted()
{
	bad=$(($(cat /proc/sys/kernel/tainted) & ~(1 << 12 | 1 << 13 | 1 << 2)))
	[ "$bad" -eq 0 ] || echo "the kernel is tainted: $bad"
}
