/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make.h - makes the parts of programs.
 */
#ifndef RCR_CALLS_MAKE_H
#define RCR_CALLS_MAKE_H

#include "calls.h"

/* Names, events and formulas, valid and invalid ones; events begin at index 11. */
extern const char *const texts[];

/* A random number less than @n. */
unsigned int below(unsigned int n);

/* Return: an attribute of the form that its type requires. @text may be NULL. */
struct attr attr(unsigned int type, uint64_t number, const char *text);

#endif
