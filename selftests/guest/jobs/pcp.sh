#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# pcp.sh MODEL - pmdarcr under pmcd on an installed machine with all defaults: each fetched sum
# equals that of a recording of the stream at one grid tick (gridsums.c), also while a counter is
# foreign, a CPU is offline, and agent and pmcd are killed.
. ./defaults/common.sh
. ./jobs_lib.sh
machine "$1"
plan 15

GRID=100
HOST=unix:///tmp/socket
export PCP_DERIVED_CONFIG='' PMCD_PORT=44321

# start_pmcd [absent]: starts pmcd and the agent; waits for values, or for the reason of "absent".
start_pmcd()
{
	/usr/lib/pcp/bin/pmcd -f -U root -c /tmp/pmcd.conf -i 127.0.0.1 -s /tmp/socket -l /tmp/pmcd.log >/dev/null 2>&1 &
	pmcd=$!
	if [ -n "${1:-}" ]; then
		soon has_state && return
	else
		soon state_is sampling && return
	fi
	sed 's/^/# /' /tmp/pmcd.log /tmp/rcr.log
	return 1
}

fetched() { /rcr/fetch_pcp $HOST 1 0 "$@" 2>/dev/null | cut -d' ' -f2-; }

state_is() { [ "$(fetched rcr.set.state)" = "rcr.set.state - $1" ]; }

has_state() { fetched rcr.set.state | grep -q .; }

has_name() { [ -n "$(fetched "rcr.machine.$1")" ]; }

is_foreign() { [ "$(fetched rcr.notok.TOT_CYC | awk '$2 == "foreign" { print $3 }')" = 1 ]; }

is_gap() { [ "$(fetched rcr.notok.TOT_CYC | awk '$2 == "gap" { print $3 }')" = 1 ]; }

# Print the finding of 'rcrctl doctor' about the agent.
doctor_finds() { rcrctl doctor 2>/dev/null | sed -n 's/^\([a-z]*\) *pmdarcr  */\1 /p'; }

# package_of CPU: prints the package of a CPU.
package_of() { cat "/sys/devices/system/cpu/cpu$1/topology/physical_package_id"; }

# check FETCHES WHAT: all sums in /tmp/sums equal sums at ticks of the recording, and none
# decreases.
check()
{
	awk -v packages="$PACKAGES" -v fetches="$1" '
	BEGIN { split(packages, package, " ") }
	FILENAME == "/tmp/totals" {
		tick[$1]
		sum[$1, "rcr.cpu." $2, "cpu" $3] = $4
		sum[$1, "rcr.machine." $2, "-"] += $4
		sum[$1, "rcr.package." $2, "package" package[$3 + 1]] += $4
		next
	}
	$2 == "rcr.tick.time" { time = $4; n++; if (!(time in tick)) unknown++; if (time != last) ticks++; last = time; next }
	{ compared++ }
	# Energy is read once per second, which may have begun at an earlier tick.
	$2 ~ /[.]power_/ || $2 ~ /energy/ { next }
	sum[time, $2, $3] != $4 { wrong++; print "# at", time, $2, $3, $4, "expected", sum[time, $2, $3] }
	$4 < before[$2, $3] { fell++ }
	{ before[$2, $3] = $4 }
	END {
		print "# fetches", n, "grid ticks", ticks, "values", compared, "unknown", unknown + 0, "wrong", wrong + 0, "fell", fell + 0
		exit n != fetches || ticks < 5 || compared < 3 * n || unknown || wrong || fell
	}' /tmp/totals /tmp/sums >/tmp/verdict
	result $? "$2"
	tail -n 12 /tmp/verdict
}

plain_load
PACKAGES=$(for cpu in 0 1 2 3; do package_of $cpu; done | xargs)
echo "rcr 300 pipe binary /rcr/pmdarcr -d 300 -g ${GRID}ms -U user -l /tmp/rcr.log" >/tmp/pmcd.conf
record
start_pmcd
result $? "pcp: pmcd starts the agent, which has values"
agent=$(xargs <"/proc/$pmcd/task/$pmcd/children")
is "$(awk '/^Uid/ { print $2, $3, $4 } /^CapEff/ { print $2 } /^Groups/ { print $2, $3 }' "/proc/$agent/status" | xargs)" \
	"1000 1000 1000 999 1000 0000000000000000" "pcp: the agent runs as the user in pmcd.conf, with the group rcrtool and no capabilities"
