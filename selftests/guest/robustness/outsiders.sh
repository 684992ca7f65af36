#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# outsiders.sh - users without rights at every interface, as SECURITY.md promises: an ordinary user,
# one that is root of a container, and a member of the devices' group.
. ./tap.sh
plan 65

GROUP=4711
HERE=/sys/kernel/debug/rcrtool
chmod 755 /rcr /rcr/bin /rcr/tests
chmod 644 /rcr/rcrtool.ko
mkdir /tmp/own && chmod 777 /tmp/own
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
member=(setpriv --reuid 65534 --regid 65534 --groups "$GROUP")
# Root of user, mount and network namespaces of its own; and of a user namespace alone.
container=("${nobody[@]}" unshare -Urmn)
root_there=("${nobody[@]}" unshare -Ur)

# refused ERROR DESCRIPTION COMMAND...: checks that the command fails, and its message has ERROR.
refused()
{
	local error=$1 description=$2
	shift 2
	"$@" >/tmp/out 2>&1 </dev/null
	is "$((! $?)) $(grep -ci "$error" /tmp/out)" "0 1" "outsiders: $description"
	grep -i "$error" /tmp/out >/dev/null || sed 's/^/# /' /tmp/out
}

# No user can load the module, although modprobe knows its aliases from depmod.
cat >/tmp/modprobe <<EOF
#!/bin/bash
echo "\$*" >>/tmp/asked
for alias in $(tr '\0' '\n' </rcr/rcrtool.ko | sed -n 's/^alias=//p' | tr '\n' ' ') rcrtool; do
	for name; do
		case \$name in
		\$alias) exec $(command -v insmod) /rcr/rcrtool.ko source=msr ;;
		esac
	done
done
exit 1
EOF
chmod 755 /tmp/modprobe
helper=$(cat /proc/sys/kernel/modprobe)
echo /tmp/modprobe >/proc/sys/kernel/modprobe
controls_unloaded=$(controls)
user=(setpriv --reuid 1000 --regid 1000 --clear-groups)
# shellcheck disable=SC2034 # used by name below
bare=("${user[@]}" --inh-caps=-all --bounding-set=-all --no-new-privs)
# shellcheck disable=SC2034
own=("${user[@]}" unshare -Urn)
for who in user bare own; do
	declare -n as=$who
	: >/tmp/asked
	"${as[@]}" ./member family rcrtool
	is "$? $(grep -c family-rcrtool /tmp/asked)" "1 1" \
		"not loaded, $who: the kernel asks modprobe for a family that is not there"
	says 1 "rcrtool is not loaded: load it with 'modprobe rcrtool'" "${as[@]}" rcrctl ls
	for path in /dev/rcrtool /dev/rcrboard; do
		refused "No such file" "not loaded, $who: $path" "${as[@]}" head -c 1 $path
	done
	refused "No such file\|Permission denied" "not loaded, $who: debugfs" "${as[@]}" cat $HERE/status
	is "$(grep -c '^rcrtool ' /proc/modules) $(grep -c rcr /tmp/asked)" \
		"0 $(grep -c family-rcrtool /tmp/asked)" "not loaded, $who: the request for the family loads no module"
done
says 1 "rcrtool is not loaded: load it with 'modprobe rcrtool'" rcrctl ls
says 1 "rcrtool is not loaded: load it with 'modprobe rcrtool'" rcrctl meter
is "$(controls)" "$controls_unloaded" "not loaded: no register has changed"
rmmod rcrtool 2>/dev/null
echo "$helper" >/proc/sys/kernel/modprobe

load period_us=1000
chgrp $GROUP /dev/rcrtool /dev/rcrboard
state()
{
	echo "$(rcrctl ls | head -n 1) $(controls)"
}
before=$(state)

is "$("${container[@]}" id -u)" 0 "outsiders: a user can be root of a container"
is "$("${root_there[@]}" cat /proc/self/uid_map | tr -s ' ')" " 0 65534 1" "outsiders: root of a container is nobody outside"

for who in nobody container; do
	declare -n as=$who
	for device in rcrtool rcrboard; do
		refused "Permission denied" "$who: /dev/$device" "${as[@]}" head -c 1 /dev/$device
	done
	refused "Permission denied" "$who: debugfs" "${as[@]}" cat $HERE/status
	refused "Permission denied" "$who: a parameter of the module" "${as[@]}" sh -c 'echo 20 >/sys/module/rcrtool/parameters/period_us'
	refused "not permitted" "$who: insmod" "${as[@]}" insmod /rcr/rcrtool.ko
	refused "not permitted" "$who: rmmod" "${as[@]}" rmmod rcrtool
	is "$("${as[@]}" ./perfevent open 0)" 13 "$who: a meter cannot be opened as an event of perf"
