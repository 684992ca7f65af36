#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# manual.sh MODEL - runs the commands of meters.md and the examples of the manual pages as readme.sh
# runs those of the other documents; but not those of rcrcal(8), which take minutes.
# shellcheck disable=SC2034 # of readme.sh
PARTS=(meters rcrtool.7 rcrstat.1 rcrjob.1 rcrctl.8 rcrd.8)
. ./defaults/readme.sh
