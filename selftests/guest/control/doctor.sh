#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# doctor.sh MODEL - 'rcrctl doctor' and its report on an installed machine: without the module, with
# it, and with problems that other programs cause; run by root, a member of the group and a user.
. ./defaults/common.sh
machine "$1"
plan 38

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

# finding SUBJECT: prints a finding with single blanks.
finding()
{
	sed -n "s/^\([a-z]*\) *$1  */\1 /p" /tmp/doctor
}

# none_is_free: true if no CPU has a free counter; perf takes those of one CPU after the other.
none_is_free()
{
	local cpu
	for cpu in 0 1 2 3; do
		! taskset -c $cpu perf stat -x, -e instructions:uD true 2>&1 | grep -q '^[0-9]' || return
	done
}

doctor()
{
	"$@" rcrctl doctor >/tmp/doctor 2>/tmp/err
}

watchdog 0
doctor
is "$?" 1 "doctor: the exit status is 1 without the module"
is "$(finding module)" "fix not loaded: run 'modprobe rcrtool'" "doctor: the remedy is to load the module"
is "$(finding rcrjob)" "note cannot run: it needs the module" "doctor: rcrjob cannot run"
is "$(finding pmdarcr)" "note not added to pmcd: run './Install' in /var/lib/pcp/pmdas/rcr" \
	"doctor: PCP's agent is not added to pmcd"
is "$(finding kernel)" "ok $(uname -r)" "doctor: the kernel's version is printed"
is "$(finding watchdog)" "ok off" "doctor: the watchdog is off"
is "$(grep -c '^rcrtool ' /proc/modules)" 0 "doctor: rcrctl doctor does not load the module"

plain_load
rcrd
soon test -S /run/rcrtool/control.sock
doctor
rc=$?
grep -v '^fix   headers' /tmp/doctor >/tmp/others
is "$(grep -c ^fix /tmp/others) $(wc -c </tmp/err)" "0 0" "doctor: nothing is to be fixed with the module loaded"
[ "$(grep -c ^fix /tmp/others)" -eq 0 ] || sed 's/^/# /' /tmp/doctor
is "$rc" "$(grep -c '^fix ' /tmp/doctor)" "doctor: the exit status is 1 only if there is something to fix"
is "$(finding module)" "ok loaded, version $(cat /sys/module/rcrtool/version)" "doctor: the module's version is printed"
contains "$(finding processor)" ": $(sed -n 's/^family: //p' "$STATUS")" "doctor: the processor family is printed"
is "$(finding rcrd)" "ok running" "doctor: rcrd is running"
is "$(finding rcrjob)" "ok this user can run it, and it sets marks" "doctor: root can run rcrjob"
is "$(finding set)" "ok all $(rcrctl show --noheadings | wc -l) counters are ok on all CPUs" "doctor: all counters of the set are ok"
is "$(finding rcrregion)" "note only root can count: to let all users count, run 'sysctl kernel.perf_event_paranoid=2'" \
	"doctor: by Debian's default only root can count regions"
eval "$(finding rcrregion | sed "s/.*'\(.*\)'/\1/")" >/dev/null
doctor
is "$(finding rcrregion)" "ok all users can count" "doctor: the named command lets all users count regions"
setpriv --reuid=user --regid=user --init-groups rcrregion run -d /tmp -- rcrstat --version >/dev/null 2>&1
is "$? $(find /tmp -name '*.rcr' -user user | wc -l)" "0 1" "doctor: a user counts regions after that command"
sysctl -qw kernel.perf_event_paranoid=3
sysctl -qp /usr/local/share/doc/rcrtool/examples/sysctl-perf.conf
is "$(cat /proc/sys/kernel/perf_event_paranoid)" 2 "doctor: the example for /etc/sysctl.d sets the same value"
sysctl -qw kernel.perf_event_paranoid=3
is "$(finding counters)" "ok of $GENERAL in each core the set uses $(enabled_on_each), others hold 0, $(now_free) are free" \
	"doctor: the use of counters agrees with the registers"
# The module and perf must both count by the formula.
is "$(grep -cE '^ok +self-test +TOT_(CYC|INS) of a loop: .*[MG]/s, perf next to it' /tmp/doctor)" 2 \
	"doctor: self-test: the module and perf count the same"
grep self-test /tmp/doctor | sed 's/^/# /'
rcrctl doctor --json >/tmp/json
is "$(grep -c '"result": "ok", "subject": "module"' /tmp/json)" 1 "doctor: --json has the finding of the module"

