/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make.h - what programs are made of.
 */
#ifndef RCR_CALLS_MAKE_H
#define RCR_CALLS_MAKE_H

#include "calls.h"

/* Names, events and formulas, right and wrong ones; events begin at 11. */
extern const char *const texts[];

/* A random number less than @n. */
unsigned int below(unsigned int n);

/* An attribute of the form that its type is meant to have. @text may be NULL. */
struct attr attr(unsigned int type, uint64_t number, const char *text);

#endif
