#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tutorial.sh hidden|tasks|after - runs the commands of the tasks in rcrtool(7), on a machine with
# the Debian packages that boots from a disk with systemd (selftests/boot.sh). "hidden": the
# hypervisor hides the PMU, and rcrctl doctor must explain that. "tasks": all tasks but the last
# one. "after": after a reboot the configuration must be in effect, and the last task (purge) must
# leave nothing. Run without run.sh, as the module stays loaded until the reboot.
# shellcheck disable=SC2034 # used by documents.sh
DOCUMENT_AREA=tutorial COMMAND_LIMIT=300
. ./defaults/common.sh
. ./documents.sh
machine fam15h
model=fam15h
PURGE="apt-get purge" RESET="^rcrctl reset"

# TAP output begins with the plan, but the number of results is known only at the end.
exec 3>&1 >/tmp/tutorial.tap
mkdir -p /tmp/tasks
cd /tmp/tasks || exit 1
zcat /usr/share/man/man7/rcrtool.7.gz >manual
of_manual manual >commands
grep -v "$PURGE" commands >first
grep "$PURGE" commands >last
printf '#!/bin/sh\necho solved\n' >job
chmod +x job
cd /rcr/tests || exit 1
modprobe msr

# run_in_work FILE: runs the commands of FILE in a directory that has the solver which tasks run.
run_in_work()
{
	cd /tmp/tasks || exit 1
	run "$1"
	cd /rcr/tests || exit 1
}

# Print the units that have failed.
failed_units()
{
	systemctl list-units --failed --plain --no-legend | cut -d' ' -f1 | xargs
}

# boot_ended: true once all units of the boot have started or failed.
boot_ended()
{
	[ -z "$(systemctl list-jobs --no-legend)" ]
}

has_bandwidth()
{
	rcrctl meter show mem_bw | grep -q '^status: ok'
}

# Print the files of rcrtool outside /rcr, which has the tests.
files()
{
	find / -xdev \( -path /rcr -o -path /tmp \) -prune -o -iname '*rcr*' -print | sort
}

# Print the files of /etc that name rcrtool, except user databases.
named_in_etc()
{
	grep -rlI rcrtool /etc | grep -vE '^/etc/(passwd|group|shadow|gshadow)-?$' | sort | xargs
}

# as_user COMMAND: runs COMMAND as a login user that is not in the group rcrtool.
as_user()
{
	setpriv --reuid=nobody --regid=nogroup --clear-groups \
		env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent bash -c "$1"
}

# to_fix: prints the findings to fix of rcrctl doctor, one per line, with single blanks.
to_fix()
{
	sed -n 's/^fix  *//p' /tmp/doctor | sed 's/  */ /g'
}

hidden()
{
	local load ask pmu
	pmu="kernel's PMU none: the hypervisor hides the counters; enable a virtual PMU for this machine"
	load=$(grep '^modprobe rcrtool' /tmp/tasks/first)
	ask=$(grep '^rcrctl doctor' /tmp/tasks/first)
	bash -c "$ask" >/tmp/doctor
	is "$? $(to_fix)" "1 module not loaded: run 'modprobe rcrtool'
$pmu" "tutorial: without a PMU, before the module is loaded, root reads both remedies"
	bash -c "$load" >/tmp/out 2>&1
	is "$? $(grep -c ' software:' /tmp/out) $(grep -cE ' (event|register):' /tmp/out)" "0 3 0" \
		"tutorial: without a PMU the module is loaded, and counts events of the kernel alone"
	sed 's/^/# /' /tmp/out
	udevadm settle
	bash -c "$ask" >/tmp/doctor
	is "$? $(to_fix)" "1 $pmu" "tutorial: without a PMU root reads that the hypervisor hides it, and what to do"
	as_user "$ask" >/tmp/doctor
	is "$? $(to_fix)" "1 $pmu
device /dev/rcrtool cannot be read: become root or join the group rcrtool" \
		"tutorial: without a PMU an ordinary user reads the same, and that the group rcrtool is required"
	sed 's/^/# /' /tmp/doctor
	is "$(failed_units)" "" "tutorial: without a PMU no unit has failed"
}

