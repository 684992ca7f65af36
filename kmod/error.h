/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error.h - reasons of failures, for the caller of a request.
 */
#ifndef RCR_ERROR_H
#define RCR_ERROR_H

#include <linux/compiler.h>
#include <linux/rcrreason.h>

/* Size of a reason in the kernel log, with the terminating 0. */
#define RCR_FAILURE_TEXT	224

/**
 * struct rcr_failure - a failure
 * @error: 0, or -errno
 * @reason: the reason, which programs turn into a sentence
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

/* The same, allocated on the stack of the enclosing block. */
#define rcr_failure_text(f) \
	rcr_failure_say(f, (char [RCR_FAILURE_TEXT]) { }, RCR_FAILURE_TEXT)

#endif
