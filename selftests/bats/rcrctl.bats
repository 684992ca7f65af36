#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrctl without a module. Tests with one: guest/control/control.sh, guest/families/names.sh.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
	export LIBPFM_FORCE_PMU=amd64_fam15h_interlagos
	export RCR_DICTIONARY=$PWD/run/rcrtool/dictionary
	export RCR_TRACEFS=$PWD/tracefs
}

row() {
	echo "$1, $2, $3, 0x00, $4, 0x3, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE"
}

make_dictionary() {
	echo "# a dictionary"
	row TOT_CYC 0xc0010202 0x076 0xc0010203
	row BRANCHES 0xc001020A 0x0c2 0xc001020B
	echo "L3_CACHE_MISSES, 0xc0010240, 0x4E1, 0xF7, 0xc0010241, 0x0, 0x1, 0x0, -a, CTR_UNCORE"
}

@test "--help names every verb and the exit statuses" {
	run rcrctl --help
	[ "$status" -eq 0 ]
	for word in show events apply discard load run replace pause resume repair help set add remove finalize halt continue rewrite reassign mark ls list initialize save period reset meter on record threads why verdicts calibrate; do
		grep -qE "^  $word " <<<"$output"
	done
	[[ "$output" == *"Exit status"* ]]
}

@test "why, verdicts: invalid arguments are refused, and a missing rcrd is reported" {
	says 2 "why: unexpected argument '1'" rcrctl why 1
	says 2 "--job needs a value" rcrctl verdicts --job
	says 2 "--since needs a value" rcrctl verdicts --since ''
	says 2 "unknown argument '--until'" rcrctl verdicts --until now
	says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl why
	says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl verdicts
}

@test "where: an unknown model is refused, and a missing rcrd is reported" {
	says 2 "unknown argument 'disk': use memory, cache, --all or --json" rcrctl where disk
	says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl where cache --json
}

@test "threads: an invalid process id is refused, and a missing rcrd is reported" {
	says 2 "invalid process id '0x5'" rcrctl threads 0x5
	says 2 "invalid process id '-1'" rcrctl threads -1
	says 2 "takes at most 1 argument" rcrctl threads 1 2
	says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl threads
}

@test "--help and the manual page name the same options" {
	same_options rcrctl "$TOP/Documentation/man/rcrctl.8" rcrctl help all
}

@test "--version is VERSION" {
	run rcrctl --version
	[ "$output" = "rcrctl $(cat "$TOP/VERSION")" ]
}

@test "a wrong command line is reported, with status 2" {
	says 2 "unknown option '-v'" rcrctl -v
	says 2 "unknown command" rcrctl frobnicate
	says 2 "add needs an argument" rcrctl add
	says 2 "set needs an argument" rcrctl set
	says 2 "set takes at most 32 arguments" rcrctl set $(seq 33)
	says 2 "add takes at most 32 arguments" rcrctl add $(seq 33)
	says 2 "reassign needs 2 arguments" rcrctl reassign A
	says 2 "halt takes at most 1 argument;" rcrctl halt A B
	says 2 "finalize takes no argument" rcrctl finalize now
	says 2 "invalid period 'soon'" rcrctl period soon
	says 2 "mark begin takes one argument" rcrctl mark begin
	says 2 "mark end takes one argument" rcrctl mark end of the loop
	says 2 "initialize takes one file" rcrctl initialize --skip-wrong
	says 2 "--generation needs a number" rcrctl --generation 0 ls
	says 2 "--generation goes with one verb" rcrctl --generation 1 --batch -
	says 2 "--keep-going goes with --batch" rcrctl --keep-going ls
	says 2 "--batch needs a file" rcrctl --batch
	says 2 "unexpected argument 'ls'" rcrctl --batch /dev/null ls
	says 2 "unknown option '--force'" rcrctl --force ls
	says 2 "list takes --all, --json, --noheadings and one name" rcrctl list A B
	says 2 "show takes no argument but -v, --noheadings and --json" rcrctl show all
	says 2 "apply takes no argument" rcrctl apply now
	says 2 "replace needs 2 arguments" rcrctl replace A
	says 2 "load takes one file or default" rcrctl load a b
	says 125 "run needs -- and a command" rcrctl run --
	says 2 "unknown command 'frobnicate'" rcrctl help frobnicate
	says 2 "ls takes no argument but --json" rcrctl ls all
}

@test "without the module the error says how to load it" {
	for verb in show "show --json" "show -v --noheadings" apply discard "load default" "replace A TOT_CYC" "pause all" "resume all" \
		"repair all" "set TOT_CYC" "set @ldms" "add TOT_CYC" "remove all" finalize "finalize --hold" ls "ls --json" "halt ALL" \
		"continue all" "rewrite all" "reassign A TOT_CYC" "mark x" "save -" "period 1ms" reset; do
		read -ra words <<<"$verb"
		says 1 "rcrtool is not loaded: load it" rcrctl "${words[@]}"
	done
	echo TOT_CYC >a.set
	says 1 "rcrtool is not loaded: load it" rcrctl initialize a.set
	says 1 "rcrtool is not loaded: load it" rcrctl load a.set
	says 1 "rcrtool is not loaded: load it" rcrctl
	says 125 "rcrtool is not loaded: load it" rcrctl run -- touch started
	[ ! -e started ]
}

@test "the error for a mistyped verb suggests the most similar one" {
	while read -r typed meant; do
		says 2 "unknown command '$typed'; did you mean '$meant'?" rcrctl "$typed"
	done <<-'END'
		lst ls
		finalise finalize
		aply apply
		sohw show
		meters meter
		eventss events
	END
	says 2 "unknown command 'status'; see" rcrctl status
}

