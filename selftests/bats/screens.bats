#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Screens of rcrstat on terminals of 80x24 and 200x60 characters are compared with those in
# screens/. To update one, store the output of "screen" there after a review.

load says

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$TOP/build/unit:$PATH
	cd "$BATS_TEST_TMPDIR"
	export TZ=UTC TERM=screen
	unset NO_COLOR
	export TMUX_TMPDIR=$BATS_TEST_TMPDIR
	unset TMUX
}

teardown() {
	tmux kill-server 2>/dev/null || true
}

# begin COLUMNSxLINES LOCALE COMMAND: run it in a terminal of that size.
begin() {
	# A killed server may still hold its socket.
	TMUX_TMPDIR=$(mktemp -d -p "$BATS_TEST_TMPDIR")
	printf '%s\n' "export LC_ALL=$2 TERM=screen" "$3" 'echo "status $?"' 'exec cat' >script
	tmux -f /dev/null new-session -d -x "${1%x*}" -y "${1#*x}" "exec bash script"
}

# wait_for TEXT: wait until it is on the screen, at most 20 s.
wait_for() {
	for _ in $(seq 200); do
		! tmux capture-pane -p | grep -qF -- "$1" || return 0
		sleep 0.1
	done
	tmux capture-pane -p
	return 1
}

# screen NAME: compare the terminal with the screen stored under that name.
screen() {
	tmux capture-pane -p >drawn
	diff drawn "$BATS_TEST_DIRNAME/screens/$1"
}


@test "screens: the table of four CPUs is updated in place until q is pressed" {
	make_stream cpus=4 set run=2500 foreign=1:1 run=530 >stream
	begin 80x24 C "rcrstat -d <(cat stream; sleep 60)"
	wait_for 22:13:24
	screen four-80x24
	tmux send-keys q
	wait_for "status 0"
	# The last table stays on the screen.
	screen four-left-80x24
}

@test "screens: 256 CPUs are shown as a band, or as many as fit" {
	make_stream cpus=256 set run=500 foreign=7:2 run=1550 >stream
	begin 80x24 C "rcrstat -d <(cat stream; sleep 60)"
	wait_for 22:13:23
	screen band-80x24
	tmux kill-server
	begin 200x60 C "rcrstat -d <(cat stream; sleep 60) -p cpu"
	wait_for 22:13:23
	screen many-200x60
}

@test "screens: units are shown, in UTF-8 where the locale allows it" {
	make_stream cpus=2 unit=3:1 name=3:energy unit=4:2 name=4:temperature set run=1010 >stream
	begin 80x24 C.UTF-8 "rcrstat -d stream -n 1"
	wait_for "status 0"
	screen units-utf8-80x24
	tmux kill-server
	begin 80x24 C "rcrstat -d stream -n 1"
	wait_for "status 0"
	screen units-80x24
}

@test "screens: meters and shares of processes are shown" {
	make_stream "family=AMD Fam15h" select=1:4300c0 cpus=4 set run=1010 >stream
	begin 80x24 C "rcrstat -d stream -n 1 -m ipc,cpi --relations none"
	wait_for "status 0"
	screen meters-80x24
	tmux kill-server
	# Process 4242 has too few samples for shares of rare events.
	make_stream cpus=4 task=0:77 task=1:78 set run=700 task=2:4242 run=50 task=2:0 run=260 >stream
	begin 80x24 C "rcrstat -d stream -n 1 -p process"
	wait_for "status 0"
	screen processes-80x24
	tmux kill-server
	begin 200x60 C "rcrstat -d stream -n 1 -p process"
	wait_for "status 0"
	screen processes-200x60
}

@test "screens: a long name is split in a narrow window, and columns that do not fit are counted" {
	make_stream cpus=2 name=3:A_VERY_LONG_NAME_OF_AN_EVENT set run=1010 >stream
	begin 80x24 C "rcrstat -d stream -n 1"
	wait_for "status 0"
	screen long-80x24
	tmux kill-server
	begin 40x24 C "rcrstat -d stream -n 1"
	wait_for "status 0"
	tmux capture-pane -p | grep -q "^3 more columns are not shown"
}

@test "screens: the table is adapted when the terminal is resized" {
	make_stream cpus=64 set run=1050 >stream
	begin 80x24 C "rcrstat -d <(cat stream; sleep 60) -p cpu"
	wait_for "47 more CPUs are not shown"
	tmux set-option -g window-size manual
	tmux resize-window -x 90 -y 30
	wait_for "41 more CPUs are not shown"
}

@test "screens: colours are used only on a terminal without NO_COLOR" {
	make_stream cpus=2 set run=500 foreign=1:1 run=600 >stream
	script -qec "rcrstat -d stream -n 1" /dev/null >coloured
	grep -q $'\033\[1m.*IPC' coloured
	grep -q $'\033\[2m-\033\[0m' coloured
	NO_COLOR=1 script -qec "rcrstat -d stream -n 1" /dev/null >plain
	[ "$(grep -c $'\033' plain)" -eq 0 ]
	diff <(sed 's/\x1b\[[0-9]*m//g' coloured) plain
	TERM=dumb script -qec "rcrstat -d stream" /dev/null | cmp - plain
	rcrstat -d stream -f table | diff - <(tr -d '\r' <plain)
	# The default is CSV in a pipe and in a file, also with -o on a terminal.
	rcrstat -d stream | head -n 1 | grep -q '^time,interval,lost,overruns,status,cpu0:TOT_CYC,'
	script -qec "rcrstat -d stream -o file" /dev/null >out
	[ ! -s out ]
	rcrstat -d stream | cmp - file
}

