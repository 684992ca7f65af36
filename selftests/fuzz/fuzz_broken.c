// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_broken.c - a target that crashes at an input which a fuzzer finds at once, to test that
 * fuzz.sh reports crashes.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);

	FUZZ_HOLDS(size < 2 || text[0] != 'R' || text[1] != 'C');
	free(text);
	return 0;
}
