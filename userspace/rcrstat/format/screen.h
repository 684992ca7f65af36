/* SPDX-License-Identifier: GPL-2.0-or-later */
/* screen.h - updates a text in place on a terminal. */
#ifndef RCRSTAT_SCREEN_H
#define RCRSTAT_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

struct table_size;

bool screen_is_one(FILE *out);
struct table_size screen_size(FILE *out);
void screen_show(FILE *out, const char *text, const struct table_size *size,
		 bool first);

#endif
