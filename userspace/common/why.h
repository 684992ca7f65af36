/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * why.h - one sentence on what is wrong and what to do.
 */
#ifndef COMMON_WHY_H
#define COMMON_WHY_H

/**
 * struct why - why something was refused
 * @text: one sentence
 */
struct why {
	char text[512];
};

/* Fills @why; returns -1. */
int because(struct why *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
