#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# formulas.sh - formulas that the module cannot evaluate: rcrd computes them from meters of their
# parts. Tests values, statuses, rights, and restarts of rcrd.
. ./tap.sh
plan 34
. ./rcrd_lib.sh
METERS=/sys/kernel/debug/rcrtool/meters

value()
{
	sed -n "s/^$2: //p" "$METERS/$1"
}

# shows METER CURRENT: true if the meter has that value and status ok.
shows()
{
	[ "$(value "$1" status) $(value "$1" current)" = "ok $2" ]
}

shows_zero()
{
	shows "$1" 0.000 || shows "$1" -0.000
}

is_ok()
{
	[ "$(value "$1" status)" = ok ]
}

is_not_ok()
{
	! is_ok "$1"
}

names()
{
	find $METERS -type f -name "$1*" -exec basename {} \; | sort | tr '\n' ' '
}

# post_on P Q: keeps posting P and Q to the meters p and q, in the background.
post_on()
{
	while :; do
		rcrctl meter post p "$1"
		rcrctl meter post q "$2"
		sleep 0.1
	done &
	poster=$!
}

post_off()
{
	kill $poster
	wait $poster 2>/dev/null
}

# near A B: true if the two differ by at most one in a hundred.
near()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }'
}

# The ratio differs by CPU, so a window that lacks a late CPU has a different value. rcrd read its
# operands earlier than this test does: repeat until both readings are of such windows.
is_larger()
{
	near "$(value big current)" "$(awk -v a="$(value big.part1 average)" -v b="$(value big.part2 average)" \
		'BEGIN { printf "%f", (a > b ? a : b) }')"
}

is_one_more()
{
	near "$(value more current)" "$(awk -v a="$(value more.part1 average)" 'BEGIN { printf "%f", 1 + a }')"
}

users
load period_us=10000 budget_ppm=0
give_devices
rcrctl set TOT_CYC TOT_INS || exit 1
rcrctl meter add p --posted --digits 0 && rcrctl meter add q --posted --digits 0 || exit 1

# Without rcrd.
says 1 "'max(TOT_CYC, TOT_INS)' cannot be computed in the kernel: only sums, ratios, and min, max or mean over CPUs can; rcrd can: start it" \
	rcrctl meter add big "max(TOT_CYC, TOT_INS)"
says 1 "unknown event 'NO_SUCH'" rcrctl meter add big "max(TOT_CYC, NO_SUCH)"
is "$(names big)" "" "formulas: without rcrd nothing is made"

# Counters.
start
rcrctl meter add big "max(TOT_CYC, TOT_INS)"
is "$? $(names big)" "0 big big.part1 big.part2 " "formulas: rcrd adds the meter and meters of its two parts"
soon is_ok big
soon is_larger
result $? "formulas: max(A, B) is the larger one: $(value big current) of $(value big.part1 average) and $(value big.part2 average)"
rcrctl meter add more "1 + TOT_INS / TOT_CYC" --unit 1 --digits 3 --scale 2s
is "$? $(names more) $(value more unit)" "0 more more.part1  1" "formulas: parts that the module can evaluate together become one meter"
soon is_ok more
soon is_one_more
result $? "formulas: 1 + A / B is one more than the ratio: $(value more current)"
is "$("${member[@]}" rcrctl meter | grep -c '^big ')" 1 "formulas: a member of the group reads the meter"

# Posted values, which are exact.
rcrctl meter add sum "p * q + 10 * threshold(p, 3) - min(p, q, 2)" --digits 3
rcrctl meter add ratio "p / q"
is "$? $(names sum) $(names ratio)" "0 sum  ratio " "formulas: posted meters need no parts"
sleep 0.5
is "$(value sum status) $(value ratio status)" "gap gap" "formulas: a meter whose operands have no values has none either"
post_on 4 5
soon shows sum 28.000
result $? "formulas: 4 * 5 + 10 * threshold(4, 3) - min(4, 5, 2) is $(value sum current)"
soon shows ratio 0.800000
result $? "formulas: 4 / 5 is $(value ratio current)"
is "$(rcrctl meter show sum --json | grep -o '"[a-z_]*":')" "$(rcrctl meter show p --json | grep -o '"[a-z_]*":')" \
	"formulas: the JSON of a computed meter has the same keys as that of a posted one"
post_off
post_on 3 0
soon shows_zero sum
result $? "formulas: 3 * 0 + 10 * threshold(3, 3) - min(3, 0, 2) is $(value sum current)"
soon is_not_ok ratio
result $? "formulas: 3 / 0 is not ok: $(value ratio status)"
post_off
soon is_not_ok sum
result $? "formulas: a formula is not ok once its operands are no longer posted: $(value sum status)"
post_on 4 5
soon shows sum 28.000
result $? "formulas: the formula is ok when its operands are posted again"

# An operand that is not ok.
soon is_ok big
rcrctl halt TOT_CYC
soon is_not_ok big
result $? "formulas: with a halted counter it is not ok: $(value big status)"
is "$(value sum status)" ok "formulas: a formula without the halted counter stays ok"
rcrctl continue TOT_CYC
soon is_ok big
result $? "formulas: the formula is ok again once the counter continues"
rcrctl set TOT_INS
soon is_not_ok big
result $? "formulas: a formula whose counter was removed is not ok: $(value big status)"
rcrctl set TOT_CYC TOT_INS
soon is_ok big
result $? "formulas: the formula is ok again with the counter"

# rcrd is stopped and started again.
stop
is "$(value big status) $(value sum status)" "gap gap" "formulas: formulas are not ok after rcrd has exited"
start
soon is_ok big
soon shows sum 28.000
soon is_ok more
is "$(value big status) $(value sum status) $(value more status)" "ok ok ok" "formulas: rcrd computes the formulas again after a restart"
stop -KILL
start
soon shows sum 28.000
result $? "formulas: rcrd computes the formulas again after a kill"

# Rights.
says 1 "needs CAP_SYS_RAWIO" "${member[@]}" rcrctl meter add mine "max(TOT_CYC, TOT_INS)"
is "$("${member[@]}" ./clamor ask "formula p 0 1" | tr '\n' ' ')" "failed not permitted: become root" \
	"formulas: a member of the group cannot add a formula to rcrd"
says 1 "computes values of the machine only" rcrctl meter add cores "max(TOT_CYC, TOT_INS)" --over core
says 1 'big' rcrctl meter add big "max(TOT_CYC, 2 * TOT_INS)"
is "$(names mine) $(names cores) $(names big)" "  big big.part1 big.part2 " "formulas: a refused formula leaves no meter"

# Removed.
rcrctl meter remove big
is "$? $(names big)" "0 " "formulas: removing a formula removes the meters of its parts"
rcrctl meter add big "TOT_CYC * 2 + 1" && soon is_ok big
is "$(names big)" "big big.part1 " "formulas: the name of a removed formula can be used again"
stop
echo "big 6" >/var/lib/rcrtool/record/formulas
says 1 "is not a file of formulas of this version of rcrd" rcrd -f
rm /var/lib/rcrtool/record/formulas
post_off
# A program that was posting may not have ended yet.
soon unload
result $? "formulas: the module unloads"
finished
