/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording.h - files with a saved stream. */
#ifndef RCRSTAT_RECORDING_H
#define RCRSTAT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

bool recording_is_cut(int fd, uint64_t offset);
int recording_refuse(const char *path, int error);

#endif
