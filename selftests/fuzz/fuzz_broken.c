// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_broken.c - no target of ours: it breaks at an input that a fuzzer finds in no time,
 * so that fuzz.sh has a fault to report.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);

	FUZZ_HOLDS(size < 2 || text[0] != 'R' || text[1] != 'C');
	free(text);
	return 0;
}
