#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The table of the bench, computed from fake results.

setup() {
	BENCH=$BATS_TEST_DIRNAME/../bench
	cd "$BATS_TEST_TMPDIR"
	cat >rows <<-'END'
		# a comment
		ratio|a poller, against a tick|poll|tick|>=|20
		slow|another, against "a tick"|slow|tick|>=|20
		info|of no goal|slow|tick||
		same|two accounts|own|traced|within|0.10
		apart|two accounts|own|other|within|0.10
		quiet|interrupts|busy|idle|idle|
		loud|interrupts|loud|idle|idle|
		none|left over|zero|1|<=|0
		share|of the periods|share|1|<|0.25
	END
	# 2 GHz; a tick is the median of 1000, 1100 and 9000 cycles, 550 ns.
	cat >results <<-'END'
		# not a result
		bench|khz|2000000|kHz|1
		bench|tick|9000|cycles|10|0
		bench|tick|1000|cycles|20|0
		bench|tick|1100|cycles|30|0
		bench|poll|44000|cycles|5
		bench|slow|10450|ns|7
		bench|own|1050|cycles|3|25000
		bench|traced|1100|cycles|3
		bench|other|1200|cycles|3
		bench|idle|3||1
		bench|idle|12||1
		bench|idle|5||1
		bench|busy|12||1
		bench|loud|13||1
		bench|zero|0|ticks|4
		bench|share|0.25||4
	END
}

table() {
	awk -f "$BENCH/table.awk" rows results
}

# of ROW: print the measurement, and whether the goal is met.
of() {
	table | awk -v row="$1" '$1 == row { sub(/^[^ ]+ +/, ""); print }'
}

@test "a ratio is computed from the medians, in the same unit" {
	[[ $(of ratio) == "40 "*">= 20 yes "*"22000 ns / 550 ns "*" 65 "*" 0 "* ]]
	[[ $(of slow) == "19 "*">= 20 NO "*"10450 ns / 550 ns "*" 67 "*" 0 "* ]]
}

@test "the median of an even number of rounds is the mean of the middle two" {
	echo 'bench|tick|1300|cycles|30|0' >>results
	[[ $(of ratio) == "36.7 "*"22000 ns / 600 ns"* ]]
}

@test "a row without a goal is neither met nor missed" {
	[[ $(of info) == "19 "*"10450 ns"* ]]
	[[ $(of info) != *yes* && $(of info) != *NO* ]]
	[[ $(table | tail -n 1) == "4 of 8 goals are met" ]]
}

@test "a row is compared with its goal: within, as idle, at most, less than" {
	[[ $(of same) == "0.95 "*" yes "*" 6 "*" 25000 "* ]]
	[[ $(of apart) == "0.88 "*" NO "* ]]
	[[ $(of quiet) == "7 "*"as idle yes "* ]]
	[[ $(of loud) == "8 "*"as idle NO "* ]]
	[[ $(of none) == "0 "*"<= 0 yes "* ]]
	[[ $(of share) == "0.25 "*"< 0.25 NO "* ]]
}

@test "a row without a result is reported, and is a failure if it has a goal" {
	sed -i /slow/d results
	run table
	[ "$status" -eq 1 ]
	[[ ${lines[-1]} == "4 of 7 goals are met; not measured: slow info" ]]
	sed -i /^slow/d rows
	run table
	[ "$status" -eq 0 ]
	[[ ${lines[-1]} == "4 of 7 goals are met; not measured: info" ]]
	sed -i /poll/d results
	run table
	[ "$status" -eq 1 ]
}

@test "a broken promise is a failure and is reported" {
	sed -i '/^none/s/$/|P4/' rows
	run table
	[ "$status" -eq 0 ]
	sed -i '/^slow/s/$/|P3/' rows
	run table
	[ "$status" -eq 1 ]
	[[ "$output" == *"promises that are broken: slow (P3)"* ]]
}

@test "the rows of the bench refer to existing promises" {
	grep -v '^#' "$BENCH/rows" | awk -F'|' '$7 != "" && $5 != "" { print $7 }' >promises
	[ "$(wc -l <promises)" -ge 3 ]
	for promise in $(cat promises); do
		grep -q "^## $promise:" "$BENCH/../../Documentation/dev/promises.md"
	done
}

@test "an unknown comparison is an error" {
	sed -i 's/|>=|/|=>|/' rows
	run table
	[ "$status" -eq 2 ]
	[[ "$output" == *"no such way to compare: =>"* ]]
}