@test "screens: INTERVAL and COUNT mean -i and -n" {
	make_stream cpus=2 set run=5010 >stream
	rcrstat -d stream 0.5 3 | cmp - <(rcrstat -d stream -i 0.5 -n 3)
	rcrstat -d stream 2 | cmp - <(rcrstat -d stream -i 2)
	# Repeated tables are drawn on the alternate screen; the last one stays.
	TERM=xterm script -qec "cat stream | rcrstat -d /dev/stdin 1 2" /dev/null >twice
	[ "$(grep -c '^.*2023-11-14 22:13:2[23], 1 s' twice)" -eq 3 ]
	[ "$(grep -o $'\033\[?1049[hl]' twice | tr -d '\033\n')" = "[?1049h[?1049l" ]
}

@test "screens: a hangup of the terminal ends rcrstat" {
	make_stream cpus=2 set run=2010 >stream
	begin 80x24 C "rcrstat -d <(cat stream; sleep 60)"
	wait_for 22:13:22
	pid=$(pgrep -P "$(tmux list-panes -F '#{pane_pid}')" -x rcrstat)
	tmux kill-server
	for _ in $(seq 100); do
		[ -d "/proc/$pid" ] || break
		sleep 0.1
	done
	[ ! -d "/proc/$pid" ]
}

@test "screens: show fits the width of the terminal and the number of CPUs" {
	for each in four staged many none verbose; do
		begin 80x24 C "make_show $each"
		wait_for "status 0"
		screen "show-$each-80x24"
		tmux kill-server
	done
	for each in many verbose; do
		begin 200x60 C.UTF-8 "make_show $each"
		wait_for "status 0"
		screen "show-$each-200x60"
		tmux kill-server
	done
	# Lines are not wrapped in a pipe, the heading is printed, and there are never colours.
	make_show verbose | diff - <(head -n 6 "$BATS_TEST_DIRNAME/screens/show-verbose-200x60")
	script -qec "stty cols 80; make_show many" /dev/null >drawn
	[ "$(grep -c $'\033' drawn)" -eq 0 ]
}

@test "screens: doctor fits the width of the terminal" {
	mkdir -p system/proc/sys/kernel system/sys/module/rcrtool system/proc/42/fd system/dev \
		system/sys/bus/event_source/devices system/sys/firmware/acpi system/sys/kernel/security
	touch system/sys/kernel/security/lsm
	echo 6.1.0-9 >system/proc/sys/kernel/osrelease
	echo 1 >system/proc/sys/kernel/nmi_watchdog
	echo 2 >system/proc/sys/kernel/perf_event_paranoid
	cp "$TOP/VERSION" system/sys/module/rcrtool/version
	printf 'model name\t: \303\234-Prozessor\nflags\t\t: fpu hypervisor tsc\n' >system/proc/cpuinfo
	ln -s "anon_inode:[perf_event]" system/proc/42/fd/3
	echo papi >system/proc/42/comm
	for size in 80x24 200x60; do
		begin $size C.UTF-8 "RCR_ROOT=$PWD/system rcrctl doctor | cat; RCR_ROOT=$PWD/system rcrctl doctor"
		wait_for "status 1"
		sed "s/version [0-9][0-9.]*/version V/" <(tmux capture-pane -p) >drawn
		diff drawn "$BATS_TEST_DIRNAME/screens/doctor-$size"
		tmux kill-server
	done
}

# offers TYPED TEXT: zsh completes TYPED to TEXT.
offers() {
	tmux send-keys -l "$1"
	tmux send-keys Tab
	wait_for "% $2"
	tmux send-keys C-u
}

@test "screens: zsh completes verbs, options, events, sets, meters and files" {
	export LIBPFM_FORCE_PMU=amd64_fam15h_interlagos RCR_BOARD=$PWD/board
	make_board >board
	touch night.set
	cat >zshrc <<-'END'
		PS1='%% '
		fpath=("$COMPLETION" $fpath)
		autoload -U compinit && compinit -u -d zcompdump && print ready
	END
	begin 80x24 C "COMPLETION='$TOP/userspace/system/completion' zsh -f"
	tmux send-keys ". ./zshrc" Enter
	wait_for ready
	while IFS='|' read -r typed completed; do
		offers "rcrctl $typed" "rcrctl $completed"
	done <<-'END'
		doct|doctor
		fin|finalize
		--bat|--batch
		doctor --rep|doctor --report
		set VEC_|set VEC_INS
		events @m|events @mem
		replace al|replace all
		replace L1_DCM VEC_|replace L1_DCM VEC_INS
		pause al|pause all
		on mem|on mem_bw
		meter ad|meter add
		meter show fl|meter show flops
		record fe|record fetch
		mark beg|mark begin
		help doct|help doctor
		load def|load default
		load nig|load night.set
		check nig|check night.set
	END
	while IFS='|' read -r typed completed; do
		offers "rcrstat $typed" "rcrstat $completed"
	done <<-'END'
		--rel|--relations
		-e VEC_|-e VEC_INS
		-e branch-m|-e branch-misses
		-m fl|-m flops
		-f influ|-f influx
		-p pack|-p package
		-o nig|-o night.set
	END
}
