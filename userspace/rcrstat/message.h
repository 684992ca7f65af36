/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * message.h - one sentence on standard error.
 */
#ifndef RCRSTAT_MESSAGE_H
#define RCRSTAT_MESSAGE_H

/* Says what failed; returns EXIT_FAILURE. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