@test "help of a verb has its usage, its options and an example" {
	run -0 rcrctl help record
	[[ "${lines[0]}" == "Usage: rcrctl record "* ]]
	[[ "$output" == *"--last TIME"*"Example: rcrctl record"* ]]
	run -0 rcrctl finalize -h
	[[ "${lines[0]}" == "Usage: rcrctl apply" ]]
	[[ "$output" == *"'rcrctl finalize' is a synonym."* ]]
}

@test "events prints the same as list, with a heading" {
	rcrctl events '*cache_miss*' 2>/dev/null >events
	grep -q '^NAME  *REGISTERS  *SOURCE  *DESCRIPTION$' events
	rcrctl list '*cache_miss*' 2>/dev/null >list
	rcrctl events --noheadings '*cache_miss*' 2>/dev/null | cmp - list
}

@test "meter: a wrong command line is reported, with status 2" {
	says 2 "unknown command 'meter frobnicate': use ls, show, add" rcrctl meter frobnicate
	says 2 "meter ls takes no argument but -a and --json" rcrctl meter ls mem_bw
	says 2 "meter ls takes no argument but -a and --json" rcrctl meter --force
	says 2 "meter show needs a name" rcrctl meter show
	says 2 "meter show takes one argument, and --json" rcrctl meter show a b
	says 2 "meter add needs a name" rcrctl meter add
	says 2 "meter add needs a name" rcrctl meter add --scale 1s
	says 2 "the formula is one argument" rcrctl meter add a TOT_CYC / TOT_INS
	says 2 "invalid --scale 'soon'" rcrctl meter add a A --scale soon
	says 2 "the maximum is a day" rcrctl meter add a A --scale 1441min
	says 2 "the maximum is a day" rcrctl meter add a A --scale 86400.001s,peak
	says 2 "invalid --scale '0s'" rcrctl meter add a A --scale 0s
	says 2 "use current, average, sum or peak" rcrctl meter add a A --scale 1s,mean
	says 2 "use machine, node" rcrctl meter add a A --over room
	says 2 "invalid --digits '10'" rcrctl meter add a A --digits 10
	says 2 "--unit needs a value" rcrctl meter add a A --unit
	says 2 "invalid --unit" rcrctl meter add a A --unit "fathoms per fortnight"
	says 2 "a posted meter has no formula" rcrctl meter add a A --posted
	says 2 "unknown option '--force'" rcrctl meter add a A --force
	says 2 "no closing quote" rcrctl meter add a '"A'
	says 2 "where an operator is expected" rcrctl meter add a 'A & B'
	says 2 "meter remove needs a name" rcrctl meter remove
	says 2 "meter reset takes one argument" rcrctl meter reset a b
	says 2 "meter max needs --maximum or --contention" rcrctl meter max a
	says 2 "meter max needs --maximum or --contention" rcrctl meter max a --at node0
	says 2 "unknown option '--mix'" rcrctl meter max a --mix read
	says 2 "invalid --at 'room1'" rcrctl meter max a --at room1 --maximum 3
	says 2 "invalid --at 'node'" rcrctl meter max a --at node --maximum 3
	says 2 "invalid --at 'node:'" rcrctl meter max a --at node: --maximum 3
	says 2 "invalid --at 'node1x'" rcrctl meter max a --at node1x --maximum 3
	says 2 "invalid --at 'cpu99999999999'" rcrctl meter max a --at cpu99999999999 --maximum 3
	says 2 "--at needs a value" rcrctl meter max a --maximum 3 --at
	says 2 "invalid number 'much'" rcrctl meter max a --maximum much
	says 2 "invalid number 'much'" rcrctl meter max a --contention much
	says 2 "meter post takes a name, a value" rcrctl meter post a
	says 2 "invalid number 'much'" rcrctl meter post a much
	says 2 "invalid --place 'x'" rcrctl meter post a 1 --place x
}

@test "on: a wrong command line is reported, with status 2" {
	says 2 "on needs an argument" rcrctl on
	says 2 "missing > or <" rcrctl on mem_bw -- true
	says 2 "on needs -- and a command" rcrctl on "mem_bw > 3"
	says 2 "on needs -- and a command" rcrctl on "mem_bw > 3" --
	says 2 "missing > or <" rcrctl on mem_bw ">" 3 -- true
	says 2 "a condition is one argument" rcrctl on "mem_bw > 3" for 1s -- true
	says 2 "invalid number 'much'" rcrctl on "mem_bw > much" -- true
	says 2 "invalid time 'ever'" rcrctl on "mem_bw > 3 for ever" -- true
	says 2 "invalid --place" rcrctl on "mem_bw > 3" --place room:1 -- true
	says 2 "invalid --place" rcrctl on "mem_bw > 3" --place node -- true
	says 2 "invalid --count" rcrctl on "mem_bw > 3" --count 0 -- true
	says 2 "invalid time 'ever'" rcrctl on "mem_bw > 3 over ever" -- true
	says 2 "unexpected argument '--value'" rcrctl on "mem_bw > 3" --value mean -- true
	says 2 "--count needs a value" rcrctl on "mem_bw > 3" --count -- true
	echo 'on mem_bw>3 -- true' >a.batch
	says 2 "on cannot be used in a batch" rcrctl --batch a.batch
}

@test "meter and on report a missing module" {
	for verb in meter "meter ls -a" "meter --json" "meter show cpi" "meter add a TOT_CYC" \
		"meter add a --posted" "meter add cpi" "meter remove a" "meter reset all" \
		"meter max a --maximum 3" "meter max a --at node0 --contention 3" "meter post a 1" "on a>1 -- true"; do
		read -ra words <<<"$verb"
		says 1 "rcrtool is not loaded: load it" rcrctl "${words[@]}"
	done
}

