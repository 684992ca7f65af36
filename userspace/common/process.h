/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process.h - reads the files of a process in /proc. */
#ifndef RCR_PROCESS_H
#define RCR_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* True in the initial process id namespace, where process ids are the same as in samples. */
bool process_has_numbers(void);

/* Reads the parent of a process and its start, in clock ticks since boot; false if it has ended. */
bool process_read(uint64_t pid, uint64_t *parent, uint64_t *start);

/* Sets *@uid to the user of a process; false if it has ended. */
bool process_user(uint64_t pid, uid_t *uid);

#endif
