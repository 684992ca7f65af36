/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpulist.h - lists of CPUs in the format of sysfs: 0-3,8. */
#ifndef COMMON_CPULIST_H
#define COMMON_CPULIST_H

#include <stdbool.h>
#include <stdio.h>

/* More CPUs than any machine that Linux supports. */
#define CPU_LIMIT 8192
/* Room for the longest list of these: 0-1,3-4,6-7 ... */
#define CPULIST_TEXT (4 * CPU_LIMIT)

bool cpulist_parse(const char *text, bool *cpu);
void cpulist_print(FILE *out, const bool *cpu);

#endif
