// SPDX-License-Identifier: GPL-2.0-only
/*
 * catalogue.c - iterates over the meters of a family. The rows are in the other files of
 * this directory, one file for a group of families.
 *
 * Formulas: RCRTool Design Document, sections 6.1 and 6.2.
 */
#include <string.h>

#include "rows.h"

static const struct {
	const struct catalogue_row *row;
	const unsigned int *count;
} parts[] = {
	{ catalogue_any, &catalogue_any_count },
	{ catalogue_amd_f15h, &catalogue_amd_f15h_count },
	{ catalogue_amd_zen, &catalogue_amd_zen_count },
	{ catalogue_intel_nhm, &catalogue_intel_nhm_count },
	{ catalogue_intel_xeon, &catalogue_intel_xeon_count },
};

static bool row_is_for(const struct catalogue_row *row, const char *family)
{
	return !row->family ||
	       (family && !strncmp(row->family, family, strlen(row->family)));
}

const struct catalogue_row *catalogue_next(const struct catalogue_row *before,
					   const char *family)
{
	bool is_after = !before;
	unsigned int p, i;

	for (p = 0; p < ARRAY_SIZE(parts); p++) {
		for (i = 0; i < *parts[p].count; i++) {
			const struct catalogue_row *row = &parts[p].row[i];

			if (is_after && row_is_for(row, family))
				return row;
			is_after |= row == before;
		}
	}
	return NULL;
}
