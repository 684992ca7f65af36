#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# subscribing.sh - only root and members of the device's group can subscribe to meters and watch
# bounds, even if a site has opened the device to all users. A malformed request returns an error
# and changes nothing.
. ./tap.sh
plan 11
GROUP=4711
chmod 755 /rcr /rcr/bin /rcr/tests
user=(setpriv --reuid 1001 --regid 1001 --clear-groups --inh-caps=-all --bounding-set=-all)
member=(setpriv --reuid 1000 --regid 1000 --groups "$GROUP" --inh-caps=-all --bounding-set=-all)
ENOENT=2 E2BIG=7 EFAULT=14 EINVAL=22 ENOTTY=25 ESTALE=116

meters()
{
	sed -n "s/^meters: .*\b$1 \([0-9]*\).*/\1/p" $STATUS
}

# errors WHAT WAY...: prints the errors of these requests, without duplicates.
errors()
{
	local what=$1 way
	shift
	for way; do
		sed -n "s/^$what $way //p" /tmp/wrong
	done | sort -u | tr '\n' ' '
}

load period_us=1000 budget_ppm=0
rcrctl meter load && rcrctl meter add mem_bw && rcrctl meter add cycles TOT_CYC --over cpu --scale 1s
result $? "subscribing: two meters are added"
chgrp $GROUP /dev/rcrboard
chmod 666 /dev/rcrboard
sleep 0.5
read -r ENTRY SERIAL _ < <(./subscriber entry cycles machine)
export ENTRY SERIAL
is "$(./subscribing may)" "all 0 subscribe 0 watch 0" "subscribing: root can map, subscribe and watch"
is "$("${member[@]}" ./subscribing may)" "all 0 subscribe 0 watch 0" \
	"subscribing: a member of the device's group can map, subscribe and watch"
is "$("${user[@]}" ./subscribing may)" "/dev/rcrboard: Operation not permitted" \
	"subscribing: a user cannot open the device even if its mode allows it"

# Malformed requests.
mkfifo /tmp/go
exec 4<>/tmp/go
before=$(meters passes)
"${member[@]}" ./subscribing wrong cycles <&4 >/tmp/wrong &
asker=$!
soon grep -q 'done' /tmp/wrong
sed 's/^/# /' /tmp/wrong
is "$(errors subscribe flags interval small nothing)" "$EINVAL " \
	"subscribing: an unknown flag, an interval of more than a day and a size that is too small are EINVAL"
is "$(errors subscribe beyond last free)" "$ENOENT " "subscribing: an entry without a meter is ENOENT"
is "$(errors subscribe another none)" "$ESTALE " "subscribing: a serial of another meter is ESTALE"
is "$(errors subscribe unknown huge) $(errors subscribe nowhere) $(errors subscribe number)" \
	"$E2BIG  $EFAULT  $ENOTTY " "subscribing: an unknown field is E2BIG, a bad address EFAULT and an unknown request ENOTTY"
is "$(errors watch flags window back below small) $(errors watch beyond) $(errors watch another) $(errors watch unknown)" \
	"$EINVAL  $ENOENT  $ESTALE  $E2BIG " "subscribing: a malformed watch has the same errors"
sleep 1
is "$(meters passes)" "$before" "subscribing: nothing is evaluated for refused requests"
echo >&4
wait $asker
is "$(errors subscribe known)" "0 " "subscribing: a larger structure is accepted if its unknown part is 0"
unload
finished
