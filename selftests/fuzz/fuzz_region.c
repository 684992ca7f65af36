// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_region.c - the reader of librcrregion's files. The first byte of an input selects whether
 * its checksum is corrected: hardly any input has a valid one. Accepted files are added to
 * statistics, which are then checked.
 */
#include <math.h>

#include "fuzz.h"
#include "rcrregion/statistics.h"

static void check_statistics(const struct region_file *f)
{
	struct statistics_list list = { };
	const struct statistics *s;
	unsigned int i;

	FUZZ_HOLDS(!statistics_add_file(&list, f, NULL, 0));
	FUZZ_HOLDS(!statistics_add_file(&list, f, NULL, 0));
	for (i = 0; i < list.rows; i++) {
		s = &list.row[i];
		FUZZ_HOLDS(s->min <= s->max && s->processes >= 2);
		FUZZ_HOLDS(statistics_deviation(s) >= 0);
		FUZZ_HOLDS(!i || strcmp(s[-1].region, s->region) ||
			   strcmp(s[-1].counter, s->counter));
	}
	statistics_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct region_file file = { };
	struct why why;
	uint64_t sum;

	if (!size)
		return 0;
	file.size = size - 1;
	file.data = malloc(size);
	FUZZ_HOLDS(file.data);
	memcpy(file.data, data + 1, file.size);
	if (data[0] & 1 && file.size >= sizeof(sum)) {
		sum = region_checksum(REGION_CHECKSUM_BEGIN, file.data, file.size - sizeof(sum));
		memcpy(file.data + file.size - sizeof(sum), &sum, sizeof(sum));
	}
	if (!region_file_check(&file, &why))
		check_statistics(&file);
	region_file_free(&file);
	return 0;
}
