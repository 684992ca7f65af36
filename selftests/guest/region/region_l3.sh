#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# region_l3.sh - counts a matrix product (kernels.c) and its traffic with memory, in exec mode on
# Family 15h, as a member of the group rcrtool. Prints the file, which cache_sizes.sh reads.
. ./defaults/common.sh
machine fam15h
plan 1
sysctl -qw kernel.perf_event_paranoid=2
MEMORY=2
cd /tmp || exit 1
plain_load
rcrctl meter add mem_bw
mkdir product && chown member product
setpriv --reuid=member --regid=member --init-groups env RCR_REGION_DIR=/tmp/product taskset -c 3 \
	/rcr/tests/kernels $MEMORY product >/tmp/out 2>&1
is "$(cut -d' ' -f2 /tmp/out | grep -c right)" 1 "region_l3: the product is right"
rcrregion show -t product/*.rcr | sed 's/^/# /'
base64 product/*.rcr | sed 's/^/# file /'
rmmod rcrtool
finished
