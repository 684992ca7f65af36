/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error.h - why something could not be done, for the one who asked.
 */
#ifndef RCR_ERROR_H
#define RCR_ERROR_H

#include <linux/compiler.h>
#include <linux/rcrreason.h>

/* Bytes of a reason as the kernel's log has it, with the 0. */
#define RCR_FAILURE_TEXT	224

/**
 * struct rcr_failure - what went wrong
 * @error: 0, or -errno
 * @reason: why, for a program that makes a sentence of it
 */
struct rcr_failure {
	int error;
	struct rcr_reason reason;
};

int rcr_fail(struct rcr_failure *f, int error, enum rcr_reason_code code);
__printf(4, 5)
int rcr_fail_with(struct rcr_failure *f, int error, enum rcr_reason_code code,
		  const char *types, ...);
int rcr_fail_within(struct rcr_failure *f, int error, enum rcr_reason_code code,
		    const char *text, const struct rcr_failure *why);
int rcr_fail_like(struct rcr_failure *f, int error, const struct rcr_failure *why);

const char *rcr_reason_next(const struct rcr_reason *r, const char *text);
const char *rcr_failure_say(const struct rcr_failure *f, char *text, size_t size);

/* The same, in memory of the block that it stands in. */
#define rcr_failure_text(f) \
	rcr_failure_say(f, (char [RCR_FAILURE_TEXT]) { }, RCR_FAILURE_TEXT)

#endif
