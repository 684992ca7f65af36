/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * period.h - a time as people write it.
 */
#ifndef COMMON_PERIOD_H
#define COMMON_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERIOD_LEN 32

/* Reads "10ms": a number with us, ms, s or min. */
bool period_parse(const char *text, uint64_t *ns);

/* Writes it so that it is read back exactly. */
void period_text(char text[PERIOD_LEN], uint64_t ns);

#endif
