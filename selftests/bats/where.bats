#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# 'rcrctl where' names functions and lines in the answers of a fake rcrd. With rcrd:
# guest/rcrd/where.sh.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
	[ "$(id -u)" -eq 0 ] || skip "needs root to mount a /run"
	make_program
}

# make_program: make a program; set its build id and the file offset of its function second_one.
make_program() {
	printf 'int %s(void) { return 0; }\n' first_one second_one main >program.c
	cc -g -O0 -no-pie -Wl,--build-id -o program program.c
	id=$(readelf -n program | sed -n 's/.*Build ID: //p')
	offset=$((16#$(nm program | sed -n 's/ T second_one//p') - 0x400000))
}

CONTENTION="contention 2 cache sum 0 1000000000 1000000000 9000000000 0 requests 0"

# where_in FILE PROGRAM [ARGUMENT]...: PROGRAM asks a server that answers with one place, in FILE.
# The file "first" is answered before that.
where_in() {
	[ -e first ] || : >first
	{ cat first; printf '%s\n' "$CONTENTION" \
		"place code 4711 program 100 100 100 $id 0:0:0 $offset $PWD/$1" \
		"lost 0" "refused 0" "absent 0"; } >answer
	ask_where "${@:2}"
}

# ask_where PROGRAM [ARGUMENT]...: the same with the answer in the file "answer". PROGRAM has 60 s. In
# its /run is a pipe that any user may open.
ask_where() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare -m bash -c 'mount -t tmpfs none /run && mkdir /run/rcrtool && mkfifo -m 666 /run/pipe
		python3 "$1/answer_where.py" /run/rcrtool/control.sock <answer 3>&- &
		for ((i = 0; i < 100; i++)); do [ ! -S /run/rcrtool/control.sock ] || break; sleep 0.1; done
		timeout 60 "${@:2}" && rc=0 || rc=$?
		kill %1
		exit $rc' - "$BATS_TEST_DIRNAME" "$@" >out 2>err
}

# build_rcrctl VARIABLE=VALUE...: build another rcrctl in "build"; only where/ is compiled again.
build_rcrctl() {
	mkdir build
	cp -rp "$TOP/build/userspace" "$TOP/build/lib" build/
	rm build/userspace/rcrctl/where/resolve*
	make -s -C "$TOP/userspace" O="$PWD/build" "$@" "$PWD/build/bin/rcrctl"
}

@test "where: a function and its line are printed, or the offset if libdw does not know them" {
	where_in program rcrctl where
	[ ! -s err ]
	grep -qE '^100\.0 ± 3\.7 % +second_one .* 4711 \(program\)$' out
	grep -qE '^100\.0 ± 3\.7 % +program\.c:2$' out
	strip program
	where_in program rcrctl where
	grep -qE "^100\.0 ± 3\.7 % +\+0x$(printf %x "$offset")\$" out
}

@test "where: places that are in no file are printed" {
	printf '%s\n' "$CONTENTION" "place kernel 0 - 60 60 60 - 0:0:0 0" "place idle 0 - 40 40 40 - 0:0:0 0" \
		"lost 0" "refused 0" "absent 0" >answer
	ask_where rcrctl where
	[ ! -s err ]
	grep -q '^60.0 ± .*kernel thread' out
	grep -q '^40.0 ± .*idle' out
}

@test "where: without libdw offsets are printed, and a message says what to install" {
	mkdir none
	: >none/libdw.so.1
	where_in program env LD_LIBRARY_PATH=none rcrctl where
	[ "$(cat err)" = "rcrctl: cannot name functions and lines: there is no libdw.so.1: install elfutils" ]
	grep -qE "^100\.0 ± 3\.7 % +$PWD/program +4711 \(program\)$" out
	grep -qE "^100\.0 ± 3\.7 % +\+0x$(printf %x "$offset")\$" out
	where_in program env LD_LIBRARY_PATH=none rcrctl where --json
	python3 -c 'import json, sys
line = json.load(open("out"))[0]["lines"][0]
assert line["function"] is None and line["source"] is None
assert line["offset"] == int(sys.argv[1]) and line["build_id"] == sys.argv[2]' "$offset" "$id"
}

@test "where: an rcrctl built without libdw prints offsets and a message" {
	build_rcrctl DW_LIBS=
	where_in program build/bin/rcrctl where
	[ "$(cat err)" = "rcrctl: cannot name functions and lines: rcrctl was built without libdw" ]
	grep -qE "^100\.0 ± 3\.7 % +\+0x$(printf %x "$offset")\$" out
}

# make_waiting FILE: make a program with debugging information that refers to FILE. If FILE is a
# pipe, libdw waits for it.
make_waiting() {
	cat >waiting.s <<-EOF
		.globl second_one
		.type second_one, @function
		second_one:
		.file 1 "waiting.c"
		.loc 1 1
		ret
		.Lend:
		.size second_one, . - second_one
		.globl main
		main: ret
		.section .debug_abbrev, "", @progbits
		.uleb128 1, 0x11	# a compile unit
		.byte 0
		.uleb128 0x10, 0x17	# DW_AT_stmt_list, an offset
		.uleb128 0x1b, 0x1f21	# DW_AT_comp_dir, in the other file
		.uleb128 0x11, 1, 0x12, 7, 0, 0, 0
		.section .debug_info, "", @progbits
		.long .Linfo_end - .Linfo
		.Linfo:
		.short 4
		.long .debug_abbrev
		.byte 8
		.uleb128 1
		.long .debug_line, 0
		.quad second_one, .Lend - second_one
		.Linfo_end:
		.section .debug_aranges, "", @progbits
		.long .Laranges_end - .Laranges
		.Laranges:
		.short 2
		.long .debug_info
		.byte 8, 0, 0, 0, 0, 0
		.quad second_one, .Lend - second_one, 0, 0
		.Laranges_end:
		.section .gnu_debugaltlink, "", @progbits
		.asciz "$1"
		.fill 20, 1, 0xab
		.section .debug_line, "", @progbits
		.section .note.GNU-stack, "", @progbits
	EOF
	cc -no-pie -Wl,--build-id -o waiting waiting.s
	id=$(readelf -n waiting | sed -n 's/.*Build ID: //p')
	offset=$((16#$(nm waiting | sed -n 's/ T second_one//p') - 0x400000))
}

@test "where: a file that keeps libdw waiting delays the output only until a timeout" {
	make_waiting /run/pipe
	build_rcrctl CFLAGS=-DMOST_SECONDS=2
	SECONDS=0
	where_in waiting build/bin/rcrctl where
	[ "$SECONDS" -ge 2 ]
	[ "$(cat err)" = "rcrctl: cannot name all functions and lines: the process that runs libdw failed" ]
	grep -qE "^100\.0 ± 3\.7 % +\+0x$(printf %x "$offset")\$" out
	# The same program with a regular file.
	make_waiting /run/none
	where_in waiting build/bin/rcrctl where
	[ ! -s err ]
	grep -qE '^100\.0 ± 3\.7 % +waiting\.c:1$' out
}

# lease FILE: hold a write lease on it until killed.
lease() {
	python3 -c 'import fcntl, signal, sys, time
signal.signal(signal.SIGIO, signal.SIG_IGN)
fd = open(sys.argv[1], "r+")
fcntl.fcntl(fd, 1024, fcntl.F_WRLCK)	# F_SETLEASE
open("leased", "w").close()
time.sleep(60)' "$1" 3>&- &
	while [ ! -e leased ]; do sleep 0.1; done
}

@test "where: symbolic links and files of the kernel are not opened, and a lease does not delay the output" {
	ln -s program link
	where_in link rcrctl where
	[ "$(cat err)" = "rcrctl: $PWD/link, build id $id: cannot be read: Too many levels of symbolic links" ]
	grep -qE "^100\.0 ± 3\.7 % +\+0x$(printf %x "$offset")\$" out
	where_in "$(realpath --relative-to=. /proc/version)" rcrctl where
	grep -q '/proc/version, build id .*: cannot be read: Exec format error$' err
	lease program
	where_in program rcrctl where
	kill %%
	[ "$(cat err)" = "rcrctl: $PWD/program, build id $id: cannot be read: Resource temporarily unavailable" ]
}

@test "where: files of contentions that are not printed are not opened" {
	for ((i = 0; i < 60; i++)); do ln program "copy$i"; done
	{
		echo "contention 1 cache sum 0 1000000000 1000000000 9000000000 0 requests 0"
		for ((i = 0; i < 60; i++)); do
			echo "place code 4711 program 100 100 100 $id 0:0:0 $offset $PWD/copy$i"
		done
	} >first
	where_in program bash -c 'ulimit -n 32; exec rcrctl where'
	[ ! -s err ]
	grep -qE '^100\.0 ± 3\.7 % +second_one ' out
}
