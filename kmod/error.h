/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error.h - failures of requests: an errno with a machine-readable reason.
 */
#ifndef RCR_ERROR_H
#define RCR_ERROR_H

#include <linux/compiler.h>
#include <linux/rcrreason.h>

/* Buffer size for rcr_failure_format(), including the terminating 0. */
#define RCR_FAILURE_TEXT	224

/**
 * struct rcr_failure - result of a request
 * @error: 0 or -errno
 * @reason: reason code and arguments; librcr turns them into a sentence
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
const char *rcr_failure_format(const struct rcr_failure *f, char *text, size_t size);

/* Format a failure into a compound literal, which is valid until the enclosing block ends. */
#define rcr_failure_text(f) \
	rcr_failure_format(f, (char [RCR_FAILURE_TEXT]) { }, RCR_FAILURE_TEXT)

#endif
