# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Starts PCP of build/pcp in the current directory and in its own network namespace, so that clients
# use its socket. Loaded by pcp.bats; needs TOP.

# use_pcp: set up Debian's PCP without the configuration of this machine.
use_pcp() {
	PCP=$("$TOP/selftests/pcp.sh" 2>/dev/null)
	mkdir -p var
	cp -r "$PCP/var/lib/pcp" var/pcp
	mkdir -p var/pcp/config/pmda
	chmod 1777 var/pcp/config/pmda
	sed "s#^PCP_VAR_DIR=.*#PCP_VAR_DIR=$PWD/var/pcp#" "$PCP/here.conf" >pcp.conf
	export PCP_CONF=$PWD/pcp.conf PCP_DERIVED_CONFIG='' PMCD_PORT=44321
	export LD_LIBRARY_PATH=$PCP/usr/lib PATH=$PCP/usr/bin:$PATH
	HOST=unix://$PWD/socket
	# The agent runs as another user.
	chmod 1777 .
	local above=$PWD
	while above=$(dirname "$above") && [ "$above" != / ]; do
		[ ! -O "$above" ] || chmod a+x "$above"
	done
}

# make_sysfs: make the sysfs of two packages of two cores, in one node.
make_sysfs() {
	local cpu dir
	for cpu in 0 1 2 3; do
		dir=sys/devices/system/cpu/cpu$cpu
		mkdir -p $dir/topology $dir/cache/index0
		echo $((cpu / 2)) | tee $dir/topology/physical_package_id >$dir/cache/index0/id
		echo 0 >$dir/topology/die_id
		echo $((cpu % 2)) >$dir/topology/core_id
		echo 3 >$dir/cache/index0/level
	done
	mkdir -p sys/devices/system/node/node0
	echo 0-3 >sys/devices/system/node/node0/cpulist
}

# start_pmcd OPTION...: start pmcd with the agent, which gets the options. The agent sees an
# /etc/group with the group that an installation makes.
start_pmcd() {
	# shellcheck disable=SC2016 # for the other shell
	local apart=(-nm sh -c 'mount --bind groups.list /etc/group && exec "$@"' sh)
	[ "$(id -u)" -eq 0 ] || apart=(-r "${apart[@]}")
	getent group | sed '/^rcrtool:/d' >groups.list
	echo "rcrtool:x:999:" >>groups.list
	printf '%s\n' "pmcd 2 dso pmcd_init $PCP/usr/lib/pcp/pmdas/pmcd/pmda_pmcd.so" \
		"linux 60 dso linux_init $PCP/usr/lib/pcp/pmdas/linux/pmda_linux.so" \
		"rcr 300 pipe binary $TOP/build/bin/pmdarcr -d 300 -l $PWD/rcr.log -U nobody $*" >pmcd.conf
	unshare "${apart[@]}" "$PCP/usr/lib/pcp/bin/pmcd" -f -U root -c pmcd.conf -i 127.0.0.1 -s "$PWD/socket" \
		-l pmcd.log >pmcd.out 2>&1 3>&- &
	PMCD=$!
	wait_until fetched rcr.tick.number
}

# wait_until COMMAND...: wait at most 20 s until it succeeds.
wait_until() {
	local i
	for ((i = 0; i < 200; i++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	"$@" || { cat pmcd.log rcr.log; return 1; }
}

# fetched NAME...: fetch once, and print a line "METRIC INSTANCE VALUE" for each value.
fetched() {
	local values
	values=$(fetch_pcp "$HOST" 1 0 "$@") || return
	[ -z "$values" ] || cut -d' ' -f2- <<<"$values"
}

# pmcd ignores a signal to terminate while it starts.
stop_pmcd() {
	local i
	[ -n "${PMCD:-}" ] || return 0
	kill "$PMCD" 2>/dev/null || true
	for ((i = 0; i < 50; i++)); do
		kill -0 "$PMCD" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$PMCD" 2>/dev/null || true
	wait 2>/dev/null || true
}
