/* SPDX-License-Identifier: GPL-2.0-or-later */
/* identity.h - writes the node's identity in formats in which it is optional. */
#ifndef RCRSTAT_IDENTITY_H
#define RCRSTAT_IDENTITY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "print/json.h"

struct node;
struct rcr_set;

/* Room for all items of an identity: 32 tags, and three others. */
#define IDENTITY_ITEMS	(16 * 1024)

/* For csv and tables: print only a configured identity; @node may be NULL. */
void identity_names(FILE *out, const struct node *node);
void identity_cells(FILE *out, const struct node *node);
void identity_heading(FILE *out, const struct node *node);

/* For json: prints any identity, also a default one, as the object "node". */
void identity_json(struct json *j, const struct node *node);

/* Writes the items of a file with records to @items; returns their size in bytes. */
size_t identity_items(uint64_t items[IDENTITY_ITEMS / 8], const struct node *node,
		      const struct rcr_set *set);

#endif
