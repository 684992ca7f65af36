#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# user.sh MODEL - the rights of an ordinary user and of a member of the group rcrtool on an
# installed machine, as documented in README.md and rcrctl(8): a member can read, a user cannot.
# Neither can load the module or change anything.
. ./defaults/common.sh
machine "$1"
plan 36

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
state() { rcrctl ls; enabled_controls; }
loaded() { grep -c '^rcrtool ' /proc/modules; }

# No command of a user loads the module, although modprobe is installed and depmod has run.
is "$(cat /proc/sys/kernel/modprobe) $(modprobe -n -v rcrtool | wc -l)" "/sbin/modprobe 1" \
	"user: the kernel and root could load the module"
for who in user member; do
	for command in "rcrctl ls" "rcrctl list" "rcrctl meter" "rcrcal --restore" "rcrstat -n 1" "perf list pmu"; do
		# shellcheck disable=SC2086 # split into words
		as $who $command >/dev/null 2>&1
	done
	is "$(loaded)" 0 "user: no command that $who runs loads the module"
	rmmod rcrtool 2>/dev/null
	as $who unshare -Urn rcrctl ls >/dev/null 2>&1
	is "$(loaded)" 0 "user: $who cannot load the module as root of a user namespace either"
	rmmod rcrtool 2>/dev/null
	as $who modprobe rcrtool >/dev/null 2>&1
	is "$? $(loaded)" "1 0" "user: modprobe is refused to $who"
done
is "$(as user rcrstat -n 1 2>&1 | grep -c "load the module with 'modprobe rcrtool'")" 1 \
	"user: rcrstat names the command that loads the module"

plain_load
before=$(state)
is "$(as member id -Gn)" "member rcrtool" \
	"user: the member is in the group that udev gives the devices"
is "$(stat -c '%G %a' /dev/rcrtool /dev/rcrboard | xargs)" "rcrtool 640 rcrtool 660" \
	"user: /dev/rcrtool and /dev/rcrboard belong to the group rcrtool"
as member rcrstat -i 0.5 -n 1 >/tmp/csv 2>/tmp/err
is "$? $(tail -n 1 /tmp/csv | cut -d, -f5)" "0 ok" "user: a member reads rates with rcrstat"
as member rcrctl meter >/tmp/meters 2>/tmp/err
is "$? $(grep -c '^sampler_cost ' /tmp/meters)" "0 1" "user: a member reads meters with rcrctl"
says 1 "become root or join the group rcrtool" as user rcrstat -n 1
as user rcrctl meter >/tmp/out 2>&1
is "$?" 1 "user: a user cannot read meters"
for who in user member; do
	for verb in reset "set TOT_CYC" "add PAPI_BR_INS" finalize "halt all" "rewrite all" \
		"mark hello"; do
		# shellcheck disable=SC2086 # split into words
		as $who rcrctl $verb >/tmp/out 2>/tmp/err
		is "$? $(wc -l </tmp/err)" "1 1" "user: rcrctl $verb is refused to $who with one line"
	done
	for command in rcrcal "rcrcal --load true" "rcrctl calibrate"; do
		# shellcheck disable=SC2086 # split into words
		as $who $command --file /tmp/calibration >/tmp/out 2>/tmp/err
		is "$? $(wc -l </tmp/err)" "1 1" "user: $command is refused to $who with one line"
	done
done
is "$(state)" "$before" "user: the refused commands have changed nothing"
modprobe -r rcrtool
result $? "user: modprobe -r unloads the module"
finished
