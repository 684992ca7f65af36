#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nodebugfs.sh - on a kernel booted with debugfs=off everything works except the debugfs files.
. ./tap.sh
plan 4

[ ! -e /sys/kernel/debug/rcrtool ]
result $? "nodebugfs: there is no debugfs"
load period_us=1000
result $? "nodebugfs: the module loads"
rcrstat -i 0.2 -n 2 | tail -n 1 | grep -q ',ok,[1-9]'
result $? "nodebugfs: without debugfs the module counts"
unload
result $? "nodebugfs: without debugfs the module unloads"
finished
