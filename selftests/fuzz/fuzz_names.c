// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_names.c - names of events, one per line, after a byte that selects the processor. A name is
 * refused with a reason, or resolved to an event that fits its buffer.
 */
#include "names_fuzz.h"
#include "sysfs/pmu_raw.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_machine();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	char event[RCR_EVENT_LEN], text[RCR_EVENT_LEN];
	struct names n;
	struct why why;
	char *word;

	fuzz_names(&n, fuzz_byte(&in));
	while (in.size) {
		word = fuzz_line(&in);
		why.text[0] = 0;
		if (names_resolve(&n, word, event, &why)) {
			FUZZ_HOLDS(strlen(why.text));
		} else {
			FUZZ_HOLDS(strlen(event) < sizeof(event));
			FUZZ_HOLDS(strlen(pmu_readable(event, text)) < sizeof(text));
			names_deficiency(n.family, event);
			names_keep(&n, event);
		}
		free(word);
	}
	names_free(&n);
	return 0;
}
