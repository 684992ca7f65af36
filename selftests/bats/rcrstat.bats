#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrstat's command line without a module. Tests with a module are in guest/control/badinput.sh.

load says

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$PATH
}

@test "--help prints every option and the exit statuses" {
	run rcrstat --help
	[ "$status" -eq 0 ]
	for word in --interval --count --events --meters --json --cpus --format --per --component-id --relations --sysfs --output --device --read --follow --help --version "Exit status"; do
		[[ "$output" == *"$word"* ]]
	done
}

@test "--help and the manual page name the same options" {
	same_options rcrstat "$TOP/Documentation/man/rcrstat.1"
}

@test "--version is VERSION" {
	run rcrstat --version
	[ "$output" = "rcrstat $(cat "$TOP/VERSION")" ]
}

@test "without the module the error says how to load it" {
	says 1 "/nonexistent: No such file or directory" rcrstat -d /nonexistent
}

@test "a file that is not a stream is refused" {
	says 1 "is not a recording that this program reads" rcrstat -d "$TOP/README.md"
	says 1 "is not a recording that this program reads" rcrstat -d /dev/null
}

@test "missing and invalid recordings are reported" {
	says 1 "/nonexistent: No such file or directory" rcrstat -r /nonexistent
	says 1 "README.md: offset 0: not a recording" rcrstat -r "$TOP/README.md"
	says 2 "option '-F' needs '-r FILE'" rcrstat -F
}

@test "the output file is not touched without a device" {
	echo keep >"$BATS_TEST_TMPDIR/keep"
	says 1 "No such file" rcrstat -d /nonexistent -o "$BATS_TEST_TMPDIR/keep"
	[ "$(cat "$BATS_TEST_TMPDIR/keep")" = keep ]
}

@test "wrong options are refused with status 2" {
	says 2 "invalid interval '0'" rcrstat -i 0
	says 2 "invalid interval 'x'" rcrstat -i x
	says 2 "invalid interval '1x'" rcrstat -i 1x
	says 2 "invalid interval 'inf'" rcrstat --interval inf
	says 2 "invalid interval '1e300'" rcrstat -i 1e300
	says 2 "invalid count '0'" rcrstat -n 0
	says 2 "invalid count '-1'" rcrstat -n -1
	says 2 "invalid count '1.5'" rcrstat -n 1.5
	says 2 "invalid list of CPUs '3-1'" rcrstat -c 3-1
	says 2 "invalid list of CPUs ''" rcrstat -c ""
	says 2 "invalid list of CPUs '1,,2'" rcrstat -c 1,,2
	says 2 "invalid list of CPUs '8192'" rcrstat -c 8192
	says 2 "unknown format 'xml'" rcrstat -f xml
	says 2 "unknown format ''" rcrstat -f ""
	says 2 "unexpected word 'sleep': to count while a command runs, write 'rcrstat -- sleep'" rcrstat sleep 1
	says 2 "invalid count 'x'" rcrstat 1 x
	says 2 "unexpected word '2' after the interval and the count" rcrstat 1 1 2
	says 2 "unknown unit 'socket'" rcrstat --per socket
	says 2 "option '--per' is only for the formats table, csv, json and svg" rcrstat -p node -f ldms
	says 2 "option '--per' is only for" rcrstat -f raw -p all
	says 2 "invalid component id '-1'" rcrstat --component-id -1
	says 2 "option '--component-id' cannot be used with '-r' and the format raw" rcrstat -r stream -f raw --component-id 1
	says 2 "the format raw has no intervals: option '-i' needs '-n'" rcrstat -i 2 -f raw
	says 2 "options -d and -r both name a source: use one of them" rcrstat -r stream -d stream
	says 2 "options -d and -r both name a source: use one of them" rcrstat -d stream -r stream
	says 2 "unknown option '-x'" rcrstat -x
	says 2 "option '-i' needs an argument" rcrstat -i
}

@test "a command is not started, with status 125, if rcrstat cannot count" {
	cd "$BATS_TEST_TMPDIR"
	says 125 "a command is missing after '--'" rcrstat --
	says 125 "only -e, -m, -c, -j and -o can be used with a command" rcrstat -n 1 -- touch started
	says 125 "only -e, -m, -c, -j and -o can be used with a command" rcrstat -p all -- touch started
	for words in "-i 1" "2" "2 3" "--component-id 4" "--relations none" "-F" "-r stream" "-d stream" "-f csv"; do
		# shellcheck disable=SC2086 # words of options
		says 125 "only -e, -m, -c, -j and -o can be used with a command" rcrstat $words -- touch started
	done
	says 125 "unknown option '-x'" rcrstat -x -- touch started
	says 2 "option '-j' is a format" rcrstat -j -f table
	says 2 "a meter is missing in the list" rcrstat -m ""
	says 2 "option '-m' is only for the formats table, csv, json and svg" rcrstat -m ipc -f ldms
	says 2 "option '-e' cannot be used with the format raw" rcrstat -e cycles -f raw
	[ -e /dev/rcrtool ] || says 125 "is not there: load the module" rcrstat -- touch started
	[ -e /dev/rcrtool ] || says 125 "is not loaded" rcrstat -e cycles -- touch started
	[ ! -e started ]
}

