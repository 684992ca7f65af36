#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# holders.sh MODEL [ORDERS [MODULE PARAMETER...]] - three commands hold events next to the default
# set, and end in ORDERS of the six possible orders: counts are exact, and afterwards the set is as
# before. A watcher compares every sample with the formula (promise P8).
. ./tap.sh
. ./watching.sh
. ./holding.sh
job_A=""
model=$1 count=${2:-6}
shift $(($# < 2 ? $# : 2))

# Two core events for each of three holders; holders share some if a core has less than six
# counters.
case $model in
fam15h | fam17h | fam19h | zen4)
	counters=6 A="A1=event:0xc1 A2=event:0xc2" B="B1=event:0xc3 B2=event:0xc5" C="C1=event:0xc8 C2=event:0xc9"
	[ "$model" = fam15h ] || C="C1=event:0xc8 C2=event:0xca"
	;;
nehalem)
	counters=4
	A="E1=event:0xc4 E2=event:0xc5" B="E2=event:0xc5 E3=event:0xc7,umask:1" C="E3=event:0xc7,umask:1 E1=event:0xc4"
	;;
hswep)
	counters=8
	A="E1=event:0xc4 E2=event:0xc5" B="E2=event:0xc5 E3=event:0xc2,umask:1" C="E3=event:0xc2,umask:1 E1=event:0xc4"
	;;
*) echo "Bail out! holders.sh: no model $model"; exit 1 ;;
esac

clear_controls
first=$(controls)
load period_us=5000 budget_ppm=0 ring_records=8192 "$@"
# of LETTER...: prints the names of the events of these holders.
of()
{
	local who
	for who in "$@"; do
		tr ' ' '\n' <<<"${!who}" | cut -d= -f1
	done | sort -u
}

base=$(names)
events=$(rcrctl ls | awk 'NR > 1 { print $1 "=" $6 }')
# The holders begin in the first of these orders.
orders=("A B C" "C B A" "B C A" "A C B" "B A C" "C A B")
plan $((1 + count * 5 + 21))
is "$(statuses)" ok "holders: the default set is counted: $base"
for order in "${orders[@]:0:count}"; do
	trail='' begun='' names_ok=0 state=0
	watch_on
	for who in A B C; do
		# shellcheck disable=SC2086 # split into words
		begin $who ${!who} || state=1
		begun="$begun $who"
		# shellcheck disable=SC2086
		[ "$(of $begun | xargs)" = "$(names | tr ' ' '\n' | grep -Fx "$(of A B C)" | sort -u | xargs)" ] ||
			names_ok=1
	done
	is "$state $(held | tr ',' '\n' | wc -l)" "0 3" "holders: $order: three commands hold events at the same time"
	for who in $order; do
		end "$who"
		begun=$(tr ' ' '\n' <<<"$begun" | grep -vx "$who" | xargs)
		trail="$trail $(names | tr ' ' '\n' | grep -cFx "$(of A B C)")"
		# shellcheck disable=SC2086
		[ "$(of $begun | xargs)" = "$(names | tr ' ' '\n' | grep -Fx "$(of A B C)" | sort -u | xargs)" ] ||
			names_ok=1
	done
	is $names_ok 0 "holders: $order: the running set has the events of the holders, and no others:$trail"
	is "$(names) $(statuses) $(held)" "$base ok " "holders: $order: the set is as before after the last holder has ended"
	watched 7 "while three holders begin, and end in the order $order"
	uninterrupted=''
	for who in $(of A B C); do
		uninterrupted="$uninterrupted$(went "$who" 0)$(went "$who" 1);"
	done
	is "$(tr ';' '\n' <<<"$uninterrupted" | sort -u | xargs)" "ok (counted)ok (counted)" \
		"holders: $order: each holder's events count without a gap until it ends"
done
echo "# a set that does not fit, and the holders in the way"
# shellcheck disable=SC2086 # lists of words
{
	begin A $A
	begin B $B
	begin C $C
}
before=$(names)
held_by=$(held)
general=$(rcrctl ls --json | sed -n 's/.*"core_counters": *\([0-9]*\).*/\1/p')
[ "${general:-0}" -gt 1 ] || general=6
many=$(for i in $(seq $((general - 1))); do printf 'M%d=event:0xc0,cmask:%d ' "$i" "$i"; done)
# shellcheck disable=SC2086
rcrctl add $many
says 1 "The set does not fit next to the events that rcrctl (" rcrctl finalize --hold true
contains "$(cat /tmp/err)" "${held_by%%,*}" "holders: a refusal names the holders: $held_by"
is "$(names | tr ' ' '\n' | grep -v '^M' | xargs)" "$before" "holders: a refused hold changes nothing"
is "$(held)" "$held_by" "holders: all holds continue after the refusal"
for name in $(tr ' ' '\n' <<<"$many" | cut -d= -f1); do
	rcrctl remove "$name"
