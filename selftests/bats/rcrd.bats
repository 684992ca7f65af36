#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrd without a module. Tests with a module are in guest/rcrd/rcrd.sh.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
	PATH=$TOP/build/unit:$PATH
}

@test "rcrd: --help and -h print the exit statuses" {
	run rcrd --help
	[ "$status" -eq 0 ]
	[[ "$output" == *"Exit status"* ]]
	[ "$(rcrd -h)" = "$output" ]
}

@test "rcrd: --version prints VERSION" {
	[ "$(rcrd --version)" = "rcrd $(cat "$TOP/VERSION")" ]
	[ "$(rcrd -V)" = "$(rcrd --version)" ]
}

@test "rcrd: --help and the manual page name the same options" {
	# Compare with OPTIONS only; other sections mention options of other programs.
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$TOP/Documentation/man/rcrd.8" >options
	same_options rcrd options
}

@test "rcrd: a wrong command line is refused, with status 2" {
	says 2 "unknown option '-x'" rcrd -x
	says 2 "unknown option '-x'" rcrd -fx
	says 2 "unknown option '--force'" rcrd --force
	says 2 "unexpected argument 'now'" rcrd -f now
}

@test "rcrd: users other than root cannot start it" {
	[ "$(id -u)" -eq 0 ] || skip "root only"
	says 1 "must be started by root" setpriv --reuid 65534 --regid 65534 --clear-groups "$(realpath "$TOP")/build/bin/rcrd" -f
}

@test "rcrd: a missing module or user is reported with the remedy, and no file is made" {
	sentence="load the module"
	getent passwd rcrtool >/dev/null || sentence="there is no user rcrtool"
	[ "$(id -u)" -eq 0 ] || sentence="must be started by root"
	before=$(ls -d /run/rcrtool /var/lib/rcrtool 2>&1) || true
	says 1 "$sentence" rcrd -f
	says 1 "$sentence" rcrd
	[ "$before" = "$(ls -d /run/rcrtool /var/lib/rcrtool 2>&1)" ]
}

@test "rcrd: systemd accepts the units and creates the user" {
	mkdir -p root/etc
	systemd-sysusers --root="$PWD/root" "$(realpath "$TOP")/userspace/system/rcrtool.sysusers" 2>/dev/null
	[ "$(grep -c '^rcrtool:' root/etc/passwd)" -eq 1 ]
	[ "$(grep '^rcrtool:' root/etc/passwd | cut -d: -f4)" = "$(grep '^rcrtool:' root/etc/group | cut -d: -f3)" ]
	for unit in rcrtool.service rcrd.service rcrtool-record@.service; do
		sed "s|@S\?BINDIR@|$(realpath "$TOP")/build/bin|g" "$TOP/userspace/system/$unit" >"$unit"
	done
	cp rcrtool-record@.service rcrtool-record@csv.service
	systemd-analyze verify --man=no ./rcrtool.service ./rcrd.service ./rcrtool-record@csv.service 2>err || { cat err; false; }
	[ ! -s err ] || { cat err; false; }
}

@test "rcrd --replay: cause and victim of a contention are found without root" {
	make_labelled thrasher >recorded
	rcrd --replay recorded --memory 6.4G >verdicts
	grep -q 'node 0 one: busy since 1\.0.* process 1001 causes it, .* process 100[023] takes 2\.' verdicts
	grep -q 'node 0 one: ok again; it lasted 1\.0' verdicts
	[ "$(grep -c unknown verdicts)" -eq 0 ]
	rcrd --replay recorded --memory 6.4G --json | python3 -c '
import json, sys
one = [v for v in json.load(sys.stdin) if v["finding"] == "one"]
assert [v["state"] for v in one] == ["busy", "ok"] and one[0]["cause"]["pid"] == 1001
assert {v["pid"] for v in one[0]["victims"]} == {1000, 1002, 1003}
assert all(v["low"] < v["slowdown"] < v["high"] for v in one[0]["victims"])'
	[ "$(id -u)" -ne 0 ] || setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$(realpath "$TOP")/build/bin/rcrd" --replay /dev/stdin --memory 6.4G <recorded | cmp - verdicts
}

