#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# manual.sh MODEL - like readme.sh, but runs the commands of meters.md and the examples of the
# manual pages, except those of rcrcal(8), which take minutes.
# shellcheck disable=SC2034 # used by readme.sh
PARTS=(meters rcrtool.7 rcrstat.1 rcrjob.1 rcrctl.8 rcrd.8)
. ./defaults/readme.sh
