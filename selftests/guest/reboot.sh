#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# reboot.sh - the machine goes down while registers are programmed. It is run without
# run.sh: the witness (selftests/witness) has the last word, and the verdict.
. ./tap.sh
plan 2
# What a firmware may have left: a value that runs nothing.
wrmsr -p 1 0xc0010206 0x12034567
# shellcheck disable=SC2086 # one word each
registers=$(printf '0x%s,' $CONTROLS)
insmod /rcr/rcr_witness.ko registers="${registers%,}"
load period_us=1000
is "$(controls | grep -c '430076 430076 430076 430076') $(status_of state)" "1 sampling" \
	"registers are programmed on every CPU"
poweroff -f
