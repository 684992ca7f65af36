#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# record.sh MODEL - the flight recorder on an installed machine with all defaults: root arms it, a
# member of the group rcrtool reads its windows, and other users read nothing.
. ./defaults/common.sh
machine "$1"
plan 22

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

# is_kept: true if the recorder has a window that root has not fetched.
is_kept()
{
	rcrctl record ls | grep -q '^kept'
}

plain_load
sleep 1
says 1 "rcrd is not running: start it with 'systemctl start rcrd'" rcrctl record --last 5s --on oom,mark
rcrd
is $? 0 "record: rcrd starts"

# The command of README.md.
rcrctl record --last 5s --on oom,mark
is "$? $(rcrctl record ls | cut -d, -f1-2)" "0 armed, the last 5s on mark" "record: root arms the recorder"
rcrctl mark begin 4711
is_kept
result $? "record: a mark of root triggers the recorder"
is "$(as member rcrctl record ls | sed -n 's/^kept: \(.*\), [0-9]* bytes.*/\1/p')" "trigger: mark begin 4711" \
	"record: a member reads the kept window"
as member rcrctl record fetch /home/member/window.rcr
is "$? $(as member rcrstat -d /home/member/window.rcr | grep -c '^# mark .* text trigger: mark begin 4711')" "0 1" \
	"record: a member fetches the window, and rcrstat -d reads it"
is "$(as member rcrd --replay /home/member/window.rcr | grep -c '^lines: unknown: the set does not count .*event:0x6c')" 1 \
	"record: a member replays the window, and one finding is unknown as the default set lacks its event"
is "$(as member rcrstat -f raw -o /home/member/day.rcr 1 2 && as member rcrd --replay /home/member/day.rcr --memory 12.8G |
	grep -c '^bandwidth, .*: unknown: \|^ok')" 1 "record: and a recording of his own, which is not called ok"
for command in "record" "record off" "record --crossing mem_bw>1"; do
	# shellcheck disable=SC2086 # split into words
	says 1 "not permitted: become root" as member rcrctl $command
done
for command in "record ls" "record fetch /tmp/none" "record" "record off"; do
	# shellcheck disable=SC2086 # split into words
	says 1 "not permitted: become root or a member of the group rcrtool" as user rcrctl $command
done
is_kept
result $? "record: the window is still kept for root after refused commands"
rcrctl record fetch crash.rcr && cmp crash.rcr /home/member/window.rcr
result $? "record: root fetches the same window as the member"
is "$(rcrctl record ls | head -n 1 | cut -d, -f1)" armed "record: the recorder is armed again after a fetch by root"

# The command of user/meters.md.
rcrctl record --last 5s --crossing "sampler_cost > 0" --place cpu1
result $? "record: the recorder is armed for a bound of a meter of the family"
soon is_kept
contains "$(rcrctl record ls)" "kept: trigger: sampler_cost crossed a bound at" "record: a value above the bound triggers the recorder"
rcrctl meter max sampler_cost --contention 1
rcrctl record --last 5s --on crossing
soon is_kept
# The levels include those of rcrd's two verdict meters, for the machine and each die.
dies=$(rcrctl meter show memory_verdict | grep -c '^die')
rcrctl record ls | sed 's/^/# /'
is "$(rcrctl record ls | grep -cE "\($(($(nproc) + 1 + 2 * (dies + 1))) bounds\)|^kept: trigger: sampler_cost crossed")" 2 \
	"record: all contention levels are watched as bounds without being named"
kill "$(cat /run/rcrtool/rcrd.pid)"
soon modprobe -r rcrtool
result $? "record: modprobe -r unloads the module once rcrd has exited"
finished
