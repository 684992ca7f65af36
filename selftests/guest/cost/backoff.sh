#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# backoff.sh - a sampler whose ticks exceed its budget skips ticks, and samples every tick again
# when they are cheap. Tracing instances of the kernel that take a stack trace of each tick make
# ticks expensive.
. ./tap.sh
plan 9
TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null

# of NAME: prints a number from the output of strided.
of()
{
	sed -n "s/.*\b$1 \([0-9]*\).*/\1/p" /tmp/strided
}

strided()
{
	./strided "$1" >/tmp/strided
	sed 's/^/# /' /tmp/strided
}

# dearer N: makes each tick more expensive by a stack trace in another tracing instance, rcrN.
dearer()
{
	mkdir "$TRACING/instances/rcr$1"
	echo 64 >"$TRACING/instances/rcr$1/buffer_size_kb"
	echo stacktrace >"$TRACING/instances/rcr$1/events/rcrtool/sample/trigger"
}

cheap()
{
	local instance
	for instance in "$TRACING"/instances/rcr*; do
		echo '!stacktrace' >"$instance/events/rcrtool/sample/trigger"
		rmdir "$instance"
	done
}

samples_all()
{
	./strided 500 >/tmp/strided
	[ "$(of skipped)" -eq 0 ] && [ "$(of samples)" -gt 10 ]
}

# settles: true if every tick is sampled with a budget of four times the cost of a tick. Ticks take
# longer on a busy host, so the budget is measured again after some tries.
settles()
{
	[ ! -e /sys/module/rcrtool ] || unload
	load period_us=1000 ring_records=4096 budget_ppm=0
	strided 1500
	unbounded="$(of strides) $(of skipped) $(of wrong)"
	budget=$(($(of ppm) * 4))
	unload
	load period_us=1000 ring_records=4096 budget_ppm=$budget
	loaded=$?
	once_in 10 samples_all
}

once_in 5 settles
result $? "back-off: every tick is sampled with a budget of four times the cost of a tick: $budget ppm"
is "$unbounded" "0 0 0" "back-off: no tick is skipped on purpose without a budget"
result $loaded "back-off: the module is loaded with that budget"
./strided 15000 >/tmp/followed &
follower=$!
instances=0
while [ $instances -lt 60 ]; do
	for _ in 1 2 3 4 5 6; do
		instances=$((instances + 1))
		dearer $instances
	done
	./strided 300 >/tmp/strided
	[ "$(of skipped)" -eq 0 ] || break
done
wait $follower
mv /tmp/followed /tmp/strided
echo "# $instances instances"
sed 's/^/# /' /tmp/strided
[ "$(of strides)" -ge 1 ] && [ "$(of most)" -ge 2 ]
result $? "back-off: ticks that exceed the budget lead to STRIDE records, with strides of up to $(of most)"
[ "$(of skipped)" -gt 100 ]
result $? "back-off: ticks are skipped on purpose: $(of skipped), and $(of samples) are sampled"
is "$(of wrong)" 0 "back-off: samples are on multiples of the stride, and each tick is accounted for"
cheap
soon samples_all
result $? "back-off: every tick is sampled when ticks are cheap again"
is "$(of wrong)" 0 "back-off: each tick is accounted for when all are sampled again"
unload
result $? "back-off: the module unloads"
finished
