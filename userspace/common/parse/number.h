/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - parses decimal numbers. */
#ifndef RCRSTAT_NUMBER_H
#define RCRSTAT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

bool number_parse(const char *text, uint64_t *number);

#endif
