#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# stat_meters.sh MODEL - rcrstat -m and -j on an installed machine with all defaults, run by root,
# by a member of the group rcrtool and by an ordinary user. Values are compared with the virtual
# PMU's formula, which has a constant rate on each CPU.
. ./defaults/common.sh
machine "$1"
case $1 in
fam15h) FLOPS=$((0xff03)) ;;
*) FLOPS=$((0x0f03)) ;;
esac
plan 31

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
state() { rcrctl ls | cut -d' ' -f1; enabled_controls; }

# A hold ends asynchronously after its descriptor was closed.
is_as_before() { [ "$(state)" = "$before" ]; }

# per_second SELECT: prints the counts per second of all four CPUs.
per_second()
{
	awk -v khz="$(tsc_khz)" -v select="$1" 'BEGIN {
		for (cpu = 0; cpu < 4; cpu++)
			sum += (1 + (1009 * (select % 256) + 97 * int(select / 256) + 4099 * cpu) % 49999) / 65536
		printf "%.6f\n", sum * khz * 1000 }'
}

# near VALUE EXPECTED: true if the two differ by at most 0.2 %.
near()
{
	awk -v value="$1" -v expected="$2" 'BEGIN {
		printf "# %s, expected %s\n", value, expected
		exit !(expected > 0 && value / expected > 0.998 && value / expected < 1.002) }'
}

# column NAME FILE: prints the last value of a column.
column()
{
	grep -v '^#' "$2" | awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		END { print at ? $at : "no column" }'
}

plain_load
before=$(state)
rate_of_cycles=$(per_second $((0x$CYCLES)))
instructions=$(per_second $((0xc0)))
ipc=$(awk -v a="$instructions" -v b="$rate_of_cycles" 'BEGIN { print a / b }')

# The registers of a sample are not read at the same moment, and the host may stop the CPU in
# between, so these checks are repeated by once_in.
average_is_right()
{
	rcrstat -m ipc,cpi 0.5 2 >/tmp/csv 2>/tmp/err
	status=$?
	near "$(column all:ipc /tmp/csv)" "$ipc"
}

current_is_right()
{
	rcrstat -m ipc 0.5 1 >/tmp/current
	awk -v value="$(column all:ipc:current /tmp/current)" -v expected="$ipc" 'BEGIN {
		print "# " value; exit !(value / expected > 0.9 && value / expected < 1.1) }'
}

shown_is_right()
{
	rcrctl meter show ipc >/tmp/show 2>&1
	near "$(awk '/^average/ { print $2; exit }' /tmp/show)" "$ipc"
}

# package_is_right PACKAGE: true if the package's meter is the ratio of the package's sums, which
# another command prints.
package_is_right()
{
	as member rcrstat -m ipc -p package 0.5 1 >/tmp/packages
	near "$(column "package$1:ipc" /tmp/packages)" "$(rcrstat -p package 0.5 1 | awk -F, -v p="package$1" '
		NR == 1 { for (i = 1; i <= NF; i++) { if ($i == p ":TOT_INS:sum") a = i; if ($i == p ":TOT_CYC:sum") b = i } }
		/^[0-9]/ { print $a / $b }')"
}

json_is_right()
{
	as member rcrstat -j -m ipc -n 1 >/tmp/json
	status=$?
	near "$(sed -n 's/.*"average": \([0-9.]*\).*/\1/p' /tmp/json)" "$ipc"
}

once_in 5 average_is_right
result $? "stat: the average of a ratio is the formula's"
once_in 5 current_is_right
result $? "stat: a meter has its current value"
is "$status $(wc -l </tmp/err) $(grep -vc '^#' /tmp/csv)" "0 0 3" "stat: root prints meters"
near "$(column all:cpi /tmp/csv)" "$(awk -v a="$ipc" 'BEGIN { print 1 / a }')"
result $? "stat: a meter that is the inverse of another has the inverse value"
is "$(sed -n 2p /tmp/csv)" "# unit ipc 1" "stat: the unit is printed in a comment"
is "$(state)" "$before" "stat: rcrstat does not change the set for meters that are counted"
once_in 5 shown_is_right
result $? "stat: rcrctl meter shows the same average"
as member rcrstat -m ipc -p package 0.5 1 >/tmp/csv
is "$? $(head -n 1 /tmp/csv | tr , '\n' | grep -c :ipc$)" "0 3" "stat: a member reads each package and the machine"
for package in 0 1; do
	once_in 5 package_is_right $package
	result $? "stat: package $package has the ratio of its sums"
