#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Part of Slurm's Epilog: marks the end of a job, and restores counters that the job has changed.
# Ignores errors, so that it never drains a node.
[ -e /dev/rcrtool ] || exit 0
# Slurm does not set PATH for this script.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
rcrctl mark end "$SLURM_JOB_ID" || :
rcrctl repair all || :
