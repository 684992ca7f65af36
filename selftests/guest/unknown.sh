#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# unknown.sh - a CPU without a table, or without a PMU: the module is inert and
# touches nothing.
. ./tap.sh
plan 8

before=$(controls)
load
result $? "the module loads"
is "$(status_of state) $(status_of error)" "inert -ENODEV" "and is inert with ENODEV"
contains "$(status_of reason)" "not known to rcrtool" "and says why"
is "$(status_of family)" unknown "the family is unknown"
is "$(controls)" "$before" "no register has changed"
rcrstat -n 1 2>/tmp/err
is $? 1 "rcrstat fails"
contains "$(cat /tmp/err)" "counts nothing" "and says why"
unload
load "events=A=event:0x76"
is "$(status_of state)" inert "it does not guess, whatever it is asked for"
unload
finished
