/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - parses decimal numbers. */
#ifndef COMMON_NUMBER_H
#define COMMON_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

bool number_parse(const char *text, uint64_t *number);

#endif
