/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why.h - formats the reason of a failure. */
#ifndef COMMON_WHY_H
#define COMMON_WHY_H

/**
 * struct why - reason of a failure
 * @text: one sentence: the error and its remedy
 */
struct why {
	char text[512];
};

/* Fills in @why; returns -1. */
int because(struct why *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