@test "calibrate executes the rcrcal of its directory, and reports a missing one" {
	[ "$(rcrctl calibrate --version)" = "rcrcal $(cat "$TOP/VERSION")" ]
	diff <(rcrctl calibrate --restore --file nowhere 2>&1) <(rcrcal --restore --file nowhere 2>&1)
	says 2 "unexpected argument 'now'; see 'rcrcal --help'" rcrctl calibrate now
	says 2 "unexpected argument 'now'" rcrctl --batch - <<<"calibrate now"
	says 1 "rcrtool is not loaded: load it" rcrctl --generation 1 calibrate --file x
	mkdir alone
	cp "$TOP/build/bin/rcrctl" alone/
	says 1 "rcrcal is not installed: put it next to rcrctl, as '$PWD/alone/rcrcal'" alone/rcrctl calibrate
}

@test "meter: an invalid or unreadable board is reported" {
	export RCR_BOARD=$PWD/board
	says 1 "board: No such file" rcrctl meter
	echo "no board" >board
	says 1 "module and program have different versions" rcrctl meter
	"$TOP/build/unit/make_board" >board
	chmod 0 board
	if [ "$(id -u)" -eq 0 ]; then
		says 1 "cannot be read: become root or join its group" \
			setpriv --reuid 65534 --regid 65534 --clear-groups "$(command -v rcrctl)" meter
	else
		says 1 "cannot be read: become root or join its group" rcrctl meter
	fi
}

@test "meter: the values of a board are printed as a table" {
	export RCR_BOARD=$PWD/board
	"$TOP/build/unit/make_board" >board
	rcrctl meter >table
	[ "$(wc -l <table)" -eq 2 ]
	grep -qE '^mem_bw +B/s +20\.00G +20\.00G +20\.00G +50\.0% +contention +1s,average$' table
	grep -qE '^ipc +1 +1\.5 +1\.499 +1\.501 +50\.0% +contention +1s,average$' table
	rcrctl meter -a >all 2>err
	[ "$(wc -l <all)" -eq 3 ]
	grep -qE '^flops +1/s +- +- +- +- +- +1s,average +one of its counters' all
	grep -q "cannot list why meters have no values: rcrtool is not loaded" err
}

@test "meter --json prints JSON with all places and all digits" {
	export RCR_BOARD=$PWD/board
	"$TOP/build/unit/make_board" >board
	cat >meters.py <<-'END'
		import json, sys
		meters = json.load(sys.stdin)
		assert [m["name"] for m in meters] == ["mem_bw", "ipc"], meters
		bw, ipc = meters
		assert [p["place"] for p in bw["places"]] == ["machine", "node0", "node1"]
		assert [p["place"] for p in ipc["places"]] == ["machine", "cpu0", "cpu1"]
		assert bw["scale_ns"] == 1000000000 and bw["type"] == "average"
		assert bw["reason"] is None and bw["unit"] == "B/s"
		machine = bw["places"][0]
		assert machine["current"] == 20000000000 and machine["average"] == 19999999999
		assert machine["utilization"] == 0.5 and machine["verdict"] == "contention"
		assert machine["status"] == "ok" and machine["time_ns"] == 5000000000
		assert machine["counted_ns"] == 999000000 and machine["unseen"] == 3
		assert machine["maximum"] == 40000000000 and "mix" not in machine
		assert ipc["places"][1]["current"] == 0.75 and ipc["places"][1]["sum"] == 7.5
	END
	rcrctl meter --json | python3 meters.py
	rcrctl meter ls -a --json 2>/dev/null | python3 -c 'import json, sys; print(
		[m["reason"] is None for m in json.load(sys.stdin)])' >reasons
	[ "$(cat reasons)" = "[True, True, False]" ]
}

@test "meter show prints one key per line, then the places" {
	export RCR_BOARD=$PWD/board
	"$TOP/build/unit/make_board" >board
	rcrctl meter show mem_bw >got
	cat >expected <<-'END'
		name: mem_bw
		number: 0
		unit: B/s
		scale_ns: 1000000000
		type: average
		current: 20000000000
		current_status: ok
		average: 19999999999
		sum: 200000000000
		peak: 20000000001
		highest: 20000000002
		unseen: 3
		max: 40000000000
		contention: 20000000000
		utilization: 50.0000%
		updated: 5.000000000
		window_ns: 1000000000
		counted_ns: 999000000
		verdict: contention
		status: ok
		node 0: current 10000000000 average 9999999999 sum 100000000000 peak 10000000001 utilization 50.0000% ok
		node 1: current 10000000000 average 9999999999 sum 100000000000 peak 10000000001 utilization 50.0000% ok
	END
	diff expected got
	rcrctl meter show 1 | grep -qx "current: 1.500"
	rcrctl meter show mem_bw --json 2>/dev/null | python3 -c \
		'import json, sys; print([(m["name"], len(m["places"])) for m in json.load(sys.stdin)])' >shown
	[ "$(cat shown)" = "[('mem_bw', 3)]" ]
	run -1 rcrctl meter show --json nobody
	[[ "$output" == *"unknown meter 'nobody': see"* ]]
	says 1 "unknown meter 'nobody': see" rcrctl meter show nobody
	says 1 "meter 'flops' has no values" rcrctl meter show flops
}

@test "meter and on report that nothing is sampled, or that there is no value" {
	export RCR_BOARD=$PWD/board
	"$TOP/build/unit/make_board" stopped >board
	says 1 "sampling is stopped" rcrctl meter show mem_bw
	rcrctl meter >table 2>err
	grep -q "sampling is stopped, so meters have no current values" err
	grep -qE '^mem_bw +B/s +- +- +- ' table
	says 1 "sampling is stopped" rcrctl on "mem_bw > 3" -- true
	says 1 "unknown meter 'nobody'" rcrctl on "nobody > 3" -- true
	"$TOP/build/unit/make_board" >board
	says 1 'has no value for cpu 1' rcrctl on "mem_bw > 3" --place cpu:1 -- true
	says 1 'has no value for cpu 1' rcrctl on "mem_bw > 3" --place cpu1 -- true
	says 1 "is not the unit of the meter" rcrctl on "mem_bw > 3W" -- true
	says 1 "must name a lower one" rcrctl on "mem_bw > 3 below 4" -- true
	# There is no way to wait for a board in a file.
	says 1 "Inappropriate ioctl" rcrctl on "mem_bw > 3" -- true
}

