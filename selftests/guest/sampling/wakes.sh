#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# wakes.sh often | seldom - loads the module and runs wakes.c.
. ./tap.sh any-machine
set -- "${1:-often}"
case $1 in
often) load period_us=1000 ring_records=8192 budget_ppm=0 ;;
seldom) load period_us=300000 budget_ppm=0 ;;
esac
./wakes "$1"
rc=$?
unload
exit $rc
