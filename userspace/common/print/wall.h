/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wall.h - prints points in time. */
#ifndef COMMON_WALL_H
#define COMMON_WALL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

void wall_seconds(FILE *out, uint64_t time);
void wall_date(FILE *out, uint64_t time, bool fraction);

#endif
