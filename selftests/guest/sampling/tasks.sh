#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tasks.sh - tests the process id and the cgroup in records, see tasks.c.
CGROUP=/tmp/cgroup
mkdir -p $CGROUP
mount -t cgroup2 cgroup2 $CGROUP || exit 1
mkdir $CGROUP/first $CGROUP/second
. ./tap.sh
load period_us=2000 ring_records=4096 budget_ppm=0 cpus=0-3
./tasks $CGROUP/first $CGROUP/second
rc=$?
unload
rmdir $CGROUP/first $CGROUP/second
umount $CGROUP
exit $rc