@test "-e chooses counters of a saved stream by name" {
	PATH=$TOP/build/unit:$PATH
	cd "$BATS_TEST_TMPDIR"
	make_stream cpus=2 set run=2010 >stream
	rcrstat -d stream -e TOT_INS,BR_MSP >chosen
	head -n 1 chosen | grep -qx 'time,interval,lost,overruns,status,cpu0:TOT_INS,cpu0:BR_MSP,cpu1:TOT_INS,cpu1:BR_MSP'
	rcrstat -d stream | cut -d, -f1-5,7,11,13,17 | cmp - chosen
	rcrstat -d stream -e TOT_CYC,TOT_INS -f table | sed -n 3p | grep -qx ' *IPC  TOT_CYC  TOT_INS'
	says 1 "an event is missing in the list" rcrstat -d stream -e TOT_INS,,BR_MSP
	# Letter case does not matter, and a duplicate is dropped.
	rcrstat -d stream -e Tot_Ins,br_msp -e TOT_INS >other
	sed 's/Tot_Ins/TOT_INS/g; s/br_msp/BR_MSP/g' other | cmp - chosen
	rcrstat -d stream >csv
	rcrstat -r csv -e tot_ins,Br_Msp,TOT_INS | head -n 1 | cmp - <(head -n 1 chosen)
	says 1 "csv: no column of event 'tot_in'" rcrstat -r csv -e tot_in
}

# stream WORD...: make a saved stream of two CPUs of a family with meters.
saved_stream() {
	"$TOP/build/unit/make_stream" "family=AMD Fam15h" select=1:4300c0 cpus=2 set "$@"
}

@test "-m computes meters of a saved stream from its counters, in each format" {
	cd "$BATS_TEST_TMPDIR"
	saved_stream run=2010 >stream
	rcrstat -d stream >rates 2>/dev/null
	rcrstat -d stream -m ipc,cpi --relations none >meters
	head -n 2 meters | diff - <(printf '%s\n' time,interval,lost,overruns,status,all:ipc,all:ipc:current,all:cpi,all:cpi:current '# unit ipc 1')
	paste -d, <(tail -n 2 rates) <(tail -n 2 meters) |
		awk -F, '{ ipc = ($7 + $13) / ($6 + $12); d = ipc - $23; e = 1 / ipc - $25
			exit !(d * d < 1e-12 && e * e < 1e-12 && ipc > 0.1) }'
	rcrstat -d stream -m ipc -e TOT_INS -p all --relations none | head -n 1 |
		grep -qx 'time,interval,lost,overruns,status,all:TOT_INS:sum,.*:dev,all:ipc,all:ipc:current'
	rcrstat -d stream -m ipc -f table --relations none | sed -n 3p | grep -qx 'METER *PLACE *CURRENT *AVERAGE *UNIT'
	rcrstat -d stream -m ipc,cpi,ipc -m cpi --relations none | cmp - meters
	says 1 "the recording lacks the counters of meter 'flop_rate'" rcrstat -d stream -m flop_rate
	says 1 "meter 'nothing' is not known for a recording of 'AMD Fam15h'" rcrstat -d stream -m nothing
	says 1 "at most 16 meters" rcrstat -d stream -m "$(seq -s, 1 17)"
}

