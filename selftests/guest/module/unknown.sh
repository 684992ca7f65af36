#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# unknown.sh REASON - on a CPU without a table or without a PMU the module is inert and writes no
# register, but can still count software events of the kernel.
. ./tap.sh
plan 12

before=$(controls)
load
result $? "unknown: the module loads"
is "$(status_of state) $(status_of error)" "inert -ENODEV" "unknown: the module is inert with ENODEV"
contains "$(status_of reason)" "$1" "unknown: the status file has the reason"
is "$(status_of family)" unknown "unknown: the family is unknown"
is "$(controls)" "$before" "unknown: no register has changed"
rcrstat -n 1 2>/tmp/err
is $? 1 "unknown: rcrstat fails on an unknown CPU"
contains "$(cat /tmp/err)" "counts nothing" "unknown: the refusal has the reason"
unload
load_set "A=event:0x76" 2>/dev/null
is "$? $(status_of state)" "1 inert" "unknown: the module does not guess events of an unknown CPU, whatever is requested"
unload
load_set "CTX=software:context-switches;CLK=software:cpu-clock" source=auto
is "$(status_of state) $(status_of source)" "sampling perf" "unknown: software events are counted"
clock=$(rcrstat -i 2 -n 1 -c 0 | tail -n 1 | cut -d, -f7)
result $((${clock%.*} < 980000000 || ${clock%.*} > 1020000000)) "unknown: cpu-clock counts a second per second ($clock)"
says=$(rcrctl add "A=event:0x76" && rcrctl finalize 2>&1)
contains "$says" "$1" "unknown: a core event is refused: $says"
unload
is "$(controls)" "$before" "unknown: no register has changed"
finished
