#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# configure.sh MODEL - /etc/rcrtool/rcrtool.conf on an installed machine: checked without the
# module, applied by the commands of the installed units, as systemd would at boot, and undone.
. ./defaults/common.sh
machine "$1"
plan 38

CONF=/etc/rcrtool/rcrtool.conf
UNITS=/usr/lib/systemd/system
EXAMPLES=/usr/local/share/doc/rcrtool/examples

as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }
period() { rcrctl show | sed -n '1s/.*period \([^;]*\);.*/\1/p'; }

# command_of UNIT KEY: prints the command of an installed unit.
command_of()
{
	sed -n "s/^$2=//p" "$UNITS/$1"
}

# boot: runs the commands of the systemd units in their order.
boot()
{
	sh -c "exec $(command_of rcrd.service ExecStart)" >/tmp/rcrd.log 2>&1 &
	daemon=$!
	sh -c "$(command_of rcrtool.service ExecStart)" >/tmp/out 2>&1
}

# is_foreign: true if a counter is foreign, for soon.
is_foreign()
{
	statuses | grep -q foreign
}

halt()
{
	kill "$daemon"
	wait "$daemon"
}

before=$(enabled_controls)
is "$(rcrctl check $EXAMPLES/rcrtool.conf)" "$EXAMPLES/rcrtool.conf: ok" "check: the example is valid, without the module"
is "$(grep -c '^rcrtool ' /proc/modules)" 0 "check: rcrctl check does not load the module"
mkdir -p /etc/rcrtool
cat >$CONF <<-'END'
	set = TOT_CYC TOT_INS PAPI_BR_INS
	set = default
	period = 5
	colour = blue
	maximum.mem_bw = 5W
END
as user rcrctl check >/tmp/out 2>/tmp/err
is "$? $(cut -d: -f1-2 /tmp/err | sort | xargs)" "1 $CONF:2 $CONF:3 $CONF:4 $CONF:5 rcrctl: $CONF" \
	"check: a user reads every invalid line as FILE:LINE"
says 1 "load it with 'modprobe rcrtool'" rcrctl configure $EXAMPLES/rcrtool.conf

# The daemon runs without a file, and refuses an invalid one.
rm $CONF
plain_load
set_of=$(names)
boot
is "$? $(cat /tmp/out) $(names)" "0  $set_of" "no file: nothing changes without a file"
halt
echo "period = 5" >$CONF
rcrctl configure 2>/tmp/err
is "$? $(names) $(period)" "1 $set_of 10 ms" "invalid file: nothing is applied"

# A file with every key.
cat >$CONF <<-'END'
	# comment
	set = TOT_CYC TOT_INS PAPI_BR_INS
	period = 20ms
	meter = branches "PAPI_BR_INS / TOT_INS" --scale 200ms --over package
	maximum.branches = 0.5
	contention.branches = 80%
	recorder = 2s crossing,mark
	crossing = branches > 9 for 1s at package1
	producer = node17
	component_id = 17
	cluster = blue
	tag.rack = 4
END
is "$(rcrctl check)" "$CONF: ok" "file: the file is valid, with the module loaded"
boot
is "$?" 0 "file: the commands of the units apply the file"
sed 's/^/# /' /tmp/out
is "$(names) $(period)" "TOT_CYC TOT_INS PAPI_BR_INS 20 ms" "file: set and period are those of the file"
soon is_well
counts_right "file: the set counts as the formula does"
rcrctl meter show branches >/tmp/meter
is "$(sed -n 's/^\(max\|contention\): //p' /tmp/meter | xargs) $(grep -c '^package' /tmp/meter)" "0.500000 0.400000 2" \
	"file: the meter has its places and limits"
is "$(rcrctl record ls | sed '1!d;s/).*/)/')" "armed, the last 2s on mark,crossing (1 bound)" "file: the recorder is armed"
is "$(as member rcrctl show --noheadings | cut -d' ' -f1 | xargs)" "TOT_CYC TOT_INS PAPI_BR_INS" "file: a member of the group sees the set"

# formats_without TEXT...: prints the formats of rcrstat whose output lacks one of the texts.
formats_without()
{
	local format text
	for format in $(rcrstat -f none 2>&1 | sed 's/.*use \(.*\); see.*/\1/; s/,/ /g; s/ or / /'); do
		# Skip gnuplot, which is not installed; LDMS has no columns for cluster and tags.
		[ "$format" != svg ] || continue
		rm -rf /tmp/formatted
		rcrstat -i 0.2 -n 1 -f "$format" -o /tmp/formatted 2>/tmp/err
		find /tmp/formatted -type f -exec cat {} + | tr '\000' '\n' >/tmp/text
		for text; do
			[[ "$format $text" != ldms\ [br]* ]] || continue
			grep -qF "$text" /tmp/text || echo "$format: $text"
		done
	done | xargs
}

sed -i 's/^producer = .*/producer = node0471/; s/^component_id = .*/component_id = 8151/; s/^tag.*/tag.rack = r4096/' $CONF
is "$(formats_without node0471 8151 blue r4096)" "" "identity: each format has the identity from the file"
rcrstat -i 0.2 -n 1 -f raw -o /tmp/raw
mv $CONF /tmp/conf
is "$(rcrstat -r /tmp/raw -i 0.2 | sed -n 's/.*,\(node0471,.*\)/\1/p' | sort -u)" "node0471,8151,blue,r4096" \
	"identity: a recording has the identity from the file at that time"