@test "the JSON has the same figures" {
	sed -i '/^bench|share/d' results
	rc=0
	awk -v json=1 -f "$BENCH/table.awk" rows results >json || rc=$?
	[ "$rc" -eq 1 ]
	python3 - <<-'END'
		import json
		got = json.load(open("json"))
		rows = {r["row"]: r for r in got["rows"]}
		assert list(rows) == "ratio slow info same apart quiet loud none".split(), rows
		assert rows["ratio"]["shown"] == 40 and rows["ratio"]["met"] is True
		assert rows["ratio"]["value"] == 22000 and rows["ratio"]["unit"] == "ns"
		assert rows["ratio"]["against"] == 550 and rows["ratio"]["budget_ppm"] == 0
		assert rows["ratio"]["measurements"] == 65 and rows["ratio"]["goal"] == ">= 20"
		assert rows["slow"]["met"] is False
		assert rows["slow"]["what"] == 'another, against "a tick"'
		assert rows["info"]["met"] is None and rows["info"]["goal"] is None
		assert rows["none"]["budget_ppm"] is None
		assert (got["goals"], got["met"], got["missing"]) == (7, 4, ["share"])
	END
}

# sized NAME_SIZE: measures recorded rings or guests of that size.
sized() {
	case ${1##*_} in
	64 | 256 | 1024)
		grep -qE "tell(_time)?\(b, \"${1%_*}\"" "$BENCH/reader.c" && return
		grep -qF "bench|${1%_*}_%u|" "$BENCH/judge.c" && return
		;;
	esac
	grep -qE "tell_scaled ${1%_*} |tell\(\"${1%_*}\", argv" "$BENCH/scaled.sh" "$BENCH/between.c" &&
		grep -qE "^guest ${1##*_} " "$BENCH/scale.sh"
}

@test "each row of the bench refers to a result that a program prints" {
	grep -v '^#' "$BENCH/rows" | awk -F'|' 'NF != 6 && NF != 7 { exit 1 }'
	for name in $(grep -v '^#' "$BENCH/rows" | awk -F'|' '{ print $3; print $4 }' | sort -u); do
		[ "$name" = 1 ] || grep -qE "(tell|tell_timer|crossing|kept|reopen|group|poller|sampled|wakeups|spent\") $name( |\$)|measure\(\"$name\"|tell\(\"$name\"|bench\|$name\|" \
			"$BENCH"/*.sh "$BENCH"/*.c || grep -q "fires ${name%_*} " "$BENCH/guest.sh" ||
			[[ $name =~ ^(tick|callback)_(own|bare)_(1|6|12)$ ]] ||
			sized "$name" ||
			{ echo "$name"; false; }
	done
}

@test "bench.sh refuses unknown and invalid options" {
	run "$BENCH/../bench.sh" -h
	[ "$status" -eq 0 ]
	[[ "$output" == *"--json"* ]]
	run "$BENCH/../bench.sh" -r 0
	[ "$status" -eq 1 ]
	[[ "$output" == "bench.sh: invalid -r '0': use 1 to 99 rounds" ]]
	run "$BENCH/../bench.sh" --nothing
	[ "$status" -eq 1 ]
	[[ "$output" == *"unknown option --nothing"* ]]
}

@test "ticks traced by instruction are turned into results" {
	# Two ticks of the bare timer: from the interrupt (100) to the iret (900), the
	# callback being the function called in between, at 0x5000 + 0x10.
	cat >told <<-'END'
		kernel 100 T asm_sysvec_apic_timer_interrupt
		kernel 900 T native_irq_return_iret
		run 1 bare 1 0x5000 8
		bench|kept_instructions|8|instructions|1
	END
	echo "bare 0000000000000010 bare_tick" >callbacks
	{
		echo "steps 1"
		for _ in 1 2; do
			for at in 100 104 5010 5014 5018 108 10c 900; do
				echo "Trace 0: 0x7f0000000000 [0000000000000000/$at/00000000/ff000000]"
			done
		done
	} >steps
	run python3 "$BENCH/steps.py" -b told steps callbacks
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "bench|tick_bare_1|8|instructions|2" ]
	[ "${lines[1]}" = "bench|callback_bare_1|3|instructions|2" ]
	[ "${lines[2]}" = "bench|kept_instructions|8|instructions|1" ]
	[ "${#lines[@]}" -eq 3 ]
}
