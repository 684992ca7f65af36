#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# trace.sh - the kernel's own tracer and perf read the same samples from the tracepoint
# rcrtool:sample as a reader of the stream, and the same marks from rcrtool:mark.
. ./tap.sh any-machine
plan 16

TRACING=/sys/kernel/tracing
EVENT=$TRACING/events/rcrtool/sample
EXPECTED="$(nproc) cpus, 0 events without a record, 0 different, 0 records without an event"

# print_recorded: writes the output of perf script to /tmp/script. perf 6.1 sometimes aborts in the
# middle of a line.
print_recorded()
{
	local try
	for try in 1 2 3; do
		perf script -i /tmp/perf.data >/tmp/script 2>/tmp/perf.log && break
		sed "s/^/# perf script, try $try: /" /tmp/perf.log
	done
}

mount -t tracefs tracefs $TRACING 2>/dev/null
[ ! -e $EVENT ]
result $? "trace: rcrtool:sample does not exist without the module"
load period_us=1000 ring_records=4096 budget_ppm=0
contains "$(cat $EVENT/format)" "field:__data_loc u64[] totals;" \
	"trace: rcrtool:sample exists with the module"
sleep 0.2
is "$(grep -c 'sample:' $TRACING/trace)" 0 "trace: a tracepoint that is not enabled writes nothing"

cat /dev/rcrtool >/tmp/stream &
follower=$!
sleep 0.3
echo 1 >$EVENT/enable
sleep 1.5
echo 0 >$EVENT/enable
perf record -q -a -e rcrtool:sample -o /tmp/perf.data sleep 1.5 >/tmp/perf.log 2>&1
result $? "trace: perf records rcrtool:sample"
sleep 0.5
kill $follower
wait $follower 2>/dev/null

grep 'sample:' $TRACING/trace >/tmp/trace
is "$(./traced /tmp/stream </tmp/trace)" "$EXPECTED" "trace: the kernel's tracer has every sample of every CPU, with the same totals"
print_recorded
is "$(grep -c 'rcrtool:sample' /tmp/script)" "$(wc -l </tmp/script)" "trace: perf script has these events and no others"
is "$(./traced /tmp/stream </tmp/script)" "$EXPECTED" "trace: perf gets every sample of every CPU, with the same totals"
head -n 1 /tmp/script | sed 's/^/# /'

echo >$TRACING/trace
sleep 0.2
is "$(grep -c 'sample:' $TRACING/trace)" 0 "trace: the tracepoint writes nothing after it is disabled"

# Marks, among them verdicts. Those of an administrator have a flag.
VERDICT="bandwidth contention llc/2 93"
perfmon="setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio"
neither="setpriv --bounding-set=-sys_rawio,-perfmon --inh-caps=-sys_rawio,-perfmon"
cat /dev/rcrtool >/tmp/stream &
follower=$!
rcrstat -i 0.2 >/tmp/csv &
reader=$!
sleep 0.3
echo 1 >$TRACING/events/rcrtool/mark/enable
cat >/tmp/set_marks <<EOF
./places mark "$VERDICT" >/tmp/first
$perfmon ./places mark "numa unknown node/0 0" >/tmp/second
$neither ./places mark "$VERDICT" >/tmp/third
rcrctl mark begin 4711
EOF
perf record -q -a -e rcrtool:mark -o /tmp/perf.data bash /tmp/set_marks >/tmp/perf.log 2>&1
is "$(cat /tmp/first)" marked "trace: a verdict is a mark"
is "$(cat /tmp/second)" marked "trace: CAP_PERFMON is enough to set a verdict"
contains "$(cat /tmp/third)" "CAP_PERFMON" "trace: users without CAP_PERFMON cannot set a verdict"
echo 0 >$TRACING/events/rcrtool/mark/enable
sleep 0.5
kill $follower $reader
wait $follower $reader 2>/dev/null
./places marks /tmp/stream >/tmp/marks
is "$(sed 's/.* kind/kind/' /tmp/marks)" "kind=4 admin=1 text=$VERDICT
kind=4 admin=0 text=numa unknown node/0 0
kind=2 admin=1 text=4711" "trace: the stream has the marks that were set"
is "$(sed -n 's/.* mark: //p' $TRACING/trace)" "$(cat /tmp/marks)" \
	"trace: the kernel's tracer has each mark once, with the same fields"
print_recorded
is "$(sed -n 's/.*rcrtool:mark: //p' /tmp/script)" "$(cat /tmp/marks)" "trace: perf has each mark once, with the same fields"
is "$(sed -n 's/^# mark [0-9.]* //p' /tmp/csv)" "verdict $VERDICT
verdict numa unknown node/0 0
begin 4711" "rcrstat prints them"
unload
[ ! -e $EVENT ]
result $? "trace: the event is gone after the unload"
finished