done
as member rcrstat -m ipc -e cycles -n 1 -f table >/tmp/table
is "$? $(grep -c '^ipc  *all  *[0-9.]*  *[0-9.]*$' /tmp/table) $(grep -c '^all sum ' /tmp/table)" "0 1 1" \
	"stat: a table has meters and chosen events"
sed 's/^/# /' /tmp/table
once_in 5 json_is_right
result $? "stat: JSON has the same value"
is "$status $(wc -l </tmp/json)" "0 1" "stat: JSON is one line"

# A meter whose events are not counted.
grep -q RETIRED_FLOPS <<<"$before"
is $? 1 "stat: flop_rate is not counted by default"
as member rcrstat -m flop_rate -n 1 >/tmp/out 2>/tmp/err
is "$? $(wc -l </tmp/err) $(grep -c CAP_SYS_RAWIO /tmp/err) $(wc -l </tmp/out)" "1 1 1 0" \
	"stat: a member cannot add the events of a meter"
as member rcrstat -m flop_rate -- touch /tmp/started 2>/tmp/err
is "$? $(wc -l </tmp/err)" "125 1" "stat: no command is started after a refusal"
as user rcrstat -m ipc -- touch /tmp/started 2>/tmp/err
is "$? $(wc -l </tmp/err)" "125 1" "stat: no command of an ordinary user is started"
rcrstat -m no_such -- touch /tmp/started 2>/tmp/err
is "$? $(grep -c "unknown meter 'no_such'" /tmp/err)" "125 1" "stat: no command is started for an unknown meter"
rcrstat -m net_rx -- touch /tmp/started 2>/tmp/err
is "$?" 125 "stat: no command is started for a posted meter"
[ ! -e /tmp/started ]
result $? "stat: nothing was started"
rcrstat -m flop_rate 0.5 2 >/tmp/csv 2>/tmp/err
is "$? $(wc -l </tmp/err)" "0 0" "stat: root adds the events of a meter"
near "$(column all:flop_rate /tmp/csv)" "$(per_second $FLOPS)"
result $? "stat: a meter that was added has the rate of the formula"
soon is_as_before
result $? "stat: the set is as before after rcrstat"
rcrstat -j -o /tmp/json -m flop_rate -e branch-misses -- sh -c 'rcrctl ls >/tmp/ls; sleep 1'
is "$? $(grep -c 'name": "branch-misses' /tmp/json) $(grep -c FLOPS /tmp/ls)" "0 1 1" "stat: the events of a meter are held for a command"
near "$(sed -n 's/.*"name": "flop_rate", "unit": "flop.s", "value": \([0-9.]*\).*/\1/p' /tmp/json)" "$(per_second $FLOPS)"
result $? "stat: the meter has its average over the time of the command"
soon is_as_before
rcrstat -m cpi,ipc -- sleep 0.5 2>/tmp/err
is "$? $(grep -cE '^[ci]p[ci]  *[0-9.]* *$' /tmp/err)" "0 2" "stat: a command's table has meters"
sed 's/^/# /' /tmp/err
soon is_as_before
result $? "stat: the set is as before after the command"
rcrstat -e branch-misses -m flop_rate -n 1 >/tmp/csv
near "$(column all:flop_rate /tmp/csv)" "$(per_second $FLOPS)"
result $? "stat: the first interval has a value"
# More events than general counters fit only if the default set gave up instructions.
rcrstat -m flop_rate,l2_miss_ratio,ipc -e branches,branch-misses -- touch /tmp/started 2>/tmp/err
is "$? $(wc -l </tmp/err) $(ls /tmp/started 2>/dev/null)" "125 1 " "stat: events that do not all fit are refused together: $(cat /tmp/err)"
soon is_as_before
result $? "stat: the set is as before after a refusal"
is "$(tail -n 1 /tmp/csv | tr , '\n' | grep -c '^$')" 0 "stat: no cell is empty"
rmmod rcrtool
finished
