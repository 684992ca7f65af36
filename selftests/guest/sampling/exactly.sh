#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# exactly.sh SECONDS PAUSE STEP - runs exact with the default set at 1 kHz; STEP 1: while the wall
# clock is set, 2: across a leap second.
. ./tap.sh
load period_us=1000 ring_records=1024 budget_ppm=0
./exact "$@"
rc=$?
unload
exit $rc
