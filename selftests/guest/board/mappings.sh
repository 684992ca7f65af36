#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mappings.sh - loads the module, runs mappings.c, and unloads the module.
. ./tap.sh any-machine
load period_us=1000 ring_records=256 budget_ppm=0
./mappings
rc=$?
unload
left=$?
echo "# unload: $left"
exit $((rc + left))