@test "list: names of all sources are printed with their known defects" {
	rcrctl list >list 2>err
	[ "$(wc -l <err)" -eq 1 ]
	grep -q "cannot list the registers that can count an event: rcrtool is not loaded" err
	for name in TOT_CYC PAPI_LL_DCM RETIRED_INSTRUCTIONS DATA_CACHE_MISSES:STREAMING_STORE; do
		[ "$(grep -cE "^$name +\? " list)" -eq 1 ]
	done
	grep -qE '^context-switches +- +kernel ' list
	grep -A1 '^VEC_INS ' list | tail -n 1 | grep -q '^    no vector count'
	[ "$(grep -cE '^(L3_CACHE_MISSES|DCT_WRT|RW_DRAM_EXT) +\? +rcrtool ' list)" -eq 3 ]
	# Each name has one line.
	[ -z "$(grep -v '^    ' list | cut -d' ' -f1 | sort | uniq -d)" ]
}

@test "list: names are sorted within each source" {
	cat >sorted.py <<-'END'
		import json, sys
		entries = json.load(sys.stdin)
		for source in "rcrtool", "libpfm4", "kernel":
		    names = [e["name"].lower() for e in entries if e["source"] == source]
		    assert len(names) >= 8 and names == sorted(names), names
	END
	rcrctl list --json 2>/dev/null | python3 sorted.py
}

@test "list: letter case of a pattern does not matter" {
	rcrctl list '*cache_miss*' 2>/dev/null >list
	grep -q '^DATA_CACHE_MISSES ' list
	[ "$(grep -v '^    ' list | grep -vci '^[A-Z0-9_:]*cache_miss')" -eq 0 ]
	says 1 "no event matches 'NOBODY*'; --all" rcrctl list 'NOBODY*'
	says 1 "no event matches 'NOBODY*'" rcrctl list --all 'NOBODY*'
}

@test "list: tracepoints are listed if the pattern has a colon" {
	mkdir -p tracefs/events/sched/sched_switch tracefs/events/irq/irq_handler_entry
	echo 314 >tracefs/events/sched/sched_switch/id
	rcrctl list 'sched:*' >list
	[ "$(cut -d' ' -f1 list)" = sched:sched_switch ]
	says 1 "no event matches 'sched_*'" rcrctl list 'sched_*'
}

@test "list --json prints JSON with the same contents" {
	cat >names.py <<-'END'
		import json, sys
		for e in json.load(sys.stdin):
		    assert set(e) == {"name", "source", "registers", "description", "deficiency"}
		    print(e["name"])
	END
	rcrctl list --json 2>/dev/null | python3 names.py >names
	rcrctl list 2>/dev/null | grep -v '^    ' | cut -d' ' -f1 | cmp - names
	says 1 "no event matches" rcrctl list --json 'NOBODY*'
}

@test "list prints other names on another processor" {
	LIBPFM_FORCE_PMU=nhm rcrctl list >list 2>/dev/null
	grep -q '^FP_COMP_OPS_EXE:SSE_FP ' list
	grep -q '^UNHALTED_REFERENCE_CYCLES ' list
	grep -A1 '^VEC_INS ' list | grep -q 'executed, not retired'
	# Events that need another register, or lack a default mask, cannot be counted.
	run ! grep -qE '^(OFFCORE_RESPONSE_0:|FP_COMP_OPS_EXE |RETIRED_INSTRUCTIONS )' list
	LIBPFM_FORCE_PMU=nhm rcrctl list --all 2>/dev/null | grep -q '^FP_COMP_OPS_EXE  *none '
	# Events of the northbridge cannot be counted on this processor.
	run ! grep -q L3_CACHE_MISSES list
	LIBPFM_FORCE_PMU=nhm rcrctl list --all 2>/dev/null | grep -q '^L3_CACHE_MISSES  *none '
	LIBPFM_FORCE_PMU=amd64_fam15h_nb rcrctl list 'L3_EVICTIONS*' 2>/dev/null | grep -q '^L3_EVICTIONS:MODIFIED  *[?]  *libpfm4'
}

@test "initialize: the names of an imported LDMS dictionary are known afterwards" {
	make_dictionary >dictionary
	rcrctl initialize dictionary >out 2>err
	[ ! -s out ]
	[ ! -s err ]
	[ "$(stat -c %a "$RCR_DICTIONARY")" = 644 ]
	[ "$(ls run/rcrtool)" = dictionary ]
	rcrctl list 2>/dev/null | grep -q '^BRANCHES  *?  *imported'
	[ "$(rcrctl list --all 2>/dev/null | grep -c ' imported ')" -eq 1 ]
	# Again, with LDMS's option.
	row OTHER 0xc001020A 0x0c2 0xc001020B >dictionary
	rcrctl initialize conffile=dictionary
	rcrctl list 2>/dev/null | grep -q '^OTHER '
	[ "$(rcrctl list BRANCHES 2>/dev/null | grep -c imported)" -eq 0 ]
}

@test "initialize: a row that conflicts with a built-in name causes a warning" {
	make_dictionary >dictionary
	row TOT_INS 0xc0010204 0x0c1 0xc0010205 >>dictionary
	rcrctl initialize dictionary 2>err
	[ "$(cat err)" = "dictionary:5: warning: 'TOT_INS' is ignored: rcrtool uses this name for another event" ]
}

