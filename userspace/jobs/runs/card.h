/* SPDX-License-Identifier: GPL-2.0-or-later */
/* card.h - the card of a run: JSON, from which a run that has not ended can be continued. */
#ifndef JOBS_CARD_H
#define JOBS_CARD_H

#include "runs/runs.h"

#define CARD_BOOT_LEN 40

/**
 * struct card_source - what the records of a card come from
 * @boot: boot id of the kernel
 * @load: number that the module has since it was loaded
 */
struct card_source {
	char boot[CARD_BOOT_LEN];
	uint64_t load;
};

void card_write(FILE *out, const struct runs *r, const struct run *run,
		const struct card_source *source);
bool card_peek(const char *text, unsigned int *serial, bool *ended);
struct run *card_read(const char *text, struct runs *r, const struct card_source *source);

#endif
