/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice.h - events and meters of options -e and -m, which are counted as long as rcrstat runs. */
#ifndef RCRSTAT_CHOICE_H
#define RCRSTAT_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "meter/derive.h"
#include "meter/meters.h"

/**
 * struct choice - chosen counters and meters
 * @chosen: print only the chosen counters, not all counters of the set
 * @count: entries of the arrays
 * @label: by event: the user's name of it
 * @counter: by event: name of its counter in the set
 * @shown: by event: print it; else only a meter needs it
 * @hold: descriptor that holds events which were not counted before; -1: none
 * @derive: formulas of additional columns; NULL: none
 * @meters: the meters; without forms until the first set of a saved stream
 * @saved: the stream is a saved one: counters are chosen by name
 */
struct choice {
	bool chosen;
	unsigned int count;
	char label[RCR_MAX_COUNTERS][RCR_NAME_LEN];
	char counter[RCR_MAX_COUNTERS][RCR_NAME_LEN];
	bool shown[RCR_MAX_COUNTERS];
	int hold;
	const struct derive *derive;
	struct meters meters;
	bool saved;
};

int choice_open(struct choice *c, const char *events, const char *meters, const char *device);
void choice_add_name(struct choice *c, const char *name);
void choice_close(struct choice *c);
int choice_check(struct choice *c, const struct rcr_set *set);
int choice_begin(struct choice *c, const struct rcr_set *set);
uint32_t choice_apply(const struct choice *c, struct rcr_set *set);

#endif