@test "initialize: invalid rows are reported by line, and nothing is loaded" {
	make_dictionary >dictionary
	rcrctl initialize dictionary
	cp "$RCR_DICTIONARY" before
	{
		row A 0xc001020 0x076 0xc001021
		row B 0xc0010200 0xc003 0xc0010201
		echo "C, 1, 2"
		row D 0xc0010200 0x076 0xc0010201
	} >wrong
	run -1 rcrctl initialize wrong
	[ "${#lines[@]}" -eq 4 ]
	[[ "${lines[0]}" == "wrong:1: Write_addr: invalid control 0xc001020"* ]]
	[[ "${lines[1]}" == "wrong:2: Event: 0xc003 is too large"* ]]
	[[ "${lines[2]}" == "wrong:3: 3 fields instead of 10"* ]]
	[[ "${lines[3]}" == "rcrctl: wrong: 3 invalid lines, nothing was loaded; --skip-wrong"* ]]
	cmp before "$RCR_DICTIONARY"
}

@test "initialize --skip-wrong loads the valid rows" {
	{
		echo "C, 1, 2"
		row D 0xc0010200 0x076 0xc0010201
	} >wrong
	run -0 rcrctl initialize --skip-wrong wrong
	[ "${#lines[@]}" -eq 1 ]
	[[ "${lines[0]}" == "wrong:1: 3 fields"* ]]
	rcrctl list D 2>/dev/null
	echo "C, 1, 2" >wrong
	run -1 rcrctl initialize --skip-wrong wrong
	[[ "${lines[1]}" == "rcrctl: wrong: no row is valid" ]]
	rcrctl list D 2>/dev/null
}

@test "initialize: missing, empty and binary files and those of another processor are refused" {
	says 1 "nowhere: No such file" rcrctl initialize nowhere
	says 1 "Is a directory" rcrctl initialize .
	for text in "" "# nothing" $'\n\n'; do
		printf '%s' "$text" >empty
		says 1 "empty: contains neither rows of a dictionary nor events" rcrctl initialize empty
	done
	head -c 5000 "$TOP/build/bin/rcrctl" >junk
	run -1 rcrctl initialize junk
	[[ "$output" == *"this is not a text"*"nothing was loaded"* ]]
	make_dictionary >dictionary
	LIBPFM_FORCE_PMU=nhm says 1 "the PMU of this machine is an Intel Nehalem" rcrctl initialize dictionary
	[ ! -e "$RCR_DICTIONARY" ]
}

@test "initialize: invalid lines of a saved set are reported" {
	printf 'TOT_CYC\nNOBODY\nperiod soon\n' >a.set
	run -1 rcrctl initialize a.set
	[[ "${lines[0]}" == "a.set:2: unknown event 'NOBODY'"* ]]
	[[ "${lines[1]}" == "a.set:3: invalid period 'soon'"* ]]
	[[ "${lines[2]}" == "rcrctl: a.set: 2 invalid lines, nothing was loaded"* ]]
}

@test "initialize: the old dictionary is kept if the new one cannot be written" {
	make_dictionary >dictionary
	RCR_DICTIONARY=/dev/full says 1 "No space left on device" rcrctl initialize dictionary
	touch file
	RCR_DICTIONARY=$PWD/file/dictionary says 1 "file" rcrctl initialize dictionary
}

@test "a batch stops at the first line that fails and reports it" {
	printf '# a comment\n\nlist TOT_CYC\nfrobnicate\nlist TOT_INS\n' >a.batch
	run -2 rcrctl --batch a.batch
	[[ "$output" == *"a.batch:4: unknown command 'frobnicate'"* ]]
	[[ "$output" != *TOT_INS* ]]
	run -2 rcrctl --keep-going --batch - <a.batch
	[[ "$output" == *"-:4: unknown command 'frobnicate'"*TOT_INS* ]]
	printf 'list NOBODY\nfinalize --hold sleep\n' >a.batch
	run -1 rcrctl --batch a.batch --keep-going
	[[ "${lines[0]}" == "a.batch:1: unknown event 'NOBODY'"* ]]
	[[ "${lines[1]}" == "a.batch:2: --hold cannot be used in a batch"* ]]
	says 1 "nowhere: No such file" rcrctl --batch nowhere
}

@test "a full disk is reported" {
	rc=0
	rcrctl list >/dev/full 2>err || rc=$?
	[ "$rc" -eq 1 ]
	grep -q "standard output: No space left on device" err
}

# completes WORDS...: print what bash offers for the last word.
completes() {
	PATH=$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rcrctl; printf "%s\n" "${COMPREPLY[@]}"' \
		- "$TOP/userspace/system/completion/rcrctl.bash" rcrctl "$@" | sort -u
}

@test "completion, help and the manual page have the same verbs and options" {
	manual=$TOP/Documentation/man/rcrctl.8
	diff <(completes "" | grep -v '^-') \
		<(sed -nE '/^\.SH VERBS/,/^\.SH NAMES/s/^\.BI? ([a-z]+).*/\1/p' "$manual" | grep -vx all | sort -u)
	diff <({
		completes --
		for verb in $(completes "" | grep -v '^-\|^calibrate$'); do
			completes "$verb" --
		done
	} | grep -E '^--[a-z]' | sort -u) \
		<(sed 's/\\-/-/g' "$manual" | grep -oE -- '--[a-z][a-z-]+' | sort -u)
}

@test "completion offers events, files and keywords" {
	diff <(completes set VEC_) <(echo VEC_INS)
	diff <(completes add TOT_) <(printf '%s\n' TOT_CYC TOT_INS)
	diff <(completes record f) <(echo fetch)
	diff <(completes meter m) <(echo max)
	touch a.set
	completes load a | grep -qx a.set
	completes load d | grep -qx default
	export RCR_BOARD=$PWD/board
	"$TOP/build/unit/make_board" >board
	diff <(completes on mem) <(echo mem_bw)
	diff <(completes meter show f) <(echo flops)
}

