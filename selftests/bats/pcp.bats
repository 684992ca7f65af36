#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# pmdarcr, the agent for PCP, replays recordings under a private pmcd. Tests with a module are in
# guest/jobs/pcp.sh.

bats_require_minimum_version 1.5.0
load says
load pcp

setup() {
	use_built
	PATH=$TOP/build/unit:$PATH
}

teardown() {
	stop_pmcd
}

@test "--help and the manual page name the same options" {
	same_options pmdarcr "$TOP/Documentation/man/pmdarcr.1"
}

@test "a wrong command line is reported, with status 2" {
	says 2 "unknown option '--often'" pmdarcr --often
	says 2 "--grid needs a value" pmdarcr --grid
	says 2 "invalid grid '10': use a number and a unit" pmdarcr -g 10
	says 2 "invalid grid '2h'" pmdarcr -g 2h
	says 2 "invalid domain '511': use a number from 1 to 510" pmdarcr -d 511
	says 2 "unexpected word 'file'" pmdarcr file
	[ "$(pmdarcr --version)" = "pmdarcr $(cat "$TOP/VERSION")" ]
}

@test "completion, for bash and zsh, has the options of the help" {
	diff <(completed pmdarcr --) <(pmdarcr --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	touch a.rec
	mkdir a.sys
	[ "$(completed pmdarcr -f a.r)" = a.rec ]
	[ "$(completed pmdarcr --sysfs a)" = a.sys ]
	[ "$(completed pmdarcr -U roo)" = root ]
	[ -z "$(completed pmdarcr --grid "")" ]
	zsh=$TOP/userspace/system/completion/_pmdarcr
	diff <(grep -oE -- '-[a-zA-Z] \| --[a-z]+' "$zsh") \
		<(grep -oE -- '-[a-zA-Z] \| --[a-z]+' "$TOP/userspace/system/completion/pmdarcr.bash")
	! command -v zsh >/dev/null || command zsh -n "$zsh"
}

@test "fetches at random times return exactly the sums of the records at a grid tick" {
	use_pcp
	make_sysfs
	# A takeover of a package counter, energy, a foreign counter, a CPU that goes offline.
	make_stream cpus=4 scope=3:2 owner=3:0 owner=3:2 unit=4:1 set run=1500 foreign=1:2 run=1040 silent=3 run=990 \
		owner=3:0 owner=3:1 run=1300 silent=3 foreign=1:2 run=1200 >stream
	cores=() cpus=()
	for cpu in 0 1 2 3; do
		cores+=("core/package$((cpu / 2))/die0/core$((cpu % 2))=$cpu")
		cpus+=("cpu/cpu$cpu=$cpu")
	done
	python3 "$BATS_TEST_DIRNAME/grid_sums.py" stream 100 machine/-=0,1,2,3 package/package0=0,1 package/package1=2,3 \
		node/node0=0,1,2,3 die/package0/die0=0,1 llc/llc1=2,3 "${cores[@]}" "${cpus[@]}" >expected
	start_pmcd -f "$PWD/stream" -g 100ms --sysfs "$PWD/sys"
	fetch_pcp "$HOST" 200 50 rcr.tick.time rcr.machine rcr.package rcr.node rcr.die rcr.llc rcr.core rcr.cpu >fetches
	awk '
	NR == FNR { expected[$1, $2, $3] = $4; tick[$1] = 1; next }
	$2 == "rcr.tick.time" { time = $4; fetches++; if (!(time in tick)) wrong++; if (time != last) ticks++; last = time; next }
	# All other parts follow the same topology.
	!((time, $2, $3) in expected) { unnamed[$2 " " $3]; next }
	expected[time, $2, $3] != $4 { print "wrong at", time, $0, expected[time, $2, $3]; wrong++ }
	($2, $3) in before && $4 + 0 < before[$2, $3] { print "fell:", $0; wrong++ }
	{ before[$2, $3] = $4 + 0; compared++ }
	END {
		print fetches, ticks, compared, wrong + 0
		for (i in unnamed) print "not compared:", i
		exit wrong || fetches != 200 || ticks < 20 || compared < 200 * 6 * 10 }' expected fetches >verdict ||
		{ head -n 40 verdict; false; }
	cat verdict
	# Only counters of a whole unit have these instances.
	fetched rcr.package.L1_DCM | grep -q "package0 [0-9]"
	[ -z "$(fetched rcr.core.L1_DCM)" ]
}

@test "a truncated or damaged recording is replayed once, then only the reason is left" {
	use_pcp
	make_sysfs
	make_stream cpus=4 set run=300 >stream
	truncate -s -20 stream
	start_pmcd -f "$PWD/stream" -g 100ms --sysfs "$PWD/sys"
	wait_until is_fetched rcr.set.state "- Protocol error"
	fetch_pcp "$HOST" 20 250 rcr | cut -d' ' -f2- | sort -u >values
	printf 'rcr.set.grid - 100000000\nrcr.set.state - Protocol error\n' | diff - <(grep -v rcr.board.state values)
}

# last_step: print the spread of TOT_CYC over the CPUs from the last two ticks of the file
# "expected".
last_step() {
	awk '
	$2 == "rcr.cpu.TOT_CYC" { before[$3] = now[$3]; now[$3] = $4 }
	END {
		min = 1e30
		for (cpu in now) { rate = (now[cpu] - before[cpu]) * 10; sum += rate; n++; if (rate < min) min = rate; if (rate > max) max = rate }
		for (cpu in now) { rate = (now[cpu] - before[cpu]) * 10; square += (rate - sum / n) ^ 2 }
		printf "cv %.6e\nmin %.6e\nmax %.6e\n", sqrt(square / (n - 1)) / (sum / n), min, max }' expected
}

@test "spread and extremes are of the rates between grid ticks, and statuses are counted" {
	use_pcp
	make_sysfs
	make_stream cpus=4 set run=1500 foreign=2:1 silent=3 run=500 silent=3 run=520 >stream
	python3 "$BATS_TEST_DIRNAME/grid_sums.py" stream 100 machine/-=0,1,2,3 cpu/0=0 cpu/1=1 cpu/2=2 cpu/3=3 >expected
	start_pmcd -f "$PWD/stream" -g 100ms --sysfs "$PWD/sys"
	wait_until is_fetched rcr.set.state "- the recording has ended"
	fetched rcr >values
	[ "$(grep -c "^rcr.notok.TOT_INS" values)" -eq 8 ]
	[ "$(awk '$1 == "rcr.notok.TOT_INS" && $3 != 0' values)" = "rcr.notok.TOT_INS foreign 1" ]
	diff <(last_step) <(for leaf in cv min max; do
		awk -v name=rcr.spread.TOT_CYC.$leaf -v leaf=$leaf '$1 == name { printf "%s %.6e\n", leaf, $3 }' values
	done)
	# Steps in which a CPU has no sample, or comes back, are left out of the minutes.
	awk '
	$2 == "rcr.machine.TOT_CYC" { if (n++ && n != 16 && n != 21) { rate = ($4 - last) * 10; if (!max || rate < min) min = rate; if (rate > max) max = rate; count++; sumsq += rate * rate } last = $4 }
	END { printf "count %.6e\nmax %.6e\nmin %.6e\nsumsq %.6e\n", count, max, min, sumsq }' expected >minute
	diff minute <(awk '$1 ~ /^rcr.within.TOT_CYC/ && $2 == "current" { sub(/.*[.]/, "", $1); printf "%s %.6e\n", $1, $3 }' values | sort)
}

# is_fetched NAME TEXT: succeed if the value of NAME is TEXT.
is_fetched() {
	fetched "$1" | grep -qxF "$1 $2"
}

@test "the name of an event that replaces another one appears in a running archive" {
	use_pcp
	make_sysfs
	make_stream cpus=4 set run=3000 name=0:DATA_CACHE:ALL next run=5000 >stream
	start_pmcd -f "$PWD/stream" -g 100ms --sysfs "$PWD/sys"
	wait_until is_fetched rcr.set.generation "- 1"
	echo 'log mandatory on 200 msec { rcr.machine }' >config
	pmlogger -h "$HOST" -c config -l pmlogger.log -T 6s archive
	pmdumplog -d archive | grep -q "(rcr.machine.TOT_CYC)"
	pmdumplog archive | grep -c "(rcr.machine.DATA_CACHE_ALL): value" >count || { cat pmlogger.log; false; }
	[ "$(cat count)" -gt 3 ]
	[ "$(pminfo -h "$HOST" -t rcr.machine.DATA_CACHE_ALL)" = "rcr.machine.DATA_CACHE_ALL [total of DATA_CACHE:ALL, of each part of that kind]" ]
}

@test "an event keeps its number and total after SIGKILL of pmcd and the agent" {
	use_pcp
	make_sysfs
	make_stream cpus=4 set run=300 >stream
	start_pmcd -f "$PWD/stream" -g 100ms --sysfs "$PWD/sys"
	wait_until is_fetched rcr.set.state "- the recording has ended"
	fetched rcr.machine rcr.cpu >before
	pminfo -h "$HOST" -m rcr.machine.TOT_INS >number
	agent=$(pgrep -P "$PMCD" pmdarcr)
	# The agent runs as another user, with the group, without capabilities.
	[ "$(stat -c %U "/proc/$agent")" = nobody ] || [ "$(id -u)" -ne 0 ]
	[ "$(awk '/^Cap(Prm|Eff|Amb)/ { sum += $2 != "0000000000000000" } END { print sum + 0 }' "/proc/$agent/status")" -eq 0 ] ||
		[ "$(id -u)" -ne 0 ]
	kill -KILL "$agent" "$PMCD"
	rm -f socket
	# Now another event is the first one of the set.
	make_stream cpus=4 name=0:TOT_INS name=1:TOT_CYC set run=300 >stream
	start_pmcd -f "$PWD/stream" -g 100ms --sysfs "$PWD/sys"
	wait_until is_fetched rcr.set.state "- the recording has ended"
	diff number <(pminfo -h "$HOST" -m rcr.machine.TOT_INS)
	diff <(sort before) <(fetched rcr.machine rcr.cpu | sed 's/TOT_CYC/X/; s/TOT_INS/TOT_CYC/; s/X/TOT_INS/' | sort)
}

# kernel_values: print some metrics, read from the kernel's files.
kernel_values() {
	awk '/^cpu[0-9]/ { print "kernel.percpu.cpu.user", $1, $2 * 10 } /^ctxt / { print "kernel.all.pswitch", "-", $2 }' /proc/stat
	awk '/^pg(fault|alloc_normal) / { print "mem.vmstat." $1, "-", $2 }' /proc/vmstat
	awk -F'[: ]+' '/^ *lo:/ { print "network.interface.in.bytes lo", $3 }' /proc/net/dev
	awk '$3 ~ /^[vs]da$|^nvme0n1$/ { print "disk.dev.read", $3, $4 }' /proc/diskstats
}

# sources_are_right [PATTERN]: metrics of the operating system, except those of the pattern, are
# between the kernel's values before and after.
sources_are_right() {
	kernel_values | grep -v "${1:-none}" >before
	rcrjob sources --values >values 2>errors
	kernel_values | grep -v "${1:-none}" >after
	cat errors
	[ ! -s errors ]
	awk '
	FILENAME == "before" { least[$1, $2] = $3; n++ }
	FILENAME == "after" { most[$1, $2] = $3 }
	FILENAME == "values" && ($3, $2) in most { if ($4 < least[$3, $2] || $4 > most[$3, $2]) print "wrong:", $0, least[$3, $2], most[$3, $2]; else right++ }
	END { print right, n; exit right != n || n < 5 }' before after values
	[ "$(awk '$3 == "mem.util.used" || $3 == "mem.util.free" { sum += $4 } END { print sum }' values)" = "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)" ]
	[ "$(rcrjob sources | grep -cE '^(block|cpu|mem|net|numa|ps|sysv_shm|tmpfs|vfs|vmstat) .* present$')" -eq 10 ]
}

@test "sources: metrics of the operating system agree with the kernel's files, without a daemon" {
	use_pcp
	sources_are_right
	! grep -q "[.]load" values || false
}

@test "sources: pmcd is used without the agent, and a missing pmcd or configuration of PCP is reported" {
	use_pcp
	make_stream set run=100 >stream
	start_pmcd -f "$PWD/stream"
	sed -i "s#^PCP_PMDAS_DIR=.*#PCP_PMDAS_DIR=$PWD/none#" pcp.conf
	# pmcd is in another network namespace.
	PMCD_SOCKET=$PWD/socket sources_are_right network
	rcrjob sources >table 2>errors
	[ ! -s errors ]
	[ "$(grep -c "PCP's agent for Linux cannot be loaded, and pmcd does not answer: " table)" -eq 11 ]
	# An agent that is not a library, one without its function, and missing names of metrics.
	mkdir -p none/linux
	echo garbage >none/linux/pmda_linux.so
	rcrjob sources >table 2>errors
	echo 'int x;' | gcc -shared -o none/linux/pmda_linux.so -x c -
	rcrjob sources >>table 2>>errors
	sed "s#^PCP_VAR_DIR=.*#PCP_VAR_DIR=$PWD/none#" "$PCP/here.conf" >nameless.conf
	PCP_CONF=$PWD/nameless.conf rcrjob sources >>table 2>>errors
	[ ! -s errors ]
	[ "$(grep -c "PCP's agent for Linux cannot be loaded, and pmcd does not answer: " table)" -eq 33 ]
	gcc -shared -o none/libpcp.so.3 -x c - <<<'int x;'
	LD_LIBRARY_PATH=$PWD/none rcrjob sources >table 2>errors
	[ ! -s errors ]
	[ "$(grep -c "libpcp.so.3 is of another version: it lacks functions" table)" -eq 11 ]
	PCP_CONF=$PWD/none/none rcrjob sources >table 2>errors
	[ ! -s errors ]
	[ "$(grep -c "PCP is not installed: pcp[.]conf was not found" table)" -eq 11 ]
}

# Run it in an overlay over the root of this machine, in which PCP is installed.
install_agent() {
	cat >install.sh <<-'EOF'
		set -e
		mount -t tmpfs none over
		mkdir over/upper over/work over/root
		mount -t overlay overlay -o "lowerdir=/,upperdir=over/upper,workdir=over/work" over/root
		cp -a --no-target-directory "$PCP/usr" over/root/usr
		cp -a "$PCP/etc/." over/root/etc
		cp -a "$PCP/var/." over/root/var
		make -s -C "$TOP" install-pcp DESTDIR="$PWD/over/root"
		mount -t tmpfs none over/root/tmp
		mount --bind /proc over/root/proc
		mount --bind /dev over/root/dev
		ip link set lo up
		cp inside.sh over/root/inside.sh
		chroot over/root bash /inside.sh
	EOF
	cat >inside.sh <<-'EOF'
		unset PCP_CONF PCP_DERIVED_CONFIG LD_LIBRARY_PATH
		export PCP_DIR=
		ldconfig
		grep -q ^pcp: /etc/passwd || echo pcp:x:990:990::/:/bin/false >>/etc/passwd
		grep -q ^pcp: /etc/group || echo pcp:x:990: >>/etc/group
		grep -q ^rcrtool: /etc/group || echo rcrtool:x:991: >>/etc/group
		mkdir -p /run/pcp /var/log/pcp/pmcd /var/tmp
		/usr/lib/pcp/bin/pmcd -f -U root -l /var/log/pcp/pmcd/pmcd.log -i 127.0.0.1 &
		until pminfo -f pmcd.numagents; do sleep 0.1; done
		cd /var/lib/pcp/pmdas/rcr
		./Install </dev/null
		pminfo -f rcr.set.state
		agent=$(ps -o pid= -C pmdarcr)
		echo "user $(stat -c %U /proc/${agent// /}), groups $(id -nG pcp)"
		pmlogger -C -c pmlogger.config
		./Remove </dev/null
		pminfo rcr
		kill %1
	EOF
	mkdir over
	PCP=$PCP TOP=$TOP unshare -mn bash install.sh
}

@test "Install adds the agent to pmcd as the user pcp, Remove removes it" {
	[ "$(id -u)" -eq 0 ] || skip "root only"
	use_pcp
	install_agent >out 2>&1 3>&- || true
	cat out
	grep -q "Check rcr metrics have appeared ... [1-9]" out
	grep -q 'value ".*"' out
	grep -q "^user pcp," out
	grep -q "^Config parsed" out
	! grep "line .*pmlogger.config" out || false
	grep -q "Check rcr metrics have gone away ... OK" out
}
