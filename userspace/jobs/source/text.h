/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - parses what file systems and networks report as text. */
#ifndef JOBS_TEXT_H
#define JOBS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LUSTRE_STATS_MAX	128
#define LUSTRE_NAME_LEN		32
#define LNET_STATS		11

/**
 * struct lustre_stat - a line of a stats file of Lustre
 * @name: of the operation
 * @unit: of the values that follow
 * @samples: how many there were
 * @fields: how many of @value are there: 0, 3 (min, max, sum), or 4 (and the sum of squares)
 * @value: minimum, maximum, sum, sum of squares
 */
struct lustre_stat {
	char name[LUSTRE_NAME_LEN];
	char unit[LUSTRE_NAME_LEN];
	uint64_t samples;
	unsigned int fields;
	uint64_t value[4];
};

/* Names of the numbers of LNet, in their order. */
extern const char *const lnet_stat_name[LNET_STATS];

unsigned int lustre_parse(const char *text, size_t size,
			  struct lustre_stat stat[LUSTRE_STATS_MAX]);
bool lnet_parse(const char *text, size_t size, uint64_t value[LNET_STATS]);
bool count_parse(const char *text, size_t size, uint64_t *value);
bool telemetry_parse(const char *text, size_t size, uint64_t *value);

#endif
