# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# watching.sh - a watcher (watch.c) that holds every sample of every CPU against the
# formula while a test goes on (promise P8). Read after tap.sh.

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

# watched SETS DESCRIPTION: the watcher saw so many sets and nothing wrong.
watched()
{
	watch_off
	is "$(tail -n 1 /tmp/watch)" "$1 sets, 0 lost, many samples, 0 wrong" "P8: $2"
	grep '^wrong' /tmp/watch | sed 's/^/# /'
}

# went NAME CPU: prints how the status of a counter changed there.
went()
{
	sed -n "s/^$1 cpu$2: //p" /tmp/watch | tail -n 1
}