done
rcrctl remove all
# shellcheck disable=SC2046 # a list of words
rcrctl add $(for i in $(seq $((general - 2))); do printf 'N%d=event:0xc0,cmask:%d ' "$i" "$i"; done)
says 1 "The set does not fit next to the events that rcrctl (" rcrctl finalize
is "$(rcrctl ls | awk 'NR > 1 && !/  (staged|waits .*)$/ { print $1 }' | sorted)" "$(sorted <<<"$before")" \
	"holders: a refused base set does not change the running set"
rcrctl remove all
for event in $events; do
	rcrctl add "$event"
done
name=$(of A | head -n 1)
rcrctl add "$name=event:0xc0"
says 1 "A holder of the set counts another event as '$name'" rcrctl finalize --hold true
rcrctl remove "$name"
contains "$(rcrctl ls | grep "^$name ")" "  held" "holders: rcrctl ls marks held events"
waits=$(rcrctl ls | grep -c '  waits for the end of a hold$')
is "$((waits > 0)) $(rcrctl ls | grep -c '  staged$')" \
	"$(($(wc -w <<<"$base $(of A B C | xargs)") > general)) 0" \
	"holders: rcrctl ls marks events that wait for the end of a hold: $waits of the default set"
rcrctl ls | sed 's/^/# /'
end C
end B

echo "# other verbs during a hold"
rcrctl period 4ms
is "$? $(names | tr ' ' '\n' | grep -cFx "$(of A)")" "0 2" "holders: the period can be changed while a command holds events"
rcrctl reassign "$name" "R1=event:0xc0,os"
is "$? $(rcrctl ls | grep -c '^R1 .*  held$')" "0 1" "holders: a held event is reassigned, and stays held"
rcrctl remove all && rcrctl add K1=event:0xc0,user && rcrctl finalize
is "$? $(names | sorted)" "0 $(echo K1 R1 "$(of A | tail -n 1)" | sorted)" "holders: another base set does not change held events"
holder=$job_A
kill -9 "$holder"
wait "$holder" 2>/dev/null
: >/tmp/A.off
gone() { [ -z "$(held)" ]; }
soon gone
is "$(names) $(statuses)" "K1 ok" "holders: a holder that is killed leaves the base set"
rcrctl remove all && rcrctl add X1=event:0xc0,os && rcrctl finalize
rcrctl remove X1
begin Y Y1=event:0xc0,user
is "$(names) $(statuses)" "Y1 ok" "holders: events staged for removal leave while the hold lasts"
end Y
is "$(names)" "X1" "holders: such events return at the end of the hold"

echo "# an event that one hold has removed does not fit when it ends, as another has its counter"
rcrctl remove all
for i in $(seq "$counters"); do
	rcrctl add "X$i=event:0xc0,cmask:$i,os"
done
rcrctl finalize
full=$(names)
rcrctl remove X2
rcrctl remove X3
begin P P1=event:0xc0,cmask:9,user
begin Q Q1=event:0xc0,cmask:10,user
is "$(names | sorted) $(statuses)" "$(echo "$full P1 Q1" | xargs -n 1 | grep -vx 'X[23]' | sorted) ok" \
	"holders: two holds each take the counter of a removed event"
end P
is "$(names | sorted) $(statuses)" "$(echo "$full Q1" | xargs -n 1 | grep -vx X3 | sorted) ok" \
	"holders: at the end of one hold the event that fits returns"
end Q
is "$(names | sorted) $(statuses) $(held)" "$(sorted <<<"$full") ok " "holders: at the end of the other hold the set is complete again"
# shellcheck disable=SC2086
begin Z $A
rcrctl reset
is "$(rcrctl ls | sed 1d | grep -cv '^nothing') $(held)" "0 " "holders: a reset ends all holds"
end Z
is "$(status_of state)" inert "holders: a holder that ends after a reset changes nothing"
unload
is "$(controls)" "$first" "holders: every control is as before after the unload"
finished
