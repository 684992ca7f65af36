/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bind.h - matches the words of a relation with the counters of a set. */
#ifndef RCRSTAT_BIND_H
#define RCRSTAT_BIND_H

#include <stdbool.h>
#include <linux/rcrtool.h>

/* True if @word (relations.h) denotes counter @i of @set. */
bool bind_means(const struct rcr_set *set, unsigned int i, const char *word);

/* True if counter @b counts whenever @a does, has the same scope and is read at the same time. */
bool bind_covers(const struct rcr_set *set, unsigned int a, unsigned int b);

#endif
