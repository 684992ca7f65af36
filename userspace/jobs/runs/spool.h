/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool.h - the directory of the cards. */
#ifndef JOBS_SPOOL_H
#define JOBS_SPOOL_H

#include <dirent.h>

#include "runs/card.h"

/* Default directory of the cards. */
#define SPOOL_DIRECTORY "/var/spool/rcrtool/jobs"

/**
 * struct spool - the directory
 * @dir: its path; NULL: there are no cards
 * @source: source of the records
 * @warned: a failure was logged
 * @pruned: when old cards were removed, on the wall clock, ns since 1970
 * @pruning: the directory while old cards are being removed, else NULL
 */
struct spool {
	const char *dir;
	struct card_source source;
	bool warned;
	uint64_t pruned;
	DIR *pruning;
};

void spool_source(struct spool *s, bool is_recording);
void spool_load(struct spool *s, struct runs *r, uint64_t since);
void spool_save(struct spool *s, struct runs *r, uint64_t wall);

#endif
