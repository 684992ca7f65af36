#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# misplaced.sh SPARE - P10 on Family 15h, while the NMI watchdog and perf stat come and go:
# no cell is wrong with status ok. A kernel without CONFIG_PERF_EVENTS_AMD_BRS, as Debian's 6.1
# and 6.12 are, does not know which counters can count an event, and moves events whenever
# one is added. RETIRED_FLOPS is counted by counter 3 alone.
#
# With SPARE=1 four events, the most next to a spare counter and the watchdog's;
# with SPARE=0 five, by the module that the tests build for it (rcrtool-spare0.ko): with the
# watchdog no counter is left then, and perf tries in vain to place perf stat's event.
. ./tap.sh
plan 16

spare=$1
# shellcheck disable=SC2034 # for load
[ "$spare" != 0 ] || MODULE=/rcr/rcrtool-spare0.ko
# The watchdog counts cycles. Our cycles have a unit mask, which the event ignores, so that they
# differ from its own, and are bound to the same counters.
events="CYC=event:0x76,umask:0x01;INS=event:0xc0;FLOPS=event:0x03,umask:0xff;VEC=event:0xcb,umask:0x04"
[ "$spare" != 0 ] || events="$events;DCM=event:0x41,umask:0x01"
more="$events;MORE=event:0x46,umask:0x07"
# Without spare counters a set may take all six.
[ "$spare" != 0 ] || more="$more;MOST=event:0xc2"

load_perf()
{
	load_set "$1" source=perf "spare=$spare" budget_ppm=0 ring_records=4096
}

# judged DESCRIPTION ALONE STEP...: performs the steps and judges the samples meanwhile; after
# ALONE steps the watchdog is off.
judged()
{
	local what=$1 alone=$2
	shift 2
	./misplaced "$@" >/tmp/misplaced
	is "$(tail -n 2 /tmp/misplaced)" $'0 sets, 0 lost, 0 counted twice\nmany cells, many ok, 0 wrong' \
		"$what: each cell that is ok is the formula's, but for the time that perf stopped"
	is "$(grep -o '^[0-9]* of [0-9]* steps' /tmp/misplaced)" "$alone of $alone steps" \
		"$what: all count again within 200 ticks of its end"
	sed 's/^/# /' /tmp/misplaced
}

clear_controls
sysctl -qw kernel.nmi_watchdog=0

# Compare the log with the steps listed here.
log_registers 1
wrmsr -p 1 0xc0010200 0x43ff03
wrmsr -p 1 0xc0010206 0x43ff03
wrmsr -p 1 0xc0010206 0x43ff03
wrmsr -p 1 0xc0010200 0
log_nothing 1
wrmsr -p 1 0xc0010206 0
is "$(changes 1 | cut -d' ' -f2- | tail -n +7 | tr '\n' ';')" \
	"counter 0 event 0x3 umask 0xff enabled;counter 3 event 0x3 umask 0xff enabled counts;counter 0 event 0 umask 0 disabled;" \
	"the register log distinguishes an enabled counter from one that counts"
is "$(changes 1)" "" "an entry of the log is taken once"

load_perf "$more" 2>/tmp/err
is "$? $(status_of state)" "1 sampling" "more events than fit with spare=$spare are refused: $(cat /tmp/err)"
unload

load_perf "$events"
is "$(status_of state)" sampling "$(tr ';' '\n' <<<"$events" | wc -l) events are counted with spare=$spare"
judged "watchdog on and off" 3 on settle stat settle off settle stat settle
unload

# Load the set in another order, with a hole where an event was removed.
load_perf "$events"
rcrctl remove INS && rcrctl finalize && rcrctl add INS=event:0xc0 && rcrctl finalize
is "$? $(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "0 sampling ok" "a removed event comes back while others move"
judged "one has left and come back" 4 stat settle on settle stat settle off settle stat settle
unload

load_perf "$events"
rcrctl remove VEC && rcrctl finalize
is "$? $(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "0 sampling ok" "an event is removed while others move"
judged "one has left" 3 stat settle on settle stat settle off settle
unload

# The watchdog is on before the set is loaded.
sysctl -qw kernel.nmi_watchdog=1
load_perf "$events"
is "$(status_of state) $(rcrstat -i 1 -n 1 | tail -n 1 | cut -d, -f5)" "sampling ok" "next to the watchdog all are counted"
judged "watchdog off and on" 3 off settle stat settle on settle off settle
unload
sysctl -qw kernel.nmi_watchdog=0
is "$(moving)" "" "at the end nothing is counted"
finished