@test "rcrd --replay: a quiet recording is ok, findings without their events are unknown" {
	make_labelled quiet >recorded
	[ "$(rcrd --replay recorded --memory 6.4G)" = "ok: the recording shows no contention" ]
	[ "$(rcrd --replay recorded --memory 6.4G --json | tr -d ' \n')" = "[]" ]
	# Memory without a maximum is unknown, also in JSON.
	rcrd --replay recorded | grep -q '^bandwidth, .*slower: unknown on node 1 for 2.9.* or --memory or --latency is not given'
	rcrd --replay recorded --json | python3 -c '
import json, sys
unknown = {v["finding"] for v in json.load(sys.stdin) if v["state"] == "unknown"}
assert {"bandwidth", "conflicts"} <= unknown and "sum" not in unknown, unknown'
	make_labelled lines missing=8 >recorded
	rcrd --replay recorded --memory 6.4G >verdicts
	grep -qx 'lines: unknown: the set does not count lines that another core had modified (MODIFIED=event:0x6c,umask:0x2a)' verdicts
	[ "$(wc -l <verdicts)" -eq 2 ]
	# A set of another family.
	make_stream set run=100 >recorded
	rcrd --replay recorded >verdicts
	grep -qx 'all findings: unknown: the models do not know the events of .*' verdicts
	LC_ALL=C sed '0,/test/s//\x1b[2J/' recorded >named
	rcrd --replay named >verdicts
	grep -qxF 'all findings: unknown: the models do not know the events of ?[2J' verdicts
}

@test "rcrd --replay: thresholds are taken from the command line and from a file" {
	make_labelled bandwidth >recorded
	rcrd --replay recorded --memory 6.4G | grep -q 'bandwidth: busy'
	rcrd --replay recorded --memory 6.4G --set memory.busy_alone=1.5 --set memory.busy_latency=50 >verdicts
	grep -q 'bandwidth: contention' verdicts
	[ "$(grep -c 'bandwidth: busy' verdicts)" -eq 0 ]
	printf '# mine\nmemory.busy_alone = 150%%\nmemory.busy_latency = 50\n' >bounds
	rcrd --replay recorded --memory 6.4G --bounds bounds | cmp - verdicts
	printf 'memory.busy_alone = 150%%\nmemory.speed = 50\n' >bounds
	says 2 "bounds:2: unknown threshold 'memory.speed'" rcrd --replay recorded --bounds bounds
	says 2 "invalid value '0.1' of memory.latency: use 1 to 100" rcrd --replay recorded --set memory.latency=0.1
	says 2 "write 'NAME = VALUE'" rcrd --replay recorded --set memory.latency
	# Findings that need the maximum are not judged without it.
	[ "$(rcrd --replay recorded | grep -c 'bandwidth: [bc]')" -eq 0 ]
}

@test "rcrd --replay: invalid arguments and files, a full disk and a closed pipe are handled" {
	make_labelled thrasher ticks=900 >recorded
	says 2 "--replay needs a value" rcrd --replay
	says 2 "options of a replay need --replay FILE" rcrd --json
	says 2 "--memory: invalid rate '-1': use one above 0, as in 12.8G" rcrd --replay recorded --memory -1
	says 2 "--latency: invalid number 'slow': use 1 to 1000000" rcrd --replay recorded --latency slow
	says 2 "--latency: invalid number '1e400': use 1 to 1000000" rcrd --replay recorded --latency 1e400
	says 2 "unexpected argument 'more'" rcrd --replay recorded more
	says 1 "none" rcrd --replay none
	says 1 "is not a file: a recording is read twice" rcrd --replay /dev/null
	says 1 "is not a recording that this program reads" rcrd --replay "$TOP/README.md"
	head -c 100000 recorded >half
	run -1 rcrd --replay half
	[ "${lines[-1]}" = "rcrd: half is damaged: an item is cut off or invalid" ] ||
		[ "${lines[0]}" = "rcrd: half is damaged: an item is cut off or invalid" ]
	run -1 bash -c 'rcrd --replay recorded >/dev/full'
	[[ "$output" == *"No space left on device"* ]]
	# The reader has ended before the first line is written.
	run -141 bash -c 'exec 3> >(:) && wait $! && exec rcrd --replay recorded --memory 6.4G >&3'
}