@test "-j prints one object per line, with the numbers of csv, and null for missing ones" {
	cd "$BATS_TEST_TMPDIR"
	saved_stream run=1500 foreign=1:2 run=100 foreign=1:2 begin=7 run=1500 silent=0 run=4500 >stream
	rcrstat -d stream --relations none >csv
	rcrstat -d stream --relations none -j >json
	python3 - csv json <<-'END'
		import csv, json, sys
		lines = [line for line in open(sys.argv[1]) if not line.startswith("#")]
		rows = list(csv.DictReader(lines))
		objects = [json.loads(line) for line in open(sys.argv[2])]
		assert [o["text"] for o in objects if "mark" in o] == ["7"]
		objects = [o for o in objects if "mark" not in o]
		assert len(rows) == len(objects) > 2
		missing = 0
		for row, o in zip(rows, objects):
		    assert float(row["time"]) == o["time"] and int(row["lost"]) == o["lost"]
		    for place in o["places"]:
		        for c in place["counters"]:
		            cell = row[place["place"] + ":" + c["name"]]
		            assert (c["rate"] is None) == (not cell) == (c["status"] != "ok")
		            assert c["rate"] is None or c["rate"] == float(cell)
		            missing += c["rate"] is None
		assert missing > 3
	END
	rcrstat -d stream --relations none -j -p all -m ipc | grep -v mark | python3 -c 'import json, sys; assert all(json.loads(line)["meters"][0]["name"] == "ipc" for line in sys.stdin)'
	"$TOP/build/unit/make_stream" 'name=0:A"B' cpus=2 set run=1010 | rcrstat -d /dev/stdin -j |
		python3 -c 'import json, sys; assert json.loads(sys.stdin.read())["places"][0]["counters"][0]["name"] == "A\"B"'
}

@test "-p process and -p cgroup print shares by the task of each sample, labelled" {
	cd "$BATS_TEST_TMPDIR"
	saved_stream run=2010 >stream
	rcrstat -r stream -p process --relations none >shares
	head -n 1 shares | grep -q '^time,interval,lost,overruns,process,name,samples,cpu,cpu:error,TOT_CYC,TOT_CYC:error,'
	sed -n 2p shares | grep -q '^# statistical shares by the process of each sample'
	# Both CPUs are idle: all counts are one share, without an error.
	rcrstat -r stream -p all --relations none | tail -n 1 | cut -d, -f1-4,6 >all
	tail -n 1 shares | awk -F, -v OFS=, '{ print $1, $2, $3, $4, $10 }' | diff - all
	[ "$(tail -n 1 shares | cut -d, -f5-9,11)" = 0,idle,200,2.000000,0.000000,0.0 ]
	rcrstat -r stream -p cgroup --relations none -j | python3 -c 'import json, sys; assert all(json.loads(line)["statistical"] and json.loads(line)["cgroups"][0]["name"] == "idle" for line in sys.stdin)'
	rcrstat -r stream -p process -f table --relations none | sed -n 2p |
		grep -q '^statistical shares, with their standard errors$'
	says 2 "option '-m' cannot be used with '-p process'" rcrstat -r stream -p process -m ipc
	says 2 "option '--per' with tasks is only for the formats table, csv and json" rcrstat -r stream -p cgroup -f ldms
}

# complete_after WORD...: print what bash completes the last word to.
complete_after() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rcrstat
		printf "%s\n" "${COMPREPLY[@]}"' - "$TOP/userspace/system/completion/rcrstat.bash" "$@" | sort -u
}

@test "completion and help have the same options, formats and units" {
	diff <(complete_after rcrstat --) <(rcrstat --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	for format in $(complete_after rcrstat -f ''); do
		run rcrstat -f "$format" -o "$BATS_TEST_TMPDIR/out" -d /nonexistent
		[ "$status" -eq 1 ]
	done
	for per in $(complete_after rcrstat -p ''); do
		run rcrstat -p "$per" -d /nonexistent
		[ "$status" -eq 1 ]
	done
	[ "$(complete_after rcrstat -e cyc)" = cycles ]
	complete_after rcrstat -e cycles -- tru | grep -qx true
}

# The error for an unknown format lists the formats of the program.
@test "help, manual page and both completions have exactly the formats of the program" {
	rcrstat -f none 2>&1 | sed 's/.*: use //; s/;.*//; s/ or /, /; s/, /\n/g' | sort >"$BATS_TEST_TMPDIR/formats"
	cd "$BATS_TEST_TMPDIR"
	[ "$(wc -l <formats)" -ge 12 ]
	complete_after rcrstat -f '' | diff formats -
	sed -n 's/.*--format) compadd \(.*\) ;;/\1/p' "$TOP/userspace/system/completion/_rcrstat" | tr ' ' '\n' | sort | diff formats -
	rcrstat --help | sed -n '/--format/,/--per/p' | sed '1s/--format FORMAT//; s/-f,//' |
		sed -n 's/^ *\([a-z_]*\(, [a-z_]*\)*\): .*/\1/p' | sed 's/, /\n/g' | sort | diff formats -
	sed -n '/^\.BR .-f .*format/,/^\.RE/p' "$TOP/Documentation/man/rcrstat.1" |
		sed -n '/^\.TP/{n;s/^\.BR* //p}' | sed 's/ ", " /\n/g' | sort | diff formats -
}