is "$(fetched rcr.board.state) $(fetched rcr.board.meter.ipc | grep -c ' machine ')" "rcr.board.state - present 1" \
	"pcp: the agent has the value of a meter of the machine"
mkdir -p /var/lib/pcp/pmdas/rcr /etc/pcp/pmcd
touch /var/lib/pcp/pmdas/rcr/pmdarcr
ln -sf /tmp/pmcd.conf /etc/pcp/pmcd/pmcd.conf
is "$(doctor_finds)" "ok pmcd runs it" "pcp: rcrctl doctor finds the agent"
chmod o-r,g-r /dev/rcrtool
is "$(doctor_finds)" "fix pmcd runs it, but it cannot read /dev/rcrtool: add its user to the group rcrtool, then restart pmcd" \
	"pcp: rcrctl doctor has a remedy if the agent cannot read the device"
chmod g+r /dev/rcrtool

# A CPU goes offline while sums are fetched.
/rcr/fetch_pcp $HOST 200 40 rcr.tick.time rcr.machine rcr.package rcr.cpu >/tmp/sums &
fetcher=$!
sleep 1.5
echo 0 >/sys/devices/system/cpu/cpu3/online
sleep 1
soon is_gap
result $? "pcp: an offline CPU has status gap"
wait $fetcher

# Only the ring of that CPU has its totals now.
before=$(fetched rcr.machine.TOT_CYC | cut -d' ' -f3)
kill -KILL "$agent" $pmcd
rm -f /tmp/socket
start_pmcd
result $? "pcp: pmcd and the agent start again after SIGKILL"
/rcr/fetch_pcp $HOST 30 40 rcr.tick.time rcr.machine >/tmp/again
keep
./gridsums /tmp/rec $GRID >/tmp/totals
check 200 "pcp: 200 fetches at random moments have the sums of the records at one grid tick, to the digit, and none falls"
mv /tmp/again /tmp/sums
check 30 "pcp: so after the restart, with what the CPU had counted that is offline"
awk -v before="$before" '$2 == "rcr.machine.TOT_CYC" && $4 < before { fell = 1 } END { exit !before || fell }' /tmp/sums
result $? "pcp: no total of the machine decreases across a restart"
echo 1 >/sys/devices/system/cpu/cpu3/online

# Another event.
rcrctl replace TOT_INS PAPI_BR_INS >/dev/null
soon has_name PAPI_BR_INS && ! has_name TOT_INS
result $? "pcp: an event that replaces another one has a metric of its name"

# Without the module, and with it again.
kill $pmcd
wait $pmcd
rmmod rcrtool
rm -f /tmp/socket
start_pmcd absent
is "$(fetched rcr | sort | tr '\n' ' ')" "rcr.set.grid - ${GRID}000000 rcr.set.state - /dev/rcrtool is not there: load the module with 'modprobe rcrtool' " \
	"pcp: without the module the agent has only the reason"
watchdog 0
modprobe rcrtool source=msr && udevadm settle
soon state_is sampling
result $? "pcp: the agent has values once the module is loaded"

# Another tool writes a control register: the total of that counter stops.
control=$(control_of TOT_CYC)
record
wrmsr -p 2 "$control" 0x4300c0
soon is_foreign
result $? "pcp: one CPU is counted as foreign"
/rcr/fetch_pcp $HOST 30 40 rcr.tick.time rcr.machine rcr.cpu rcr.package >/tmp/sums
keep
./gridsums /tmp/rec $GRID >/tmp/totals
check 30 "pcp: the sums are those of the records, to the digit, and none falls"
kill $pmcd
wait $pmcd
rmmod rcrtool
finished
