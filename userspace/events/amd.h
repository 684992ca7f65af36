/* SPDX-License-Identifier: GPL-2.0-or-later */
/* amd.h - rows that the tables of several AMD families share. */
#ifndef EVENTS_AMD_H
#define EVENTS_AMD_H

#include "table.h"

#define FLOPS		"floating-point operations retired, SSE and AVX"
#define VECTOR		"SSE and AVX instructions retired"

/* PAPI presets with the same definition on all AMD families */
#define AMD_BRANCHES \
	{ "PAPI_BR_INS", CORE(0x0c2, 0x00), "branches retired" }, \
	{ "PAPI_BR_TKN", CORE(0x0c4, 0x00), "branches taken, retired" }, \
	{ "PAPI_BR_MSP", CORE(0x0c3, 0x00), "branches mispredicted, retired" }

/* PAPI presets with the same definition on families 10h and 15h */
#define AMD_CACHES \
	{ "PAPI_L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" }, \
	{ "PAPI_L1_ICA", CORE(0x080, 0x00), "instruction cache fetches" }, \
	{ "PAPI_L1_ICM", CORE(0x081, 0x00), "instruction cache misses" }, \
	{ "PAPI_L2_DCA", CORE(0x07d, 0x02), "L2 requests of the data cache" }, \
	{ "PAPI_L2_DCM", CORE(0x07e, 0x02), "L2 misses of the data cache" }, \
	{ "PAPI_L2_ICM", CORE(0x07e, 0x01), "L2 misses of the instruction cache" }, \
	{ "PAPI_L2_TCM", CORE(0x07e, 0x03), "L2 misses of data and instructions" }, \
	{ "PAPI_HW_INT", CORE(0x0cf, 0x00), "interrupts taken" }, \
	{ "PAPI_RES_STL", CORE(0x0d1, 0x00), "cycles without dispatch" }

#define NO_X87	"leaves out x87: counts SSE and AVX operations only "
#define SCALAR	"no vector count: scalar SSE and AVX instructions are in it, too "

/*
 * Taken and mispredicted branches are branches. Instructions and branches both include each
 * exception and interrupt, according to the manuals of 10h and 15h.
 */
#define AMD_BRANCH_RELATIONS(family) \
	{ (family), "event:0xc3 <= event:0xc2", 16 }, \
	{ (family), "event:0xc4 <= event:0xc2", 16 }

#endif
