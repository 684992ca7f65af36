/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.h - counts while a command runs. */
#ifndef RCRSTAT_MEASURE_H
#define RCRSTAT_MEASURE_H

struct options;

int measure_command(const struct options *options);

#endif
