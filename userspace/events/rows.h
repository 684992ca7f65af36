/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - the parts of the catalogue, one for each file of rows.
 */
#ifndef METERS_ROWS_H
#define METERS_ROWS_H

#include <stddef.h>

#include "catalogue.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define INTEL_CYCLES	"TOT_CYC=event:0x3c"

/* Rows for any machine, for all of AMD and for all of Intel. */
extern const struct catalogue_row catalogue_any[];
extern const unsigned int catalogue_any_count;

/* Rows for one family each. */
extern const struct catalogue_row catalogue_amd_f15h[];
extern const unsigned int catalogue_amd_f15h_count;
extern const struct catalogue_row catalogue_amd_zen[];
extern const unsigned int catalogue_amd_zen_count;
extern const struct catalogue_row catalogue_intel_nhm[];
extern const unsigned int catalogue_intel_nhm_count;
extern const struct catalogue_row catalogue_intel_xeon[];
extern const unsigned int catalogue_intel_xeon_count;

#endif
