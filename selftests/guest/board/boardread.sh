#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# boardread.sh READS [US] - readers of blackboard 1 while a meter is written every US microseconds
# (default 20; more on kernels with slow ticks): no value is torn, and once sampling has stopped
# readers return an error. Readers that ignore the protocol show that boardread.c detects torn
# values.
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

# all_torn METER: true if every value of a reader that skips the check is torn. By chance one may
# not be, if two writes were equal.
all_torn()
{
	[ "$(field torn "$(torn "$1" careless 40)")" -eq 40 ]
}

# none_torn METER: reads the meter with librcr and directly while it is written; then with a slow
# reader that skips the checks of the protocol, and with a slow one that follows the protocol.
none_torn()
{
	local line got
	line=$(torn "$1" torn "$reads")
	got=$(field reads "$line")
	[ "${got:-0}" -ge "$reads" ] && [ "$(field torn "$line")" -eq 0 ]
	result $? "boardread: $1: no value is torn ($line)"
	grep '^torn' /tmp/torn | sed 's/^/# /'
	result $(($(field written "$line") < 20)) "boardread: $1: the meter was written at least 20 times during the reads"
	result $(($(field again "$line") > got / 1000)) "boardread: $1: at most one in 1,000 reads is given up"
	once_in 3 all_torn "$1"
	result $? "boardread: $1: a reader that skips the check has torn values"
	line=$(torn "$1" dawdle 40)
	is "$(field again "$line") $(field torn "$line")" "40 0" "boardread: $1: a slow reader that checks detects each overwrite, and has no torn value"
}

# The writer has a CPU of its own, and only one other CPU is sampled, so that ticks are short and
# values frequent. The meter has decimals, so that the rounded average times the ticks of the span
# is off by less than a tick.
taskset -p 2 $$ >/dev/null
load_set TOT_CYC=event:0x76 period_us=$us budget_ppm=0 cpus=0 ring_records=16384
rcrctl meter add ticks TOT_CYC --scale 10s,sum --over machine --digits 3 &&
	rcrctl meter max ticks --at machine --maximum 30000
result $? "boardread: a meter is added that is written every $us us"
rcrctl meter add posted --posted --digits 0 --scale 71min,sum &&
	rcrctl meter max posted --at machine --maximum 1000
result $? "boardread: a posted meter is added"
taskset -p c $$ >/dev/null
none_torn ticks

awk 'BEGIN { for (n = 1; ; n++) print "meter post posted " n }' |
	taskset 1 rcrctl --batch - 2>/tmp/posting &
until ./boardread show posted machine 0 >/tmp/out; do
	sleep 0.1
done
is "$(wc -l </tmp/out) $(grep -c 'status 1$' /tmp/out)" "2 2" "boardread: librcr and a direct reader print a value with status ok"
none_torn posted
kill $!
wait

# A meter whose counter was halted for more than half of the time scale is not ok.
rcrctl meter add brief TOT_CYC --scale 200ms --over machine
rcrctl halt all
sleep 0.5
is "$(./boardread show brief machine 0 | sed 's/.* status //' | tr '\n' ' ')" "2 2 " \
	"boardread: the status of a value is not ok while its counter is halted"
rcrctl continue all

# Stop the module while four threads read.
coproc ./boardread stale ticks
read -r -t 20 line <&"${COPROC[0]}"
is "$line" reading "boardread: four threads read"
rcrctl reset
result $? "boardread: sampling is stopped while four threads read"
echo >&"${COPROC[1]}"
read -r -t 60 line <&"${COPROC[0]}"
is "$line" "errors 0 values 0" "boardread: readers of a removed meter get ESTALE, no other error, and no value after that"
read -r -t 20 line <&"${COPROC[0]}"
contains "$line" "stale yes" "boardread: a removed meter is noticed within a bounded number of reads: $line"
unload 2>/dev/null
is "$? $(grep -c rcrboard "/proc/$COPROC_PID/maps")" "1 2" "boardread: the module cannot be unloaded while the board is mapped"
is "$(./boardread show ticks machine 0)" "ticks: No data available" "boardread: a new reader returns an error after sampling was stopped"
reader=$COPROC_PID
echo >&"${COPROC[1]}"
wait "$reader"
is "$?" 0 "boardread: readers end without an error"
unload
result $? "boardread: the module unloads once the board is closed"
is "$(./boardread show ticks machine 0)" "ticks: No such file or directory" \
	"boardread: the blackboard does not exist without the module"
finished
