#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# change.sh MODEL - after a plain modprobe every counter of the default set can be removed and added
# again, reassigned and back, and replaced while a command holds another set; with the NMI watchdog
# on and off. The rates of the set are checked after each change.
. ./defaults/common.sh
machine "$1"

watchdog_is_on && now="on" || now="off"
plain_load
set_of=$(names)
# Removing an event on a fixed counter frees no general counter.
changed=$set_of
[ "$CYCLES" = 76 ] || changed=$(tr ' ' '\n' <<<"$set_of" | grep -vx 'TOT_CYC\|TOT_INS' | xargs)
plan $((2 + 9 * $(wc -w <<<"$changed")))
is "$(statuses)" ok "change: the default set counts, with the watchdog $now: $set_of"

# change SET WHAT COMMAND...: runs COMMAND; checks that it succeeds and that the set is SET then.
change()
{
	local want=$1 what=$2 rc=0
	shift 2
	"$@" >/tmp/out 2>&1 || rc=$?
	is "$rc $(names | tr ' ' '\n' | sort | xargs)" "0 $(tr ' ' '\n' <<<"$want" | sort | xargs)" \
		"change: $what"
	[ $rc -eq 0 ] || sed 's/^/# /' /tmp/out
}

# replace OLD NEW: replaces an event with the commands of the manual page.
# shellcheck disable=SC2317 # called by change
replace()
{
	rcrctl remove "$1" && rcrctl add "$2" && rcrctl finalize
}

# held OLD NEW: runs a command for which NEW replaces OLD in the set. Before its first sample the
# status of an event is not ok.
# shellcheck disable=SC2317 # called by change
held()
{
	rcrctl remove "$1" && rcrctl add "$2" &&
		rcrctl finalize --hold bash -c 'sleep 0.1; rcrctl ls >/tmp/held
			rcrstat -i 0.2 -n 1 | tail -n 1 | cut -d, -f5 >>/tmp/held'
}

for name in $changed; do
	others=$(tr ' ' '\n' <<<"$set_of" | grep -vx "$name" | xargs)
	change "$others PAPI_BR_INS" "remove $name, add PAPI_BR_INS and finalize" \
		replace "$name" PAPI_BR_INS
	counts_right "change: the set with PAPI_BR_INS matches the formula"
	change "$set_of" "remove PAPI_BR_INS, add $name and finalize" replace PAPI_BR_INS "$name"
	counts_right "change: the set with $name matches the formula again"
	change "$others PAPI_BR_MSP" "reassign $name PAPI_BR_MSP" rcrctl reassign "$name" PAPI_BR_MSP
	change "$set_of" "reassign PAPI_BR_MSP $name" rcrctl reassign PAPI_BR_MSP "$name"
	change "$set_of" "finalize --hold without $name succeeds, and the set is as before afterwards" \
		held "$name" PAPI_BR_INS
	is "$(sed -n 's/^PAPI_BR_INS .* \(ok\) .*/\1/p' /tmp/held) $(tail -n 1 /tmp/held)" "ok ok" \
		"change: PAPI_BR_INS was counted while the command ran, and every status was ok"
	counts_right "change: the default set matches the formula after the hold of $name"
	# shellcheck disable=SC2086 # split into words
	[ "$(names)" = "$set_of" ] || rcrctl set $set_of
done
modprobe -r rcrtool
is "$? $(grep -c ^rcrtool /proc/modules)" "0 0" "change: modprobe -r unloads the module"
finished
