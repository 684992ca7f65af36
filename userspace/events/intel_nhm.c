// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_nhm.c - meters of Nehalem and Westmere.
 *
 * Events: Intel SDM volume 3B, with "Uncore performance events". The cycles that a miss
 * takes on a Core i7 (74, 35 and 180) are from the RCRTool Design Document, section 6.1.
 */
#include "rows.h"

#define NEHALEM	"Intel Nehalem"

const struct catalogue_row catalogue_intel_nhm[] = {
	{ "flop_rate", NEHALEM, "rate(FP_OPS)", "FP_OPS=event:0x10,umask:0x05",
	  "flop/s", 0, false },
	{ "l2_miss_ratio", NEHALEM, "L2_LINES_IN / L1_DCM",
	  "L2_LINES_IN=event:0xf1,umask:0x07;L1_DCM=event:0x51,umask:0x01", "1", 6, false },
	{ "l2_miss_cycle_ratio", NEHALEM,
	  "(L2_HIT_HITM * 74 + LLC_UNSHARED_HIT * 35) / TOT_CYC",
	  "L2_HIT_HITM=event:0xcb,umask:0x08;LLC_UNSHARED_HIT=event:0xcb,umask:0x04;" INTEL_CYCLES,
	  "1", 6, false },
	{ "l3_miss_cycle_ratio", NEHALEM, "LLC_MISS * 180 / TOT_CYC",
	  "LLC_MISS=event:0xcb,umask:0x10;" INTEL_CYCLES, "1", 6, false },
	{ "l3_to_l2_bw", NEHALEM, "rate(L2_LINES_IN) * 64", "L2_LINES_IN=event:0xf1,umask:0x07",
	  "B/s", 0, false },
	{ "mem_bw", NEHALEM, "rate(UNC_LLC_LINES_IN) * 64",
	  "UNC_LLC_LINES_IN=uncore:event:0x0a,umask:0x0f", "B/s", 0, true },
};

const unsigned int catalogue_intel_nhm_count = ARRAY_SIZE(catalogue_intel_nhm);