tasks()
{
	is "$(($(wc -l </tmp/tasks/first) > 10)) $(wc -l </tmp/tasks/last)" "1 1" \
		"tutorial: the page has commands for more than ten tasks, and one that uninstalls"
	is "$(cat /proc/1/comm) $(grep -c '^rcrtool ' /proc/modules)" "systemd 0" \
		"tutorial: systemd is process 1, and the module of the packages is not loaded yet"
	is "$(modinfo -F filename rcrtool)" "/lib/modules/$(uname -r)/updates/dkms/rcrtool.ko" \
		"tutorial: the module is the one that DKMS has built"
	grep -v "$RESET" /tmp/tasks/first >/tmp/tasks/before_reset
	run_in_work before_reset
	soon has_bandwidth
	result $? "tutorial: the memory bandwidth has a value"
	is "$(grep -c '^rcrtool_events_total{event="TOT_CYC",place="cpu3"' /run/rcrtool.prom)" 1 \
		"tutorial: the file for Prometheus has totals of the CPUs"
	is "$(rcrctl record ls | cut -d, -f1-2)" "armed, the last 5s on oom" \
		"tutorial: the flight recorder waits for an OOM kill"
	grep "$RESET" /tmp/tasks/first >/tmp/tasks/reset
	run_in_work reset
	perf_works "tutorial: perf counts next to the module"
	is "$(statuses)" ok "tutorial: after all tasks the status of every counter is ok"
	counts_right "tutorial: the counters count as the formula does"
	is "$(failed_units)" "" "tutorial: no unit has failed"
	# Edit the copied configuration as an administrator would.
	sed -i 's/^set = .*/set = TOT_INS PAPI_BR_INS/; s/^period = .*/period = 20ms/' \
		/etc/rcrtool/rcrtool.conf
	rcrctl check
	result $? "tutorial: the edited configuration is accepted"
}

after()
{
	soon boot_ended
	is "$(grep -c '^rcrtool ' /proc/modules) $(systemctl is-active rcrtool rcrd | xargs)" \
		"1 active active" \
		"tutorial: after a reboot the module is loaded, and its services run"
	is "$(rcrctl show | sed -n '1s/.*period \([^;]*\);.*/\1/p') $(names)" \
		"20 ms PAPI_BR_INS TOT_INS" \
		"tutorial: after a reboot the configured events are counted in the configured period"
	counts_right "tutorial: after a reboot the events are counted as the formula does"
	is "$(failed_units)" "" "tutorial: after a reboot no unit has failed"
	model=booted
	run_in_work last
	is "$(grep -c '^rcrtool ' /proc/modules) $(grep -lx rcrd /proc/[0-9]*/comm)" "0 " \
		"tutorial: after the purge neither the module nor the daemon runs"
	is "$(enabled_on_each)" "$(cat /proc/sys/kernel/nmi_watchdog)" \
		"tutorial: after the purge no counter of the cores is enabled but that of the NMI watchdog"
	perf_works "tutorial: after the purge perf counts"
	files >/tmp/left
	diff /rcr/before /tmp/left >/tmp/changed
	is_empty /tmp/changed "tutorial: after the purge no file of rcrtool is left"
	is "$(named_in_etc)" "" \
		"tutorial: after the purge no file of /etc names rcrtool but those of users"
	is "$(systemctl list-unit-files --no-legend 'rcr*') $(dkms status)" " " \
		"tutorial: after the purge neither systemd nor DKMS knows rcrtool"
}

"$1" || [ "$TAP_NUMBER" -gt 0 ] || exit 1
exec >&3
plan "$TAP_NUMBER"
cat /tmp/tutorial.tap
finished
