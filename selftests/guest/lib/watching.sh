# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# watching.sh - runs a watcher (watch.c) that checks every sample of every CPU against the formula
# during a test (promise P8). Source it after tap.sh.

watch_on()
{
	./watch >/tmp/watch &
	watcher=$!
	sleep 0.5
}

watch_off()
{
	sleep 0.5
	kill "$watcher"
	wait "$watcher"
}

# watched SETS WHEN: stops the watcher, which saw SETS sets and no wrong sample.
watched()
{
	watch_off
	is "$(tail -n 1 /tmp/watch)" "$1 sets, 0 lost, many samples, 0 wrong" "P8: samples are exact $2"
	grep '^wrong' /tmp/watch | sed 's/^/# /'
}

# went NAME CPU: prints the statuses that a counter went through on a CPU.
went()
{
	sed -n "s/^$1 cpu$2: //p" /tmp/watch | tail -n 1
}