@test "completion of calibrate offers rcrcal's options" {
	diff <(completes calibrate --) <(rcrcal --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
}

@test "completion for zsh has the same verbs" {
	zsh=$TOP/userspace/system/completion/_rcrctl
	# Verbs with arguments for zsh have arguments for bash, too.
	diff <(sed -nE 's/^	([a-z |]+)\).*/\1/p' "$zsh" | tr -d ' ' | tr '|' '\n' | sort -u) \
		<(sed -nE 's/^		([a-z |]+)\).*/\1/p' "$TOP/userspace/system/completion/rcrctl.bash" |
			tr -d ' ' | tr '|' '\n' | sort -u)
}

@test "check: every invalid line is reported, even without the module" {
	cat >a.conf <<-'END'
		# a comment
		set = TOT_CYC NOBODY
		period = 10
		shout = on
		public = on
		public = off
		maximum.mem_bw = 38W
		contention.mem_bw = 80%
		meter = branches "PAPI_BR_INS / TOT_INS" --scale soon
		meter = load "TOT_INS / TOT_CYC" --unit X
		maximum.load = 3Y
		crossing = load > 2
		group.memory = WAITING=nb:event:0x1e2,umask:0xff;L2_DCM
		group.disk = A=event:0x76
		group.cache = ;
		evidence = 5
	END
	run -1 rcrctl check a.conf
	[ "${#lines[@]}" -eq 13 ]
	for line in "2: unknown event 'NOBODY'" "3: invalid period '10'" "4: unknown key 'shout'" \
		"6: 'public' is already in line 5" "7: 'W' is not the unit" "9: invalid --scale 'soon'" \
		"11: 'Y' is not the unit" "12: crossing needs a line 'recorder" \
		"13: invalid event 'L2_DCM'" "14: unknown model 'disk'" "15: the group has no events" \
		"16: invalid size '5'"; do
		[[ "$output" == *"a.conf:$line"* ]]
	done
	[[ "${lines[12]}" == "rcrctl: a.conf: 12 invalid lines" ]]
	run -0 rcrctl check "$TOP/userspace/system/examples/rcrtool.conf"
	sed -n 's/^# \([a-z._]* = .*\)/\1/p' "$TOP/userspace/system/examples/rcrtool.conf" >b.conf
	[ "$(wc -l <b.conf)" -ge 12 ]
	run -0 rcrctl check b.conf
	grep '^# group' "$TOP/userspace/system/examples/groups.conf" >groups
	while read -r _ line; do
		echo "$line" >b.conf
		run -0 rcrctl check b.conf
	done <groups
	says 1 "nowhere: No such file" rcrctl check nowhere
	says 1 "rcrtool is not loaded: load it" rcrctl configure b.conf
	run -1 rcrctl configure a.conf
	[ "${#lines[@]}" -eq 13 ]
}

@test "check: lines that rcrd would refuse to apply are reported" {
	local number=0 sentence
	{
		echo "recorder = 1440min mark"
		echo "contention.ipc = 80%"
		echo "maximum.ipc = 80%"
		echo "maximum.cpi = -1"
		echo "crossing = ipc > 2 at moon1"
		echo "crossing = ipc > 90% for 1s"
		echo "crossing = cpi > 2 below 3"
		echo "crossing = cpi > 2 over 1441min"
		echo "crossing = cpi > 2W"
		echo "meter = 7a TOT_CYC"
		echo 'meter = b "TOT_CYC +"'
		echo 'meter = c "TOT_CYC / NOBODY"'
		echo "meter = nobody"
		echo 'meter = d "c + TOT_INS / TOT_CYC"'
		echo "set = A=event:0x76,umask:q"
		echo "cluster = $(printf 'x%.0s' {1..256})"
		echo "maximum.mem bw = 10GB/s"
		echo 'crossing = "ipc > 2"'
		for i in $(seq 33); do echo "tag.t$i = $i"; done
	} >a.conf
	run -1 rcrctl check a.conf
	while read -r sentence; do
		number=$((number + 1))
		[ "$sentence" != - ] || continue
		echo "$number: $sentence"
		grep -qF "a.conf:$number: $sentence" <<<"$output"
	done <<-'END'
		-
		-
		a maximum cannot be a percentage
		a limit cannot be negative
		invalid --place 'moon1'
		-
		the value must return past the bound
		the time after 'over' is too long
		'W' is not the unit
		invalid meter name '7a'
		the formula ends where
		unknown event 'NOBODY'
		no meter 'nobody' waits for its counters
		-
		invalid number 'q'
		a text of the identity has at most 255 characters
		invalid meter name 'mem bw'
		invalid meter name '"ipc'
	END
	grep -qF "a.conf:51: more than 32 tags" <<<"$output"
	[ "${#lines[@]}" -eq 16 ]
	# A meter without decimal places allows larger values.
	printf '%s\n' "meter = c TOT_CYC --digits 0" "maximum.c = 1e13" >a.conf
	run -0 rcrctl check a.conf
	for line in "set = A=event:1 A=event:2|the name 'A' is used twice" "set = $(seq -s ' ' 33)|a set has at most 32 counters" \
		"set = @ldms @ldms|the name" "contention.ipc = 80%|a percentage needs the maximum of the meter" \
		"recorder = 1441min mark|invalid time '1441min': the maximum is a day, 1440min"; do
		echo "${line%|*}" >a.conf
		run -1 rcrctl check a.conf
		[[ "$output" == "a.conf:1: ${line#*|}"* ]]
		run -1 rcrctl configure a.conf
		[[ "$output" == "a.conf:1: ${line#*|}"* ]]
	done
}

@test "check: a line with more crossings than can be armed is refused" {
	echo "recorder = 5s" >a.conf
	for i in $(seq 8); do echo "crossing = ipc > $i at cpu$i"; done >>a.conf
	run -0 rcrctl check a.conf
	echo "crossing = ipc > 9" >>a.conf
	run -1 rcrctl check a.conf
	[ "${lines[0]}" = "a.conf:10: too many crossings: the recorder watches at most 8" ]
}

@test "check: a comment after a value is not part of the value" {
	cat >a.conf <<-'END'
		set = TOT_CYC TOT_INS	# two counters
		period = 10ms # often
		meter = a "TOT_INS / TOT_CYC" --unit "#" # 1
		meter = b TOT_CYC --unit 1#2
		public = on # all may read
		producer = # nothing
	END
	run -1 rcrctl check a.conf
	[ "${lines[0]}" = "a.conf:6: the value is missing" ]
	[ "${#lines[@]}" -eq 2 ]
	sed -i 6d a.conf
	run -0 rcrctl check a.conf
}

# found SUBJECT: print what doctor reports about it for the root directory "system".
found() {
	RCR_ROOT=$PWD/system rcrctl doctor | sed -n "s/^\([a-z]*\) *$1  */\1 /p"
}

@test "doctor: files that cannot be read are reported as not known, never as ok" {
	mkdir system
	RCR_ROOT=$PWD/system run rcrctl doctor
	[ "$(grep -v "^ok  *kernel \|^ok  *configuration " <<<"$output" | grep -c ^ok)" -eq 0 ]
	for subject in module "Secure Boot" lockdown processor "kernel's PMU" watchdog perf rcrd users; do
		[[ "$(found "$subject")" == "note not known: "* ]]
	done
	# A directory in place of the file cannot be read.
	mkdir -p system/sys/kernel/security/lockdown system/proc/sys/kernel/nmi_watchdog system/proc/42 \
		system/sys/firmware/acpi
	touch system/sys/kernel/security/lsm system/proc/sys/kernel/osrelease
	[ "$(found lockdown)" = "note not known: /sys/kernel/security/lockdown: Is a directory" ]
	[ "$(found watchdog)" = "note not known: /proc/sys/kernel/nmi_watchdog: Is a directory" ]
	[ "$(found "Secure Boot")" = "ok off: the machine was not booted with EFI" ]
	mkdir -p system/sys/firmware/efi/efivars
	[[ "$(found "Secure Boot")" == "note not known: "*"No such file or directory" ]]
	[ "$(found users)" = "ok no other process uses counters" ]
	touch system/proc/42/fd
	[[ "$(found users)" == "note not known: the open files of "* ]]
	# A kernel without these files.
	rmdir system/sys/kernel/security/lockdown system/proc/sys/kernel/nmi_watchdog
	[ "$(found lockdown)" = "ok none" ]
	[ "$(found watchdog)" = "ok none in this kernel" ]
	echo "none [other]" >system/sys/kernel/security/lockdown
	[ "$(found lockdown)" = "note not known: /sys/kernel/security/lockdown has 'none [other]'" ]
}

@test "doctor: each problem of a system is printed with its remedy" {
	mkdir -p system/proc/sys/kernel system/lib/modules/6.1.0-9 system/sys/kernel/security system/sys/module \
		system/sys/bus/event_source/devices
	echo 6.1.0-9 >system/proc/sys/kernel/osrelease
	printf 'model name\t: A\nflags\t\t: fpu hypervisor tsc\n' >system/proc/cpuinfo
	[ "$(found kernel)" = "ok 6.1.0-9" ]
	[ "$(found headers)" = "fix none for this kernel: to build the module, install linux-headers-6.1.0-9" ]
	[[ "$(found module)" == "fix not installed for 6.1.0-9: run 'make && make install'"* ]]
	[[ "$(found "kernel's PMU")" == "fix none: the hypervisor hides the counters"* ]]
	[ "$(found processor)" = "ok A" ]
	mkdir system/lib/modules/6.1.0-9/build
	echo "updates/rcrtool.ko:" >system/lib/modules/6.1.0-9/modules.dep
	[ "$(found headers)" = "ok /lib/modules/6.1.0-9/build" ]
	[ "$(found module)" = "fix not loaded: run 'modprobe rcrtool'" ]
	[ "$(found rcrjob)" = "note cannot run: it needs the module" ]
	mkdir system/dev
	touch system/dev/rcrtool
	[[ "$(found rcrjob)" == "note not known: "* ]]
	chmod 0 system/dev/rcrtool
	[ "$(id -u)" -eq 0 ] || [ "$(found rcrjob)" = "note cannot run: it needs to read /dev/rcrtool" ]
	# PCP's agent.
	[ "$(found pmdarcr)" = "note not installed: needed for Performance Co-Pilot only" ]
	mkdir -p system/var/lib/pcp/pmdas/rcr system/etc/pcp/pmcd system/proc/{500,501,502}
	touch system/var/lib/pcp/pmdas/rcr/pmdarcr
	echo "rcrx 300 pipe binary other" >system/etc/pcp/pmcd/pmcd.conf
	[ "$(found pmdarcr)" = "note not added to pmcd: run './Install' in /var/lib/pcp/pmdas/rcr" ]
	printf 'rcr\t300\tpipe\tbinary\tpmdarcr\n' >>system/etc/pcp/pmcd/pmcd.conf
	[ "$(found pmdarcr)" = "note pmcd is not running: it starts the agent" ]
	printf 'Name:\tpmcd\nPPid:\t1\nUid:\t7\t7\t7\t7\n' >system/proc/500/status
	[ "$(found pmdarcr)" = "fix pmcd does not run it: see /var/log/pcp/pmcd/rcr.log, then restart pmcd" ]
	# An agent that pmcd has not started.
	printf 'Name:\tpmdarcr\nPPid:\t1\nUid:\t7\t7\t7\t7\nGid:\t8\t8\t8\t8\nGroups:\t77 \n' >system/proc/501/status
	[[ "$(found pmdarcr)" == "fix pmcd does not run it"* ]]
	sed 's/PPid:.*/PPid:\t500/' system/proc/501/status >system/proc/502/status
	chmod 640 system/dev/rcrtool
	group=$(stat -c %g system/dev/rcrtool)
	[ "$(found pmdarcr)" = "fix pmcd runs it, but it cannot read /dev/rcrtool: add its user to the group rcrtool, then restart pmcd" ]
	sed -i "s/^Groups:.*/Groups:\t77 $group /" system/proc/502/status
	[ "$(found pmdarcr)" = "ok pmcd runs it" ]
	sed -i "s/^Groups:.*/Groups:\t$group 77 /" system/proc/502/status
	[ "$(found pmdarcr)" = "ok pmcd runs it" ]
	chmod 600 system/dev/rcrtool
	[[ "$(found pmdarcr)" == "fix pmcd runs it, but it cannot read"* ]]
	rm -r system/proc/50[012]
	echo 5.10.0-1 >system/proc/sys/kernel/osrelease
	[[ "$(found kernel)" == "fix 5.10.0-1 is older than 6.1"* ]]
	sed -i 's/hypervisor/hypervisors/' system/proc/cpuinfo
	[[ "$(found "kernel's PMU")" == "fix none: the kernel does not drive"* ]]
	mkdir -p system/sys/bus/event_source/devices/cpu/caps
	echo zen4 >system/sys/bus/event_source/devices/cpu/caps/pmu_name
	[ "$(found "kernel's PMU")" = "ok zen4" ]
	for mode in integrity confidentiality none; do
		echo "none integrity confidentiality" | sed "s/$mode/[$mode]/" >system/sys/kernel/security/lockdown
		found lockdown
	done >lockdowns
	[ "$(cut -d' ' -f1,2 lockdowns | xargs)" = "note integrity: fix confidentiality: ok none" ]
	mkdir -p system/sys/firmware/efi/efivars
	secure=system/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
	printf '\006\000\000\000\001' >$secure
	[[ "$(found "Secure Boot")" == "fix on: sign the module"* ]]
	printf '\006\000\000\000\000' >$secure
	[ "$(found "Secure Boot")" = "ok off" ]
	# With a module.
	mkdir -p system/sys/module/rcrtool/parameters
	[[ "$(found module)" == "fix version unknown is loaded and rcrctl is "* ]]
	cp "$TOP/VERSION" system/sys/module/rcrtool/version
	[ "$(found module)" = "ok loaded, version $(cat "$TOP/VERSION")" ]
	printf '\006\000\000\000\001' >$secure
	[ "$(found "Secure Boot")" = "ok on, and the module is loaded" ]
	echo OE >system/sys/module/rcrtool/taint
	[[ "$(found "Secure Boot")" == "note on, and the kernel has loaded the module without"* ]]
	echo O >system/sys/module/rcrtool/taint
	[ "$(found "Secure Boot")" = "ok on, and the module is signed" ]
	echo 1 >system/proc/sys/kernel/nmi_watchdog
	[ "$(found watchdog)" = "note on: it has one counter of each core" ]
	echo msr >system/sys/module/rcrtool/parameters/source
	[[ "$(found watchdog)" == "fix on, and source=msr needs its counter: run 'sysctl"* ]]
	[ "$(found rcrregion)" = "note cannot count: rcrtool has the counters to itself: load it with source=perf" ]
	echo perf >system/sys/module/rcrtool/parameters/source
	[[ "$(found rcrregion)" == "note not known: /proc/sys/kernel/perf_event_paranoid: "* ]]
	echo 3 >system/proc/sys/kernel/perf_event_paranoid
	[ "$(found rcrregion)" = "note only root can count: to let all users count, run 'sysctl kernel.perf_event_paranoid=2'" ]
	echo 2 >system/proc/sys/kernel/perf_event_paranoid
	[ "$(found rcrregion)" = "ok all users can count" ]
	echo 0 >system/sys/bus/event_source/devices/cpu/rdpmc
	[[ "$(found rcrregion)" == "note all users can count, by slow system calls: "*"/rdpmc is 0" ]]
	mv system/sys/bus/event_source/devices/cpu other
	[ "$(found rcrregion)" = "note cannot count: there is no PMU of the kernel" ]
	mv other system/sys/bus/event_source/devices/cpu
	echo -1 >system/proc/sys/kernel/perf_event_paranoid
	[[ "$(found perf)" == "note perf_event_paranoid is -1: every user"* ]]
	mkdir -p system/proc/42/fd system/etc/rcrtool
	ln -s "anon_inode:[perf_event]" system/proc/42/fd/3
	echo papi >system/proc/42/comm
	[ "$(found users)" = "note events of perf are held by papi (42)" ]
	ln -sfn /dev/cpu/0/msr system/proc/42/fd/3
	[ "$(found users)" = "note registers may be written directly by papi (42)" ]
	echo "shout = on" >system/etc/rcrtool/rcrtool.conf
	[[ "$(found configuration)" == "fix "*"rcrtool.conf:1: unknown key 'shout'"* ]]
	RCR_ROOT=$PWD/system run -1 rcrctl doctor --json
	python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$output"
	RCR_ROOT=$PWD/system run -0 rcrctl doctor --report report
	grep -q '^model name: A$' report
	run ! grep -q 'papi\|shout' report
	says 2 "doctor takes no argument but --json" rcrctl doctor now
}