# Problems caused by other programs.
watchdog 1
doctor
is "$(finding watchdog)" "note on: it has one counter of each core" "doctor: the watchdog is on"
watchdog 0
perf stat -a -e r00c1 sleep 1d 2>/dev/null &
user=$!
soon ls -l /proc/$user/fd 2>/dev/null | grep -q perf_event
sleep 1
doctor
contains "$(finding users)" "note events of perf are held by perf ($user)" "doctor: the process that holds counters is named"
rcrctl doctor --report /tmp/report
is "$? $(grep -c "perf ($user)\|$(hostname 2>/dev/null || echo '(none)')" /tmp/report)" "0 0" "doctor: --report names neither that process nor the host"
kill $user
wait $user 2>/dev/null
# perf takes and keeps all free counters.
perf stat -a -e "$(for event in $ANYWHERE; do echo "$event:D"; done | head -n "$(now_free)" | xargs | tr ' ' ,)" sleep 1d 2>/tmp/holder &
user=$!
soon none_is_free || sed "s/^/# $(enabled_on_each) are used: /" /tmp/holder
doctor
is "$(finding rcrregion)" "note cannot count: no counter is free: stop what holds them" "doctor: no counter is free for regions"
rcrregion run -d /tmp -- /rcr/tests/sections pairs 10 >/dev/null 2>/tmp/err
is "$(grep -c 'no counter is free' /tmp/err)" 1 "doctor: rcrregion reports the same"
kill $user
wait $user 2>/dev/null
rcrctl pause TOT_CYC
doctor
contains "$(finding set)" "note TOT_CYC is paused: 'rcrctl resume TOT_CYC' reads it again" "doctor: a paused counter is reported with the remedy"
rcrctl resume TOT_CYC
echo "colour = blue" >/tmp/conf && mkdir -p /etc/rcrtool && mv /tmp/conf /etc/rcrtool/rcrtool.conf
doctor
contains "$(finding configuration)" "fix /etc/rcrtool/rcrtool.conf:1: unknown key 'colour'" "doctor: an invalid configuration is reported"
rm /etc/rcrtool/rcrtool.conf

# The report.
for line in "rcrctl: $(cat /sys/module/rcrtool/version)" "kernel: $(uname -r)" "TOT_CYC: event:" "ok: self-test: TOT_CYC" "family: "; do
	grep -q "^$line" /tmp/report || echo "# there is no line \"$line\""
done >/tmp/missing
is "$(cat /tmp/missing)" "" "report: the report has versions, family, registers and the self-test"
is "$(sed -n '/^\[tables\]/,/^\[findings/p' /tmp/report | grep -c '^TOT_INS: .* counters 0x')" 1 "report: the report has the tables in use"
grep -n "member\|user:\|/home" /tmp/report | sed 's/^/# /'
is "$(grep -c 'member\|/home' /tmp/report)" 0 "report: the report has no names of users"

# Other users.
doctor as member
is "$(finding device) $(finding set)" "ok /dev/rcrtool can be read ok all $(rcrctl show --noheadings | wc -l) counters are ok on all CPUs" \
	"doctor: a member sees the set"
is "$(finding rcrjob)" "ok this user can run it, but not set marks, which needs CAP_PERFMON or CAP_SYS_RAWIO" \
	"doctor: a member can run rcrjob, without marks"
doctor as user
is "$(finding rcrjob)" "note cannot run: it needs to read /dev/rcrtool" "doctor: a user cannot run rcrjob"
is "$(finding device)" "fix /dev/rcrtool cannot be read: become root or join the group rcrtool" "doctor: a user reads that the group rcrtool is required"
is "$(rcrctl show --noheadings | awk '{ print $2 }' | sort -u)" ok "doctor: every counter is ok at the end"
kill "$(cat /run/rcrtool/rcrd.pid)"
soon modprobe -r rcrtool
is "$?" 0 "undone: the module unloads"
modprobe rcrtool source=msr
doctor
busy=$(finding rcrregion)
rcrctl reset
sysctl -qw kernel.perf_event_paranoid=2
doctor
is "$busy / $(finding rcrregion)" \
	"note cannot count: rcrtool has the counters to itself: load it with source=perf / ok all users can count" \
	"doctor: with source=msr regions are counted after 'rcrctl reset' only"
modprobe -r rcrtool
finished
