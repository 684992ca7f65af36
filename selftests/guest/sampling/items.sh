#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# items.sh - runs items.c with the module loaded as it expects.
. ./tap.sh any-machine
load_set "INS=event:0xc0" period_us=1000 budget_ppm=0
./items
rc=$?
unload
exit $rc
