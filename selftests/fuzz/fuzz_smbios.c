// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_smbios.c - the firmware's table of memory devices, as rcrcal reads it.
 */
#include "fuzz.h"
#include "smbios.h"

static uint64_t sum;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *table = malloc(size ? size : 1);

	FUZZ_HOLDS(table);
	memcpy(table, data, size);
	sum += smbios_memory_bw((const uint8_t *)table, size);
	free(table);
	return 0;
}
