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
 * @rate: rates in the order of the set
 */
struct rates {
	unsigned int count;
	struct rate rate[RCR_MAX_COUNTERS];
};

/* The @cpu of rates_read() that means all CPUs. */
#define RATES_ALL (-1)

/*
 * Reads samples of @cpu for a quarter of a second or three periods, whichever is longer. No rate is
 * known if that is more than two seconds, if no samples come, or if the device cannot be opened.
 */
void rates_read(struct rates *r, int cpu);

/* The rate of the counter @name, or NULL if it is not known. */
const struct rate *rates_find(const struct rates *r, const char *name);

/* Formats a rate as "1.675G/s" or "41.20W"; "-" if @rate is NULL. */
const char *rate_text(const struct rate *rate, char text[RATE_LEN]);

#endif
