/* SPDX-License-Identifier: GPL-2.0-or-later */
/* period.h - parses and formats a time. */
#ifndef COMMON_PERIOD_H
#define COMMON_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERIOD_LEN 32

/* Parses "10ms": a number with us, ms, s or min. */
bool period_parse(const char *text, uint64_t *ns);

/* The same; a number without a unit is in units of @bare ns. */
bool period_parse_bare(const char *text, uint64_t bare, uint64_t *ns);

/* Formats a time, such that period_parse() restores it exactly. */
void period_text(char text[PERIOD_LEN], uint64_t ns);

#endif
