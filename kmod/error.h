/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error.h - why something could not be done, for the one who asked.
 */
#ifndef RCR_ERROR_H
#define RCR_ERROR_H

#include <linux/compiler.h>
#include <linux/rcrtool.h>

/**
 * struct rcr_failure - what went wrong
 * @error: 0, or -errno
 * @reason: one sentence: what is wrong, and what to do
 */
struct rcr_failure {
	int error;
	char reason[RCR_REASON_LEN];
};

__printf(3, 4)
int rcr_fail(struct rcr_failure *f, int error, const char *format, ...);

#endif
