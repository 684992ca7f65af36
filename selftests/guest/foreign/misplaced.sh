#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# misplaced.sh SPARE - promise P10 on Family 15h: no cell with status ok is wrong while the NMI
# watchdog and perf stat are started and stopped. A kernel without CONFIG_PERF_EVENTS_AMD_BRS, such
# as Debian's 6.1 and 6.12, does not know which counters can count an event, and moves events when
# one is added. Only counter 3 can count RETIRED_FLOPS.
#
# With SPARE=1 the set has four events, the most next to a spare counter and that of the watchdog.
# With SPARE=0 it has five, with a test build of the module (rcrtool-spare0.ko): no counter is left
# next to the watchdog, and perf tries in vain to allocate one for perf stat.
. ./tap.sh
plan 16

spare=$1
# shellcheck disable=SC2034 # for load
[ "$spare" != 0 ] || MODULE=/rcr/rcrtool-spare0.ko
# The watchdog counts cycles. Use cycles with a unit mask, which the event ignores, so that the log
# can tell the two apart; both can be counted by the same counters.
events="CYC=event:0x76,umask:0x01;INS=event:0xc0;FLOPS=event:0x03,umask:0xff;VEC=event:0xcb,umask:0x04"
[ "$spare" != 0 ] || events="$events;DCM=event:0x41,umask:0x01"
more="$events;MORE=event:0x46,umask:0x07"
# Without spare counters a set may take all six.
[ "$spare" != 0 ] || more="$more;MOST=event:0xc2"

load_perf()
{
	load_set "$1" source=perf "spare=$spare" budget_ppm=0 ring_records=4096
}

# judged DESCRIPTION ALONE STEP...: runs the steps and checks the samples; the watchdog is off after
# ALONE of the steps.
judged()
{
	local what=$1 alone=$2
	shift 2
	./misplaced "$@" >/tmp/misplaced
	is "$(tail -n 2 /tmp/misplaced)" $'0 sets, 0 lost, 0 counted twice\nmany cells, many ok, 0 wrong' \
		"misplaced: $what: each cell that is ok matches the formula, except for the time that perf stopped"
	is "$(grep -o '^[0-9]* of [0-9]* steps' /tmp/misplaced)" "$alone of $alone steps" \
		"misplaced: $what: all counters count again within 200 ticks of the end of a step"
	sed 's/^/# /' /tmp/misplaced
}

clear_controls
sysctl -qw kernel.nmi_watchdog=0

# Check the register log itself with known writes.
log_registers 1
wrmsr -p 1 0xc0010200 0x43ff03
wrmsr -p 1 0xc0010206 0x43ff03
wrmsr -p 1 0xc0010206 0x43ff03
wrmsr -p 1 0xc0010200 0
log_nothing 1
wrmsr -p 1 0xc0010206 0
is "$(changes 1 | cut -d' ' -f2- | tail -n +7 | tr '\n' ';')" \
	"counter 0 event 0x3 umask 0xff enabled;counter 3 event 0x3 umask 0xff enabled counts;counter 0 event 0 umask 0 disabled;" \
	"misplaced: the register log distinguishes an enabled counter from one that counts"
is "$(changes 1)" "" "misplaced: each entry of the register log is read only once"

load_perf "$more" 2>/tmp/err
is "$? $(status_of state)" "1 sampling" "misplaced: more events than fit with spare=$spare are refused: $(cat /tmp/err)"
unload

load_perf "$events"
is "$(status_of state)" sampling "misplaced: $(tr ';' '\n' <<<"$events" | wc -l) events are counted with spare=$spare"
judged "watchdog on and off" 3 on settle stat settle off settle stat settle
unload

# Load the set in another order, with a hole where an event was removed.
load_perf "$events"
rcrctl remove INS && rcrctl finalize && rcrctl add INS=event:0xc0 && rcrctl finalize
is "$? $(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "0 sampling ok" "misplaced: a removed event is added again while perf moves other events"
judged "an event removed and added again" 4 stat settle on settle stat settle off settle stat settle
unload

load_perf "$events"
rcrctl remove VEC && rcrctl finalize
is "$? $(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "0 sampling ok" "misplaced: an event is removed while perf moves other events"
judged "an event removed" 3 stat settle on settle stat settle off settle
unload

# The watchdog is on before the set is loaded.
sysctl -qw kernel.nmi_watchdog=1
load_perf "$events"
is "$(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "sampling ok" "misplaced: all events are counted next to the watchdog"
judged "watchdog off and on" 3 off settle stat settle on settle off settle
unload
sysctl -qw kernel.nmi_watchdog=0
is "$(moving)" "" "misplaced: no counter advances at the end"
finished
