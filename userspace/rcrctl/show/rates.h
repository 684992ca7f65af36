/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rates.h - current rates of the running counters, from the stream of samples. */
#ifndef RCRCTL_RATES_H
#define RCRCTL_RATES_H

#include <stdbool.h>

#include "rcr.h"

#define RATE_LEN 24

/**
 * struct rate - rate of a counter, summed over the CPUs that count it
 * @name: name of the counter
 * @unit: enum rcr_unit
 * @known: @per_second is valid
 * @per_second: the rate, in @unit per second
 */
struct rate {
	char name[RCR_NAME_LEN];
	unsigned int unit;
	bool known;
	double per_second;
};

/**
 * struct rates - rates of a set
 * @count: entries of @rate
 * @rate: one a counter
 */
struct rates {
	unsigned int count;
	struct rate rate[RCR_MAX_COUNTERS];
};

/* As @cpu of rates_read(): all CPUs. */
#define RATES_ALL (-1)

/*
 * Reads samples of @cpu for a quarter of a second or three periods, at most two seconds. Without
 * samples, or without access to the device, no rate is known.
 */
void rates_read(struct rates *r, int cpu);

/* The rate of the counter @name, or NULL if it is not known. */
const struct rate *rates_find(const struct rates *r, const char *name);

/* "1.675G/s", "41.20W" or "-", also for a NULL @rate. */
const char *rate_text(const struct rate *rate, char text[RATE_LEN]);

#endif
