#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# items.sh - loads the module and runs items.c.
. ./tap.sh any-machine
load_set "INS=event:0xc0" period_us=1000 budget_ppm=0
./items
rc=$?
unload
exit $rc
