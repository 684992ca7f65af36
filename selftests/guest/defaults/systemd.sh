#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# systemd.sh - tests the files that 'make install' installs for systemd, udev, sysusers and
# modprobe, on a machine that systemd has booted.
. ./tap.sh
plan 34

main_pid()
{
	systemctl show -p MainPID --value rcrd
}

# state WORD...: prints properties of the daemon from systemctl show.
state()
{
	local word
	for word in "$@"; do
		systemctl show -p "$word" --value rcrd
	done | xargs
}

# status FIELD: prints a field of the status of the daemon in /proc.
status()
{
	sed -n "s/^$1:[[:space:]]*//p" "/proc/$daemon/status" | xargs
}

runs_anew()
{
	[ "$(state ActiveState)" = active ] && [ "$(main_pid)" -ne "$daemon" ] &&
		rcrctl record ls >/dev/null 2>&1
}

is_recorded()
{
	grep -qs ok /var/log/rcrtool/*.csv
}

has_failed()
{
	[ "$(state ActiveState)" = failed ]
}

record_has_failed()
{
	[ "$(systemctl show -p ActiveState --value rcrtool-record@ldms)" = failed ]
}

serves()
{
	rcrctl record ls >/dev/null 2>&1
}

# Print the lines that the daemon has logged since the last call, without those of systemd.
said()
{
	journalctl -q -u rcrd -o cat _COMM=rcrd _COMM=rcrd-set --cursor-file=/tmp/cursor
}

is "$(cat /proc/1/comm) $(systemctl is-active systemd-udevd)" "systemd active" "systemd: systemd is process 1, and udev runs"
is "$(grep -c '^rcrtool:' /etc/passwd) $(grep -c '^rcrtool:' /etc/group)" "1 1" \
	"sysusers: the user and the group were created at boot"

# Without the module.
systemctl start rcrtool
is "$? $(state ActiveState Result)" "0 inactive success" "without the module: the service is skipped"
# systemd may log the same line twice.
journalctl -q -o cat -u rcrtool | sort -u | tee /tmp/lines | sed 's/^/# /'
is "$(grep -c 'ConditionPathExists=/dev/rcrtool' /tmp/lines) $(wc -l </tmp/lines)" "1 1" \
	"without the module: systemd logs the condition that failed, on one line"
says 1 "load the module" rcrd -f

# With options from a file, and with all defaults.
mkdir -p /etc/modprobe.d
echo "options rcrtool period_us=5000" >/etc/modprobe.d/rcrtool.conf
modprobe rcrtool
is "$? $(cat /sys/module/rcrtool/parameters/period_us)" "0 5000" "modprobe.d: options in a file are applied"
rm /etc/modprobe.d/rcrtool.conf
udevadm settle
rmmod rcrtool
modprobe rcrtool
udevadm settle
is "$(stat -c '%a %U %G' /dev/rcrtool /dev/rcrboard | xargs)" "640 root rcrtool 660 root rcrtool" \
	"udev: devices have their group and mode"
contains "$(rcrctl meter ls -a | cut -d' ' -f1 | xargs)" mem_bw "udev: modprobe adds the meters of the family"
result $((! $(grep -c ^ /sys/kernel/debug/rcrtool/meters/mem_bw))) "udev: the files of the devices have the group and mode of the rule"
before=$(rcrctl ls | sed 1d)

systemctl start rcrtool
is "$? $(state ActiveState SubState)" "0 active running" "start: the service is running with all defaults"
serves
result $? "start: rcrd answers at once"
daemon=$(main_pid)
uid=$(id -u rcrtool) gid=$(sed -n 's/^rcrtool:[^:]*:\([0-9]*\):.*/\1/p' /etc/group)
is "$(status Uid) $(status Gid)" "$uid $uid $uid $uid $gid $gid $gid $gid" "privilege: rcrd runs as user and group rcrtool"
is "$(status CapEff) $(status CapPrm) $(status CapBnd) $(status CapAmb) $(status CapInh)" \
	"0000004000000000 0000004000000000 0000004000000000 0000000000000000 0000000000000000" \
	"privilege: CAP_PERFMON is its only capability"
is "$(status NoNewPrivs) $(status Seccomp)" "1 2" "privilege: the system calls of rcrd are filtered"
is "$(awk '/^Max open files/ { print $4, $5 } /^Max locked memory/ { print $4, $5 }' "/proc/$daemon/limits" | xargs)" \
	"33792 33792 unlimited unlimited" "limits: rcrd may open 33792 files and lock any amount of memory"
is "$(cat "/proc/$daemon/oom_score_adj")" -900 "limits: rcrd is among the last to be killed for memory"
is "$(stat -c '%a %U %G' /run/rcrtool /var/lib/rcrtool /var/lib/rcrtool/record | xargs)" \
	"755 root root 755 root root 750 rcrtool rcrtool" "directories: each has its owner and mode"
rcrctl record --last 1s
is "$?" 0 "recorder: root arms the recorder"

kill -KILL "$daemon"
soon runs_anew
is "$? $(state NRestarts)" "0 1" "kill -9: systemd restarts rcrd"
is "$(rcrctl record ls | sed '1!d;s/,.*//')" armed "kill -9: the recorder is armed as before"
is "$(rcrctl ls | sed 1d)" "$before" "kill -9: the set is as before"
said >/dev/null
systemctl stop rcrtool
is "$? $(state ActiveState Result ExecMainStatus) $(said) $(rcrctl ls | sed 1d)" "0 inactive success 0  $before" \
	"stop: rcrd exits with status 0 and logs nothing, and the set is as before"

# An invalid configuration file.
mkdir -p /etc/rcrtool
echo "nonsense" >/etc/rcrtool/rcrtool.conf
systemctl start rcrtool 2>/dev/null
result $((! $?)) "wrong configuration: the service rcrtool fails to apply the file"
is "$(journalctl -q -u rcrtool -o cat _COMM=rcrctl | grep -c "^/etc/rcrtool/rcrtool.conf:1: invalid line 'nonsense'")" 1 \
	"wrong configuration: the journal names the file and the line"
soon has_failed
is "$(state ExecMainStatus)" 1 "wrong configuration: rcrd fails with status 1"
is "$(said | sort -u | grep -c .)" 1 "wrong configuration: rcrd logs one line"
systemctl stop rcrtool
systemctl start rcrtool-record@ldms
soon record_has_failed
is "$(systemctl show -p ExecMainStatus -p NRestarts --value rcrtool-record@ldms | sort | xargs)" \
	"0 2" "wrong configuration: a recording fails, and systemd does not restart it"
systemctl reset-failed

# A valid configuration: the example with additions.
cp /usr/local/share/doc/rcrtool/examples/rcrtool.conf /etc/rcrtool/rcrtool.conf
cat >>/etc/rcrtool/rcrtool.conf <<-'END'
	meter = paced "TOT_INS / TOT_CYC" --scale 100ms
	maximum.paced = 4
	recorder = 2s mark
END
systemctl start rcrtool
is "$? $(systemctl is-active rcrtool rcrd | xargs)" "0 active active" "configuration: the file is applied at start"
is "$(rcrctl record ls | cut -d, -f1-2)" "armed, the last 2s on mark" "configuration: the recorder is armed"
is "$(rcrctl meter show paced | sed -n 's/^max: //p')" 4.000000 "configuration: a meter has its maximum"
sed -i 's/^period = .*/period = 20ms/' /etc/rcrtool/rcrtool.conf
systemctl reload rcrtool
is "$? $(rcrctl show | sed -n '1s/.*period \([^;]*\);.*/\1/p')" "0 20 ms" "configuration: systemctl reload applies a changed file"
systemctl start rcrtool-record@csv
soon is_recorded
is "$? $(stat -c '%U %a' /var/log/rcrtool)" "0 rcrtool 750" "recording: the unit records as the user rcrtool"
systemctl restart rcrtool-record@csv
sleep 2
is "$? $(find /var/log/rcrtool -name '*.csv' | wc -l)" "0 2" "recording: a restart of the unit begins a new file"
systemctl stop rcrtool-record@csv rcrtool
is "$? $(systemctl is-active rcrtool rcrd | xargs)" "0 inactive inactive" "configuration: stopping rcrtool stops rcrd"
rmmod rcrtool
finished
