#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Part of Slurm's Prolog: marks the beginning of a job in the stream of samples. Ignores errors, so
# that it never fails a job.
[ -e /dev/rcrtool ] || exit 0
# Slurm does not set PATH for this script.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
rcrctl mark begin "$SLURM_JOB_ID" || :
