/* SPDX-License-Identifier: GPL-2.0-or-later */
/* si.h - formats numbers for people. */
#ifndef COMMON_SI_H
#define COMMON_SI_H

#include <stddef.h>
#include <stdint.h>

/* The longest is "12.34k", with the terminating 0. */
#define SI_SIZE 7

/* The longest is 2^64 - 1 with its commas and the terminating 0. */
#define SI_GROUPED_SIZE 27

char *si_format(char text[SI_SIZE], uint64_t tenths);
/* @size is that of @text, at least SI_SIZE. */
char *si_small(char *text, size_t size, double number);
char *si_grouped(char text[SI_GROUPED_SIZE], uint64_t number);

#endif
