/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice.h - the events that option -e chooses, counted for as long as they are needed. */
#ifndef RCRSTAT_CHOICE_H
#define RCRSTAT_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

/**
 * struct choice - chosen counters
 * @count: entries of the arrays; 0: all counters of the set
 * @label: what the user calls it
 * @counter: name of the counter of the set that counts it
 * @hold: descriptor that holds events which were not counted before; -1: there are none
 */
struct choice {
	unsigned int count;
	char label[RCR_MAX_COUNTERS][RCR_NAME_LEN];
	char counter[RCR_MAX_COUNTERS][RCR_NAME_LEN];
	int hold;
};

int choice_open(struct choice *c, const char *events, const char *device);
void choice_close(struct choice *c);
uint32_t choice_apply(const struct choice *c, struct rcr_set *set);

#endif
