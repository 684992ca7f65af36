#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# device.sh - reads of /dev/rcrtool (doors.c), with the module loaded as it expects.
. ./tap.sh
load period_us=1000 ring_records=256 budget_ppm=0
./doors
rc=$?
unload
exit $rc