done

# Requests that only root of a container can make.
refused "not permitted\|permission denied" "container: debugfs mounted once more" "${container[@]}" mount -t debugfs none /tmp/own
refused "not permitted\|permission denied" "container: tracefs" "${container[@]}" mount -t tracefs none /tmp/own
device=$(stat -c '0x%t 0x%T' /dev/rcrtool)
# shellcheck disable=SC2086 # split into words
refused "Operation not permitted" "container: the device made once more" "${container[@]}" mknod /tmp/own/dev c $((${device% *})) $((${device#* }))
says 1 "rcrtool is not loaded" "${container[@]}" rcrctl reset
"${nobody[@]}" ./netlink listen >/tmp/heard &
soon grep -q joined /tmp/heard
rcrctl continue all
wait $!
is "$? $(sed -n 2p /tmp/heard)" "0 $(rcrctl ls | sed -n 's/^generation \([0-9]*\),.*/\1/p')" \
	"outsiders: a user is notified of a new generation, and of nothing else"
"${container[@]}" ./netlink listen >/tmp/heard
is "$? $(wc -l </tmp/heard)" "1 0" "outsiders: a container receives no notifications"
before=$(state)
for verb in ls reset "add A=event:0xc1" finalize "halt all" "period 1s" "meter reset all"; do
	# shellcheck disable=SC2086 # split into words
	says 1 "needs CAP_SYS_RAWIO" "${root_there[@]}" rcrctl $verb
done

# User id 0 without capabilities has no rights.
chgrp 0 /dev/rcrboard
is "$(setpriv --bounding-set=-all --inh-caps=-all ./member may)" "open 1" \
	"outsiders: root without capabilities may not open the board"
chgrp $GROUP /dev/rcrboard

# Only members of the group can use the board, and users with CAP_PERFMON if a site has opened the
# device to all users.
is "$("${nobody[@]}" ./member may)" "open 13" "nobody: /dev/rcrboard cannot be opened"
is "$("${member[@]}" ./member may)" "all 0 watch 2" "outsiders: a member of the group has the whole board, and watches"
chmod 666 /dev/rcrboard
is "$("${nobody[@]}" ./member may) $("${nobody[@]}" --inh-caps=+perfmon --ambient-caps=+perfmon ./member may)" \
	"open 1 all 0 watch 2" "nobody: a board that is open to all users still needs CAP_PERFMON"
chmod 660 /dev/rcrboard

# Root of a container and its CAP_PERFMON have no rights on a board that is open to all users.
chmod 666 /dev/rcrboard
is "$("${root_there[@]}" ./member may)" "open 1" \
	"outsiders: a board that is open to all users is not open to root of a container"
chmod 660 /dev/rcrboard

# Members of the group can read, but change nothing.
"${member[@]}" rcrstat -i 0.1 -n 1 >/tmp/out 2>&1
result $? "outsiders: a member of the group reads the stream"
is "$("${member[@]}" ./member rings)" "marks 0 places 1" \
	"outsiders: a member of the group maps marks, but not the places of threads"
watcher=("${member[@]}" --inh-caps +perfmon --ambient-caps +perfmon)
is "$("${watcher[@]}" ./member rings)" "marks 0 places 0" \
	"outsiders: a member with CAP_PERFMON also maps the places of threads"
says 1 "needs CAP_SYS_RAWIO" "${member[@]}" rcrctl reset
is "$("${member[@]}" rcrctl ls)" "$(rcrctl ls)" "outsiders: a member of the group lists the set"
"${member[@]}" ./netlink member
result $? "outsiders: a member can read by netlink, but not program, mark or post"
"${nobody[@]}" ./netlink nobody
result $? "outsiders: a user cannot read by netlink, whatever descriptor the request has"
# The memory of open devices is charged to the caller.
mount -t cgroup2 none /mnt
echo +memory >/mnt/cgroup.subtree_control
mkdir /mnt/opened
ulimit -n 2000
thousand()
{
	(
		echo $BASHPID >/mnt/opened/cgroup.procs
		for ((i = 0; i < 1000; i++)); do
			# shellcheck disable=SC2034 # only kept open
			exec {fd}<"$1"
		done
		sed -n 's/^kernel //p' /mnt/opened/memory.stat
	)
}
plain=$(thousand /dev/null)
charged=$(($(thousand /dev/rcrtool) - plain))
result $((charged < 400000)) "outsiders: a thousand readers are charged with $charged bytes"
refused "Permission denied" "a member of the group cannot read debugfs" "${member[@]}" cat $HERE/cpu0/ring
is "$(state)" "$before" "outsiders: nothing has changed after all refused requests"
unload
finished
