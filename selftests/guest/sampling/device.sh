#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# device.sh - loads the module and runs device.c, which tests /dev/rcrtool.
. ./tap.sh
load period_us=1000 ring_records=256 budget_ppm=0
./device
rc=$?
unload
exit $rc
