/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bind.h - which counter of a set a relation speaks of.
 */
#ifndef RCRSTAT_BIND_H
#define RCRSTAT_BIND_H

#include <stdbool.h>
#include <linux/rcrtool.h>

/* Does @word (relations.h) mean counter @i of @set? */
bool bind_means(const struct rcr_set *set, unsigned int i, const char *word);

/* Does counter @b count whenever @a does, for as many CPUs, and is it read with it? */
bool bind_covers(const struct rcr_set *set, unsigned int a, unsigned int b);

#endif