hostname node0023
rcrstat -i 0.2 -n 1 -f raw -o /tmp/raw
rcrstat -i 0.2 -n 1 >/tmp/csv
hostname "(none)"
is "$(rcrstat -r /tmp/raw -i 0.2 -j | grep -o '"node": .*')" \
	'"node": {"producer": "node0023", "component_id": 23, "cluster": null, "tags": {}}}' \
	"identity: without a file the identity is the host name, and the number at the end of that"
is "$(grep -c 'producer\|node0023' /tmp/csv)" 0 "identity: without a file csv has no columns for the identity"
echo "colour = blue" >$CONF
rcrstat -i 0.2 -n 1 >/tmp/csv 2>/tmp/err
is "$? $(wc -l </tmp/csv) $(grep -c "unknown key 'colour'" /tmp/err)" "0 2 1" \
	"identity: an invalid file is reported, and csv is written without the identity"
mv /tmp/conf $CONF

# Apply the file again after a change.
cat >$CONF <<-'END'
	set = "default"
	period = 10ms
	meter = branches "TOT_INS / TOT_CYC"
	maximum.branches = 0.6
	contention.branches = 80%
	recorder = off
END
sh -c "$(command_of rcrtool.service ExecReload)" >/tmp/out 2>&1
is "$? $(cat /tmp/out)" "0 " "again: a changed file is applied over the first one"
is "$(names) $(period)" "$set_of 10 ms" "again: the default set is counted"
is "$(rcrctl meter show branches | sed -n 's/^\(max\|contention\): //p' | xargs)" "0.600000 0.480000" \
	"again: the meter has the new formula and limits"
is "$(rcrctl record ls | cut -d, -f1)" off "again: the recorder is off"

# Slurm runs prolog and epilog as root, with its variables and without PATH.
slurm()
{
	env -i SLURM_JOB_ID=4711 SLURM_JOB_UID=1000 SLURM_JOB_USER=user SLURMD_NODENAME=node17 \
		/bin/sh "$EXAMPLES/slurm-$1.sh" >/tmp/out 2>&1
}

rcrstat -i 0.1 -o /tmp/job.csv &
reader=$!
soon test -s /tmp/job.csv
slurm prolog
is "$? $(cat /tmp/out)" "0 " "slurm: the prolog exits with status 0, and prints nothing"
# Counter 0 is the NMI watchdog's if that is on.
read -r cpu control < <(enabled_controls | tail -n 1)
wrmsr -p "$cpu" "0x$control" 0x4300c8
soon is_foreign
result $? "slurm: a job makes a counter foreign"
slurm epilog
is "$? $(cat /tmp/out)" "0 " "slurm: the epilog exits with status 0, and prints nothing"
soon is_well
result $? "slurm: the set is programmed again"
soon grep -q "^# mark .* end 4711$" /tmp/job.csv
kill $reader
wait $reader
is "$(sed -n 's/^# mark .* \([a-z]* 4711\)$/\1/p' /tmp/job.csv | xargs)" "begin 4711 end 4711" \
	"slurm: the stream has marks for the begin and end of the job"

# The module refuses a line of the file.
cat >>$CONF <<-'END'
	maximum.nobody = 3
END
is "$(rcrctl check)" "$CONF: ok" "refused: rcrctl check accepts a meter that it does not know, as others may add it"
rcrctl configure >/tmp/out 2>&1
is "$? $(cut -d: -f1-2 /tmp/out)" "1 $CONF:$(wc -l <$CONF)" "refused: a line that the module refuses is reported with its number"
is "$(names)" "$set_of" "refused: the other lines are applied"
sed -i '$d' $CONF
before_user=$(rcrctl show --noheadings | cut -d' ' -f1; period)
as member rcrctl configure >/tmp/out 2>&1
is "$? $(rcrctl show --noheadings | cut -d' ' -f1; period)" "1 $before_user" "member: a member of the group cannot apply the file"
as user rcrctl configure >/tmp/out 2>&1
is "$?" 1 "user: an ordinary user cannot apply the file"

# Undo everything.
halt
is "$?" 0 "undone: rcrd has exited"
rm $CONF
modprobe -r rcrtool
is "$? $(enabled_controls)" "0 $before" "undone: every control is as before"
plain_load
is "$(names) $(period)" "$set_of 10 ms" "undone: the module counts its default set after a reload"
rcrctl meter show branches >/dev/null 2>&1
is "$?" 1 "undone: the meter is removed"
modprobe -r rcrtool
is "$(find /etc/rcrtool /var/lib/rcrtool -type f ! -name '*.state')" "" "undone: only rcrd's state file is left"

# A fatal signal in mkdir() of a tracing instance makes the kernel warn, and the guest panic.
plain_load
wrong=0
for i in {10..29}; do
	rmdir /sys/kernel/tracing/instances/rcrd 2>/dev/null
	sh -c "exec $(command_of rcrd.service ExecStart)" >/tmp/rcrd.log 2>&1 &
	sleep 0.$i
	kill $!
	wait $!
	case $? in
	0 | 143) ;;
	*) wrong=$((wrong + 1)) ;;
	esac
done
modprobe -r rcrtool
is "$wrong" 0 "rcrd: rcrd exits on SIGTERM at any moment of its start"
finished
