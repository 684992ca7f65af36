/* SPDX-License-Identifier: GPL-2.0-or-later */
/* card.h - the card of a run, in JSON: an agent that starts continues unfinished runs from it. */
#ifndef JOBS_CARD_H
#define JOBS_CARD_H

#include "runs/runs.h"

#define CARD_BOOT_LEN 40

/**
 * struct card_source - identifies the source of the records that a card counts
 * @boot: boot id of the kernel
 * @load: identifies this load of the module: inode number of its device
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
