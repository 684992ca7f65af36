#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# boardread.sh READS [US] - readers of blackboard 1 against a writer at US microseconds (20, more on
# kernels with slow ticks): no value is torn, and readers return an error, instead of sleeping for
# ever, once sampling has stopped. The checks by which boardread.c recognizes a torn value are
# first tried on readers that ignore the protocol.
. ./tap.sh
plan 23
reads=${1:-1000000}
us=${2:-20}
PERIOD=$((us * 1000))	# ns

# torn METER HOW READS: prints the counts of boardread, each after its name.
torn()
{
	timeout 150 ./boardread "$2" "$1" "$3" $PERIOD >/tmp/torn
	tail -n 1 /tmp/torn
}

# field NAME LINE: prints the word after NAME.
field()
{
	sed -n "s/.*\b$1 \([0-9]*\).*/\1/p" <<<"$2"
}

# all_torn METER: each value of a reader that skips the check is torn, unless two writes were so much
# alike that a value is right by chance.
all_torn()
{
	[ "$(field torn "$(torn "$1" careless 40)")" -eq 40 ]
}

# none_torn METER: reads in both ways while the meter is written, next to a reader that skips the
# checks of the protocol and one that is as slow and follows it.
none_torn()
{
	local line got
	line=$(torn "$1" torn "$reads")
	got=$(field reads "$line")
	[ "${got:-0}" -ge "$reads" ] && [ "$(field torn "$line")" -eq 0 ]
	result $? "$1: no torn value ($line)"
	grep '^torn' /tmp/torn | sed 's/^/# /'
	result $(($(field written "$line") < 20)) "$1: it was written meanwhile"
	result $(($(field again "$line") > got / 1000)) "$1: hardly any read is given up"
	once_in 3 all_torn "$1"
	result $? "$1: a reader that skips the check has torn values"
	line=$(torn "$1" dawdle 40)
	is "$(field again "$line") $(field torn "$line")" "40 0" "$1: a reader that checks has none, and notices each"
}

# The writer has a CPU of its own, and another one is sampled: the less a tick accounts for, the
# more often there is a new value. The meter has digits that a count does not need, so that a
# rounded average times all ticks of the span is less than a tick off.
taskset -p 2 $$ >/dev/null
load_set TOT_CYC=event:0x76 period_us=$us budget_ppm=0 cpus=0 ring_records=16384
rcrctl meter add ticks TOT_CYC --scale 10s,sum --over machine --digits 3 &&
	rcrctl meter max ticks --at machine --maximum 30000
result $? "a meter that is written every $us us"
rcrctl meter add posted --posted --digits 0 --scale 71min,sum &&
	rcrctl meter max posted --at machine --maximum 1000
result $? "a posted meter has no torn value"
taskset -p c $$ >/dev/null
none_torn ticks

awk 'BEGIN { for (n = 1; ; n++) print "meter post posted " n }' |
	taskset 1 rcrctl --batch - 2>/tmp/posting &
until ./boardread show posted machine 0 >/tmp/out; do
	sleep 0.1
done
is "$(wc -l </tmp/out) $(grep -c 'status 1$' /tmp/out)" "2 2" "either way shows it"
none_torn posted
kill $!
wait

# Halted for more than half of the time scale, the meter keeps its value and its status changes.
rcrctl meter add brief TOT_CYC --scale 200ms --over machine
rcrctl halt all
sleep 0.5
is "$(./boardread show brief machine 0 | sed 's/.* status //' | tr '\n' ' ')" "2 2 " \
	"when its counter is halted the value has another status"
rcrctl continue all

# Stop the module while four threads read.
coproc ./boardread stale ticks
read -r -t 20 line <&"${COPROC[0]}"
is "$line" reading "readers"
rcrctl reset
result $? "sampling is stopped while they read"
echo >&"${COPROC[1]}"
read -r -t 60 line <&"${COPROC[0]}"
is "$line" "errors 0 values 0" "readers of a removed meter get ESTALE, no other error, and no value after that"
read -r -t 20 line <&"${COPROC[0]}"
contains "$line" "stale yes" "a removed meter is noticed within a bounded number of reads: $line"
unload 2>/dev/null
is "$? $(grep -c rcrboard "/proc/$COPROC_PID/maps")" "1 2" "the module stays while they have it mapped"
is "$(./boardread show ticks machine 0)" "ticks: No data available" "a later reader gets an error as well"
reader=$COPROC_PID
echo >&"${COPROC[1]}"
wait "$reader"
is "$?" 0 "readers end without an error"
unload
result $? "the module goes when it is not open any more"
is "$(./boardread show ticks machine 0)" "ticks: No such file or directory" \
	"the blackboard goes with the module"
finished
