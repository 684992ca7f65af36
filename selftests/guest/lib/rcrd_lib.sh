# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # variables of the scripts that source this
#
# rcrd_lib.sh - runs rcrd and checks the windows of its flight recorder; sourced by tests.
. /findings.sh

STATE=/var/lib/rcrtool/record/rcrd.state
WINDOW=/var/lib/rcrtool/record/window
GROUP=999
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
member=(setpriv --reuid 1001 --regid 1001 --groups "$GROUP")
perfmon=(setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio)
chmod 755 /rcr /rcr/bin /rcr/tests
mkdir -p /run /var/lib /etc

# users: adds the user and the group that systemd-sysusers would add.
users()
{
	printf '%s\n' root:x:0:0::/root:/bin/bash rcrtool:x:998:$GROUP::/:/bin/false >/etc/passwd
	printf '%s\n' root:x:0: rcrtool:x:$GROUP: >/etc/group
}

# give_devices: gives the devices the group and mode that the udev rule sets.
give_devices()
{
	chgrp $GROUP /dev/rcrtool /dev/rcrboard
}

# start [KIB]: runs rcrd -f in the background with RLIMIT_MEMLOCK at KIB; returns once it serves.
start()
{
	(ulimit -l "${1:-unlimited}" && exec rcrd -f) >/tmp/rcrd.log 2>&1 &
	daemon=$!
	soon serves
}

serves()
{
	./clamor ask "record ls" 2>/dev/null | grep -q '^ok'
}

# stop [SIGNAL]: terminates rcrd; sets $ended to its exit status.
stop()
{
	kill "${1:--TERM}" "$daemon"
	wait "$daemon" 2>/dev/null
	ended=$?
}

recorder()
{
	rcrctl record ls | sed '1!d;s/,.*//'
}

kept()
{
	rcrctl record ls | sed -n 's/^kept: //p'
}

missed()
{
	rcrctl record ls --json | sed -n 's/.*"missed": *\([0-9]*\).*/\1/p'
}

locked()
{
	sed -n 's/^VmLck:[\t ]*\([0-9]*\) kB/\1/p' "/proc/$daemon/status"
}

# has_kept: true if rcrd has a window that root has not fetched.
has_kept()
{
	[ "$(recorder)" = kept ]
}

# follow_on, follow_off: start and stop a reader of the device.
follow_on()
{
	cat /dev/rcrtool >/tmp/stream &
	follower=$!
}

follow_off()
{
	sleep 0.5
	kill "$follower"
	wait "$follower" 2>/dev/null
}

# judged TRIGGER MARKS AREA [CPUS]: compares the 2 seconds of /tmp/window with /tmp/stream. The text
# of the last mark begins with TRIGGER. MARKS marks were set; on a slow kernel the window may have
# fewer, as it begins after the first ones.
judged()
{
	./window /tmp/window /tmp/stream 2000 >/tmp/judged
	is "$(sed -n 1p /tmp/judged | cut -c "1-${#1}")" "$1" "$3: the trigger is the last item"
	is "$(sed -n 2p /tmp/judged)" "window: 1 set, 0 lost, 0 holes, 0 out of order, 0 outside" \
		"$3: it is a stream of the last 2 seconds"
	older=$(sed -n '4s/.* before them \([0-9]*\) marks/\1/p' /tmp/judged)
	is "$(sed -n 3p /tmp/judged)" \
		"compared: ${4:-4} cpus, $(($2 - older)) marks, 0 missing, 0 different, 0 more" \
		"$3: every record of every CPU and every mark, byte for byte"
	is "$(sed -n 5p /tmp/judged)" "sampling: 0 lost, 0 holes, 0 ticks unaccounted" \
		"$3: sampling went on"
	sed -n 's/^records/# records/p' /tmp/judged
}

# tight: creates a cgroup with little memory.
tight()
{
	mkdir -p /sys/fs/cgroup
	grep -q " /sys/fs/cgroup " /proc/mounts || mount -t cgroup2 cgroup2 /sys/fs/cgroup
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p /sys/fs/cgroup/tight
	echo 8M >/sys/fs/cgroup/tight/memory.max
	grep -q " /sys/kernel/tracing " /proc/mounts || mount -t tracefs none /sys/kernel/tracing
}

# The OOM killer logs a call trace. Check it here and clear the log, so that the check for kernel
# warnings at the end of the test does not see it.
oom_kill()
{
	dmesg | grep -E "$COMPLAINTS|Call Trace" >/tmp/complaints
	sh -c 'echo $$ >/sys/fs/cgroup/tight/cgroup.procs; exec tail /dev/zero' &
	victim=$!
	wait $victim 2>/dev/null
	dmesg -c >/tmp/killed
	grep -E "$COMPLAINTS" /tmp/killed >>/tmp/complaints
	is "$(cat /tmp/complaints)" "" "$1"
}

# load_on, load_off: start and stop load on every CPU.
load_on()
{
	local i
	for ((i = 0; i < $(nproc); i++)); do
		while :; do :; done &
		load[i]=$!
	done
}

load_off()
{
	kill "${load[@]}"
	wait "${load[@]}" 2>/dev/null
}
