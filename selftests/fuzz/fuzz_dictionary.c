// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_dictionary.c - the reader of LDMS's dictionary. Each accepted row can be found by its name,
 * and is an event that the grammar of events can express.
 */
#include <linux/rcrtool.h>

#include "fuzz.h"
#include "ldms.h"

static int told;

static void count(void *to, unsigned int number, const char *sentence)
{
	(void)to;
	FUZZ_HOLDS(number && strlen(sentence));
	told++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char event[RCR_EVENT_LEN];
	const char *text;
	struct code code;
	struct ldms d;
	unsigned int i;

	told = 0;
	FUZZ_HOLDS(ldms_read(&d, fuzz_copy(data, size), size, count, NULL) == told);
	text = d.text;
	for (i = 0; i < d.rows; i++) {
		const struct ldms_row *row = &d.row[i];

		FUZZ_HOLDS(ldms_find(&d, row->name) == row);
		FUZZ_HOLDS(row->text >= text && row->text + row->length <= text + size);
		FUZZ_HOLDS(code_text(event, sizeof(event), row->name, &row->code));
		FUZZ_HOLDS(code_parse(event + strlen(row->name) + 1, &code));
		FUZZ_HOLDS(code_select(&code) == code_select(&row->code));
	}
	ldms_free(&d);
	return 0;
}
