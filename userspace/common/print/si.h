/* SPDX-License-Identifier: GPL-2.0-or-later */
/* si.h - formats numbers for people. */
#ifndef COMMON_SI_H
#define COMMON_SI_H

#include <stdint.h>

/* The longest is "12.34k", with the terminating 0. */
#define SI_SIZE 7

char *si_format(char text[SI_SIZE], uint64_t tenths);

#endif
