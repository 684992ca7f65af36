#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# backoff.sh - a sampler whose ticks cost more than its budget samples less often, and every tick
# again when they are cheap. The tracer of the kernel makes them expensive: it takes a stack trace
# of each tick in as many instances as needed.
. ./tap.sh
plan 9
TRACING=/sys/kernel/tracing
mount -t tracefs tracefs $TRACING 2>/dev/null

# of NAME: prints a number of strided.
of()
{
	sed -n "s/.*\b$1 \([0-9]*\).*/\1/p" /tmp/strided
}

strided()
{
	./strided "$1" >/tmp/strided
	sed 's/^/# /' /tmp/strided
}

# dearer N: traces in one more instance.
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

# settles: with a budget of four times what a tick takes, every tick is sampled. A tick takes longer
# when the host is busy, so that the budget is measured again after some attempts.
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
result $? "back-off: every tick is sampled within a budget of four times what a tick takes: $budget ppm"
is "$unbounded" "0 0 0" "back-off: without a budget no tick is left out on purpose"
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
result $? "back-off: ticks are dearer than that: STRIDE records come, the longest stride is $(of most)"
[ "$(of skipped)" -gt 100 ]
result $? "back-off: ticks are left out on purpose: $(of skipped), and $(of samples) are sampled"
is "$(of wrong)" 0 "back-off: samples are on multiples of the stride, and each tick is accounted for"
cheap
soon samples_all
result $? "back-off: when ticks are cheap again every one is sampled"
is "$(of wrong)" 0 "back-off: each tick is accounted for when all are sampled again"
unload
result $? "back-off: unloaded"
finished
