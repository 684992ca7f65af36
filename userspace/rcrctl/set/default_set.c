// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * default_set.c - names of the events that the module counts when it is loaded.
 *
 * The module has them in the tables of kmod/pmu, and has no request for them; test_natives
 * compares the two for every family.
 */
#include <string.h>

#include "set/default_set.h"

static const struct default_set_row {
	const char *family;	/* beginning of its name; the first row that fits is used */
	const char *event[DEFAULT_SET_MAX + 1];
} default_sets[] = {
	{ "AMD Fam10h", { "TOT_CYC", "TOT_INS", "DATA_CACHE_ACCESSES", "MMX_FP_INS" } },
	{ "AMD Fam15h", { "TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "VEC_INS", "L1_DCM", "TLB_DM" } },
	{ "AMD ", { "TOT_CYC", "TOT_INS", "VEC_INS", "L1_DCM", "TLB_DM" } },
	{ "Intel Nehalem", { "TOT_CYC", "TOT_INS", "FP_OPS", "VEC_INS", "L1_DCM", "TLB_DM" } },
	{ "Intel Haswell", { "TOT_CYC", "TOT_INS", "L1_DCM", "TLB_DM", "VEC_INS" } },
	{ "Intel Broadwell", { "TOT_CYC", "TOT_INS", "L1_DCM", "TLB_DM", "FP_INS", "VEC_INS" } },
	{ "Intel ", { "TOT_CYC", "TOT_INS", "FP_INS", "VEC_INS", "L1_DCM", "TLB_DM" } },
	{ "", { "CPU_CLOCK=cpu-clock", "CONTEXT_SWITCHES=context-switches",
		"PAGE_FAULTS=page-faults" } },
};

const char *const *default_set(const char *family)
{
	const struct default_set_row *row = default_sets;

	while (strncmp(family, row->family, strlen(row->family)))
		row++;
	return row->event;
}
